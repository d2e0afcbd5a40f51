from __future__ import annotations

import subprocess
import sys

import pytest

from tests.places import ROOT


@pytest.mark.long
def test_camera_ring_dashboard_twelve_phones_and_photos_take_less_than_400_mb() -> None:
    """With photos the drawn table takes more yet (`tests/benchmarks/README.md`)."""
    command = [sys.executable, "-m", "tests.endurance.evening_memory", "--way", "stream", "--photos"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
