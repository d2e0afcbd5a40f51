"""Restoring on real disks: killed at every step, on a disk that is full, over every kind of leftover."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from table.game.journal.entries import GameOpened
from table.game.journal.journal import Journal
from table.game.journal.recovery import journal_files
from table.game.journal.recovery.journal_backup import back_up, restore
from table.game.journal.recovery.journal_files import SIDE_FILES, memory_copy, verify_database, verify_journal
from table.game.journal.recovery.journal_opening import open_journal
from table.game.journal.storage.journal_codec import encode
from table.rules.events import TilePassed
from table.rules.ruleset import Ruleset
from table.runtime.table_errors import JournalError
from tests.fakes.disks import small_disk
from tests.table.game.journal.journals import DAY, ENVELOPE, tear_journal, write_journal
from tests.table.game.journal.killed import (
    exit_status_of,
    journal_killed_while_merging,
    killed_at_step,
    killed_journal,
    recover,
    restore_copy,
)

OLD, NEW = 9, 3
"""How many entries the journal has that lies there, and the backup that is restored."""
LINES = pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.long)], ids=["each third", "each"])
"""At which lines a kill comes."""


@pytest.fixture
def table(tmp_path: Path) -> tuple[Path, Path]:
    """A journal as a power cut left it, and an older backup of it."""
    return killed_journal_and_copy(tmp_path)


def killed_journal_and_copy(folder: Path) -> tuple[Path, Path]:
    path = write_journal(folder / "a.journal", NEW)
    copy = back_up(path, folder / "backups", day=DAY, keep=2)
    return killed_journal(path, OLD), copy


def contents(path: Path) -> list[Any]:
    """What a table that starts finds, whatever it has to do for that."""
    with open_journal(path, path.parent / "none", stamp="later").journal as journal:
        return [encode(entry.body) for entry in journal.entries()]


def entries(count: int) -> list[Any]:
    return [encode(GameOpened(ruleset=Ruleset())), *[encode(TilePassed())] * (count - 1)]


def test_what_lay_there_is_kept_with_all_that_its_log_held(table: tuple[Path, Path]) -> None:
    path, copy = table
    kept_path = restore(copy, path, stamp="now")
    assert kept_path == path.with_name("a.journal.before-restore-now")
    assert (contents(path), contents(kept_path)) == (entries(NEW), entries(OLD))


def test_nothing_is_left_beside_the_new_journal_that_could_be_written_into_it(table: tuple[Path, Path]) -> None:
    path, copy = table
    restore(copy, path, stamp="now")
    assert sorted(file.name for file in path.parent.iterdir() if file.is_file()) == [
        "a.journal",
        "a.journal.before-restore-now",
        "a.journal.lock",
    ]


def test_a_backup_without_an_entry_takes_the_place_of_no_game(table: tuple[Path, Path], tmp_path: Path) -> None:
    path, _ = table
    with Journal(tmp_path / "empty.backup"):
        pass
    with pytest.raises(JournalError, match="expected a backup with a game, got one without an entry, "):
        restore(tmp_path / "empty.backup", path, stamp="now")
    assert contents(path) == entries(OLD)


@pytest.mark.parametrize("side", SIDE_FILES)
def test_a_leftover_of_another_journal_is_no_part_of_the_new_one(tmp_path: Path, side: str) -> None:
    """As a program left it that was killed in the middle of a restore: the log is there, its journal is not."""
    path, copy = killed_journal_and_copy(tmp_path)
    log = path.with_name("a.journal-wal").read_bytes()
    for each in (path, *(path.with_name(path.name + other) for other in SIDE_FILES)):
        each.unlink(missing_ok=True)
    path.with_name(path.name + side).write_bytes(log)
    assert restore(copy, path, stamp="now") is None
    assert contents(path) == entries(NEW)
    assert path.with_name(f"a.journal.before-restore-now{side}").read_bytes() == log


def corrupt_journal(path: Path, spoil: Callable[[Path], object] = tear_journal) -> None:
    """Spoils a journal so that nothing mends it: its log, which holds good pages, was folded in before."""
    with Journal(path):
        pass
    spoil(path)


def alter_the_last_entry(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE entry SET body = 'garbage' WHERE number = ?", (OLD,))


@pytest.mark.parametrize("spoil", [tear_journal, lambda path: path.write_bytes(b"a shopping list" * 1000)])
def test_over_a_corrupt_journal_a_backup_is_restored_and_the_bad_file_is_kept(
    table: tuple[Path, Path], spoil: Callable[[Path], object]
) -> None:
    path, copy = table
    corrupt_journal(path, spoil)
    bad = path.read_bytes()
    kept_path = restore(copy, path, stamp="now")
    assert kept_path is not None
    assert kept_path.read_bytes()[4096:8192] == bad[4096:8192]
    assert contents(path) == entries(NEW)


def test_a_journal_that_somebody_else_has_open_is_not_replaced(table: tuple[Path, Path]) -> None:
    path, copy = table
    with closing(sqlite3.connect(path)) as other:
        other.execute("SELECT * FROM entry").fetchone()
        with pytest.raises(JournalError, match=r"stays as it is: .*locked"):
            restore(copy, path, stamp="now")
    assert contents(path) == entries(OLD)


def test_a_disk_that_knows_no_second_names_keeps_a_copy(
    table: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, copy = table

    def refuses(source: Path, target: Path) -> None:
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuses)
    kept_path = restore(copy, path, stamp="now")
    assert kept_path is not None
    assert (contents(path), contents(kept_path)) == (entries(NEW), entries(OLD))


def test_the_new_journal_is_on_the_disk_before_it_gets_its_name_and_the_name_before_it_is_told(
    table: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, copy = table
    calls: list[str] = []
    names = {path.parent: "folder", path.with_name("a.journal.new"): "new"}
    sync, replace = journal_files._sync, Path.replace

    def record_sync(each: Path) -> None:
        calls.append(f"sync {names[each]}")
        sync(each)

    def record_replace(each: Path, to: Path) -> Path:
        calls.append("replace")
        return replace(each, to)

    monkeypatch.setattr(journal_files, "_sync", record_sync)
    monkeypatch.setattr(Path, "replace", record_replace)
    restore(copy, path, stamp="now")
    assert calls == ["sync new", "sync folder", "replace", "sync folder"]


# Killed


def kill_everywhere(
    folder: Path, work: Callable[[Path, Path], object], spoil: Callable[[Path], object], every: int
) -> list[int]:
    """Does the work in fresh folders, killed some lines later each time; returns how many entries each kill left."""
    path, copy = killed_journal_and_copy(folder / "first")
    spoil(path)
    found = []
    for step in range(0, 10_000, every):
        place = folder / str(step)
        shutil.copytree(folder / "first", place)
        files = place / path.name, place / "backups" / copy.name
        status = exit_status_of(partial(killed_at_step, step, work, *files))
        with open_journal(place / path.name, place / "backups", stamp="later").journal as journal:
            bodies = [encode(entry.body) for entry in journal.entries()]
        assert bodies == entries(len(bodies)), f"after a kill at step {step}"
        found.append(len(bodies))
        shutil.rmtree(place)
        if status == 0:
            return found
        assert status == -signal.SIGKILL
    raise AssertionError("it never ended")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "first").mkdir()
    return tmp_path


@LINES
def test_a_kill_at_any_line_of_a_restore_leaves_the_old_journal_or_the_new_one(folder: Path, every: int) -> None:
    found = kill_everywhere(folder, restore_copy, lambda path: None, every)
    assert len(found) > 40
    assert found == sorted(found, reverse=True)
    assert (found[0], {*found}, found[-1]) == (OLD, {OLD, NEW}, NEW)


def test_a_write_that_a_kill_broke_off_is_rolled_back_at_the_start(table: tuple[Path, Path]) -> None:
    path, copy = table
    opened_journal = open_journal(journal_killed_while_merging(path), copy.parent, stamp="later")
    with opened_journal.journal as journal:
        assert [encode(entry.body) for entry in journal.entries()] == entries(OLD)
        assert (opened_journal.notes, journal.trouble) == ((), "")


def test_a_write_that_a_kill_broke_off_is_rolled_back_where_the_disk_takes_no_writes(table: tuple[Path, Path]) -> None:
    path, _ = table
    with closing(memory_copy(journal_killed_while_merging(path))) as database:
        assert verify_database(database, path) == OLD


@LINES
def test_a_kill_at_any_line_of_a_recovery_at_the_start_leaves_the_backup_to_be_played_on(
    folder: Path, every: int
) -> None:
    found = kill_everywhere(folder, recover, corrupt_journal, every)
    assert len(found) > 40
    assert set(found) == {NEW}


@pytest.mark.long
def test_a_kill_at_any_line_of_a_recovery_leaves_what_holds_to_be_played_on_where_no_backup_has_more(
    folder: Path,
) -> None:
    found = kill_everywhere(folder, recover, alter_the_last_entry, 1)
    assert len(found) > 40
    assert set(found) == {OLD - 1}


# A full disk


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small disk of its own."""
    with small_disk(tmp_path / "disk", size_kb=400) as place:
        yield place


