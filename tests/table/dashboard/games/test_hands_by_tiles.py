"""A hand entered tile by tile at a table kept by hand: its tiles stay with its result."""

from __future__ import annotations

import pytest

from table.dashboard.games.hand_replay import steps_view
from table.game.commands.command_reader import read_command
from table.game.commands.game_commands import DeclareResult, EditResult, NameSeats, Reseat
from table.game.journal.history.game_history import game_history, hand_steps
from table.game.journal.journal import Journal
from table.game.live_table import Table
from table.game.snapshot import Snapshot
from table.i18n import catalogue
from table.records.season.game_count import count_journal
from table.rules.terms.seats import Seat
from table.runtime.table_errors import PressError
from tests.table.game.by_hand import riichi, table_at, tell, undo, win

TILES = "123m456p789s11555z"


def result_with_tiles(table: Table, tiles: str = TILES, seat: int = 2) -> DeclareResult:
    fields = {"hand": table.folded_game.hand, "hands": [{"seat": seat, "tiles": tiles}]}
    return read_command(DeclareResult, fields | {"result": RESULT}, by="seat 2")


RESULT = {"kind": "ron", "wins": [{"seat": 2, "from": 1, "han": 3, "fu": 40}], "riichi": []}


def test_the_tiles_are_in_the_replay_and_in_the_best_hand(journal: Journal) -> None:
    table = table_at(journal)
    table.handle(NameSeats(names=("Aoi", "Ben", "Chie", "Dan")))
    table.handle(result_with_tiles(table))
    entries = journal.entries()
    best = count_journal(entries).tallies["Chie"].best
    assert best is not None
    assert (best.tiles, best.winning_tile) == ("123m456p789s1155z", "5z")
    game = game_history(entries)
    snapshot = Snapshot(version=0, game=game.state, names=game.names, ruleset=game.ruleset)
    *_, end = steps_view(hand_steps(entries, 0), snapshot, catalogue())["steps"]
    (win_shown,) = end["ending"]["wins"]
    assert "".join(tile["face"] for tile in win_shown["tiles"]) == "1m2m3m4p5p6p7s8s9s1z1z5z5z5z"
    assert (win_shown["name"], win_shown["value"]) == ("Chie", "3 han 40 fu")


def test_what_is_announced_is_as_without_tiles_and_everything_is_undone_as_one(journal: Journal) -> None:
    table, alone = table_at(journal), table_at(Journal(None))
    table.handle(result_with_tiles(table))
    tell(alone, win(2, 1, 3, 40))
    assert [each.announcement.id for each in table.announcements] == [
        each.announcement.id for each in alone.announcements
    ]
    assert table.state.scores == alone.state.scores
    undo(table)
    assert (table.state.history, table.state.live) == ((), None)
    alone.journal.close()


def deals(table: Table) -> list[tuple[str, int, Seat]]:
    return [(repr(line.round), line.honba, line.dealer) for line in table.state.history]


def test_a_hand_with_tiles_follows_an_edit_or_a_swap_before_it_as_one_without(journal: Journal) -> None:
    with_tiles, alone = table_at(journal), table_at(Journal(None))
    for table in (with_tiles, alone):
        tell(table, win(1, 0, 3))
    with_tiles.handle(result_with_tiles(with_tiles))
    tell(alone, win(2, 1, 3, 40))
    swap = Reseat(order=(Seat.RIGHT, Seat.NEAR, Seat.FAR, Seat.LEFT))
    for change in (EditResult(result=win(0, 1, 3), hand=0), swap):
        for table in (with_tiles, alone):
            table.handle(change)
        assert deals(with_tiles) == deals(alone)
        assert with_tiles.state.scores == alone.state.scores
    alone.journal.close()


def test_a_hand_with_a_declared_riichi_keeps_its_tiles_too(journal: Journal) -> None:
    table = table_at(journal)
    table.handle(riichi(2))
    table.handle(result_with_tiles(table))
    assert table.state.hand is not None
    assert table.state.hand.shown_hands[2] is not None


@pytest.mark.parametrize("tiles", ["123m", TILES + "1m", "", "??"])
def test_tiles_that_are_no_hand_are_refused(journal: Journal, tiles: str) -> None:
    with pytest.raises(PressError):
        result_with_tiles(table_at(journal), tiles)


def test_tiles_of_somebody_who_did_not_win_are_left_out(journal: Journal) -> None:
    table = table_at(journal)
    table.handle(result_with_tiles(table, seat=3))
    assert len(table.state.history) == 1
    assert table.state.hand is None or not any(table.state.hand.shown_hands)
