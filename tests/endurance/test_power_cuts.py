from __future__ import annotations

import pytest

from tests.endurance.command_output import LONG_S, printed_by
from tests.endurance.power_cuts import check_end, reference


def test_the_evening_without_any_cut_is_the_scripts() -> None:
    check_end(reference())


def test_an_evening_with_power_cuts_loses_nothing_and_tells_nothing_twice() -> None:
    assert "25 cuts in" in printed_by("power_cuts", "25", "7")


def test_a_press_that_was_written_but_not_confirmed_is_not_taken_twice() -> None:
    printed_by("power_cuts", "presses")


@pytest.mark.long
def test_hundreds_of_power_cuts_lose_nothing() -> None:
    assert "400 cuts in" in printed_by("power_cuts", "400", "100", limit_s=LONG_S)
