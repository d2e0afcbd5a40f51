"""The names of a journal's backups, and their order, which never depends only on the clock, since that may jump.

| name | holds |
|---|---|
| ``table-00000061-2026-11-22.backup`` | the journal up to entry 61, copied that day |
| ``table-r1-00000050-2026-11-22.backup`` | likewise, after the owner went back to a backup for the first time |
| ``table-00000061-2026-11-22.format-1.backup`` | the journal as it was before a newer version upgraded it |
| ``table-00000061-2026-11-22.table-2.backup`` | as the first, of a second table with as many entries in that folder |
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from vision.atomic_files import files_in

SUFFIX: Final = ".backup"
BAD: Final = "bad"
BEFORE_RESTORE: Final = "before-restore"
"""In the name of a journal that another one replaced: it was damaged, or the owner went back to a backup."""
_SET_ASIDE: Final = re.compile(rf".+\.({BAD}|{BEFORE_RESTORE})-[^.]*(\.log)?")
_NAME: Final = re.compile(r"(.+?)(?:-r(\d+))?-(\d{8,})-(\d{4}-\d\d-\d\d)(?:\.table-(\d+))?(?:\.format-(\d+))?\.backup")


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupName:
    """The parts of a backup's name."""

    stem: str
    """The journal's name."""
    last: int
    """The number of its last entry."""
    day: str
    """The day of the backup, ISO 8601; only for people who read the names."""
    restores: int = 0
    """How often the owner had restored a backup before; backups with a lower number are abandoned."""
    format: int | None = None
    """The journal's format, if the copy was made before an upgrade."""
    copy: int = 1
    """The number, from 1, among the backups of several tables that would have one name in that folder."""

    def __str__(self) -> str:
        """Returns the file's name."""
        restores = f"-r{self.restores}" if self.restores else ""
        format_part = "" if self.format is None else f".format-{self.format}"
        copy_part = "" if self.copy == 1 else f".table-{self.copy}"
        return f"{self.stem}{restores}-{self.last:08d}-{self.day}{copy_part}{format_part}{SUFFIX}"

    @property
    def age(self) -> tuple[int, int, bool, str, int]:
        """A sort key that is greater for newer backups."""
        return self.restores, self.last, self.format is None, self.day, self.copy


def read_name(path: Path) -> BackupName | None:
    """Returns the parts of a file's name; None if it is not the name of a backup."""
    found = _NAME.fullmatch(path.name)
    if found is None:
        return None
    stem, restores, last, day, copy, format_ = found.groups()
    return BackupName(
        stem=stem,
        last=int(last),
        day=day,
        restores=int(restores or 0),
        format=None if format_ is None else int(format_),
        copy=int(copy or 1),
    )


def named_backups(folder: Path, stem: str) -> list[tuple[BackupName, Path]]:
    """Returns the backups of a journal, newest first.

    Raises:
        OSError: the folder cannot be listed.
    """
    found = [(name, path) for path in files_in(folder) if (name := read_name(path)) and name.stem == stem]
    return sorted(found, key=lambda pair: pair[0].age, reverse=True)


def restores_in(folder: Path, stem: str) -> int:
    """Returns how often the owner has restored a backup.

    Raises:
        OSError: the folder cannot be listed.
    """
    return max((name.restores for name, _ in named_backups(folder, stem)), default=0)


def is_set_aside(path: Path) -> bool:
    """Whether a file is a journal, or its log, that another journal replaced, by its name."""
    return _SET_ASIDE.fullmatch(path.name) is not None
