"""A journal is read beside the thread that writes it: whole acts, in any thread, and nobody waits for that."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest

from table.game.journal.entries import Entry
from table.game.journal.journal import Journal
from table.game.journal.journal_reader import BATCH_SIZE, GameStart, JournalReader
from table.game.journal.storage import stored_entries as stored_entries_module
from table.game.journal.storage.stored_entries import entry_of
from table.game.table_loop import TableLoop
from table.rules.events import TilePassed
from table.runtime.table_errors import JournalError
from tests.fakes.disks import taking_no_entries
from tests.fakes.waiting import PATIENCE_S
from tests.table.game.by_hand import draw, table_at, tell
from tests.table.game.journal.journals import ENVELOPE
from tests.table.game.journal.played_games import declared_game, write_games

pytestmark = pytest.mark.parametrize("in_memory", [False, True], ids=["on the disk", "in memory"])


@pytest.fixture
def path(tmp_path: Path, in_memory: bool) -> Path | None:
    return None if in_memory else tmp_path / "table.journal"


def test_a_reader_finds_what_the_writer_finds_part_by_part(path: Path | None) -> None:
    with Journal(path) as journal:
        with journal.transaction():
            for _ in range(2 * BATCH_SIZE + 1):
                journal.append(ENVELOPE, TilePassed())
        reader = JournalReader(journal)
        assert reader.entries(0) == journal.entries()
        assert [entry.number for entry in reader.entries(3, upto=BATCH_SIZE + 5)] == list(range(4, BATCH_SIZE + 6))
        assert reader.entries(journal.last) == ()


def test_what_somebody_is_still_doing_is_not_read_by_halves(path: Path | None) -> None:
    with Journal(path) as journal:
        reader = JournalReader(journal)
        with journal.transaction():
            journal.append(ENVELOPE, TilePassed())
            assert reader.entries(0) == ()
            journal.withdraw(after=0)
            journal.append(ENVELOPE, TilePassed())
            journal.append(ENVELOPE, TilePassed())
            assert reader.entries(0) == ()
        assert [entry.number for entry in reader.entries(0)] == [1, 2]


def test_what_is_just_being_stored_is_not_read_by_halves(path: Path | None) -> None:
    with Journal(path) as journal:
        reader, read = JournalReader(journal), list[int]()

        def read_now(statement: str) -> None:
            if statement.startswith("INSERT INTO entry"):
                read.append(len(reader.entries(0)) + len(reader.games()))

        journal.memory.set_trace_callback(read_now)
        with journal.transaction():
            journal.append(ENVELOPE, declared_game()[0].body)
            for _ in range(2):
                journal.append(ENVELOPE, TilePassed())
        assert read == [0, 0, 0]
        assert (len(reader.entries(0)), len(reader.games())) == (3, 1)


def test_what_the_disk_does_not_take_is_read_all_the_same(path: Path | None) -> None:
    with Journal(path) as journal:
        reader = JournalReader(journal)
        journal.append(ENVELOPE, TilePassed())
        with taking_no_entries(journal):
            journal.append(ENVELOPE, TilePassed())
            assert (journal.waiting_count, [entry.number for entry in reader.entries(0)]) == (1, [1, 2])
            assert [entry.number for entry in reader.entries(0, upto=1)] == [1]
        journal.flush()
        assert (journal.waiting_count, [entry.number for entry in reader.entries(0)]) == (0, [1, 2])


def test_games_are_found_by_the_entries_that_open_them(path: Path | None) -> None:
    with Journal(path) as journal:
        table = table_at(journal)
        tell(table, draw(0))
        with journal.transaction():
            journal.append(ENVELOPE, declared_game()[0].body)
        reader = JournalReader(journal)
        first, second = reader.games()
        assert (first.number, first.previous_hash, second.number) == (1, b"", journal.last)
        assert (second.previous_hash,) in journal.memory.execute(
            "SELECT hash FROM entry WHERE number = ?", (journal.last - 1,)
        )
        assert reader.games(first.number) == (second,)
        assert [entry.number for entry in journal.last_game()] == [second.number]


def test_a_reader_waits_for_nothing_that_the_loop_does(path: Path | None) -> None:
    with Journal(path) as journal, TableLoop(table_at(journal)) as loop:
        goes_on, is_busy = threading.Event(), threading.Event()

        def keep_busy() -> None:
            is_busy.set()
            goes_on.wait(PATIENCE_S)

        busy = loop._put(keep_busy)
        is_busy.wait(PATIENCE_S)
        assert [entry.number for entry in loop.entries(0)] == [1]
        assert loop.games(0) == (GameStart(number=1),)
        assert not busy.done()
        goes_on.set()


def test_a_journal_that_is_closed_says_so(path: Path | None) -> None:
    with Journal(path) as journal:
        reader = JournalReader(journal)
    if path is not None:
        path.unlink()
    with pytest.raises(JournalError, match="cannot read the journal"):
        reader.entries(0)


def test_a_table_that_starts_reads_its_last_two_games_alone(path: Path | None, monkeypatch: pytest.MonkeyPatch) -> None:
    with Journal(path) as journal:
        write_games(journal, 4, session=declared_game())
        read: list[int] = []

        def reading(row: tuple[Any, ...], database: sqlite3.Connection) -> Entry:
            read.append(row[0])
            return entry_of(row, database)

        monkeypatch.setattr(stored_entries_module, "entry_of", reading)
        table = table_at(journal)
        assert sorted(read) == list(range(journal.last - 2 * len(declared_game()) + 1, journal.last + 1))
        assert table.board.latest.opened_by == journal.last - len(declared_game()) + 1
