from __future__ import annotations

import os
import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from table.game.journal.entries import GameOpened
from table.game.journal.fold import fold, opened_game
from table.game.journal.journal import Journal
from table.game.journal.recovery.journal_backup import back_up, backups, restore
from table.game.journal.recovery.journal_files import verify_journal
from table.game.journal.recovery.journal_notice import JournalNotice, NoticeKind
from table.game.journal.recovery.journal_opening import open_journal
from table.game.journal.storage.journal_format import FORMAT
from table.game.journal.storage.journal_lock import lock_journal
from table.rules.events import TilePassed
from table.rules.ruleset import Ruleset
from table.runtime.clock import LogicalClock
from table.runtime.table_errors import JournalError
from tests.fakes.disks import taking_no_entries
from tests.table.game.journal.journals import DAY, ENVELOPE, tear_journal, write_journal


def count(path: Path) -> int:
    with Journal(path) as journal:
        return len(journal.entries())


def test_a_copy_of_a_journal_in_use_holds_every_entry(tmp_path: Path) -> None:
    with Journal(tmp_path / "a.journal") as journal:
        for _ in range(5):
            journal.append(ENVELOPE, TilePassed())
        path = back_up(tmp_path / "a.journal", tmp_path / "backups", day=DAY, keep=3)
        assert path.name == "a-00000005-2026-11-20.backup"
        assert count(path) == 5


def test_several_copies_at_the_same_moment_all_succeed(tmp_path: Path) -> None:
    path = write_journal(tmp_path / "table.journal", 3)
    with ThreadPoolExecutor(4) as pool:
        backup_paths = list(pool.map(lambda _: back_up(path, tmp_path / "backups", day=DAY, keep=7), range(4)))
    assert set(backup_paths) == set(backups(tmp_path / "backups", "table"))
    assert [each.name for each in (tmp_path / "backups").iterdir()] == [backup_paths[0].name]


def test_the_oldest_copies_go_whatever_the_clock_says(tmp_path: Path) -> None:
    path, folder = tmp_path / "a.journal", tmp_path / "backups"
    for entries, day in ((1, "2026-11-20"), (2, "1970-01-01"), (3, "2026-11-22"), (4, "1970-01-02")):
        back_up(write_journal(path, entries), folder, day=day, keep=2)
    assert [found.name for found in backups(folder, "a")] == [
        "a-00000004-1970-01-02.backup",
        "a-00000003-2026-11-22.backup",
    ]


def test_days_without_play_push_out_no_earlier_state(tmp_path: Path) -> None:
    path, folder = tmp_path / "a.journal", tmp_path / "backups"
    days = ((1, "2026-11-20", "x"), (2, "2026-11-21", "x"), (2, "2026-11-22", "x"), (2, "2026-11-23", "y"))
    for entries, day, people in (*days, (2, "2026-11-24", "y"), (2, "2026-11-25", "y")):
        back_up(write_journal(path, entries), folder, day=day, keep=3, texts={"people.json": people})
    assert [found.name for found in backups(folder, "a")] == [
        "a-00000002-2026-11-25.backup",
        "a-00000002-2026-11-22.backup",
        "a-00000001-2026-11-20.backup",
    ]


def test_of_two_tables_with_one_stick_neither_deletes_the_others_backups(tmp_path: Path) -> None:
    """Both call their journal the same."""
    one, other, stick = tmp_path / "one" / "a.journal", tmp_path / "other" / "a.journal", tmp_path / "stick"
    one.parent.mkdir()
    with Journal(one) as journal:
        journal.append(replace(ENVELOPE, utc="2026-11-20T12:00:00.000+00:00"), GameOpened(ruleset=Ruleset()))
    made = [
        back_up(write_journal(journal, entries), stick, day=DAY, keep=2)
        for journal, entries in ((one, 5), (one, 6), (other, 3), (other, 4), (one, 7), (other, 8))
    ]
    assert backups(stick, "a") == [made[number] for number in (5, 4, 1, 3)]


def test_of_two_tables_with_as_many_entries_neither_takes_the_place_of_the_others_backup(tmp_path: Path) -> None:
    one, other, stick = tmp_path / "one" / "a.journal", tmp_path / "other" / "a.journal", tmp_path / "stick"
    one.parent.mkdir()
    with Journal(one) as journal:
        journal.append(replace(ENVELOPE, utc="2026-11-20T12:00:00.000+00:00"), GameOpened(ruleset=Ruleset()))
    write_journal(one, 3)
    write_journal(other, 3)
    made = [back_up(each, stick, day=DAY, keep=2) for each in (one, other, one, other)]
    assert [path.name for path in made] == [
        "a-00000003-2026-11-20.backup",
        "a-00000003-2026-11-20.table-2.backup",
    ] * 2
    first, second = (back_up(each, stick, day="2026-11-21", keep=2) for each in (one, other))
    assert backups(stick, "a") == [second, first], "no play: in place of those of the day before"
    write_journal(other, 4)
    last = back_up(other, stick, day="2026-11-21", keep=1)
    assert backups(stick, "a") == [last, first]
    restore(first, tmp_path / "other" / "b.journal", stamp="now")
    assert count(tmp_path / "other" / "b.journal") == 3


