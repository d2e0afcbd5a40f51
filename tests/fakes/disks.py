"""Real disks that are full or take no writes: small tmpfs mounts, which need the right to mount."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

SIZE_KB: Final = 2048
_FILLER: Final = "filler"


@contextmanager
def small_disk(folder: Path, *, size_kb: int = SIZE_KB) -> Iterator[Path]:
    """A disk of so many kilobytes at `folder`; the test skips, and says so, where nothing may be mounted."""
    folder.mkdir(exist_ok=True)
    mount = shutil.which("mount")
    asked = ["-t", "tmpfs", "-o", f"size={size_kb}k", "tmpfs", str(folder)]
    if mount is None or subprocess.run([mount, *asked], capture_output=True, check=False).returncode:
        pytest.skip("NO SMALL DISK WAS TRIED: none can be mounted here, run as root")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def take_no_writes(disk: Path, *, again: bool = False) -> None:
    """Mounts the disk read-only, or writable `again`."""
    subprocess.run(["mount", "-o", f"remount,{'rw' if again else 'ro'}", str(disk)], check=True)


def fill(disk: Path) -> None:
    """Writes until not one byte more is taken."""
    with (disk / _FILLER).open("ab", buffering=0) as file:
        for size in (65536, 4096, 1):
            try:
                while True:
                    file.write(b"\xa5" * size)
            except OSError:
                continue


def make_room(disk: Path) -> None:
    """Deletes what filled it."""
    (disk / _FILLER).unlink()
