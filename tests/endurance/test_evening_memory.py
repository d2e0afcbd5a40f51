from __future__ import annotations

import subprocess
import sys

import pytest

from tests.places import ROOT


@pytest.mark.long
@pytest.mark.parametrize("way", ["simulate", "stream"])
def test_camera_ring_dashboard_and_twelve_phones_take_less_than_400_mb(way: str) -> None:
    command = [sys.executable, "-m", "tests.endurance.evening_memory", "--way", way]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
