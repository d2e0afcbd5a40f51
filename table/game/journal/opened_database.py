"""Opens a journal's file as the SQLite database that it is, and never makes one where none lies."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

READING: Final = "mode=ro"
WRITING: Final = "mode=rw"
UNUSED: Final = "mode=ro&immutable=1"
"""Only read, and nobody writes to it meanwhile: SQLite makes no files beside it."""


@contextmanager
def opened(path: Path, how: str = READING) -> Iterator[sqlite3.Connection]:
    """Returns a connection to a file for the context: `READING`, `WRITING`, or `UNUSED`.

    Raises:
        sqlite3.Error: it cannot be opened, or is so damaged that SQLite's own complaint quotes what is no text.
    """
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True)) as database:
        try:
            yield database
        except UnicodeDecodeError as error:
            raise sqlite3.DatabaseError(f"what is no text: {error}") from error
