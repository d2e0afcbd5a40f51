from __future__ import annotations

import pytest

from table.records.season import intervals
from table.records.season.intervals import mean_interval, share_interval, student


@pytest.mark.parametrize(
    ("freedom", "half_width"),
    [
        (1, 12.7062),
        (2, 4.3027),
        (5, 2.5706),
        (10, 2.2281),
        (30, 2.0423),
        (200, 1.9719),
        (201, 1.9718),
        (10_000, 1.9602),
    ],
)
def test_students_quantile_is_that_of_the_tables(freedom: int, half_width: float) -> None:
    assert student(freedom) == pytest.approx(half_width, abs=2e-4)


def test_of_many_the_quantile_is_that_of_the_exact_series(monkeypatch: pytest.MonkeyPatch) -> None:
    expanded = student(intervals.LARGE_FREEDOM + 1)
    monkeypatch.setattr(intervals, "LARGE_FREEDOM", intervals.LARGE_FREEDOM + 1)
    assert expanded == pytest.approx(student(intervals.LARGE_FREEDOM), abs=1e-6)


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [(0, 10, 0, 0.2775), (3, 10, 0.1078, 0.6032), (10, 10, 0.7225, 1), (1, 2, 0.0945, 0.9055)],
)
def test_a_share_has_wilsons_interval(hits: int, of: int, low: float, high: float) -> None:
    assert share_interval(hits, of) == pytest.approx((low, high), abs=1e-4)


def test_nothing_and_a_single_game_have_no_interval() -> None:
    assert share_interval(0, 0) is None
    assert mean_interval(0, 0, 0) is None
    assert mean_interval(1, 3, 9) is None


def test_values_that_are_all_alike_do_not_tell_how_far_others_may_lie() -> None:
    assert mean_interval(3, 3, 3) is None
    assert mean_interval(2, 50_000, 1_250_000_000) is None


def test_an_average_has_students_interval() -> None:
    assert mean_interval(4, 10, 30) == pytest.approx((2.5 - 2.0542, 2.5 + 2.0542), abs=1e-3)
