"""The sets of tiles of one table: their files, and which of them lies on the table."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from vision.errors import TileSetError
from vision.reading.reader import TileReader
from vision.tilesets.corrections import path_of
from vision.tilesets.set_selector import SetSelector, sets_of
from vision.tilesets.tileset import TileSet

UNSCANNED: Final = "unscanned.tileset"
"""The base name for corrections if no set was scanned."""
_log = logging.getLogger(__name__)


class SetsInUse:
    """The sets by which a table's tiles are read."""

    def __init__(self, scanned: Sequence[Path], folder: Path) -> None:
        """Takes the files of the scanned sets, and the folder for corrections if there are none."""
        self._scanned_files = tuple(scanned)
        self._unscanned_file = folder / UNSCANNED
        self._reader: SetSelector | None = None
        self._file_numbers: tuple[int, ...] = ()
        """The file index of each set in use."""

    @property
    def files(self) -> tuple[Path, ...]:
        """The file of each set, whether or not it was scanned."""
        return self._scanned_files or (self._unscanned_file,)

    @property
    def current(self) -> int | None:
        """The index of the set on the table; None while it is undecided."""
        if len(self.files) == 1:
            return 0
        number = None if self._reader is None else self._reader.lying
        return None if number is None or number >= len(self._file_numbers) else self._file_numbers[number]

    def replace_first(self, tileset: Path) -> None:
        """Replaces the first set by this one, for the next reader."""
        self._scanned_files = (tileset, *self._scanned_files[1:])

    def new_reader(self) -> SetSelector:
        """Returns a reader that has learnt the sets; the one before no longer learns."""
        self._reader = SetSelector(TileReader(), self.readable_sets())
        return self._reader

    def reload(self) -> None:
        """Reloads the files, and uses them as soon as they are learnt."""
        if self._reader is not None:
            self._reader.learn(self.readable_sets())

    def readable_sets(self) -> list[TileSet]:
        """Returns the readable sets with their corrections; an unreadable set is logged and ignored."""
        readable: list[TileSet] = []
        files: list[int] = []
        for number, path in enumerate(self.files):
            if path == self._unscanned_file and not path_of(path).exists():
                continue
            try:
                sets = sets_of([path])
            except TileSetError as error:
                _log.error("the tile set is left out: %s", error)
                continue
            readable += sets
            files += [number] * len(sets)
        self._file_numbers = tuple(files)
        return readable
