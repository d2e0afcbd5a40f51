from __future__ import annotations

import pytest

from tests.endurance.command_output import LONG_S, printed_by


def test_a_phone_is_answered_and_memory_is_bounded_while_a_crowd_holds_the_door() -> None:
    assert "200 streams heard" in printed_by("crowd", "2", "--way", "https", "--unhurried")


@pytest.mark.long
def test_a_crowd_that_stays_keeps_no_phone_waiting() -> None:
    assert "the phone was always answered" in printed_by("crowd", limit_s=LONG_S)
