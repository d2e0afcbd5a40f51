"""Recognises a journal's file by its first bytes, without opening it as a database."""

from __future__ import annotations

from pathlib import Path
from typing import Final

JOURNAL_START: Final = b"SQLite format 3\x00"
"""The first bytes of a journal's file."""


def is_journal(path: Path) -> bool:
    """Whether the file is an SQLite database, as every journal is; False if it cannot be read."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return file.read(len(JOURNAL_START)) == JOURNAL_START
    except OSError:
        return False
