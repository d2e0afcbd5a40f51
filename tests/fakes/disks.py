"""Real disks that are full, take no writes, or fail while they are written to: small mounts, which need that right.

A full disk is a tmpfs. A card that fails is an ext4 in a file, as the card of a Pi has it: once the kernel finds an
error it takes no more writes, also to files that are open, until it is checked and mounted anew.
`full_disk` mounts none.
"""

from __future__ import annotations

import errno
import os
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from table.game.journal.journal import Journal

SIZE_KB: Final = 2048
_FILLER: Final = "filler"


@contextmanager
def full_disk(most_bytes: int) -> Iterator[None]:
    """Lets this process write no file beyond so many bytes while the context is open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def unlistable(*folders: Path) -> Iterator[None]:
    """Folders of a failing card, of which files can be read whose names are known, while the context is open."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("listdir", "scandir"):
            patch.setattr(os, name, partial(_list, getattr(os, name), folders))
        yield


def _list(listing: Callable[[Any], Any], failing: tuple[Path, ...], folder: Any = ".") -> Any:
    if folder in (*failing, *map(str, failing)):
        raise OSError(errno.EIO, os.strerror(errno.EIO), str(folder))
    return listing(folder)


@contextmanager
def taking_no_entries(journal: Journal) -> Iterator[None]:
    """A journal whose disk refuses to be written to while the context is open."""
    journal.memory.execute("PRAGMA query_only=1")
    yield
    journal.memory.execute("PRAGMA query_only=0")


@contextmanager
def small_disk(folder: Path, *, size_kb: int = SIZE_KB) -> Iterator[Path]:
    """A disk of so many kilobytes at `folder`; the test skips, and says so, where nothing may be mounted."""
    folder.mkdir(exist_ok=True)
    mount = shutil.which("mount")
    options = ["-t", "tmpfs", "-o", f"size={size_kb}k", "tmpfs", str(folder)]
    if mount is None or subprocess.run([mount, *options], capture_output=True, check=False).returncode:
        pytest.skip("NO SMALL DISK WAS TRIED: none can be mounted here, run as root")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


class Card:
    """An ext4 of so many kilobytes in a file, mounted at `folder`."""

    def __init__(self, file: Path, folder: Path, *, size_kb: int = 16_384) -> None:
        """Makes it; the test skips, and says so, where that cannot be."""
        self._file, self.folder = file, folder
        folder.mkdir(exist_ok=True)
        with file.open("wb") as image:
            image.truncate(size_kb * 1024)
        try:
            _run("mkfs.ext4", "-q", "-F", "-m", "0", str(file))
            self.mount()
        except (OSError, subprocess.CalledProcessError) as error:
            pytest.skip(f"NO CARD WAS TRIED: none can be mounted here, run as root: {error}")

    def mount(self) -> None:
        """Mounts it."""
        _run("mount", "-o", "loop,errors=remount-ro", str(self._file), str(self.folder))

    def fail(self) -> None:
        """From now on it takes no writes: the kernel found an error on it."""
        device = _run("findmnt", "--noheadings", "--output", "SOURCE", str(self.folder)).strip()
        Path("/sys/fs/ext4", Path(device).name, "trigger_fs_error").write_text("1")

    @contextmanager
    def stalled(self) -> Iterator[None]:
        """Whoever writes to it waits, as while a card tidies itself up."""
        _run("fsfreeze", "--freeze", str(self.folder))
        try:
            yield
        finally:
            _run("fsfreeze", "--unfreeze", str(self.folder))

    def put_back(self) -> None:
        """Checks it and mounts it anew, as a start does; nothing on it may be in use."""
        self.unmount()
        # 1: errors were mended
        subprocess.run([_tool("e2fsck"), "-f", "-y", str(self._file)], capture_output=True, check=False)
        self.mount()

    def unmount(self) -> None:
        """Takes it away."""
        _run("umount", str(self.folder))


@contextmanager
def small_card(folder: Path) -> Iterator[Card]:
    """A card at `folder`; its file lies on a disk, also where temporary files are in memory."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as on_disk:
        card = Card(Path(on_disk) / "card.img", folder)
        try:
            yield card
        finally:
            subprocess.run(["umount", "-l", str(folder)], check=False)


def _tool(name: str) -> str:
    return shutil.which(name, path="/usr/sbin:/usr/bin:/sbin:/bin") or name


def _run(name: str, *arguments: str) -> str:
    return subprocess.run([_tool(name), *arguments], capture_output=True, text=True, check=True).stdout


def take_no_writes(disk: Path, *, again: bool = False) -> None:
    """Mounts the disk read-only, or writable `again`."""
    subprocess.run(["mount", "-o", f"remount,{'rw' if again else 'ro'}", str(disk)], check=True)


def unplug(disk: Path, folder: Path) -> None:
    """Takes a disk away under the programs that use it; what is on it is kept in a folder until `plug_in`."""
    shutil.copytree(disk, folder, dirs_exist_ok=True)
    subprocess.run(["umount", "-l", str(disk)], check=True)


def plug_in(disk: Path, folder: Path) -> None:
    """Puts back what was unplugged; to the system it is another disk."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE_KB}k", "tmpfs", str(disk)], check=True)
    shutil.copytree(folder, disk, dirs_exist_ok=True)


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