def test_of_two_tables_whose_card_was_copied_neither_takes_the_place_of_the_others_backup(tmp_path: Path) -> None:
    one, other, stick = tmp_path / "one" / "a.journal", tmp_path / "other" / "a.journal", tmp_path / "stick"
    write_journal(one, 2)
    other.parent.mkdir()
    shutil.copy(one, other)
    with Journal(other) as journal:
        journal.append(replace(ENVELOPE, utc="2026-11-20T12:00:00.000+00:00"), GameOpened(ruleset=Ruleset()))
    write_journal(one, 3)
    made = [back_up(each, stick, day=DAY, keep=2) for each in (one, other, other, one)]
    assert made[0] == made[3] != made[1] == made[2]


def test_in_a_folder_that_holds_longer_abandoned_backups_the_new_one_stays(tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    longer = [back_up(write_journal(tmp_path / "one" / "a.journal", each), stick, day=DAY, keep=2) for each in (5, 6)]
    new = back_up(write_journal(tmp_path / "other" / "a.journal", 3), stick, day=DAY, keep=2)
    assert backups(stick, "a") == [longer[1], longer[0], new]


def test_without_a_limit_no_earlier_backup_is_deleted(tmp_path: Path) -> None:
    """As while something is wrong with the journal: then the earlier ones may be the only good ones."""
    path, folder = write_journal(tmp_path / "a.journal", 2), tmp_path / "backups"
    for day in ("2026-11-20", "2026-11-21"):
        back_up(path, folder, day=day, keep=None)
    assert len(backups(folder, "a")) == 2


def test_a_backup_of_other_entries_or_that_cannot_be_read_is_not_taken_for_the_same_state(tmp_path: Path) -> None:
    folder, other = tmp_path / "backups", tmp_path / "other" / "a.journal"
    with Journal(write_journal(other, 1)) as journal:
        journal.append(ENVELOPE, GameOpened(ruleset=Ruleset()))
    back_up(other, folder, day="2026-11-19", keep=3)
    (folder / "a-00000002-2026-11-21.backup").write_bytes(b"torn")
    back_up(write_journal(tmp_path / "a.journal", 2), folder, day=DAY, keep=3)
    assert len(backups(folder, "a")) == 3


def test_no_journal_cannot_be_copied(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="expected a journal, got none, at"):
        back_up(tmp_path / "a.journal", tmp_path, day=DAY, keep=2)


def test_restoring_keeps_the_journal_that_lay_there(tmp_path: Path) -> None:
    path = write_journal(tmp_path / "a.journal", 3)
    copy = back_up(path, tmp_path / "backups", day=DAY, keep=2)
    write_journal(path, 6)
    kept_path = restore(copy, path, stamp="now")
    assert kept_path is not None
    assert (count(path), count(kept_path)) == (3, 6)


def test_what_is_no_backup_is_not_restored(tmp_path: Path) -> None:
    path = write_journal(tmp_path / "a.journal", 3)
    bad = tmp_path / "bad.backup"
    bad.write_text("a shopping list" * 500)
    with pytest.raises(JournalError, match="expected a journal in"):
        restore(bad, path, stamp="now")
    assert count(path) == 3


def test_a_running_tables_journal_is_not_replaced(tmp_path: Path) -> None:
    path = write_journal(tmp_path / "a.journal", 3)
    copy = back_up(path, tmp_path / "backups", day=DAY, keep=2)
    with lock_journal(path), pytest.raises(JournalError, match="got one in use"):
        restore(copy, path, stamp="now")
    restore(copy, path, stamp="now")


def test_a_corrupt_journal_is_kept_and_the_last_whole_copy_takes_over(tmp_path: Path) -> None:
    path, folder = write_journal(tmp_path / "a.journal", 3), tmp_path / "backups"
    back_up(path, folder, day=DAY, keep=5)
    newest = back_up(write_journal(path, 5), folder, day=DAY, keep=5)
    tear_journal(newest)
    tear_journal(write_journal(path, 7))
    found = open_journal(path, folder, stamp="now")
    with found.journal as journal:
        assert journal.last == 3
        assert journal.append(ENVELOPE, TilePassed()).number == 4
    assert "restored from a-00000003-2026-11-20.backup" in found.notes[0]
    assert (tmp_path / "a.journal.bad-now").stat().st_size > 0


def test_a_corrupt_journal_without_copies_begins_anew_and_is_kept(tmp_path: Path) -> None:
    path = write_journal(tmp_path / "a.journal", 7)
    tear_journal(path)
    found = open_journal(path, tmp_path / "backups", stamp="now")
    with found.journal as journal:
        assert journal.last == 0
    assert "no backup can be used" in found.notes[0]
    assert (tmp_path / "a.journal.bad-now").exists()


def test_a_newer_programs_journal_is_left_alone_and_the_newest_backup_is_shown(tmp_path: Path) -> None:
    path = write_journal(tmp_path / "a.journal", 2)
    copy = back_up(path, tmp_path / "backups", day=DAY, keep=2)
    database = sqlite3.connect(path)
    database.execute(f"PRAGMA user_version={FORMAT + 1}")
    database.close()
    before = path.read_bytes()
    found = open_journal(path, tmp_path / "backups", stamp="now")
    with found.journal as journal:
        assert (journal.path, journal.last) == (None, 2)
        assert f"got format {FORMAT + 1}" in journal.trouble
        journal.append(ENVELOPE, TilePassed())  # the camera goes on looking
        assert (journal.waiting_count, f"got format {FORMAT + 1}" in journal.trouble) == (1, True)
    assert found.notices == (JournalNotice(kind=NoticeKind.NEWER, backup=copy.name),)
    assert f"got format {FORMAT + 1}" in found.notes[0]
    assert copy.name in found.notes[0]
    assert path.read_bytes() == before
    assert not list(tmp_path.glob("*.bad-*"))


def test_a_whole_or_new_journal_is_opened_without_a_word(tmp_path: Path) -> None:
    for entries in (0, 3):
        found = open_journal(tmp_path / "new" / "a.journal", tmp_path, stamp="now")
        with found.journal as journal:
            assert (journal.last, journal.trouble, found.notes) == (entries, "", ())
        write_journal(tmp_path / "new" / "a.journal", 3)


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere: covered by the read-only database below")
def test_a_folder_that_cannot_be_written_is_read_into_memory(tmp_path: Path) -> None:
    path = write_journal(tmp_path / "a.journal", 3)
    tmp_path.chmod(0o500)
    try:
        found = open_journal(path, tmp_path / "backups", stamp="now")
        assert found.journal.last == 3
        assert "nothing is recorded" in found.notes[0]
    finally:
        tmp_path.chmod(0o700)


def test_a_disk_that_refuses_at_the_start_is_shown_from_memory_and_written_on_once_it_takes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_journal(tmp_path / "a.journal", 3)

    connect = sqlite3.connect

    def refuses(file: Path | str, **how: Any) -> Any:
        if file == path:
            raise sqlite3.OperationalError("attempt to write a readonly database")
        return connect(file, **how)

    with monkeypatch.context() as patched:
        patched.setattr(sqlite3, "connect", refuses)
        found = open_journal(path, tmp_path / "backups", stamp="now")
        assert found.journal.append(ENVELOPE, TilePassed()).number == 4
        assert (found.journal.waiting_count, found.journal.trouble[:23]) == (1, "cannot write to the jou")
        assert len(found.journal.entries()) == 4, "what is there is shown meanwhile"
    assert found.notes == (), "its trouble says it for as long as it is so"
    assert count(path) == 3
    with found.journal as journal:
        journal.flush()
        assert (journal.waiting_count, journal.trouble, journal.path) == (0, "", path)
    assert count(path) == 4


def test_a_disk_that_fills_up_keeps_nothing_from_being_played_and_catches_up(tmp_path: Path) -> None:
    path = write_journal(tmp_path / "a.journal", 3)
    with Journal(path) as journal:
        with taking_no_entries(journal):
            entries = [journal.append(ENVELOPE, TilePassed()) for _ in range(3)]
            assert [entry.number for entry in entries] == [4, 5, 6]
            assert (journal.waiting_count, journal.last, len(journal.entries())) == (3, 6, 6)
            assert "attempt to write a readonly database" in journal.trouble
            assert verify_journal(path) == 3
        journal.append(ENVELOPE, TilePassed())
        assert (journal.waiting_count, journal.trouble) == (0, "")
    assert count(path) == 7


def test_a_really_full_disk_is_told_and_play_goes_on(tmp_path: Path) -> None:
    with Journal(tmp_path / "a.journal") as journal:
        (pages,) = journal.memory.execute("PRAGMA page_count").fetchone()
        journal.memory.execute(f"PRAGMA max_page_count={pages + 1}")
        while not journal.waiting_count:
            journal.append(ENVELOPE, GameOpened(ruleset=Ruleset()))
        assert "database or disk is full" in journal.trouble
        whole = journal.append(ENVELOPE, TilePassed()).number
        journal.memory.execute("PRAGMA max_page_count=100000")
        journal.flush()
        assert (journal.waiting_count, journal.last) == (0, whole)


def test_a_clock_that_jumps_back_changes_nothing_but_what_is_written_beside(tmp_path: Path) -> None:
    clock = LogicalClock()
    with Journal(tmp_path / "a.journal") as journal:
        for jump in (0, 10**18, 10**17):
            clock.now_ns = jump
            body = GameOpened(ruleset=Ruleset()) if journal.last == 0 else TilePassed()
            journal.append(replace(ENVELOPE, utc=clock.utc()), body)
        first, *others = journal.entries()
        assert [entry.number for entry in others] == [2, 3]
        assert fold(opened_game(first), []).state.scores == (25000,) * 4
