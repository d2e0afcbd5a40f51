from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.endurance.watching_hour import FPS, play
from tests.places import ROOT


def test_some_hands_are_watched_flagged_and_kept(tmp_path: Path) -> None:
    first, second = play(tmp_path, 2, hand_s=26.0)
    assert (first.frames, second.frames) == (26 * FPS, 52 * FPS)
    assert second.entries > first.entries > 3
    assert second.ring_mb > first.ring_mb > 0
    assert second.clips == 1


@pytest.mark.long
def test_memory_is_flat_over_an_hour_of_watching() -> None:
    command = [sys.executable, "-m", "tests.endurance.watching_hour"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
