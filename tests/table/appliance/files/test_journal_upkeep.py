"""How many backups of a running table's journal are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.appliance.files.data_folder import JOURNAL
from table.appliance.files.journal_upkeep import JournalUpkeep
from table.game.journal.journal import Journal
from table.game.journal.recovery.journal_opening import open_journal
from table.runtime.clock import LogicalClock
from table.runtime.table_errors import NewerJournalError
from tests.table.game.by_hand import table_at, tell, win
from tests.table.game.journal.journals import make_newer, write_journal


@pytest.mark.parametrize(("trouble", "kept"), [("", 2), ("entry 2: cannot read a journal entry", 3)])
def test_older_backups_are_let_go_unless_something_is_wrong_with_the_journal(
    tmp_path: Path, trouble: str, kept: int
) -> None:
    path, folder = tmp_path / JOURNAL, tmp_path / "backups"
    with Journal(path) as journal:
        table = table_at(journal)
        upkeep = JournalUpkeep(journal, path, notes=(), backups=folder, keep=2, clock=LogicalClock(), end=lambda: None)
        assert upkeep.full_check is not None
        upkeep.full_check.trouble = trouble
        made = list[str | None]()
        for _ in range(3):
            tell(table, win(1, 0, 3))
            upkeep.back_up()
            made.append(upkeep.newest)
        assert upkeep.backup_names() == made[::-1][:kept]
    assert upkeep.notes == ((trouble,) if trouble else ())


def test_a_backup_that_the_owner_asks_for_is_refused_while_the_journal_on_the_disk_cannot_be_read(
    tmp_path: Path,
) -> None:
    path, folder = make_newer(write_journal(tmp_path / JOURNAL, 2)), tmp_path / "backups"
    with open_journal(path, folder, stamp="now").journal as journal:
        upkeep = JournalUpkeep(journal, path, notes=(), backups=folder, keep=2, clock=LogicalClock(), end=lambda: None)
        with pytest.raises(NewerJournalError):
            upkeep.create_backup()
        upkeep.back_up()  # the daily one: why there is none, the journal's notes say
    assert (upkeep.backup_names(), upkeep.notes) == ([], ())
