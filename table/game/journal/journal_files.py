"""A journal's files on the disk: checked, copied, and put in another's place with no moment in which none lies there.

SQLite keeps up to three files beside a database, and each belongs to that one alone: beside another database they would
be written into it. So what takes a place is one whole, checked file; what lies there is first folded into one file as
well; and one rename makes the difference. A power cut, a kill or a full disk at any point leaves the one or the other.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from table.game.journal.entry_chain import check_chain, last_number
from table.game.journal.journal import stored_entries
from table.game.journal.journal_format import CHAINED, format_of, is_blank
from table.game.journal.journal_mark import SUFFIX as MARK
from table.game.journal.journal_mark import drop_mark
from table.game.journal.opened_database import READING, WRITING, opened
from table.game.journal.stored_rules import check_rules
from table.runtime.table_errors import JournalError

_READ: Final = 2000
"""How many entries of an old journal are read before it is taken for whole: the last games."""
SIDES: Final = ("-wal", "-shm", "-journal")
"""The files that SQLite keeps beside a database."""
_MEMORY: Final = Path("/dev/shm")  # noqa: S108 - a folder of its own is made there
"""Where files lie in memory, so that no disk is written to."""


def verify_journal(path: Path) -> int:
    """Reads a whole journal, and returns the number of its last entry; a write that a kill broke off is rolled back.

    Raises:
        NewerJournalError: a newer version wrote it.
        JournalError: it is missing, no journal, or corrupt.
    """
    if not path.is_file():
        raise JournalError(f"expected a journal, got none, at {path}")
    try:
        is_broken_off = path.with_name(f"{path.name}-journal").exists()  # only who may write can roll that back
        with opened(path, WRITING if is_broken_off else READING) as database:
            return verify_database(database, path)
    except sqlite3.Error as error:
        raise JournalError(f"expected a journal in {path}, got: {error}") from error


def verify_database(database: sqlite3.Connection, path: Path) -> int:
    """Reads a whole journal that is open, from the file `path`, and returns the number of its last entry.

    The chain of hashes is checked. A journal that is too old to have one is looked through for what cannot be read.

    Raises:
        NewerJournalError: a newer version wrote it.
        JournalError: it is no journal, or corrupt.
    """
    try:
        found = format_of(database, str(path))
        (whole,) = database.execute("PRAGMA integrity_check(1)").fetchone()
        if whole != "ok":
            raise JournalError(f"expected a whole journal in {path}, got: {whole}")
        foreign = database.execute("SELECT name FROM sqlite_schema WHERE type IN ('trigger', 'view')").fetchone()
        if foreign is not None:
            raise JournalError(f"expected a journal that only keeps entries in {path}, got one with {foreign[0]!r}")
        if found >= CHAINED:
            last, _ = check_chain(database, str(path))
            check_rules(database, str(path))
            return last
        return _check_readable(database, path)
    except sqlite3.Error as error:
        raise JournalError(f"expected a journal in {path}, got: {error}") from error


def _check_readable(database: sqlite3.Connection, path: Path) -> int:
    """Looks for garbage in all entries and reads the last ones, in a time that a start has even with years of games."""
    (bad,) = database.execute("SELECT min(number) FROM entry WHERE NOT (json_valid(envelope) AND json_valid(body))")
    if bad != (None,):
        raise JournalError(f"expected a whole journal in {path}, got garbage in entry {bad[0]}")
    last = last_number(database)
    for entry in stored_entries(database, after=last - _READ):
        last = max(last, entry.number)
    return last


def has_begun(path: Path) -> bool:
    """Whether anything was ever written to a journal; not where none lies, or a power cut ended the making of it."""
    try:
        if not path.is_file() or not path.stat().st_size:
            return False
        with opened(path) as database:
            return not is_blank(database)
    except (OSError, sqlite3.Error):
        return True


def copy(source: Path, target: Path) -> None:
    """Copies a database whole, in use or not; only once the copy is checked and on the disk it gets its name.

    Raises:
        JournalError: the source is no whole journal.
        OSError, sqlite3.Error: the copy cannot be written; nothing of it is left.
    """
    beside = _beside(source, target)
    try:
        beside.replace(target)
        _sync(target.parent)
    finally:
        _drop(beside)


def put_in_place(source: Path, path: Path, *, mark: str) -> Path | None:
    """Puts a copy of one journal in the place of another, which nobody may use meanwhile.

    Args:
        source: the journal that is copied.
        path: the place.
        mark: what the name of the journal that lay there gets at its end.

    Returns:
        Where that journal is kept; None where none lay there.

    Raises:
        JournalError: the source is no whole journal; what lay there is as it was.
        OSError, sqlite3.Error: the disk does not take it; likewise.
    """
    beside = _beside(source, path)
    kept = path.with_name(f"{path.name}.{mark}")
    try:
        was_there = path.exists()
        if was_there:
            _in_one_file(path)
        for side in SIDES:
            if (left := path.with_name(path.name + side)).exists():
                left.rename(kept.with_name(kept.name + side))
        if was_there:
            _keep(path, kept)
        drop_mark(path)
        _sync(path.parent)
        beside.replace(path)
        _sync(path.parent)
    finally:
        _drop(beside)
    return kept if was_there else None


def set_aside(path: Path, mark: str) -> Path:
    """Moves a database with its side files out of the way, for good; nothing is deleted."""
    kept = path.with_name(f"{path.name}.{mark}")
    for part in (*SIDES, ""):
        if (file := path.with_name(path.name + part)).exists():
            file.rename(kept.with_name(kept.name + part))
    drop_mark(path)
    return kept


def keep_log(path: Path, mark: str) -> Path | None:
    """Copies a database's write-ahead log as it was found, of which SQLite drops what follows a damaged part.

    Returns:
        The copy; None where there is no log, or the disk does not take it.
    """
    log, kept = path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}.{mark}.log")
    try:
        if not log.exists() or not log.stat().st_size:
            return None
        shutil.copy2(log, kept)
    except OSError:
        _drop(kept)
        return None
    return kept


def memory_copy(path: Path) -> sqlite3.Connection:
    """Reads a database that nobody writes into memory, with all that lies beside it; its disk is only read.

    Beside a database in use SQLite wants to write even to read it, which a full or read-only disk refuses.

    Raises:
        OSError: its files cannot be read.
        sqlite3.Error: it is no database.
    """
    memory = sqlite3.connect(":memory:", check_same_thread=False)
    try:
        with copied_to_memory(path) as copy, closing(sqlite3.connect(copy)) as copied:
            copied.backup(memory)
    except BaseException:
        memory.close()
        raise
    return memory


@contextmanager
def copied_to_memory(path: Path) -> Iterator[Path]:
    """Copies a journal that nobody writes, with what lies beside it, to where no disk is written to, for the context.

    Raises:
        OSError: its files cannot be read.
    """
    with TemporaryDirectory(dir=_MEMORY if os.access(_MEMORY, os.W_OK) else None) as folder:
        for side in ("", "-wal", "-journal", MARK):
            if (file := path.with_name(path.name + side)).exists():
                shutil.copyfile(file, Path(folder, path.name + side))
        yield Path(folder, path.name)


def _beside(source: Path, target: Path) -> Path:
    """Copies a database whole to a file beside the target, checked and on the disk; of a failure nothing is left."""
    beside = target.with_name(f"{target.name}.new")
    _drop(beside)
    try:
        with opened(source) as old, closing(sqlite3.connect(beside)) as new:
            old.backup(new)
            new.execute("PRAGMA journal_mode=DELETE")
        verify_journal(beside)
        _sync(beside)
    except BaseException:
        _drop(beside)
        raise
    return beside


def _in_one_file(path: Path) -> None:
    """Folds what lies beside a database into it; one that is too bad for that stays as it is.

    Raises:
        sqlite3.OperationalError: the disk does not take it, or somebody uses it.
    """
    try:
        with closing(sqlite3.connect(path)) as database:
            (mode,) = database.execute("PRAGMA journal_mode=DELETE").fetchone()
            if mode != "delete":
                raise sqlite3.OperationalError(f"expected one file, got journal mode {mode}")
    except sqlite3.OperationalError:
        if _can_be_read(path):
            raise
    except sqlite3.DatabaseError:
        return


def _can_be_read(path: Path) -> bool:
    """Whether the disk still gives every byte of a file."""
    try:
        path.read_bytes()
    except OSError:
        return False
    return True


def _keep(path: Path, kept: Path) -> None:
    """Gives a file a second name that outlives the first; a copy where the disk knows no second names."""
    kept.unlink(missing_ok=True)
    try:
        os.link(path, kept)
    except OSError:
        try:
            shutil.copy2(path, kept)
            _sync(kept)
        except OSError:
            _drop(kept)
            raise


def _drop(path: Path) -> None:
    """Deletes a database that was never finished, as far as that is possible."""
    for part in (*SIDES, ""):
        with suppress(OSError):
            path.with_name(path.name + part).unlink(missing_ok=True)


def _sync(path: Path) -> None:
    """Waits until a file, or the names in a folder, are on the disk."""
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
