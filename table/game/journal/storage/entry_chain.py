"""The hash chain of the entries: each contains a hash of itself and of the previous one.

The chain detects damage that SQLite does not: a changed byte, or an entry that is missing or moved. If the end is
missing, the shorter chain is still intact; `table.game.journal.storage.journal_mark` detects that.
"""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Iterator
from contextlib import closing
from hashlib import blake2b
from typing import Final

from table.runtime.table_errors import JournalError

_SIZE: Final = 16
START: Final = bytes(_SIZE)
"""The hash before the first entry."""


def entry_hash(previous_hash: bytes, number: int, envelope: bytes, body: bytes) -> bytes:
    """Returns the hash of an entry as it is stored, after the entry with the hash `previous_hash`."""
    return blake2b(b"%b%d\n%b\n%b" % (previous_hash, number, envelope, body), digest_size=_SIZE).digest()


def last_number(database: sqlite3.Connection) -> int:
    """Returns the number of the newest entry of a journal of any format; 0 if there is none."""
    (number,) = database.execute("SELECT coalesce(max(number), 0) FROM entry").fetchone()
    return int(number)


def last_link(database: sqlite3.Connection) -> tuple[int, bytes]:
    """Returns number and hash of the newest entry; 0 and `START` if there is none."""
    found = database.execute("SELECT number, hash FROM entry ORDER BY number DESC LIMIT 1").fetchone()
    return (0, START) if found is None else (int(found[0]), found[1])


def link_of(database: sqlite3.Connection, number: int) -> bytes | None:
    """Returns the hash of the entry with that number, `START` for 0; None if there is no such entry."""
    found = database.execute("SELECT hash FROM entry WHERE number = ?", (number,)).fetchone()
    return (None if found is None else bytes(found[0])) if number else START


def check_chain(database: sqlite3.Connection, location: str) -> tuple[int, bytes]:
    """Reads all entries, and returns number and hash of the newest; 0 and `START` if there is none.

    Raises:
        JournalError, sqlite3.Error: as for `checked_links`.
    """
    newest = deque(checked_links(database, location), maxlen=1)
    return newest[0] if newest else (0, START)


def checked_links(
    database: sqlite3.Connection, location: str, *, after: tuple[int, bytes] = (0, START), limit: int = -1
) -> Iterator[tuple[int, bytes]]:
    """Yields number and hash of each entry, in order, after verifying it.

    Args:
        database: the journal.
        location: what the message calls it.
        after: number and hash of the entry before the first one.
        limit: the largest number of entries to read; all if negative. SQLite reads one row ahead, so a damaged entry
            hides the intact one before it, unless that one is the last to be read.

    Raises:
        JournalError: an entry was altered, or the one before it is missing; the message names its number.
        sqlite3.Error: the file cannot be read.
    """
    last, last_hash = after
    rows = database.execute(
        "SELECT number, CAST(envelope AS BLOB), CAST(body AS BLOB), hash FROM entry "
        "WHERE number > ? ORDER BY number LIMIT ?",
        (last or -(2**63), limit),
    )
    with closing(rows):
        for number, envelope, body, stored_hash in rows:
            computed_hash = entry_hash(last_hash, number, envelope or b"", body or b"")
            if computed_hash != stored_hash:
                raise JournalError(
                    f"expected a whole journal in {location}, got one that was altered at entry {number}: "
                    f"it is intact up to entry {last}"
                )
            yield number, computed_hash
            last, last_hash = number, computed_hash
