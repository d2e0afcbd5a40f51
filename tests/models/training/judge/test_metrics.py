"""The figures of the model card are computed as their names say."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from models.training.judge.metrics import Bin, Rate, confusions, diagram, reliability, temperature


@pytest.mark.parametrize(
    ("right", "total", "low", "high"),
    [
        pytest.param(0, 0, 0.0, 1.0, id="nothing is known of none"),
        pytest.param(10, 10, 0.722, 1.0, id="ten of ten"),
        pytest.param(0, 10, 0.0, 0.278, id="none of ten"),
        pytest.param(50, 100, 0.404, 0.596, id="half of a hundred"),
    ],
)
def test_intervals_are_wilsons(right: int, total: int, low: float, high: float) -> None:
    assert Rate(right=right, total=total).interval == pytest.approx((low, high), abs=1e-3)


def test_a_rate_says_count_part_and_interval() -> None:
    assert str(Rate(right=50, total=100)) == "50/100 = 50.0 % (40.4-59.6)"


def test_more_right_than_there_were_is_refused() -> None:
    with pytest.raises(ValueError, match="got 3 of 2"):
        Rate(right=3, total=2)


def test_scores_that_mean_what_they_say_have_no_error() -> None:
    scores = np.repeat([0.6, 0.85], 100)
    right = np.concatenate([np.arange(100) < 60, np.arange(100) < 85])
    bins, error = reliability(scores, right)
    assert [(row.low, row.high, row.count) for row in bins] == [(0.5, 0.7, 100), (0.8, 0.9, 100)]
    assert error == pytest.approx(0.0, abs=1e-9)


def test_boasting_scores_show_by_how_much() -> None:
    _, error = reliability(np.full(10, 0.96), np.arange(10) < 5)
    assert error == pytest.approx(0.46)


def test_the_temperature_cools_a_reader_that_is_too_sure() -> None:
    rng = np.random.default_rng(3)
    honest = rng.normal(0, 2, (4000, 5))
    chances = np.exp(honest) / np.exp(honest).sum(axis=1, keepdims=True)
    labels = np.array([rng.choice(5, p=row) for row in chances])
    assert temperature(honest * 2, labels) == pytest.approx(2.0, rel=0.12)
    assert temperature(honest, labels) == pytest.approx(1.0, rel=0.12)


def test_mistakes_are_counted_by_what_it_was_and_what_was_read() -> None:
    pairs = confusions(["9m", "9m", "1s", "5z"], ["6m", "6m", "1s", "?"])
    assert pairs == [("9m", "6m", 2), ("5z", "?", 1)]


def test_the_diagram_has_a_disc_for_each_bin_and_what_is_calibrated_lies_on_the_diagonal() -> None:
    honest, boastful = (
        Bin(low=0.5, high=0.7, count=1, predicted=0.6, observed=0.6),
        Bin(low=0.9, high=1.0, count=9, predicted=0.99, observed=0.5),
    )
    drawn = ElementTree.fromstring(diagram((honest, boastful)))  # noqa: S314 - drawn here
    discs = drawn.findall("{http://www.w3.org/2000/svg}circle")
    across, up, size = ([float(disc.attrib[name]) for disc in discs] for name in ("cx", "cy", "r"))
    assert across[0] - 40 == pytest.approx(320 - up[0])
    assert across[1] - 40 > 320 - up[1]
    assert size[1] > size[0]
