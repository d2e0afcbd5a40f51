"""Opens a journal's file as the SQLite database that it is, and never makes one where none lies."""

from __future__ import annotations

import sqlite3
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import Final

READING: Final = "mode=ro"
WRITING: Final = "mode=rw"
UNUSED: Final = "immutable=1"
"""Only read, and nobody writes to it meanwhile: SQLite makes no files beside it."""


def opened(path: Path, how: str = READING) -> AbstractContextManager[sqlite3.Connection]:
    """Returns a connection to a file for the context: `READING`, `WRITING`, or `UNUSED`.

    Raises:
        sqlite3.Error: it cannot be opened.
    """
    return closing(sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True))
