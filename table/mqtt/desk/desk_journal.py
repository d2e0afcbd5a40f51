"""The desk's journal: an append-only file of JSON lines, which outlives a killed desk."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from table.mqtt.tournament.acts import Act, GameHeard, act_fields, read_act
from table.runtime.table_errors import ConfigError
from vision.json_text import read_json

FORMAT: Final = {"format": "tachiai-desk", "version": 1}


class DeskJournal:
    """An open journal. A context manager; one thread writes at a time."""

    def __init__(self, path: Path) -> None:
        """Opens or creates the file; removes a last line that a crash cut short.

        Raises:
            ConfigError: it cannot be read or written, or is not a desk's journal.
        """
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a+b", buffering=0)  # a buffer would keep what the disk refused
        except OSError as error:
            raise ConfigError(f"expected a writable desk's journal, got {path}: {error}") from error
        try:
            self.acts = tuple(self._read())
            """The acts stored before it was opened."""
        except BaseException:
            self._file.close()
            raise

    def _read(self) -> Iterator[Act]:
        self._file.seek(0)
        content = self._file.readall()
        whole = content[: content.rfind(b"\n") + 1]
        self._length = len(whole)
        """The length of the entries stored so far; whatever follows is a part of one that was refused."""
        self._cut()
        first, *lines = whole.splitlines() or [b""]
        if not first:
            self._write(FORMAT)
        elif self._line(first, 1) != FORMAT:
            raise ConfigError(f"expected a desk's journal of version {FORMAT['version']}, got {self._path}")
        for number, line in enumerate(lines, 2):
            try:
                yield read_act(self._line(line, number))
            except ValueError as error:
                raise ConfigError(f"{error}, in line {number} of {self._path}") from error

    def _line(self, line: bytes, number: int) -> Any:
        try:
            return read_json(line)
        except ValueError as error:
            raise ConfigError(f"expected JSON in line {number} of {self._path}, got: {error}") from error

    def add(self, act: Act) -> None:
        """Appends an act and flushes it to the disk; a table's report is not flushed, since the table sends it again.

        Raises:
            OSError: the disk refuses it; no part of it is kept.
        """
        self._write(act_fields(act), surely=not isinstance(act, GameHeard))

    def _write(self, fields: Any, *, surely: bool = True) -> None:
        line = json.dumps(fields, ensure_ascii=False).encode() + b"\n"
        self._cut()
        try:
            written = 0
            while written < len(line):
                written += self._file.write(line[written:])
            if surely:
                os.fsync(self._file.fileno())
        except OSError:
            with suppress(OSError):  # then the next entry needs it first
                self._cut()
            raise
        self._length += len(line)

    def _cut(self) -> None:
        if self._file.seek(0, os.SEEK_END) > self._length:
            self._file.truncate(self._length)

    def __enter__(self) -> DeskJournal:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
