"""Journals that are written, and torn."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from table.game.journal.entries import Envelope, GameOpened, Source
from table.game.journal.journal import Journal
from table.game.journal.storage.journal_format import FORMAT
from table.rules.events import TilePassed
from table.rules.ruleset import Ruleset

ENVELOPE = Envelope(utc="2026-11-20T11:00:00.000+00:00", source=Source.TABLE)
DAY = "2026-11-20"


def write_journal(path: Path, entries: int) -> Path:
    """Writes a journal that has so many entries, or goes on in one, at once: each by itself would wait for the disk."""
    path.parent.mkdir(exist_ok=True)
    with Journal(path) as journal, journal.transaction():
        if journal.last == 0:
            journal.append(ENVELOPE, GameOpened(ruleset=Ruleset()))
        while journal.last < entries:
            journal.append(ENVELOPE, TilePassed())
    return path


def tear_journal(path: Path) -> None:
    """Overwrites the last page with what was never written there, and the first table page too."""
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * 4096)


def make_older(path: Path) -> Path:
    """Makes a journal what the version before the hashes wrote: format 1, with the rules whole in every opening."""
    with closing(sqlite3.connect(path)) as database:
        database.executescript(
            """UPDATE entry SET body = (
                SELECT replace(entry.body, '"' || key || '"', ruleset.body) FROM ruleset WHERE instr(entry.body, key)
            ) WHERE number IN (SELECT number FROM entry JOIN ruleset ON instr(entry.body, key));
            DROP INDEX game;
            DROP INDEX undoing;
            DROP TABLE ruleset;
            ALTER TABLE entry DROP COLUMN hash;
            PRAGMA user_version=1;
            VACUUM"""
        )
    return path


def make_newer(path: Path) -> Path:
    """Makes a journal one that a version after this wrote."""
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"PRAGMA user_version={FORMAT + 1}")
    return path


def format_in(path: Path) -> int:
    with closing(sqlite3.connect(path)) as database:
        (found,) = database.execute("PRAGMA user_version").fetchone()
    return int(found)
