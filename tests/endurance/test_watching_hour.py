from __future__ import annotations

from pathlib import Path

import pytest

from tests.endurance.command_output import LONG_S, printed_by
from tests.endurance.watching_hour import FPS, play


def test_some_hands_are_watched_flagged_and_kept(tmp_path: Path) -> None:
    first, second = play(tmp_path, 2, hand_s=26.0)
    assert (first.frames, second.frames) == (26 * FPS, 52 * FPS)
    assert second.entries > first.entries > 3
    assert second.ring_mb > first.ring_mb > 0
    assert second.clips == 1


@pytest.mark.long
def test_memory_is_flat_over_an_hour_of_watching() -> None:
    printed_by("watching_hour", limit_s=LONG_S)
