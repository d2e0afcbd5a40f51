"""The opening of a game is undone and redone like any action: the game before is on the table again, as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.game.commands.game_commands import (
    AdjustPoints,
    DeclareWait,
    EditResult,
    EndGame,
    NameSeats,
    OpenGame,
    Reseat,
    Undo,
)
from table.game.journal.entries import Names
from table.game.journal.history.game_history import game_history, games_of
from table.game.journal.journal import Journal
from table.game.snapshot import Snapshot
from table.game.table_loop import Table
from table.rules.ruleset import Ruleset
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import DeclaredResult
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile
from table.runtime.table_errors import PressError
from tests.fakes.disks import taking_no_entries
from tests.table.game.by_hand import draw, redo, riichi, see, table_at, tell, undo, win

NAMES: Names = ("Aoi", "Ben", "Chie", "Dan")
DRAWN_ANEW: Names = ("Chie", "Aoi", "Dan", "Ben")
CLUB = Ruleset(name="club", oka=0)
GAME: tuple[DeclaredResult, ...] = (win(0, 1, 3), draw(1, 2), win(2, 2, 2), win(3, 0, 2))


def visible_state(snapshot: Snapshot) -> tuple[object, ...]:
    """What a phone shows of a game: all but its announcements, and what can be undone."""
    return snapshot.opened_by, snapshot.game, snapshot.names, snapshot.ruleset, snapshot.opened_at, snapshot.round


@pytest.fixture
def table(journal: Journal) -> Table:
    """A table whose game is over, under the rules of a club."""
    table = table_at(journal)
    table.handle(OpenGame(names=NAMES, first_dealer=Seat.LEFT, ruleset=CLUB))
    tell(table, *GAME)
    table.handle(EndGame())
    return table


def restart(table: Table) -> Table:
    """The table after a restart of the program, which shows what it showed."""
    with_journal = table_at(table.journal)
    assert visible_state(with_journal.board.latest) == visible_state(table.board.latest)
    before, after = table.board.latest.changes, with_journal.board.latest.changes
    assert after == before
    return with_journal


def test_the_finished_game_is_on_the_table_again_as_it_was(table: Table) -> None:
    finished_view = visible_state(table.board.latest)
    table.handle(
        OpenGame(names=DRAWN_ANEW, first_dealer=Seat.FAR, ruleset=Ruleset(), game=table.board.latest.opened_by)
    )
    new = visible_state(table.board.latest)
    undo(table)
    assert visible_state(table.board.latest) == finished_view
    assert table.state.ranking is not None
    redo(restart(table))
    assert visible_state(table_at(table.journal).board.latest) == new


def test_every_step_survives_a_restart(table: Table) -> None:
    finished_view = visible_state(table.board.latest)
    table.handle(OpenGame(names=DRAWN_ANEW))
    table = restart(table)
    tell(table, win(1, 0, 2))
    state_before = visible_state(table.board.latest)
    undo(table := restart(table))
    undo(table := restart(table))
    assert visible_state(restart(table).board.latest) == finished_view
    redo(table := restart(table))
    redo(table := restart(table))
    assert visible_state(restart(table).board.latest) == state_before


def test_names_seats_and_points_changed_in_the_new_game_are_undone_before_its_opening(table: Table) -> None:
    finished_view = visible_state(table.board.latest)
    table.handle(OpenGame(names=DRAWN_ANEW))
    table.handle(NameSeats(names=("Eve", "Aoi", "Dan", "Ben")))
    table.handle(Reseat(order=(Seat.RIGHT, Seat.NEAR, Seat.FAR, Seat.LEFT)))
    table.handle(riichi(2))
    table.handle(AdjustPoints(points=(1000, -1000, 0, 0), why="a stick lay wrong", hand=0))
    for _ in range(4):
        undo(table)
        assert visible_state(table.board.latest) != finished_view
    undo(table)
    assert visible_state(table.board.latest) == finished_view
    for _ in range(5):
        redo(table)
    assert table.board.latest.names == ("Aoi", "Eve", "Dan", "Ben")


def test_the_finished_game_is_corrected_and_the_next_one_opened_again(table: Table) -> None:
    ended_game = table.board.latest.opened_by
    table.handle(OpenGame(names=NAMES))
    undo(table)
    table.handle(EditResult(hand=0, result=win(1, 0, 3), why="the other won", game=ended_game))
    assert table.state.history[0].scores[1] > 25000
    assert table.board.latest.changes.redo is None, "what was done since takes the way back to the other game"
    table = restart(table)
    corrected_state = table.state
    table.handle(OpenGame(names=NAMES, game=ended_game))
    tell(table, draw())
    games = games_of(table.journal.entries())
    assert [game_history(game).number for game in games][-2:] == [ended_game, table.board.latest.opened_by]
    assert game_history(games[-2]).state == corrected_state
    undo(table)
    undo(table)
    assert table.state == corrected_state
    undo(table)
    assert table.state.history[0].scores[0] > 25000


def test_the_way_back_leads_through_the_hands_of_both_games(table: Table) -> None:
    table.handle(OpenGame(names=NAMES))
    tell(table, draw())
    for _ in range(3):
        undo(table)
    assert (table.state.is_over, len(table.state.history)) == (False, len(GAME))
    undo(table)
    assert len(table.state.history) == len(GAME) - 1
    for _ in range(2):
        redo(table)
    assert (table.state.is_over, len(table.state.history)) == (True, len(GAME))
    for _ in range(2):
        redo(restart(table))
        table = table_at(table.journal)
    assert len(table.state.history) == 1
    assert table.board.latest.changes.redo is None


def test_games_opened_one_after_the_other_are_taken_back_one_by_one(table: Table) -> None:
    ended_game = table.board.latest.opened_by
    table.handle(OpenGame(names=DRAWN_ANEW))
    second = table.board.latest.opened_by
    table.handle(OpenGame(names=DRAWN_ANEW, ruleset=CLUB))
    third = table.board.latest.opened_by
    undo(table)
    assert table.board.latest.opened_by == second
    undo(table)
    assert table.board.latest.opened_by == ended_game
    redo(restart(table))
    table = table_at(table.journal)
    redo(table)
    assert table.board.latest.opened_by == third
    tell(restart(table), draw())
    assert len(table_at(table.journal).state.history) == 1
    undo(table := table_at(table.journal))
    undo(table)
    undo(table)
    table.handle(OpenGame(names=NAMES))
    assert [game[0].number for game in games_of(table.journal.entries())][-1] == table.board.latest.opened_by
    assert second not in [game[0].number for game in games_of(table.journal.entries())]


def test_where_nothing_was_played_before_there_is_no_game_to_go_back_to(journal: Journal) -> None:
    table = table_at(journal)
    assert table.board.latest.changes.undo is None
    table.handle(OpenGame(names=NAMES, ruleset=CLUB))
    assert table.board.latest.changes.undo is None
    with pytest.raises(PressError, match="nothing left"):
        table.handle(Undo(act=table.board.latest.opened_by))
    assert restart(table).board.latest.changes.undo is None


def test_a_game_that_was_broken_off_goes_on(journal: Journal) -> None:
    table = table_at(journal)
    tell(table, win(0, 1, 3))
    broken_off = table.state
    table.handle(OpenGame(names=NAMES))
    undo(table)
    assert table.state == broken_off
    tell(restart(table), draw())
    assert len(table_at(journal).state.history) == 2


def test_what_happens_is_told_once_in_a_restarted_program_too(table: Table) -> None:
    table.handle(OpenGame(names=NAMES))
    undo(table)
    (announcement,) = table.board.latest.announcements
    assert announcement.announcement.id is AnnouncementId.GAME_RESUMED
    assert announcement.announcement.args == {"opening": "undone"}
    assert announcement.cause == (table.journal.last,)
    redo(table)
    (announcement,) = table.board.latest.announcements
    assert announcement.announcement.args == {"opening": "redone"}
    assert restart(table).board.latest.announcements == ()


def test_a_request_sent_again_counts_once(table: Table) -> None:
    new_game = OpenGame(names=NAMES, by="owner", mark="12345678")
    table.handle(new_game)
    opening = table.board.latest.opened_by
    back = Undo(act=opening, by="seat 1", mark="23456789")
    table.handle(back)
    for again in (back, new_game):
        table.handle(again)
        assert table.state.is_over
    redo(table)
    table.handle(back)
    assert table.board.latest.opened_by == opening


def test_another_phone_that_did_something_since_keeps_the_new_game(table: Table) -> None:
    table.handle(OpenGame(names=NAMES))
    opening = table.board.latest.opened_by
    tell(table, draw())
    with pytest.raises(PressError, match="something else was done since"):
        table.handle(Undo(act=opening))
    assert table.board.latest.opened_by == opening


def test_a_wait_that_a_seat_told_privately_does_not_keep_the_new_game(table: Table) -> None:
    finished_view = visible_state(table.board.latest)
    table.handle(OpenGame(names=NAMES))
    table.handle(riichi(1))
    table.handle(DeclareWait(seat=Seat.NEAR, tiles=(Tile("5m"),)))
    undo(table)
    undo(table)
    assert visible_state(table.board.latest) == finished_view


def test_once_the_camera_saw_the_new_game_its_opening_stays(table: Table) -> None:
    table.handle(OpenGame(names=NAMES))
    start = table.state.next_start
    assert start is not None
    see(table, start)
    journal, before = table.journal, table.journal.last
    act = table.board.latest.opened_by
    with pytest.raises(PressError) as refusal:
        table.handle(Undo(act=act))
    assert refusal.value.says == "tiles_seen"
    assert journal.last == before


def test_a_full_disk_changes_nothing(tmp_path: Path) -> None:
    with Journal(tmp_path / "full.journal") as journal:
        table = table_at(journal)
        tell(table, draw())
        table.handle(OpenGame(names=NAMES))
        before = visible_state(table.board.latest)
        with taking_no_entries(journal), pytest.raises(PressError):
            undo(table, by="owner", mark="tap of the owner")
        assert visible_state(table.board.latest) == before
        undo(table, by="owner", mark="tap of the owner")
        assert len(table.state.history) == 1
        assert len(table_at(journal).state.history) == 1
