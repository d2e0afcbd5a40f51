from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.endurance.power_cuts import check_end, reference

ROOT = Path(__file__).resolve().parents[2]


def cut(*arguments: str) -> str:
    """Runs the command in a process of its own: forking is safe only where nothing else runs."""
    command = [sys.executable, "-m", "tests.endurance.power_cuts", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_evening_without_any_cut_is_the_scripts() -> None:
    check_end(reference())


def test_an_evening_with_power_cuts_loses_nothing_and_tells_nothing_twice() -> None:
    assert "25 cuts in" in cut("25", "7")


def test_a_press_that_was_written_but_not_confirmed_is_not_taken_twice() -> None:
    cut("presses")


@pytest.mark.long
def test_hundreds_of_power_cuts_lose_nothing() -> None:
    assert "400 cuts in" in cut("400", "100")
