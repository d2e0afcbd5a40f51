"""The clock of a Pi without a battery jumps when the network sets it, and nothing hangs on it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from table.camera.simulation import evening
from table.game.journal.journal import Journal
from table.game.journal.recovery.journal_backup import back_up, backups
from table.game.journal.recovery.journal_opening import open_journal
from table.game.live_table import Table
from table.game.referee import Referee
from table.rulebook import rules_named
from table.rules.state import GameState
from table.runtime.clock import LogicalClock
from table.runtime.table_errors import PressError
from tests.endurance.power_cuts import steps
from tests.fakes.jumping_clock import JumpingClock
from tests.table.game.by_hand import with_all_seen
from vision.felt import FeltReport


def table_at(journal: Journal, clock: LogicalClock) -> Table:
    return Table(journal=journal, referee=Referee(), ruleset=rules_named("home").ruleset, clock=clock)


def final_state(path: Path, clock: LogicalClock) -> GameState:
    """Plays the demo's evening, the program started anew in the middle of every hand."""
    every = list(steps())
    for part in range(8):
        with Journal(path) as journal:
            table = table_at(journal, clock)
            for step in every[part * len(every) // 8 : (part + 1) * len(every) // 8]:
                with suppress(PressError):
                    table.report(step) if isinstance(step, FeltReport) else table.handle(step)
    with Journal(path) as journal:
        return table_at(journal, clock).state


def test_an_evening_whose_clock_jumps_by_decades_is_the_same_evening(tmp_path: Path) -> None:
    state = final_state(tmp_path / "jumping.journal", JumpingClock(7))
    assert [hand.scores for hand in state.history] == [hand.scores for hand in evening()]
    assert state == final_state(tmp_path / "steady.journal", LogicalClock())


def test_the_backup_with_the_most_entries_is_taken_whatever_day_it_says(tmp_path: Path) -> None:
    path, folder = tmp_path / "table.journal", tmp_path / "backups"
    with Journal(path) as journal:
        table = table_at(journal, JumpingClock(1))
        first = back_up(path, folder, day="2041-05-01", keep=9)
        for step in list(steps())[:40]:
            with suppress(PressError):
                table.report(step) if isinstance(step, FeltReport) else table.handle(step)
        newest = back_up(path, folder, day="1970-01-01", keep=9)
        state = table.state
    assert backups(folder, "table") == [newest, first]
    path.write_bytes(b"\xa5" * 9000)
    with open_journal(path, folder, stamp="now").journal as journal:
        assert with_all_seen(table_at(journal, LogicalClock()).state) == state
