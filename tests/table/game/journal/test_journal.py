from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from table.game.journal.entries import Envelope, GameOpened, Source
from table.game.journal.journal import Journal
from table.game.journal.journal_reader import JournalReader
from table.game.journal.recovery.journal_files import verify_journal
from table.game.journal.storage.journal_database import JournalDatabase
from table.game.journal.storage.journal_format import FORMAT
from table.game.journal.storage.stored_entries import entry_of
from table.rules.events import TilePassed
from table.rules.ruleset import Ruleset
from table.runtime.table_errors import JournalError
from tests.fakes.disks import taking_no_entries

ENVELOPE = Envelope(utc="2026-11-20T11:00:00.000+00:00", source=Source.TABLE)


def test_entries_are_numbered_in_order_and_survive_the_program(tmp_path: Path) -> None:
    path = tmp_path / "table.journal"
    with Journal(path) as journal:
        entries = [journal.append(ENVELOPE, GameOpened(ruleset=Ruleset())), journal.append(ENVELOPE, TilePassed())]
    with Journal(path) as reopened_journal:
        assert list(reopened_journal.entries()) == entries
        assert reopened_journal.entries(after=entries[0].number) == (entries[1],)


def test_every_entry_is_on_the_disk_before_append_returns(tmp_path: Path) -> None:
    path = tmp_path / "table.journal"
    with Journal(path) as journal:
        journal.append(ENVELOPE, TilePassed())
        other = sqlite3.connect(path)
        assert other.execute("SELECT count(*) FROM entry").fetchone() == (1,)
        other.close()


def test_the_database_writes_to_a_log_and_waits_until_each_entry_is_on_the_disk(tmp_path: Path) -> None:
    with closing(JournalDatabase(tmp_path / "table.journal")) as database:
        settings = [
            database.connection.execute(f"PRAGMA {name}").fetchone() for name in ("journal_mode", "synchronous")
        ]
    assert settings == [("wal",), (2,)]  # 2 is FULL


def test_a_file_that_is_no_journal_is_left_alone_and_named(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("a shopping list, long enough to be no database at all" * 20)
    with pytest.raises(JournalError, match=r"expected a journal in .*notes.txt"):
        Journal(path)
    assert path.read_text().startswith("a shopping list")


def test_a_journal_of_a_later_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.journal"
    database = sqlite3.connect(path)
    database.execute(f"PRAGMA user_version={FORMAT + 1}")
    database.close()
    with pytest.raises(JournalError, match=rf"format {FORMAT} .* got format {FORMAT + 1}"):
        Journal(path)


def test_an_unreadable_entry_is_named_by_its_number(tmp_path: Path) -> None:
    path = tmp_path / "table.journal"
    with Journal(path) as journal:
        journal.append(ENVELOPE, TilePassed())
        database = sqlite3.connect(path)
        database.execute('UPDATE entry SET body = \'{"is": "Nothing"}\'')
        database.commit()
        database.close()
        with pytest.raises(JournalError, match=r"entry 1: .*expected one of"):
            journal.entries()


def test_closing_twice_is_the_same_as_once(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "table.journal")
    journal.close()
    journal.close()
    with pytest.raises(JournalError, match="cannot write"):
        journal.append(ENVELOPE, TilePassed())


def test_what_belongs_together_is_written_together(tmp_path: Path) -> None:
    path = tmp_path / "table.journal"
    with Journal(path) as journal, Journal(path) as other:
        with journal.transaction():
            with journal.transaction():
                journal.append(ENVELOPE, TilePassed())
            assert journal.append(ENVELOPE, TilePassed()).number == 2
            assert (other.entries(), journal.last) == ((), 2)
        assert len(other.entries()) == 2


def test_what_is_withdrawn_before_it_was_written_never_was(tmp_path: Path) -> None:
    path = tmp_path / "table.journal"
    with Journal(path) as journal, Journal(path) as other:
        journal.append(ENVELOPE, TilePassed())
        with journal.transaction():
            journal.append(ENVELOPE, TilePassed())
            journal.withdraw(after=1)
            assert ([entry.number for entry in journal.entries()], journal.last) == ([1], 1)
        assert [entry.number for entry in other.entries()] == [1]
        assert journal.append(ENVELOPE, TilePassed()).number == 2


def test_an_action_that_the_disk_refused_leaves_no_room_for_a_reader_to_see_half_of_the_next_one(
    tmp_path: Path,
) -> None:
    with Journal(tmp_path / "table.journal") as journal:
        with taking_no_entries(journal):
            seen = journal.append(ENVELOPE, TilePassed())
            with journal.transaction():
                journal.append(ENVELOPE, TilePassed())
            journal.withdraw(after=seen.number)
        with journal.transaction():
            journal.append(ENVELOPE, TilePassed())
            assert JournalReader(journal).entries(0) == (seen,)
        assert len(JournalReader(journal).entries(0)) == 2


def test_a_disk_that_refused_is_in_trouble_until_it_takes_a_write_though_nothing_waits(tmp_path: Path) -> None:
    with Journal(tmp_path / "table.journal") as journal:
        with taking_no_entries(journal):
            journal.append(ENVELOPE, TilePassed())
            journal.withdraw(after=0)
            journal.flush()
            assert "readonly" in journal.trouble
        journal.flush()
        assert journal.trouble == ""


@pytest.mark.parametrize("row", [(3, "{}", None), (3, None, "{}"), (3, 1.5, "{}")])
def test_a_row_whose_type_was_damaged_is_an_entry_that_cannot_be_read(row: tuple[object, ...]) -> None:
    with closing(sqlite3.connect(":memory:")) as database, pytest.raises(JournalError, match=r"^entry 3: "):
        entry_of(row, database)


def test_a_file_that_was_taken_away_is_written_on_where_the_same_entries_are_put_back(tmp_path: Path) -> None:
    path, away = tmp_path / "table.journal", tmp_path / "away"
    away.mkdir()
    with Journal(path) as journal:
        first = [journal.append(ENVELOPE, TilePassed()) for _ in range(2)]
        for file in tmp_path.glob("table.journal*"):
            file.rename(away / file.name)
        waits = journal.append(ENVELOPE, TilePassed())
        assert (journal.waiting_count, journal.trouble) == (
            1,
            f"cannot write to the journal in {path}: it was taken away",
        )
        assert not path.exists(), "none is begun anew"
        for file in away.iterdir():
            shutil.copy(file, path.parent / file.name)
        after = journal.append(ENVELOPE, TilePassed())
        assert (journal.waiting_count, journal.trouble) == (0, "")
    assert verify_journal(path) == 4
    with Journal(path) as reopened_journal:
        assert list(reopened_journal.entries()) == [*first, waits, after]


def test_another_journal_that_is_put_in_its_place_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "table.journal"
    with Journal(path) as journal:
        journal.append(ENVELOPE, TilePassed())
        path.rename(tmp_path / "away.journal")
        for file in tmp_path.glob("table.journal-*"):
            file.unlink()
        with Journal(path) as other:
            other.append(replace(ENVELOPE, source=Source.CAMERA), TilePassed())
        journal.append(ENVELOPE, TilePassed())
        assert (journal.waiting_count, "it was taken away" in journal.trouble) == (1, True)
    assert verify_journal(path) == 1
