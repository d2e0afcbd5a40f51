"""Damage that SQLite does not see: it is found when the journal is opened, and what has more of it goes on."""

from __future__ import annotations

import errno
import os
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from table.game.journal.journal import Journal
from table.game.journal.journal_reader import JournalReader
from table.game.journal.recovery import journal_opening, journal_upgrade
from table.game.journal.recovery.backup_texts import texts_in
from table.game.journal.recovery.journal_backup import back_up, backups, restore
from table.game.journal.recovery.journal_check import journal_trouble
from table.game.journal.recovery.journal_files import memory_copy, verify_journal
from table.game.journal.recovery.journal_notice import NoticeKind
from table.game.journal.recovery.journal_opening import open_journal
from table.game.journal.storage.entry_chain import entry_hash
from table.game.journal.storage.journal_format import FORMAT
from table.game.journal.storage.journal_mark import mark_of, read_mark
from table.game.journal.storage.opened_database import LONGEST_ROW
from table.game.journal.stored_games import stored_games
from table.records.season.journal_games import open_games
from table.records.season.season_folder import read_season
from table.rules.events import TilePassed
from table.runtime.table_errors import JournalError
from tests.table.game.journal.journals import DAY, ENVELOPE, format_in, make_older, write_journal
from tests.table.game.journal.killed import killed_journal

NOW = "2026-11-22T200000"
SEEDS = range(10)


def is_whole_to_sqlite(path: Path) -> bool:
    with closing(sqlite3.connect(path)) as database:
        return bool(database.execute("PRAGMA integrity_check").fetchone() == ("ok",))


def flip_bytes(path: Path, chance: random.Random, count: int = 20) -> None:
    """Flips so many bytes of what entries say, so that SQLite finds the file as whole as before."""
    whole = path.read_bytes()
    places = [at for at in range(4096, len(whole)) if whole[at : at + 1].isalnum()]
    while True:
        content = bytearray(whole)
        for at in chance.sample(places, count):
            content[at] ^= 1 << chance.randrange(8)
        path.write_bytes(content)
        if is_whole_to_sqlite(path):
            return


def change_rows(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(statement)


def log_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "backups"


@pytest.fixture
def path(tmp_path: Path, folder: Path) -> Path:
    """A journal of seven entries; its backup holds four."""
    path = write_journal(tmp_path / "a.journal", 4)
    back_up(path, folder, day=DAY, keep=9)
    return write_journal(path, 7)


# The chain


@pytest.mark.parametrize("seed", SEEDS)
def test_twenty_flipped_bytes_that_sqlite_finds_whole_are_found(path: Path, folder: Path, seed: int) -> None:
    flip_bytes(path, random.Random(seed))
    damaged_bytes = path.read_bytes()
    found = open_journal(path, folder, stamp=NOW)
    with found.journal as journal:
        assert journal.last == 4
    assert found.notes[0].endswith("lost: entries 5 to 7, done after 2026-11-20T11:00:00.000+00:00")
    assert [notice.kind for notice in found.notices] == [NoticeKind.RESTORED]
    assert path.with_name(f"a.journal.bad-{NOW}").read_bytes()[100:] == damaged_bytes[100:]


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM entry WHERE number = 3",
        "DELETE FROM entry WHERE number = 1",
        "UPDATE entry SET body = 'garbage' WHERE number = 5",
        "UPDATE entry SET envelope = replace(envelope, '11:00', '12:00') WHERE number = 2",
    ],
)
def test_an_entry_that_is_gone_or_altered_in_the_middle_is_found(path: Path, folder: Path, statement: str) -> None:
    change_rows(path, statement)
    assert "altered at entry" in journal_trouble(path)
    with open_journal(path, folder, stamp=NOW).journal as journal:
        assert journal.last == 4


