"""The number of the journal's format: older journals are copied and brought up, newer ones are left alone and named."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from table.game.journal.journal import Journal
from table.game.journal.recovery import journal_upgrade
from table.game.journal.recovery.journal_backup import back_up, backups, restore
from table.game.journal.recovery.journal_files import verify_journal
from table.game.journal.recovery.journal_notice import JournalNotice, NoticeKind
from table.game.journal.recovery.journal_opening import open_journal
from table.game.journal.storage.entry_chain import check_chain
from table.game.journal.storage.journal_format import FORMAT, format_of
from table.rules.events import TilePassed
from table.runtime.table_errors import JournalError, NewerJournalError
from tests.table.game.journal.journals import DAY, ENVELOPE, format_in, make_newer, make_older, write_journal

NOW = "2026-11-22T200000"
KEPT_NAME = "a-00000003-2026-11-22.format-1.backup"


@pytest.fixture
def older_journal(tmp_path: Path) -> Path:
    return make_older(write_journal(tmp_path / "a.journal", 3))


def test_a_new_journal_is_of_this_versions_format(tmp_path: Path) -> None:
    assert format_in(write_journal(tmp_path / "a.journal", 1)) == FORMAT == 10


def test_an_older_journal_opens_as_it_was_and_gets_its_hashes(older_journal: Path, tmp_path: Path) -> None:
    with Journal(older_journal) as journal:
        before = journal.entries()
    found = open_journal(older_journal, tmp_path / "backups", stamp=NOW)
    with found.journal as journal:
        assert (journal.entries(), found.notes) == (before, ())
        journal.append(ENVELOPE, TilePassed())
    with closing(sqlite3.connect(older_journal)) as database:
        assert format_of(database, "here") == FORMAT
        assert check_chain(database, "here")[0] == 4


def test_before_an_older_journal_is_brought_up_it_is_copied_as_it_was(older_journal: Path, tmp_path: Path) -> None:
    open_journal(older_journal, tmp_path / "backups", stamp=NOW).journal.close()
    assert [backup.name for backup in backups(tmp_path / "backups", "a")] == [KEPT_NAME]
    assert format_in(tmp_path / "backups" / KEPT_NAME) == 1
    assert verify_journal(tmp_path / "backups" / KEPT_NAME) == 3


def test_the_copy_of_an_older_format_is_never_let_go(older_journal: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    open_journal(older_journal, folder, stamp=NOW).journal.close()
    for entries in (4, 5, 6):
        back_up(write_journal(older_journal, entries), folder, day=DAY, keep=1)
    assert [backup.name for backup in backups(folder, "a")] == ["a-00000006-2026-11-20.backup", KEPT_NAME]


def test_where_the_copy_cannot_be_made_the_journal_stays_of_its_format(
    older_journal: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(source: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(journal_upgrade, "copy", full)
        found = open_journal(older_journal, tmp_path / "backups", stamp=NOW)
        assert "No space left on device; nothing is recorded" in found.journal.trouble
        assert (found.journal.last, format_in(older_journal)) == (3, 1)
        found.journal.append(ENVELOPE, TilePassed())
        assert (found.journal.waiting_count, format_in(older_journal)) == (1, 1)
    with found.journal as journal:
        journal.flush()
        assert (journal.waiting_count, journal.trouble, journal.path) == (0, "", older_journal)
    assert (verify_journal(older_journal), format_in(older_journal)) == (4, FORMAT)
    assert verify_journal(tmp_path / "backups" / KEPT_NAME) == 3


@pytest.mark.parametrize("number", [2, 3, 4])
def test_a_journal_with_hashes_is_copied_and_goes_on_with_the_same_chain(tmp_path: Path, number: int) -> None:
    path = write_journal(tmp_path / "a.journal", 3)
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"PRAGMA user_version={number}")
    with open_journal(path, tmp_path / "backups", stamp=NOW).journal as journal:
        assert journal.append(ENVELOPE, TilePassed()).number == 4
    assert (verify_journal(path), format_in(path)) == (4, FORMAT)
    assert format_in(tmp_path / "backups" / KEPT_NAME.replace("format-1", f"format-{number}")) == number


def test_a_journal_that_was_not_brought_up_takes_no_entries(older_journal: Path) -> None:
    with Journal(older_journal) as journal, pytest.raises(JournalError, match=f"format {FORMAT} to write to, got 1"):
        journal.append(ENVELOPE, TilePassed())
    assert format_in(older_journal) == 1


def test_a_backup_of_an_older_format_is_restored_and_brought_up(older_journal: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    open_journal(older_journal, folder, stamp=NOW).journal.close()
    write_journal(older_journal, 9)
    restore(folder / KEPT_NAME, older_journal, stamp="now")
    with open_journal(older_journal, folder, stamp=NOW).journal as journal:
        assert (journal.last, journal.format) == (3, FORMAT)


@pytest.mark.parametrize("body", ["garbage", '{"is": "TilePasser"}'])
def test_an_older_journal_with_an_entry_that_cannot_be_read_is_taken_for_damaged(
    older_journal: Path, tmp_path: Path, body: str
) -> None:
    copy = back_up(make_older(write_journal(tmp_path / "b" / "a.journal", 2)), tmp_path / "backups", day=DAY, keep=2)
    with closing(sqlite3.connect(older_journal)) as database, database:
        database.execute("UPDATE entry SET body = ? WHERE number = 2", (body,))
    found = open_journal(older_journal, tmp_path / "backups", stamp=NOW)
    with found.journal as journal:
        assert journal.last == 2
    assert "entry 2" in found.notes[0]
    assert f"restored from {copy.name}" in found.notes[0]


# A newer version's journal


def test_a_newer_journal_is_told_in_one_sentence_that_names_the_backup_to_go_back_to(tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    path = write_journal(tmp_path / "a.journal", 3)
    readable = back_up(path, folder, day=DAY, keep=9)
    make_newer(back_up(write_journal(path, 5), folder, day=DAY, keep=9))
    before = make_newer(path).read_bytes()
    found = open_journal(path, folder, stamp=NOW)
    with found.journal as journal:
        assert (journal.path, journal.last) == (None, 3)
    assert found.notes[0].startswith(
        f"expected a journal of format {FORMAT} in {path}, got format {FORMAT + 1}, which a newer version of Tachiai "
        f"wrote: install that version again or restore the backup {readable.name}"
    )
    assert found.notices == (JournalNotice(kind=NoticeKind.NEWER, backup=readable.name),)
    assert path.read_bytes() == before


def test_where_there_is_no_backup_to_go_back_to_the_sentence_says_so(tmp_path: Path) -> None:
    found = open_journal(make_newer(write_journal(tmp_path / "a.journal", 3)), tmp_path / "backups", stamp=NOW)
    assert "there is no backup in an older format" in found.notes[0]
    assert found.notices == (JournalNotice(kind=NoticeKind.NEWER),)


def test_going_back_to_the_named_backup_keeps_the_newer_journal(tmp_path: Path) -> None:
    path = write_journal(tmp_path / "a.journal", 3)
    copy = back_up(path, tmp_path / "backups", day=DAY, keep=9)
    kept_path = restore(copy, make_newer(path), stamp="now")
    assert kept_path is not None
    assert (verify_journal(path), format_in(kept_path)) == (3, FORMAT + 1)


def test_a_newer_journal_is_no_backup_to_restore(tmp_path: Path) -> None:
    path = write_journal(tmp_path / "a.journal", 3)
    with pytest.raises(NewerJournalError):
        restore(make_newer(write_journal(tmp_path / "new.backup", 5)), path, stamp="now")
    assert verify_journal(path) == 3


@pytest.mark.parametrize("left", ["", "CREATE TABLE entry (number INTEGER, envelope TEXT, body TEXT)"])
def test_a_journal_that_a_power_cut_left_half_made_is_made(tmp_path: Path, left: str) -> None:
    path = tmp_path / "a.journal"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(f"PRAGMA journal_mode=WAL; CREATE TABLE t (x); DROP TABLE t; {left}")
    assert path.stat().st_size > 0
    with open_journal(path, tmp_path / "backups", stamp=NOW).journal as journal:
        assert journal.append(ENVELOPE, TilePassed()).number == 1
    assert format_in(path) == FORMAT


@pytest.mark.parametrize("number", [0, 1])
def test_a_damaged_number_does_not_make_a_journal_an_older_one(tmp_path: Path, number: int) -> None:
    path = write_journal(tmp_path / "a.journal", 3)
    copy = back_up(path, tmp_path / "backups", day=DAY, keep=9)
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"PRAGMA user_version={number}")
    found = open_journal(path, tmp_path / "backups", stamp=NOW)
    with found.journal as journal:
        assert journal.last == 3
    assert f"restored from {copy.name}" in found.notes[0]
