"""A riichi's moment as the benchmark films it."""

from __future__ import annotations

import pytest

from tests.benchmarks.riichi_moment import Moment, moment, report


@pytest.mark.pictures
def test_a_stick_in_the_slot_of_the_unit_is_seen_with_its_value() -> None:
    riichi = moment(26)
    assert (riichi.look, riichi.place) == ("plain", "slot")
    assert (riichi.is_seen, riichi.value, riichi.is_turned, riichi.false) == (True, 1000, True, 0)


def test_a_stick_that_was_not_seen_is_counted_and_named() -> None:
    seen_moment = Moment(number=3, look="dim", place="unit", is_seen=True, value=1000, is_turned=True, false=0)
    missed_moment = Moment(number=4, look="warm", place="edge", is_seen=False, value=0, is_turned=False, false=1)
    lines = report([seen_moment, missed_moment]).splitlines()
    assert lines[0].startswith("all: 2 moments, stick not seen 1, told 1000 1, without a value 0")
    assert lines[-1] == "not seen: 4 (warm, edge)"
