"""What looking at a large picture takes of the memory, in a program of its own that does nothing else."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.places import ROOT

LOOKED = """
import re
from pathlib import Path
import numpy as np
from table.runtime.memory import give_back_freed_memory
from vision.reading.locator import Locator


def held_mb(what):
    return int(re.findall(what + r":\\s+(\\d+) kB", Path("/proc/self/status").read_text())[0]) / 1024


give_back_freed_memory()
locator = Locator()
locator._maps(np.zeros((64, 64, 3), np.uint8))
picture = np.random.default_rng(0).integers(0, 256, (1600, 2400, 3), np.uint8)
before = held_mb("VmRSS")
maps = locator._maps(picture)
print(held_mb("VmHWM") - before, held_mb("VmRSS") - before - maps.nbytes / 2**20)
"""
MOST_MB = 95.0
"""117 MB were it looked at as a whole."""
LEFT_MB = 8.0
"""48 MB were left while the answers lay in the models' memory."""


@pytest.mark.pictures
@pytest.mark.skipif(sys.platform != "linux", reason="NO /proc: what a program holds is told otherwise here")
def test_a_look_at_a_large_picture_takes_a_bounded_amount_and_leaves_nothing_but_its_answers() -> None:
    done = subprocess.run([sys.executable, "-c", LOOKED], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    most, left = map(float, done.stdout.split())
    assert most < MOST_MB
    assert left < LEFT_MB
