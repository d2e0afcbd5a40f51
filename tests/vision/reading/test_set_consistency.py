"""Readings of a whole table are weighed together: what the set forbids is corrected, doubted, or told as surplus."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.felt import BACK, FACES, Outcome, Reading
from vision.reading.set_consistency import SetConstraints, resolve_readings


def _sure(tile: str, score: float = 0.99) -> Reading:
    return Reading(tile=tile, score=score)


def _torn(tile: str, score: float, other: str, chance: float) -> Reading:
    return Reading(tile=tile, score=score, alternatives=((other, chance),))


def _tiles(readings: list[Reading]) -> list[str]:
    return [reading.tile for reading in readings]


def test_a_whole_set_is_left_as_it_was_read() -> None:
    readings = [
        _sure(face) for face in FACES for _ in range(1 if face[0] == "0" else 3 if face in {"5m", "5p", "5s"} else 4)
    ]
    assert len(readings) == 136
    assert resolve_readings(readings, SetConstraints(reds={"m": 1, "p": 1, "s": 1})) == (readings, ())


def test_of_five_alike_the_weakest_is_corrected_to_what_it_may_be() -> None:
    readings = [_sure("6m")] * 4 + [_torn("6m", 0.55, "9m", 0.43)]
    weighed, remarks = resolve_readings(readings)
    assert _tiles(weighed) == ["6m"] * 4 + ["9m"]
    (remark,) = remarks
    assert (remark.index, remark.before, remark.now, remark.outcome) == (4, "6m", "9m", Outcome.CORRECTED)
    assert weighed[4].score > 0.9
    assert weighed[4].alternatives[0][0] == "6m"


def test_where_two_are_as_weak_both_are_doubted() -> None:
    readings = [_sure("6m")] * 3 + [_torn("6m", 0.6, "9m", 0.38), _torn("6m", 0.58, "9m", 0.4)]
    weighed, remarks = resolve_readings(readings)
    assert sorted(_tiles(weighed)) == ["6m"] * 4 + ["9m"]
    assert {remark.index for remark in remarks} == {3, 4}
    assert {remark.outcome for remark in remarks} == {Outcome.DOUBTED}
    assert all(weighed[index].score < 0.9 for index in (3, 4))


def test_five_that_are_plainly_seen_are_told_and_left() -> None:
    weighed, remarks = resolve_readings([_sure("6m", 0.9995)] * 5)
    assert _tiles(weighed) == ["6m"] * 5
    assert [remark.outcome for remark in remarks] == [Outcome.SURPLUS] * 5


def test_a_full_kind_pushes_the_next_on() -> None:
    readings = [_sure("6m")] * 4 + [_torn("6m", 0.7, "9m", 0.29)] + [_sure("9m")] * 3 + [_torn("9m", 0.5, "1m", 0.49)]
    weighed, remarks = resolve_readings(readings)
    assert _tiles(weighed) == ["6m"] * 4 + ["9m"] * 4 + ["1m"]
    assert {remark.index for remark in remarks} >= {4, 8}


@pytest.mark.parametrize(("reds", "expected"), [({"p": 1}, ["0p", "5p"]), ({"p": 2}, ["0p", "0p"]), ({}, ["5p", "5p"])])
def test_a_set_has_its_number_of_reds(reds: dict[str, int], expected: list[str]) -> None:
    weighed, _ = resolve_readings(
        [_torn("0p", 0.97, "5p", 0.02), _torn("0p", 0.6, "5p", 0.39)], SetConstraints(reds=reds)
    )
    assert _tiles(weighed) == expected


def test_what_surely_lies_elsewhere_leaves_less_room() -> None:
    readings = [_sure("3s")] * 3 + [_torn("3s", 0.6, "2s", 0.39)]
    assert resolve_readings(readings)[1] == ()
    weighed, remarks = resolve_readings(readings, SetConstraints(elsewhere=("3s",)))
    assert _tiles(weighed) == ["3s"] * 3 + ["2s"]
    assert remarks[0].outcome is Outcome.CORRECTED


@pytest.mark.parametrize(
    ("meld", "expected"),
    [
        ([_sure("4p"), _sure("4p"), _torn("7p", 0.7, "4p", 0.28)], ["4p"] * 3),
        ([_sure("5s"), _sure("0s"), _torn("6s", 0.8, "5s", 0.19)], ["5s", "0s", "5s"]),
        ([_sure("4m"), _torn("9m", 0.6, "6m", 0.39), _sure("5m")], ["4m", "6m", "5m"]),
        ([_sure("4m"), _sure("1z"), _sure("7p")], ["4m", "1z", "7p"]),
    ],
)
def test_tiles_of_a_meld_belong_together(meld: list[Reading], expected: list[str]) -> None:
    weighed, _ = resolve_readings(meld, SetConstraints(melds=(tuple(range(len(meld))),)))
    assert _tiles(weighed) == expected


def test_backs_are_as_many_as_they_are() -> None:
    readings = [_sure(BACK)] * 70
    assert resolve_readings(readings) == (readings, ())
    assert resolve_readings([]) == ([], ())


def test_a_set_has_at_most_four_red_fives_of_a_suit() -> None:
    with pytest.raises(ValueError, match="0 to 4 red fives"):
        SetConstraints(reds={"m": 5})
    with pytest.raises(ValueError, match="three or four"):
        SetConstraints(melds=((0, 1),))


def test_no_cheaper_way_to_make_the_set_whole_exists() -> None:
    """Against trying every way, on small tables where only some faces have room."""
    rng = np.random.default_rng(7)
    faces = ("1m", "2m", "3m")
    for _ in range(40):
        chances = rng.dirichlet((1.0, 1.0, 1.0), 5)
        readings = []
        for row in chances:
            order = np.argsort(-row)
            (tile, score), *others = [(faces[i], float(row[i])) for i in order]
            readings.append(Reading(tile=tile, score=score, alternatives=tuple(others)))
        weighed, _ = resolve_readings(readings, SetConstraints(elsewhere=("1m",) * 2 + ("2m",) * 2 + ("3m",) * 3))
        logs = np.log(np.maximum(chances, 1e-4))
        options = [
            option for option in product(range(3), repeat=5) if all(option.count(i) <= (2, 2, 1)[i] for i in range(3))
        ]
        best = max(sum(logs[i, face] for i, face in enumerate(option)) for option in options)
        chosen = [faces.index(reading.tile) for reading in weighed]
        if chosen in [list(option) for option in options]:
            assert sum(logs[i, face] for i, face in enumerate(chosen)) == pytest.approx(best)
        else:
            assert best < -7


@given(
    st.lists(
        st.lists(st.sampled_from(FACES), min_size=3, max_size=3, unique=True).flatmap(
            lambda faces: st.tuples(st.just(faces), st.lists(st.floats(0.01, 1), min_size=4, max_size=4))
        ),
        min_size=1,
        max_size=12,
    )
)
def test_a_reading_and_its_alternatives_add_up_to_one_at_most(drawn: list[tuple[list[str], list[float]]]) -> None:
    readings = []
    for faces, weights in drawn:
        first, second, third = sorted((weight / sum(weights) for weight in weights[:3]), reverse=True)
        readings.append(Reading(tile=faces[0], score=first, alternatives=((faces[1], second), (faces[2], third))))
    weighed, _ = resolve_readings(readings)
    assert len(weighed) == len(readings)
    for reading in weighed:
        assert reading.score + sum(score for _, score in reading.alternatives) <= 1 + 1e-9
