"""A journal's files on the disk: checks, copies, and replaces them, so that a journal is in place at every moment.

SQLite keeps up to three files beside a database that belong to that database alone: beside another one, SQLite would
write them into it. So a replacement is one complete, checked file; the database that it replaces is first merged into
one file as well; and a single rename swaps them. A power cut, a kill or a full disk at any point leaves one of the two.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, nullcontext, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from table.game.journal.recovery.backup_texts import drop_texts, store_texts
from table.game.journal.storage.entry_chain import check_chain, last_number
from table.game.journal.storage.journal_format import CHAINED, check_only_keeps_entries, format_of, is_blank
from table.game.journal.storage.journal_mark import SUFFIX as MARK
from table.game.journal.storage.journal_mark import drop_mark
from table.game.journal.storage.opened_database import LONGEST_ROW, READ_ONLY, READ_WRITE, check_file, open_database
from table.game.journal.storage.stored_entries import stored_entries
from table.game.journal.storage.stored_rules import check_rules
from table.runtime.table_errors import JournalError
from vision.atomic_files import alone_in, check_regular, read_whole

_CHECKED_ENTRIES: Final = 2000
"""The number of last entries of an old journal that are read to check it."""
SIDE_FILES: Final = ("-wal", "-shm", "-journal")
"""The files that SQLite keeps beside a database."""
_MEMORY: Final = Path("/dev/shm")  # noqa: S108 - a folder of its own is made there
"""A folder in memory, to avoid writing to a disk."""


def verify_journal(path: Path) -> int:
    """Reads a whole journal, and returns the number of its last entry; an interrupted write is rolled back.

    Raises:
        NewerJournalError: a newer version wrote it.
        JournalError: it is missing, not a journal, or corrupt.
    """
    if not path.is_file():
        raise JournalError(f"expected a journal, got none, at {path}")
    try:
        is_broken_off = path.with_name(f"{path.name}-journal").exists()  # only a writer can roll that back
        with open_database(path, READ_WRITE if is_broken_off else READ_ONLY) as database:
            return verify_database(database, path)
    except sqlite3.Error as error:
        raise JournalError(f"expected a journal in {path}, got: {error}") from error


def verify_database(database: sqlite3.Connection, path: Path) -> int:
    """Reads a whole open journal, from the file `path`, and returns the number of its last entry.

    The hash chain is checked. In a journal that is too old to have one, unreadable entries are searched for.

    Raises:
        NewerJournalError: a newer version wrote it.
        JournalError: it is not a journal, or corrupt.
    """
    try:
        format_ = format_of(database, str(path))
        (verdict,) = database.execute("PRAGMA integrity_check(1)").fetchone()
        if verdict != "ok":
            raise JournalError(f"expected a whole journal in {path}, got: {verdict}")
        check_only_keeps_entries(database, str(path))
        if format_ >= CHAINED:
            last, _ = check_chain(database, str(path))
            check_rules(database, str(path))
            return last
        return _check_readable(database, path)
    except sqlite3.Error as error:
        raise JournalError(f"expected a journal in {path}, got: {error}") from error


def _check_readable(database: sqlite3.Connection, path: Path) -> int:
    """Searches all entries for garbage and reads the last ones, fast enough for a start even after years of games."""
    (garbage_row,) = database.execute(
        "SELECT min(number) FROM entry WHERE NOT (json_valid(envelope) AND json_valid(body))"
    )
    if garbage_row != (None,):
        raise JournalError(f"expected a whole journal in {path}, got garbage in entry {garbage_row[0]}")
    last = last_number(database)
    for entry in stored_entries(database, after=last - _CHECKED_ENTRIES):
        last = max(last, entry.number)
    return last


def has_begun(path: Path) -> bool:
    """Whether anything was ever written to a journal: not to one that is missing, or whose creation was interrupted.

    A file that cannot be read counts as begun.
    """
    try:
        if not path.is_file() or not path.stat().st_size:
            return False
        with open_database(path) as database:
            return not is_blank(database)
    except (OSError, sqlite3.Error):
        return True


def copy(source: Path, target: Path, texts: Mapping[str, str] | None = None) -> None:
    """Copies a whole database, in use or not; the copy gets its name only once it is checked and on the disk.

    Args:
        source: the database.
        target: the copy.
        texts: what the copy holds besides the journal, by name; None for what the source holds.

    Raises:
        JournalError: the source is not an intact journal.
        OSError, sqlite3.Error: the copy cannot be written; nothing of it is left.
    """
    with alone_in(target.parent):
        checked_copy = _checked_copy(source, target)
        try:
            if texts is not None:
                _put_texts(checked_copy, texts)
            checked_copy.replace(target)
            _sync(target.parent)
        finally:
            _delete(checked_copy)


def replace_journal(source: Path | sqlite3.Connection, path: Path, *, mark: str) -> Path | None:
    """Replaces a journal, which must not be in use, by a copy of another one.

    Args:
        source: the journal to copy, in a file or open.
        path: the path of the journal to replace.
        mark: the suffix for the name of the replaced journal.

    Returns:
        The path where the replaced journal is kept; None if there was none.

    Raises:
        JournalError: the source is not an intact journal; nothing was changed.
        OSError, sqlite3.Error: the disk cannot be written to; nothing was changed.
    """
    checked_copy = _checked_copy(source, path)
    kept_path = path.with_name(f"{path.name}.{mark}")
    try:
        with open_database(checked_copy, READ_WRITE) as database:
            drop_texts(database)
        was_there = path.exists()
        if was_there:
            _merge_side_files(path)
        for side in SIDE_FILES:
            if (side_file := path.with_name(path.name + side)).exists():
                side_file.rename(kept_path.with_name(kept_path.name + side))
        if was_there:
            _keep(path, kept_path)
        drop_mark(path)
        _sync(path.parent)
        checked_copy.replace(path)
        _sync(path.parent)
    finally:
        _delete(checked_copy)
    return kept_path if was_there else None


def keep_log(path: Path, mark: str) -> Path | None:
    """Copies a database's write-ahead log unchanged, since SQLite drops everything after a damaged part of it.

    Returns:
        The path of the copy; None if there is no log, or the disk cannot be written to.
    """
    log, kept_path = path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}.{mark}.log")
    try:
        if not log.exists() or not log.stat().st_size:
            return None
        shutil.copy2(log, kept_path)
    except OSError:
        _delete(kept_path)
        return None
    return kept_path


def memory_copy(path: Path) -> sqlite3.Connection:
    """Reads a database that nobody writes to, with its side files, into memory; its disk is only read.

    SQLite itself writes beside a database even to read it, which fails on a full or read-only disk.

    Raises:
        OSError: its files cannot be read.
        sqlite3.Error: it is not a database.
    """
    memory = sqlite3.connect(":memory:", check_same_thread=False)
    memory.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_ROW)
    try:
        with copied_to_memory(path) as copy_path, open_database(copy_path, READ_WRITE) as database:
            database.backup(memory)
    except BaseException:
        memory.close()
        raise
    return memory


@contextmanager
def copied_to_memory(path: Path) -> Iterator[Path]:
    """Copies a journal that nobody writes to, with its side files, into memory, for the duration of the context.

    Raises:
        OSError: its files cannot be read, or one is a pipe or a device, which might never end.
    """
    with TemporaryDirectory(dir=_MEMORY if os.access(_MEMORY, os.W_OK) else None) as folder:
        for side in ("", "-wal", "-journal", MARK):
            if (file := path.with_name(path.name + side)).exists():
                check_regular(file)
                shutil.copyfile(file, Path(folder, path.name + side))
        yield Path(folder, path.name)


def _checked_copy(source: Path | sqlite3.Connection, target: Path) -> Path:
    """Copies a whole database to a file beside the target, checked and on the disk; a failed copy is deleted."""
    new_file = target.with_name(f"{target.name}.new")
    _delete(new_file)
    try:
        opened = open_database(source) if isinstance(source, Path) else nullcontext(source)
        with opened as old, closing(sqlite3.connect(new_file)) as new:
            old.backup(new)
            new.execute("PRAGMA journal_mode=DELETE")
        verify_journal(new_file)
        _sync(new_file)
    except BaseException:
        _delete(new_file)
        raise
    return new_file


def _put_texts(path: Path, texts: Mapping[str, str]) -> None:
    """Writes texts into a finished copy of a journal; SQLite waits until they are on the disk."""
    with open_database(path, READ_WRITE) as database:
        store_texts(database, texts)


def _merge_side_files(path: Path) -> None:
    """Merges a database's side files into it; one that is too damaged for that stays as it is.

    Raises:
        sqlite3.OperationalError: the disk cannot be written to, or the database is in use.
    """
    try:
        check_file(path)
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
    """Whether every byte of a file can still be read from the disk."""
    try:
        read_whole(path)
    except OSError:
        return False
    return True


def _keep(path: Path, kept_path: Path) -> None:
    """Keeps a file under a second name: a hard link, or a copy if the disk has no hard links; renames a folder."""
    kept_path.unlink(missing_ok=True)
    if path.is_dir():
        path.rename(kept_path)
        return
    try:
        os.link(path, kept_path)
    except OSError:
        try:
            shutil.copy2(path, kept_path)
            _sync(kept_path)
        except OSError:
            _delete(kept_path)
            raise


def _delete(path: Path) -> None:
    """Deletes an unfinished database, as far as possible."""
    for part in (*SIDE_FILES, ""):
        with suppress(OSError):
            path.with_name(path.name + part).unlink(missing_ok=True)


def _sync(path: Path) -> None:
    """Waits until a file, or the file names of a folder, are on the disk."""
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
