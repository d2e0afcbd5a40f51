from __future__ import annotations

import pytest

from tests.endurance.command_output import LONG_S, printed_by


def test_some_hands_with_phones_coming_and_camera_and_broker_going_end_right() -> None:
    assert printed_by("long_evening", "12").startswith("12 hands in ")


@pytest.mark.long
def test_an_evening_of_sixty_hands_ends_right_with_flat_memory() -> None:
    assert printed_by("long_evening", "60", limit_s=LONG_S).startswith("60 hands in ")
