"""A file with the summaries of finished games, beside the journal, so that they need not be read at every start.

The journal remains the source of truth. Each summary has the hash of the game's last entry, which covers every byte of
the journal up to there, and the version that made it. A summary that does not match the journal is made again. The file
may be deleted at any time.
"""

from __future__ import annotations

import json
import logging
from dataclasses import asdict
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from table.game.journal.entries import Names
from table.game.journal.history.game_summary import GameFigures, GameSummary
from table.game.journal.storage.journal_codec import parse_stored
from vision.atomic_files import check_regular, read_whole, write_whole
from vision.errors import reason_and_place

SUFFIX: Final = ".games"
"""The suffix of the file's name, which replaces the journal's."""
_FORMAT: Final = 4
_log = logging.getLogger(__name__)
Key = tuple[int, str]
"""The number of the entry that opened a game, and the hash of its last one, in hexadecimal digits."""


class SummaryFile:
    """Summaries in one file; without a path none are kept. One that cannot be written is made again at next start."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._made_by = f"{version('tachiai')}/{_FORMAT}"

    def read(self) -> dict[Key, GameSummary]:
        """Returns the summaries that this version wrote, by their games, and drops the rest of the file."""
        if self._path is None or not self._path.is_file():
            return {}
        try:
            lines = read_whole(self._path).splitlines(keepends=True)
            valid_lines = [(line, summary) for line in lines if (summary := self._valid_summary(line)) is not None]
            if len(valid_lines) < len(lines):
                write_whole(self._path, b"".join(line for line, _ in valid_lines))
        except OSError as error:
            _log.warning("summaries of earlier games cannot be read: %s", reason_and_place(error))
            return {}
        return {(summary["game"]["number"], summary["last"]): _summary(summary["game"]) for _, summary in valid_lines}

    def _valid_summary(self, line: bytes) -> dict[str, Any] | None:
        """Returns the values of a line; None if it is incomplete, altered, or written by another version."""
        check, _, text = line.partition(b" ")
        if not text.endswith(b"\n") or check != _check(text):
            return None
        found: dict[str, Any] = parse_stored(text.decode())
        return found if found["by"] == self._made_by else None

    def add(self, last: str, game: GameSummary) -> None:
        """Adds the summary of a game, with the hash of its last entry."""
        if self._path is None:
            return
        text = json.dumps({"by": self._made_by, "last": last, "game": asdict(game)}).encode() + b"\n"
        try:
            if self._path.exists():
                check_regular(self._path)  # a pipe would keep the page waiting for its reader
            with self._path.open("ab") as file:
                file.write(_check(text) + b" " + text)
        except OSError as error:
            _log.warning("the summary of a game is not kept: %s", reason_and_place(error))


def _check(text: bytes) -> bytes:
    return blake2b(text, digest_size=8).hexdigest().encode()


def _summary(data: dict[str, Any]) -> GameSummary:
    first, second, third, fourth = data["names"]
    names: Names = (first, second, third, fourth)
    return GameSummary(
        number=data["number"],
        utc=data["utc"],
        names=names,
        places=tuple(data["places"]),
        points=tuple(data["points"]),
        figures=GameFigures(**data["figures"]),
        counts=data["counts"],
    )
