from __future__ import annotations

import subprocess
import sys

import pytest

from tests.places import ROOT


def evening(hands: int) -> str:
    """Plays it in a process of its own, whose memory and threads are its own."""
    command = [sys.executable, "-m", "tests.endurance.long_evening", str(hands)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_some_hands_with_phones_coming_and_camera_and_broker_going_end_right() -> None:
    assert evening(12).startswith("12 hands in ")


@pytest.mark.long
def test_an_evening_of_sixty_hands_ends_right_with_flat_memory() -> None:
    assert evening(60).startswith("60 hands in ")
