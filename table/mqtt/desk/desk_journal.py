"""The desk's journal: an append-only file of JSON lines, which outlives a killed desk, and a copy beside it."""

from __future__ import annotations

import io
import json
import logging
import os
from contextlib import suppress
from pathlib import Path

from table.mqtt.desk.desk_recovery import copy_of, recover_journal
from table.mqtt.tournament.acts import Act, GameHeard, act_fields
from table.runtime.table_errors import ConfigError
from vision.atomic_files import write_whole
from vision.errors import reason

_log = logging.getLogger(__name__)


class DeskJournal:
    """An open journal. A context manager; one thread writes at a time."""

    def __init__(self, path: Path, *, stamp: str = "before") -> None:
        """Opens or creates the file; a damaged one is repaired, and kept under a name with `stamp`.

        Raises:
            ConfigError: it cannot be read, written or repaired, or is not a desk's journal.
        """
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            recovered = recover_journal(path, stamp)
            self._file = path.open("a+b", buffering=0)  # a buffer would keep what the disk refused
        except OSError as error:
            raise ConfigError(f"expected a writable desk's journal, got {path}: {reason(error)}") from error
        self.acts = recovered.acts
        """The acts stored before it was opened."""
        self.damage = recovered.damage
        """The damage that was repaired; None without any."""
        self._length = len(recovered.content)
        """The bytes of the entries stored so far; whatever follows in the file is part of an entry that was refused."""
        self._copied_length = self._length if recovered.is_copied else None
        """How many of those bytes the copy has; None if the copy has to be written anew."""
        if not recovered.is_copied:
            self._copy()

    def add(self, act: Act) -> None:
        """Appends an act and flushes it to the disk; a table's report is not flushed, since the table sends it again.

        Raises:
            OSError: the disk refuses it; no part of it is kept.
        """
        line = json.dumps(act_fields(act), ensure_ascii=False).encode() + b"\n"
        try:
            _append(self._file, self._length, line)
            if not isinstance(act, GameHeard):
                os.fsync(self._file.fileno())
        except OSError:
            with suppress(OSError):  # if this fails too, the next entry cuts the file first
                _cut(self._file, self._length)
            raise
        self._length += len(line)
        self._copy()

    def _copy(self) -> None:
        """Writes the missing entries to the copy; if the disk refuses them, the next act tries again."""
        copy = copy_of(self._path)
        try:
            if self._copied_length is None:
                write_whole(copy, self._entries_from(0))
            else:
                with copy.open("r+b", buffering=0) as file:
                    _append(file, self._copied_length, self._entries_from(self._copied_length))
            self._copied_length = self._length
        except OSError as error:
            self._copied_length = None
            _log.warning("the copy of the desk's journal cannot be written: %s", reason(error))

    def _entries_from(self, start: int) -> bytes:
        self._file.seek(start)
        return self._file.read(self._length - start) or b""

    def __enter__(self) -> DeskJournal:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


def _append(file: io.FileIO, length: int, data: bytes) -> None:
    """Writes data after the first `length` bytes of a file, in place of whatever follows them."""
    _cut(file, length)
    written_bytes = 0
    while written_bytes < len(data):
        written_bytes += file.write(data[written_bytes:]) or 0


def _cut(file: io.FileIO, length: int) -> None:
    if file.seek(0, os.SEEK_END) > length:
        file.truncate(length)
        file.seek(length)
