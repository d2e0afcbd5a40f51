"""Whether a folder lies in an overlay whose changes are in memory, as a read-only system makes of a card's partitions.

Everything written there is gone after a power cut. Debian's overlayroot, which `raspi-config` switches on, does this to
every partition unless it is configured otherwise (`firmware-config/README.md`).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

MOUNTS: Final = Path("/proc/self/mountinfo")
_OVERLAYS: Final = ("overlay", "overlayfs")
_MEMORY: Final = ("tmpfs", "ramfs")


class _Mount(NamedTuple):
    mount_point: Path
    kind: str
    options: str


def memory_warnings(folder: Path) -> Iterator[str]:
    """Yields a message for people if what is written into the table's folder stays in memory."""
    if is_in_memory(folder):
        yield (
            f"expected the table's folder on the card, got one that is kept in memory: {folder}; every game is lost at "
            "the next power cut, see firmware-config/README.md"
        )


def is_in_memory(folder: Path, mounts: Path | None = None) -> bool:
    """Whether what is written into a folder stays in memory; False if the system does not say."""
    try:
        all_mounts = [_read_mount(line) for line in (mounts or MOUNTS).read_text("utf-8").splitlines()]
        mount = _mount_of(folder.resolve(), all_mounts)
        upper = [word.removeprefix("upperdir=") for word in mount.options.split(",") if word.startswith("upperdir=")]
        return mount.kind in _OVERLAYS and bool(upper) and _mount_of(Path(upper[0]), all_mounts).kind in _MEMORY
    except (OSError, ValueError):
        return False


def _read_mount(line: str) -> _Mount:
    """Reads a line of the kernel's table of mounts (proc_pid_mountinfo(5))."""
    fields, _, rest = line.partition(" - ")
    kind, _, options = rest.split(" ", 2)
    return _Mount(mount_point=Path(fields.split(" ")[4]), kind=kind, options=options)


def _mount_of(path: Path, mounts: list[_Mount]) -> _Mount:
    """Returns the mount that a path lies in; of several at one place, the newest, which the kernel lists last."""
    return max(
        (mount for mount in reversed(mounts) if path.is_relative_to(mount.mount_point)),
        key=lambda mount: len(mount.mount_point.parts),
    )
