"""One program at a time holds a journal's lock; its file is left only where what needed it was done."""

from __future__ import annotations

import fcntl
from contextlib import suppress
from pathlib import Path

import pytest

from table.game.journal.storage.journal_lock import is_in_use, lock_journal
from table.runtime.table_errors import JournalError


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "a.journal"


@pytest.fixture
def lock(journal: Path) -> Path:
    return journal.with_name("a.journal.lock")


def test_a_lock_that_was_made_for_what_failed_is_deleted(journal: Path, lock: Path) -> None:
    with suppress(ValueError), lock_journal(journal):
        assert lock.exists()
        raise ValueError
    assert not lock.exists()


def test_a_lock_that_was_there_before_stays_whatever_fails(journal: Path, lock: Path) -> None:
    with lock_journal(journal):
        pass
    with suppress(ValueError), lock_journal(journal):
        raise ValueError
    assert lock.exists()


def test_a_lock_that_another_program_holds_stays(journal: Path, lock: Path) -> None:
    with lock_journal(journal):
        with pytest.raises(JournalError, match="got one in use"), lock_journal(journal):
            pass
        assert lock.exists()
        assert is_in_use(journal)


def test_a_lock_that_is_deleted_just_before_it_is_held_is_made_anew(
    journal: Path, lock: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As by another program in which something failed."""
    flock, calls = fcntl.flock, list[int]()

    def delete_first(file: int, how: int) -> None:
        if not calls:
            lock.unlink()
        calls.append(how)
        flock(file, how)

    monkeypatch.setattr(fcntl, "flock", delete_first)
    with lock_journal(journal), pytest.raises(JournalError, match="got one in use"), lock_journal(journal):
        pass
