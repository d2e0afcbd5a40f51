"""The inputs of commands: files, or standard input for the name `-`."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from table.records.format_detection import load_game, read_game
from table.records.formats.game_record import GameRecord

STANDARD_INPUT: Final = "-"
INPUT_NAME: Final = "standard input"
"""The name of standard input in messages."""


def is_standard(path: Path | str) -> bool:
    """Whether a file name means standard input."""
    return str(path) == STANDARD_INPUT


def standard_bytes() -> bytes:
    """Returns all of standard input."""
    return _binary().read()


def standard_lines() -> Iterator[bytes]:
    """Yields the lines of standard input, each as soon as it arrives."""
    yield from iter(_binary().readline, b"")


def game_in(path: Path) -> GameRecord:
    """Reads a game record from a file or from standard input.

    Raises:
        RecordError: it cannot be read.
    """
    return read_game(standard_bytes(), INPUT_NAME) if is_standard(path) else load_game(path)


def _binary() -> BinaryIO:
    return io.BytesIO() if sys.stdin is None else sys.stdin.buffer
