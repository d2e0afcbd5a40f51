"""Opens a journal's file as an SQLite database, without ever creating one."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from vision.atomic_files import check_regular
from vision.errors import reason

READ_ONLY: Final = "mode=ro"
READ_WRITE: Final = "mode=rw"
IMMUTABLE: Final = "mode=ro&immutable=1"
"""Opens a file for reading that nobody writes to, so that SQLite creates no files beside it."""
LONGEST_ROW: Final = 16 * 1024 * 1024
"""The size of the longest row that is read, in bytes; no entry, even with all its rules, has a hundredth of it."""
_CHECK_OF_PAGES: Final = "SELECT * FROM pragma_quick_check(1000000) LIMIT 1"
"""SQL: the faults of the pages in one text; the further ones come from reading every row, which may never end."""
_TABLES: Final = ("entry", "ruleset", "beside")
"""The tables that are read."""


def check_file(path: Path) -> None:
    """Checks that whatever lies at a journal's path is a regular file: SQLite would wait for a pipe for ever.

    Raises:
        sqlite3.Error: something else lies there.
    """
    try:
        check_regular(path)
    except FileNotFoundError:
        return
    except OSError as error:
        raise sqlite3.OperationalError(reason(error)) from error


def check_tables(database: sqlite3.Connection) -> None:
    """Checks that the tables of a file that anybody may have made are tables: reading a view may never end.

    Raises:
        sqlite3.Error: one is not, or the file cannot be read.
    """
    for name in _TABLES:
        for _, _, kind, *_ in database.execute(f"PRAGMA table_list({name})"):
            if kind != "table":
                found = kind.replace("virtual", "virtual table")
                raise sqlite3.DatabaseError(f"a {found} in place of the table {name!r}")


def check_pages(database: sqlite3.Connection) -> None:
    """Checks that no page of a file that anybody may have made is part of itself: reading it would never end.

    Other damage is passed over, since what is readable beside it is read.

    Raises:
        sqlite3.Error: a page has two places, or the file cannot be read.
    """
    (faults_of_pages,) = database.execute(_CHECK_OF_PAGES).fetchone()
    if "reference to page" in faults_of_pages:
        raise sqlite3.DatabaseError("a page that has two places")


@contextmanager
def open_database(path: Path, mode: str = READ_ONLY) -> Iterator[sqlite3.Connection]:
    """Opens a connection to a file for the context: `READ_ONLY`, `READ_WRITE`, or `IMMUTABLE`.

    Raises:
        sqlite3.Error: the file cannot be opened, has a view in place of a table or a longer row than any entry, which
            are not read, or is so damaged that SQLite's error message is not valid text.
    """
    check_file(path)
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", uri=True)) as database:
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_ROW)
        try:
            check_tables(database)
            yield database
        except UnicodeDecodeError as error:
            raise sqlite3.DatabaseError(f"invalid text: {error}") from error