@pytest.mark.parametrize(
    ("statement", "intact", "loss"),
    [
        ("UPDATE entry SET number = 70 WHERE number = 6", 5, "lost: entries 6 to 70"),
        ("UPDATE entry SET body = 'garbage' WHERE number = 6", 5, "lost: entries 6 to 7"),
        ("UPDATE entry SET hash = NULL WHERE number = 7", 6, "lost: entries 7 to 7"),
        ("UPDATE entry SET body = 7, hash = 'x' WHERE number = 7", 6, "lost: entries 7 to 7"),
        ("INSERT INTO entry SELECT number + 1, envelope, body, hash FROM entry WHERE number = 7", 7, "entries 8 to 8"),
    ],
)
def test_damage_after_the_newest_backup_costs_only_what_comes_after_it(
    path: Path, folder: Path, statement: str, intact: int, loss: str
) -> None:
    change_rows(path, statement)
    found = open_journal(path, folder, stamp=NOW)
    with found.journal as journal:
        assert journal.last == intact
        journal.append(ENVELOPE, TilePassed())
    assert f"entries 1 to {intact} are more than in a-00000004-2026-11-20.backup" in found.notes[0]
    assert found.notes[0].endswith(loss)
    assert [notice.kind for notice in found.notices] == [NoticeKind.LOST]
    assert path.with_name(f"a.journal.bad-{NOW}").exists()
    assert open_journal(path, folder, stamp=NOW).notes == ()
    assert verify_journal(path) == intact + 1


def test_a_row_longer_than_any_entry_is_refused_unread(path: Path, folder: Path) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        (before,) = database.execute("SELECT hash FROM entry WHERE number = 7").fetchone()
        body = b'"' + bytes(LONGEST_ROW) + b'"'
        row = (8, "{}", body.decode(), entry_hash(before, 8, b"{}", body))
        database.execute("INSERT INTO entry (number, envelope, body, hash) VALUES (?, ?, ?, ?)", row)
    with pytest.raises(JournalError, match="too big"):
        verify_journal(path)
    found = open_journal(path, folder, stamp=NOW)
    with found.journal as journal:
        assert journal.last == 7
    assert found.notes[0].endswith("lost: entries 8 to 8")


def test_a_backup_of_another_evening_takes_the_place_of_a_damaged_journal(path: Path, folder: Path) -> None:
    """Whether the intact entries are newer is not known."""
    other = path.parent / "other" / "a.journal"
    other.parent.mkdir()
    with Journal(other) as journal:
        for _ in range(5):
            journal.append(ENVELOPE, TilePassed())
    back_up(other, folder, day=DAY, keep=9)
    change_rows(path, "UPDATE entry SET body = 'garbage' WHERE number = 7")
    found = open_journal(path, folder, stamp=NOW)
    with found.journal as journal:
        assert journal.last == 5
    assert "restored from" in found.notes[0]


def test_a_file_that_does_more_than_keep_entries_is_refused(path: Path, folder: Path) -> None:
    change_rows(path, "CREATE TRIGGER t AFTER INSERT ON entry BEGIN DELETE FROM entry WHERE number = NEW.number; END")
    found = open_journal(path, folder, stamp=NOW)
    with found.journal as journal:
        assert journal.last == 7
        journal.append(ENVELOPE, TilePassed())
    assert found.notes[0].endswith("nothing is known to be lost: entry 7 is the last")
    assert verify_journal(path) == 8