def fill(disk: Path, leave: int) -> Path:
    """Fills a disk up to so many bytes."""
    filler = disk / "filler"
    space = os.statvfs(disk)
    filler.write_bytes(b"x" * max(0, space.f_bavail * space.f_frsize - leave))
    return filler


def test_a_full_disk_leaves_the_old_journal_or_the_new_one(disk: Path, tmp_path: Path) -> None:
    (tmp_path / "first").mkdir()
    path, copy = killed_journal_and_copy(tmp_path / "first")
    outcomes = set()
    for leave in range(0, 160_000, 4096):
        place = disk / "a"
        shutil.copytree(tmp_path / "first", place)
        filler = fill(disk, leave)
        journal = place / path.name
        try:
            restore(place / "backups" / copy.name, journal, stamp="now")
            outcome = NEW
        except JournalError:
            outcome = OLD
            assert not list(place.glob("*.new*"))
        outcomes.add(outcome)
        assert contents(journal) == entries(outcome), f"with {leave} bytes left"
        filler.unlink()
        assert contents(journal) == entries(outcome), f"with {leave} bytes left, once there was space again"
        shutil.rmtree(place)
    assert outcomes == {OLD, NEW}


def test_at_the_start_a_full_disk_lets_the_backup_of_a_corrupt_journal_be_played_on_and_tried_again(
    disk: Path, tmp_path: Path
) -> None:
    (tmp_path / "first").mkdir()
    path, copy = killed_journal_and_copy(tmp_path / "first")
    corrupt_journal(path)
    for leave in range(0, 100_000, 4096):
        place = disk / "a"
        shutil.copytree(tmp_path / "first", place)
        filler = fill(disk, leave)
        found = open_journal(place / path.name, place / "backups", stamp="now")
        with found.journal as journal:
            assert [encode(entry.body) for entry in journal.entries()] == entries(NEW), f"with {leave} bytes left"
        assert copy.name in found.notes[0] or "nothing is kept" in found.notes[0]
        filler.unlink()
        with open_journal(place / path.name, place / "backups", stamp="later").journal as journal:
            assert [encode(entry.body) for entry in journal.entries()] == entries(NEW), f"with {leave} bytes left"
        shutil.rmtree(place)


def test_a_first_start_on_a_full_disk_plays_in_memory(disk: Path) -> None:
    filler = fill(disk, 0)
    with open_journal(disk / "a.journal", disk / "backups", stamp="now").journal as journal:
        assert journal.append(ENVELOPE, TilePassed()).number == 1
    filler.unlink()
    with open_journal(disk / "a.journal", disk / "backups", stamp="later").journal as journal:
        assert (journal.last, journal.trouble) == (0, "")


def test_a_backup_that_does_not_fit_on_the_disk_leaves_nothing_behind(disk: Path) -> None:
    path, _ = killed_journal_and_copy(disk)
    filler = fill(disk, 8192)
    before = sorted(disk.rglob("*"))
    with pytest.raises(JournalError, match=r"cannot write the backup|expected a journal in"):
        back_up(path, disk / "backups", day="2026-11-21", keep=2)
    assert sorted(disk.rglob("*")) == before
    filler.unlink()
    assert verify_journal(back_up(path, disk / "backups", day="2026-11-21", keep=2)) == OLD
