"""Which sticks lie there, by made answers of strips."""

from __future__ import annotations

import numpy as np
import pytest

from vision.reading.sticks.spots import Spot
from vision.reading.sticks.votes import Answer, voted_sticks

LOWER = Spot(0.0, 0.0, 0.0)


HUNDRED = (0.0, 1.0, 0.0, 0.0)


def answer(place: Spot, strip: int, score: float, chances: tuple[float, ...] = HUNDRED) -> Answer:
    """A stick of 80 x 8 mm, told by the strip about it."""
    turn = np.radians(place.degrees)
    long, short = np.array([np.cos(turn), np.sin(turn)]) * 40, np.array([-np.sin(turn), np.cos(turn)]) * 4
    quad = np.array([long - short, long + short, -long + short, -long - short]) + (place.x, place.y)
    return Answer(quad=quad, place=place, score=score, chances=np.array(chances), strip=strip)


@pytest.mark.parametrize(
    ("degrees", "is_gap", "sticks"), [(16.0, False, 3), (16.0, True, 2), (2.0, False, 2), (9.0, False, 2)]
)
def test_a_stick_below_two_that_lie_askew_over_it_is_one(degrees: float, is_gap: bool, sticks: int) -> None:
    """Its dots show between them: not so where they cover it, or lie along it, or where nothing but a gap shows."""
    spots = [LOWER, Spot(30.0, 4.5, degrees), Spot(-30.0, -4.5, degrees)]
    answers = [answer(spot, n, 0.98 if n == 0 else 1.0) for n, spot in enumerate(spots)]
    assert len(voted_sticks(answers, spots, lambda quad, others: is_gap)) == sticks


@pytest.mark.parametrize(
    ("chances", "values"), [(HUNDRED, [100, 100]), ((1.0, 0.0, 0.0, 0.0), [100]), ((0.0, 0.4, 0.3, 0.3), [100])]
)
def test_a_less_sure_stick_counts_beside_another_of_its_value(chances: tuple[float, ...], values: list[int]) -> None:
    """Only one of the two strips that should show it does; both show the other, which is told once."""
    beside = Spot(0.0, 9.9, 0.0)
    answers = [answer(LOWER, 0, 1.0), answer(LOWER, 1, 1.0), answer(beside, 1, 1.0, chances)]
    assert [stick.value for stick in voted_sticks(answers, [LOWER, beside], lambda quad, others: False)] == values


@pytest.mark.parametrize(
    ("beyond", "sticks"),
    [(Spot(45.0, 1.0, 1.0), 1), (Spot(82.0, 0.0, 0.0), 2), (Spot(45.0, 8.5, 0.0), 2), (Spot(45.0, 1.0, 20.0), 2)],
    ids=["its own continuation", "the next in line", "beside it", "across its end"],
)
def test_two_sticks_do_not_lie_in_one_line_nearer_than_their_length(beyond: Spot, sticks: int) -> None:
    answers = [answer(LOWER, 0, 1.0), answer(beyond, 1, 1.0)]
    assert len(voted_sticks(answers, [LOWER, beyond], lambda quad, others: False)) == sticks


@pytest.mark.parametrize(("chance", "value"), [(0.6, 100), (0.4, 0)])
def test_a_stick_whose_value_no_vote_tells_is_of_unknown_value(chance: float, value: int) -> None:
    chances = (0.0, chance, (1 - chance) / 2, (1 - chance) / 2)
    (stick,) = voted_sticks([answer(LOWER, 0, 1.0, chances)], [LOWER], lambda quad, others: False)
    assert stick.value == value
