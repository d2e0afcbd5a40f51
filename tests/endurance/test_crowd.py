from __future__ import annotations

import subprocess
import sys

import pytest

from tests.places import ROOT


def crowd(*arguments: str) -> str:
    """Runs the command: server, crowd and polite phone are processes of their own."""
    command = [sys.executable, "-m", "tests.endurance.crowd", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_phone_is_answered_and_memory_is_bounded_while_a_crowd_holds_the_door() -> None:
    assert "200 streams heard" in crowd("2", "--way", "https", "--unhurried")


@pytest.mark.long
def test_a_crowd_that_stays_keeps_no_phone_waiting() -> None:
    assert "the phone was always answered" in crowd()
