from __future__ import annotations

import subprocess
import sys

import pytest

from tests.endurance.evening_memory import WAYS
from tests.places import ROOT


@pytest.mark.long
@pytest.mark.parametrize("way", WAYS)
def test_camera_ring_dashboard_twelve_phones_and_photos_take_less_than_400_mb(way: str) -> None:
    command = [sys.executable, "-m", "tests.endurance.evening_memory", "--way", way, "--photos"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
