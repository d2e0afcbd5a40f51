"""What watching a table holds of the memory, in a program of its own that does nothing else.

Tiles that are not surely read are looked at six times more: a whole table of them is the most that is read at once.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.places import RECORDINGS, ROOT

MOST_MB = 200.0
WATCHED = f"""
import re
from pathlib import Path
from table.camera.shipped_watcher import make_watcher
from table.cli.record_commands.replay import calibration_of
from table.runtime.memory import give_back_freed_memory
import numpy as np
from vision.cameras.recording_camera import RecordingCamera
from vision.reading.reader import TileReader
from vision.recording.recording import Recording

give_back_freed_memory()
recording = Recording.open(Path({str(RECORDINGS / "riichi_tsumo")!r}))
watcher = make_watcher(calibration_of(recording), recording.settings.tiles)
for frame in RecordingCamera(recording).frames():
    watcher.watch(frame)
    if frame.k == 25:
        break
assert watcher.felt.tiles
TileReader().read_crops(np.random.default_rng(0).integers(0, 256, (136, 64, 48, 3), np.uint8))
print(int(re.findall(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[0]) / 1024)
"""


@pytest.mark.pictures
@pytest.mark.skipif(sys.platform != "linux", reason="NO /proc: what a program holds is told otherwise here")
def test_a_watcher_and_a_whole_table_of_doubted_tiles_hold_less_than_200_mb() -> None:
    done = subprocess.run([sys.executable, "-c", WATCHED], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < MOST_MB
