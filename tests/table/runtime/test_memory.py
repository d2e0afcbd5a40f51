from __future__ import annotations

import subprocess
import sys

import pytest

from tests.places import ROOT

HOLES = """
import sys
from pathlib import Path
from table.health.machine import read_machine
from table.runtime.memory import give_back_freed_memory

sys.exit(2) if not give_back_freed_memory() else None
before = read_machine(Path("/")).memory_mb
for size in (1, 2, 4, 8, 16):
    pieces = [bytes(size << 20) for _ in range(64 // size)]
    kept = bytes(200_000)
    del pieces
print(read_machine(Path("/")).memory_mb - before)
"""


def test_large_pieces_that_were_freed_are_held_no_more() -> None:
    done = subprocess.run([sys.executable, "-c", HOLES], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode == 2:
        pytest.skip("NO GLIBC: its memory is its own")
    assert float(done.stdout) < 16, done.stderr