@pytest.mark.parametrize("number", [0, FORMAT])
@pytest.mark.parametrize("table", ["entry", "ruleset", "beside"])
def test_a_view_in_place_of_a_table_is_read_by_nobody(path: Path, folder: Path, table: str, number: int) -> None:
    """A view may never end."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("DELETE FROM entry")
        database.execute(f"DROP TABLE IF EXISTS {table}")
        database.execute(
            f"CREATE VIEW {table} AS SELECT 1 AS number, '{{}}' AS envelope, '{{}}' AS body, x'00' AS hash"
        )
        database.execute(f"PRAGMA user_version={number}")
    refusal = f"got: a view in place of the table '{table}'"
    with pytest.raises(JournalError, match=refusal):
        verify_journal(path)
    with pytest.raises(JournalError, match=refusal), stored_games(path):
        pass
    with pytest.raises(JournalError, match=refusal), open_games(path):
        pass
    with pytest.raises(JournalError, match=refusal):
        texts_in(path)
    with pytest.raises(JournalError, match=refusal):
        Journal(path)
    with pytest.raises(sqlite3.Error, match="a view in place"):
        memory_copy(path)
    found = open_journal(path, folder, stamp=NOW)
    with found.journal as journal:
        assert journal.last == 4
    assert refusal in found.notes[0]


def knot(path: Path) -> None:
    """Makes a journal's table a tree whose branches all lead to the same few rows, as nobody could count them."""
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode=DELETE")
        (root,) = database.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'entry'").fetchone()
    pages = bytearray(path.read_bytes())
    size = int.from_bytes(pages[16:18])
    leaf = pages[(root - 1) * size : root * size]
    for child in range(1, 9):
        pages += leaf if child == 1 else _branches(len(pages) // size, size)
    pages[(root - 1) * size : root * size] = _branches(len(pages) // size, size)
    pages[28:32] = (len(pages) // size).to_bytes(4)
    path.write_bytes(pages)


def _branches(child: int, size: int) -> bytes:
    """A page of 300 branches to the same page: header, places of the branches, and each with its key."""
    cells = child.to_bytes(4) + b"\x7f"
    start = size - 300 * len(cells)
    places = b"".join((start + at * len(cells)).to_bytes(2) for at in range(300))
    header = b"\x05\0\0" + (300).to_bytes(2) + start.to_bytes(2) + b"\0" + child.to_bytes(4)
    return (header + places).ljust(start, b"\0") + cells * 300


@pytest.mark.parametrize("older", [False, True])
def test_a_file_whose_pages_contain_each_other_is_read_by_no_command(path: Path, *, older: bool) -> None:
    if older:
        make_older(path)
    knot(path)
    with pytest.raises(JournalError, match="got: a page that has two places"), stored_games(path):
        pass
    (fault,) = read_season(path).faults
    assert "got: a page that has two places" in fault
    with pytest.raises(JournalError, match="expected a whole journal in"):
        verify_journal(path)


def test_a_trigger_does_not_come_into_play_while_an_older_journal_is_read(path: Path) -> None:
    make_older(path)
    change_rows(path, "CREATE TRIGGER t AFTER UPDATE ON entry BEGIN DELETE FROM entry; END")
    with pytest.raises(JournalError, match=f"only keeps entries in {path}, got one with 't'"), open_games(path):
        pass


@pytest.mark.parametrize(
    "changed",
    [
        "entry SET envelope = CAST(envelope AS BLOB)",
        "entry SET body = CAST(body AS BLOB) WHERE number > 1",
        "ruleset SET body = CAST(body AS BLOB)",
    ],
)
def test_a_text_that_a_flipped_bit_made_bytes_is_read_as_the_text_it_was(path: Path, changed: str) -> None:
    with Journal(path) as journal:
        entries = journal.entries()
    change_rows(path, f"UPDATE {changed}")
    assert verify_journal(path) == 7
    assert journal_trouble(path) == ""
    with Journal(path) as journal:
        assert journal.entries() == entries
        assert JournalReader(journal).games()[0].number == 1


def test_the_last_entry_that_holds_is_named(path: Path) -> None:
    change_rows(path, "DELETE FROM entry WHERE number = 3")
    with pytest.raises(JournalError, match="altered at entry 4: it is intact up to entry 2"):
        verify_journal(path)


def test_a_backup_of_a_damaged_journal_is_refused(path: Path, folder: Path) -> None:
    change_rows(path, "DELETE FROM entry WHERE number = 3")
    with pytest.raises(JournalError, match="altered at entry 4"):
        back_up(path, folder, day=DAY, keep=9)
    assert len(backups(folder, "a")) == 1


@pytest.mark.parametrize("older", [False, True], ids=["with hashes", "of format 1"])
def test_a_backup_with_garbage_in_it_is_passed_over_for_the_next_older_one(
    path: Path, folder: Path, *, older: bool
) -> None:
    newer = back_up(path, folder, day=DAY, keep=9)
    if older:
        make_older(newer)
    change_rows(newer, "UPDATE entry SET body = 'garbage' WHERE number = 6")
    flip_bytes(path, random.Random(1))
    found = open_journal(path, folder, stamp=NOW)
    with found.journal as journal:
        assert journal.last == 4
    assert "restored from a-00000004-2026-11-20.backup" in found.notes[0]


def test_with_no_whole_backup_what_holds_goes_on_and_what_is_lost_is_said(path: Path, folder: Path) -> None:
    for each in (*backups(folder, "a"), path):
        change_rows(each, "DELETE FROM entry WHERE number = 3")
    found = open_journal(path, folder, stamp=NOW)
    with found.journal as journal:
        assert journal.last == 2
    assert "no backup can be used" in found.notes[0]
    assert found.notes[0].endswith("lost: entries 3 to 7")
    assert path.with_name(f"a.journal.bad-{NOW}").exists()
    with open_journal(path, folder, stamp=NOW).journal as journal:
        assert journal.last == 2


@pytest.mark.parametrize("has_backup", [False, True])
def test_that_the_disk_is_full_is_not_told_as_the_reason_why_no_backup_can_be_used(
    path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, *, has_backup: bool
) -> None:
    for each in (path, *(() if has_backup else backups(folder, "a"))):
        change_rows(each, "DELETE FROM entry WHERE number = 3")

    def fill(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(journal_opening, "replace_journal", fill)
    with open_journal(path, folder, stamp=NOW).journal as journal:
        used = f"; read from {backups(folder, 'a')[0].name}" if has_backup else "; no backup can be used"
        assert f"{used}; the journal cannot be written: database or disk is full; " in journal.trouble


@pytest.mark.parametrize(
    ("delete", "intact"), [("DELETE FROM entry WHERE number = 7", 5), ("DELETE FROM entry WHERE number = 3", 2)]
)
def test_of_a_damaged_journal_without_hashes_the_entries_before_the_damage_go_on(
    tmp_path: Path, folder: Path, delete: str, intact: int
) -> None:
    path = make_older(write_journal(tmp_path / "a.journal", 7))
    change_rows(path, "UPDATE entry SET body = 'garbage' WHERE number = 6")
    change_rows(path, delete)
    with open_journal(path, folder, stamp=NOW).journal as journal:
        assert journal.last == intact
    assert verify_journal(path) == intact


def test_what_is_played_after_a_recovery_is_whole_again(path: Path, folder: Path) -> None:
    flip_bytes(path, random.Random(2))
    with open_journal(path, folder, stamp=NOW).journal as journal:
        journal.append(ENVELOPE, TilePassed())
    found = open_journal(path, folder, stamp=NOW)
    with found.journal as journal:
        assert (journal.last, found.notes, journal_trouble(path)) == (5, (), "")


# The write-ahead log


def cut(log: Path) -> None:
    os.truncate(log, log.stat().st_size // 2)


def flip(log: Path) -> None:
    content = bytearray(log.read_bytes())
    content[len(content) // 2] ^= 255
    log.write_bytes(content)


DAMAGES = {"cut": cut, "missing": Path.unlink, "flipped": flip}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_log_that_is_cut_missing_or_flipped_is_found_and_what_is_lost_is_said(
    path: Path, folder: Path, damage: Callable[[Path], None]
) -> None:
    damage(log_of(killed_journal(path, 20)))
    as_found = log_of(path).read_bytes() if log_of(path).exists() else None
    assert "expected 20 entries in the journal, as many as were confirmed, got " in journal_trouble(path)
    found = open_journal(path, folder, stamp=NOW)
    with found.journal as journal:
        assert 7 <= journal.last < 20
        assert f"lost: entries {journal.last + 1} to 20" in found.notes[0]
        journal.append(ENVELOPE, TilePassed())
    assert [notice.kind for notice in found.notices] == [NoticeKind.LOST]
    kept_log = path.with_name(f"a.journal.bad-{NOW}.log")
    assert (kept_log.read_bytes() if kept_log.exists() else None) == as_found
    assert (f"; the original log is kept as {kept_log}" in found.notes[0]) is kept_log.exists()
    assert open_journal(path, folder, stamp=NOW).notes == ()


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_backup_that_holds_more_of_it_than_the_shortened_journal_takes_its_place(
    path: Path, folder: Path, damage: Callable[[Path], None]
) -> None:
    copy = back_up(killed_journal(path, 20), folder, day=DAY, keep=9)
    damage(log_of(killed_journal(path, 22)))
    found = open_journal(path, folder, stamp=NOW)
    with found.journal as journal:
        assert journal.last == 20
    assert f"restored from {copy.name}" in found.notes[0]
    assert "lost: entries 21 to 22" in found.notes[0]


def test_a_backup_that_holds_no_more_of_it_than_the_shortened_journal_leaves_it_in_place(
    path: Path, folder: Path
) -> None:
    back_up(path, folder, day=DAY, keep=9)
    log_of(killed_journal(path, 20)).unlink()
    found = open_journal(path, folder, stamp=NOW)
    with found.journal as journal:
        assert journal.last == 7
    assert [notice.kind for notice in found.notices] == [NoticeKind.LOST]
    assert not path.with_name(f"a.journal.bad-{NOW}").exists()


def test_a_shortened_journal_of_an_earlier_version_is_upgraded_and_goes_on(path: Path, folder: Path) -> None:
    log_of(killed_journal(path, 20)).unlink()
    change_rows(path, f"PRAGMA user_version={FORMAT - 1}")
    found = open_journal(path, folder, stamp=NOW)
    with found.journal as journal:
        assert "lost: entries 8 to 20" in found.notes[0]
        journal.append(ENVELOPE, TilePassed())
        assert (journal.last, journal.waiting_count, format_in(path)) == (8, 0, FORMAT)


def test_what_a_shortened_journal_lost_is_said_though_a_full_disk_keeps_it_from_being_upgraded(
    path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log_of(killed_journal(path, 20)).unlink()
    change_rows(path, f"PRAGMA user_version={FORMAT - 1}")

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(journal_upgrade, "copy", refuse)
    found = open_journal(path, folder, stamp=NOW)
    with found.journal as journal:
        assert "lost: entries 8 to 20" in found.notes[0]
        assert "No space left" in journal.trouble
    assert [notice.kind for notice in found.notices] == [NoticeKind.LOST]


def test_a_backup_of_another_evening_does_not_take_the_place_of_a_shortened_journal(path: Path, folder: Path) -> None:
    other = path.parent / "other" / "a.journal"
    other.parent.mkdir()
    with Journal(other) as journal:
        for _ in range(30):
            journal.append(ENVELOPE, TilePassed())
    back_up(other, folder, day=DAY, keep=9)
    log_of(killed_journal(path, 20)).unlink()
    with open_journal(path, folder, stamp=NOW).journal as journal:
        assert journal.last == 7


def test_a_first_evening_that_lies_in_its_log_alone_comes_back_from_the_backup(tmp_path: Path, folder: Path) -> None:
    path = killed_journal(tmp_path / "a.journal", 6)
    copy = back_up(path, folder, day=DAY, keep=9)
    log_of(path).unlink()
    found = open_journal(path, folder, stamp=NOW)
    with found.journal as journal:
        assert journal.last == 6
    assert f"restored from {copy.name}" in found.notes[0]


def test_a_journal_whose_file_is_gone_comes_back_from_the_backup(path: Path, folder: Path) -> None:
    killed_journal(path, 9).unlink()
    found = open_journal(path, folder, stamp=NOW)
    with found.journal as journal:
        assert journal.last == 4
    assert "lost: entries 5 to 9" in found.notes[0]


@pytest.mark.parametrize("remains", [None, b""])
def test_a_journal_that_was_lost_with_its_mark_comes_back_from_the_backup(
    path: Path, folder: Path, remains: bytes | None
) -> None:
    newest = back_up(path, folder, day=DAY, keep=None)
    for lost_file in (mark_of(path), path):
        lost_file.unlink()
        if remains is not None:
            lost_file.write_bytes(remains)
    found = open_journal(path, folder, stamp=NOW)
    with found.journal as journal:
        assert journal.last == 7
    assert [(notice.kind, notice.backup) for notice in found.notices] == [(NoticeKind.RESTORED, newest.name)]


def test_a_log_that_only_holds_more_than_was_confirmed_loses_nothing(path: Path, folder: Path) -> None:
    """As a power cut leaves it: what was being written, and confirmed to nobody, is there in part."""
    with log_of(killed_journal(path, 20)).open("ab") as log:
        log.write(b"\xa5" * 3000)
    found = open_journal(path, folder, stamp=NOW)
    with found.journal as journal:
        assert (journal.last, found.notes) == (20, ())


@pytest.mark.parametrize("mark", [b"", b"garbage", b"000000000099 00 deadbeef\n"])
def test_a_mark_that_cannot_be_read_says_nothing(path: Path, folder: Path, mark: bytes) -> None:
    mark_of(path).write_bytes(mark)
    assert read_mark(path) is None
    assert open_journal(path, folder, stamp=NOW).notes == ()


def test_an_older_versions_journal_is_not_measured_by_a_newer_ones_mark(tmp_path: Path, folder: Path) -> None:
    path = make_older(write_journal(tmp_path / "a.journal", 7))
    change_rows(path, "DELETE FROM entry WHERE number > 5")
    assert open_journal(path, folder, stamp=NOW).notes == ()
    with open_journal(path, folder, stamp=NOW).journal as journal:
        assert journal.last == 5


def test_a_disk_that_takes_no_mark_costs_nothing_else(tmp_path: Path, folder: Path) -> None:
    path = tmp_path / "a.journal"
    mark_of(path).mkdir()
    assert verify_journal(write_journal(path, 3)) == 3
    assert open_journal(path, folder, stamp=NOW).notes == ()


# A backup that the owner went back to


def test_a_backup_that_the_owner_restored_stays_the_newest_though_the_abandoned_journal_held_more(
    path: Path, folder: Path
) -> None:
    (old,) = backups(folder, "a")
    back_up(path, folder, day=DAY, keep=9)
    restore(old, path, stamp="now")
    assert backups(folder, "a")[0].name == "a-r1-00000004-2026-11-20.backup"
    flip_bytes(path, random.Random(3))
    with open_journal(path, folder, stamp=NOW).journal as journal:
        assert journal.last == 4


def test_what_is_played_after_it_is_newer_than_all_that_was_abandoned(path: Path, folder: Path) -> None:
    (old,) = backups(folder, "a")
    back_up(path, folder, day=DAY, keep=9)
    restore(old, path, stamp="now")
    newest = back_up(write_journal(path, 5), folder, day=DAY, keep=2)
    assert [backup.name for backup in backups(folder, "a")] == [newest.name, "a-r1-00000004-2026-11-20.backup"]
    restore(backups(folder, "a")[1], write_journal(path, 6), stamp="then")
    assert backups(folder, "a")[0].name == "a-r2-00000004-2026-11-20.backup"


def test_a_backup_on_a_stick_is_the_newest_there_though_the_abandoned_journal_held_more(
    path: Path, folder: Path
) -> None:
    (old,) = backups(folder, "a")
    for place in (folder, path.parent / "stick"):
        back_up(path, place, day=DAY, keep=9)
    restore(old, path, stamp="now")
    newest = back_up(write_journal(path, 5), path.parent / "stick", day=DAY, keep=1)
    assert backups(path.parent / "stick", "a") == [newest]


def test_a_backup_from_elsewhere_that_the_owner_restored_is_the_newest_too(path: Path, folder: Path) -> None:
    elsewhere = back_up(write_journal(path.parent / "b" / "b.journal", 2), path.parent / "stick", day=DAY, keep=9)
    restore(elsewhere, path, stamp="now")
    flip_bytes(path, random.Random(4))
    with open_journal(path, folder, stamp=NOW).journal as journal:
        assert journal.last == 2


def test_restoring_the_newest_backup_makes_no_other_of_it(path: Path, folder: Path) -> None:
    before = backups(folder, "a")
    restore(before[0], path, stamp="now")
    assert backups(folder, "a") == before


def test_an_end_that_the_owner_abandoned_is_not_missed(path: Path, folder: Path) -> None:
    restore(backups(folder, "a")[0], path, stamp="now")
    found = open_journal(path, folder, stamp=NOW)
    with found.journal as journal:
        assert (journal.last, found.notes) == (4, ())


def test_a_restore_that_the_disk_refuses_leaves_the_order_of_the_backups(
    path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (old,) = backups(folder, "a")
    back_up(path, folder, day=DAY, keep=9)
    before = backups(folder, "a")

    def full(source: Path, place: Path, *, mark: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("table.game.journal.recovery.journal_backup.replace_journal", full)
    with pytest.raises(JournalError, match="No space left"):
        restore(old, path, stamp="now")
    assert backups(folder, "a") == before


def test_a_schema_that_is_no_text_any_more_is_damage_like_any_other(path: Path, folder: Path) -> None:
    content = path.read_bytes()
    assert content.count(b"CREATE TABLE entry") == 1
    path.write_bytes(content.replace(b"CREATE TABLE entry", b"CREAT\xba TABLE entry"))
    with pytest.raises(JournalError):
        verify_journal(path)
    assert journal_trouble(path)
    with open_journal(path, folder, stamp=NOW).journal as journal:
        assert journal.last == 4
