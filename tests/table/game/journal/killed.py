"""Processes that are killed while they write a journal, and what they leave.

Each is forked where nothing else runs. A process forked from that of the tests would wait for ever for a lock that
another thread of theirs, such as one that read in SQLite, held in that moment.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sqlite3
import sys
from collections.abc import Callable
from functools import partial
from multiprocessing.context import ForkServerContext
from pathlib import Path
from types import FrameType
from typing import Any, Final

from table.game.journal.journal import Journal
from table.game.journal.recovery import journal_backup, journal_files, journal_opening
from table.game.journal.storage import journal_lock
from table.rules.events import TilePassed
from tests.fakes.waiting import PATIENCE_S
from tests.table.game.journal.journals import ENVELOPE

FORKING: Final[ForkServerContext] = multiprocessing.get_context("forkserver")
FORKING.set_forkserver_preload([__name__])
WATCHED: Final = {each.__file__ for each in (journal_backup, journal_files, journal_lock, journal_opening)}
"""The code that handles files."""


def exit_status_of(work: Callable[[], object]) -> int:
    """Does something in a process of its own; returns what it ended with, negative for a signal."""
    process = FORKING.Process(target=work)
    process.start()
    process.join(PATIENCE_S)
    status = process.exitcode
    process.kill()
    process.join()
    process.close()
    assert status is not None, "the process does not end"
    return status


def killed_journal(path: Path, entries: int) -> Path:
    """A journal that goes on to so many entries, the new ones in its write-ahead log alone."""
    assert exit_status_of(partial(_play, path, entries)) == 0
    assert path.with_name(f"{path.name}-wal").stat().st_size > 0
    return path


def _play(path: Path, entries: int) -> None:
    journal = Journal(path)
    while journal.last < entries:
        journal.append(ENVELOPE, TilePassed())
    os._exit(0)


def journal_killed_while_merging(path: Path) -> Path:
    """A journal as a kill left it that came while SQLite wrote into it: what it overwrote lies in `-journal`."""
    assert exit_status_of(partial(_overwrite, path)) == 0
    assert path.with_name(f"{path.name}-journal").stat().st_size > 0
    return path


def _overwrite(path: Path) -> None:
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA journal_mode=DELETE")
    database.execute("PRAGMA cache_size=1")  # pages are written before the end of the transaction
    database.execute("BEGIN")
    database.execute("UPDATE entry SET body = zeroblob(9000)")
    os._exit(0)


def restore_copy(path: Path, copy: Path) -> None:
    """Restores a journal from its backup."""
    journal_backup.restore(copy, path, stamp="now")


def recover(path: Path, copy: Path) -> None:
    """Opens a journal as a table that starts."""
    journal_opening.open_journal(path, copy.parent, stamp="now").journal.close()


def killed_at_step(step: int, work: Callable[[Path, Path], object], path: Path, copy: Path) -> None:
    """Does the work, ended with SIGKILL before that line of the code that handles files."""
    lines_left = step

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal lines_left
        if frame.f_code.co_filename not in WATCHED:
            return None
        if event == "line":
            lines_left -= 1
            if lines_left < 0:
                os.kill(os.getpid(), signal.SIGKILL)
        return trace

    sys.settrace(trace)
    work(path, copy)
    os._exit(0)
