"""A game kept by people alone: told, taken back, edited and reseated, always from the journal."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from table.game.commands.command_reader import read_result
from table.game.commands.game_commands import (
    CorrectDiscard,
    DeclareResult,
    EditResult,
    LogFoul,
    NameSeats,
    OpenGame,
    Press,
    Redo,
    Reseat,
    Undo,
)
from table.game.journal.entries import GameOpened, SettlementRecorded, Source
from table.game.journal.journal import Journal
from table.game.new_entries.entry_envelope import entry_envelope
from table.game.table_loop import Table, TableLoop
from table.rulebook.play_presets import HOME
from table.rules.events import HandStarted
from table.rules.notation.event_notation import parse_events
from table.rules.ruleset import Ruleset
from table.rules.state import HandState
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.seats import SEATS, Seat
from table.rules.terms.tiles import Tile
from table.runtime.clock import LogicalClock
from table.runtime.table_errors import PressError
from tests.table.game.by_hand import draw, redo, riichi, see, table_at, tell, undo, win, with_all_seen


def rounds(table: Table) -> list[str]:
    return [f"{hand.round!r}-{hand.honba}" for hand in table.state.history]


@pytest.fixture
def table(journal: Journal) -> Table:
    return table_at(journal)


def test_a_whole_game_is_kept_with_no_camera(table: Table) -> None:
    tell(table, win(0, 1, 3), draw(1, 2), *[win(seat, (seat + 1) % 4, 2) for seat in (2, 3, 0, 1, 2, 3, 1)])
    assert rounds(table) == ["E1-0", "E1-1", "E2-2", "E3-0", "E4-0", "S1-0", "S2-0", "S3-0", "S4-0"]
    assert table.state.is_over
    assert sum(table.state.scores) == 100000


def test_riichi_by_button_deals_the_hand_and_is_charged_at_once(table: Table) -> None:
    table.handle(riichi(2))
    assert table.state.scores == (25000, 25000, 24000, 25000)
    tell(table, draw(2, riichi=(2,)))
    table.handle(riichi(0))
    assert table.state.deposits == 2
    assert repr(table.state.live.round) == "E2" if table.state.live else False


def test_a_foul_of_the_first_hand_deals_it_too(table: Table) -> None:
    table.handle(LogFoul(seat=Seat.NEAR, clause="7-05-01"))
    assert table.state.live is not None


def test_two_phones_that_settle_the_same_hand_the_second_is_told(table: Table) -> None:
    table.handle(DeclareResult(result=draw(), hand=0))
    with pytest.raises(PressError, match="expected hand 2, got hand 1: another phone was faster"):
        table.handle(DeclareResult(result=win(0, 1, 3), hand=0))
    assert len(table.state.history) == 1


def test_what_cannot_be_is_refused_and_nothing_is_written(journal: Journal, table: Table) -> None:
    before = journal.last
    with pytest.raises(PressError, match="expected 20 fu for a drawn pinfu only"):
        tell(table, win(0, 1, 2, 20))
    assert journal.last == before
    assert table.board.latest.changes.undo is None


def test_a_preview_shows_the_payments_and_changes_nothing(journal: Journal, table: Table) -> None:
    before = journal.last
    state = table.preview(DeclareResult(result=win(1, 1, 4), hand=0)).state
    assert state.history[-1].scores == (21100, 32900, 23000, 23000)
    assert table.state.history == ()
    assert journal.last == before


def test_undo_takes_the_last_act_back_and_redo_brings_it_again(journal: Journal, table: Table) -> None:
    tell(table, win(0, 1, 3), draw(0))
    after = table.state
    undo(table)
    assert rounds(table) == ["E1-0"]
    assert table_at(journal).state == table.state
    undo(table)
    assert table.state.scores == (25000,) * 4
    redo(table)
    redo(table)
    assert table.state == after
    assert table_at(journal).state == after
    assert table.board.latest.changes.redo is None


def test_a_new_act_ends_what_could_come_back(table: Table) -> None:
    tell(table, win(0, 1, 3))
    undo(table)
    tell(table, draw())
    assert table.board.latest.changes.redo is None
    undo(table)
    assert table.state.history == ()
    assert table.board.latest.changes.undo is None


def test_undo_takes_back_riichi_and_corrections_too(table: Table) -> None:
    table.handle(riichi(1))
    undo(table)
    assert table.state.scores == (25000,) * 4
    table.handle(riichi(1))
    assert table.state.scores == (25000, 24000, 25000, 25000)


def test_what_ended_a_hand_stays_once_the_camera_saw_the_next_one_dealt(table: Table) -> None:
    tell(table, win(0, 1, 3))
    undo(table)
    redo(table)
    next_start = table.state.next_start
    assert next_start is not None
    see(table, next_start)
    with pytest.raises(PressError, match="the next one was dealt since, edit that hand"):
        undo(table)
    table.handle(EditResult(result=win(0, 1, 2), hand=0))
    assert table.state.history[0].scores == (27900, 22100, 25000, 25000)
    undo(table)
    assert table.state.history[0].scores == (30800, 19200, 25000, 25000)
    with pytest.raises(PressError, match="the next one was dealt since, edit that hand"):
        undo(table)
    assert rounds(table) == ["E1-0"]
    assert table.state.live is not None


@pytest.mark.parametrize(
    "change",
    [EditResult(result=win(2, 1, 2), hand=0), Reseat(order=(SEATS[2], SEATS[1], SEATS[0], SEATS[3]))],
    ids=["edit", "reseat"],
)
@pytest.mark.parametrize("is_undone", [True, False])
def test_a_deal_that_the_camera_saw_after_a_change_follows_what_replaces_that(
    table: Table, change: EditResult | Reseat, is_undone: bool
) -> None:
    tell(table, win(0, 1, 2))
    table.handle(change)
    see(table, started(table.state.next_start))
    assert table.state.scores == (25000, 23000, 27000, 25000)
    if is_undone:
        undo(table)
    else:
        table.handle(EditResult(result=win(0, 1, 2), hand=0))
    assert table.state.history[0].scores == (27900, 22100, 25000, 25000)
    assert table.state.scores == started(table.state.live).scores == (27900, 22100, 25000, 25000)
    table.handle(EditResult(result=win(3, 1, 2), hand=0))
    undo(table)
    assert table.state.scores == (27900, 22100, 25000, 25000)


@pytest.mark.parametrize(
    "change",
    [CorrectDiscard(discard=0, to=Tile("6m")), EditResult(result=win(0, 1, 3), hand=0)],
    ids=["tile", "later edit"],
)
def test_a_deal_with_points_of_its_own_keeps_them_if_no_result_was_edited_before_it(
    table: Table, change: CorrectDiscard | EditResult
) -> None:
    tell(table, win(0, 1, 2))
    see(table, *parse_events("start E3 dealer=2 scores=30000,20000,25000,25000 honba=0 dora=1z; 2 discards 5m"))
    table.handle(change)
    undo(table)
    assert table.state.scores == started(table.state.live).scores == (30000, 20000, 25000, 25000)


@pytest.mark.parametrize(
    "change",
    [EditResult(result=win(2, 1, 2), hand=0), Reseat(order=(SEATS[2], SEATS[1], SEATS[0], SEATS[3]))],
    ids=["edit", "reseat"],
)
@pytest.mark.parametrize("is_undone", [True, False])
@pytest.mark.parametrize(
    "then", [(), (CorrectDiscard(discard=0, to=Tile("6m")),), (EditResult(result=win(3, 1, 2), hand=0),)]
)
def test_a_deal_with_points_of_its_own_after_a_change_is_the_same_before_and_after_a_restart(
    table: Table, journal: Journal, change: EditResult | Reseat, then: tuple[Press, ...], *, is_undone: bool
) -> None:
    tell(table, win(0, 1, 2))
    table.handle(change)
    if is_undone:
        undo(table)
    see(table, *parse_events("start E3 dealer=2 scores=30000,20000,25000,25000 honba=0 dora=1z; 2 discards 5m"))
    for press in then:
        table.handle(press)
    assert with_all_seen(table_at(journal).state) == with_all_seen(table.state)
    assert table.state.scores == started(table.state.live).scores == table.state.history[0].scores


def started(given: HandStarted | HandState | None) -> HandStarted:
    assert given is not None
    return given.start if isinstance(given, HandState) else given


def test_what_was_taken_back_comes_not_again_into_the_next_hand_that_the_camera_saw_dealt(table: Table) -> None:
    table.handle(riichi(1))
    tell(table, draw(1, riichi=(1,)))
    undo(table)
    live = table.state.live
    assert live is not None
    see(table, replace(live.start, honba=1))
    with pytest.raises(PressError, match="the next one was dealt since"):
        redo(table)


def test_what_somebody_did_before_their_name_was_put_right_stays_theirs(table: Table) -> None:
    table.handle(NameSeats(names=("Ana", "Ben", "Cho", "Dana")))
    tell(table, draw(), by="seat 0")
    table.handle(NameSeats(names=("Anna", "Ben", "Cho", "Dana")))
    assert table.board.latest.changes.all[1].by == "seat 0"


def test_only_the_act_that_the_phone_shows_is_taken_back(table: Table) -> None:
    tell(table, win(0, 1, 3))
    last_act = table.board.latest.changes.undo
    tell(table, draw())
    with pytest.raises(PressError, match="something else was done since"):
        table.handle(Undo(act=last_act or 0))
    with pytest.raises(PressError, match="got nothing left"):
        table.handle(Redo(act=1))


def test_an_edited_hand_moves_the_scores_of_all_after_it_and_keeps_their_payments(table: Table) -> None:
    tell(table, win(1, 0, 3), win(2, 3, 2), win(3, 0, 1))
    before = [hand.settlement for hand in table.state.history]
    table.handle(EditResult(result=win(1, 0, 5, None), hand=0, why="it was a mangan", by="owner"))
    after = [hand.settlement for hand in table.state.history]
    assert after[1:] == before[1:]
    assert after[0] != before[0]
    assert table.state.scores == (25000 - 8000 - 1000, 33000, 27000, 25000 - 2000 + 1000)


def test_an_edit_that_changes_the_deal_settles_later_hands_anew(journal: Journal, table: Table) -> None:
    tell(table, win(1, 0, 3), win(1, 1, 3))
    assert rounds(table) == ["E1-0", "E2-0"]
    table.handle(EditResult(result=win(0, 1, 3), hand=0))
    assert rounds(table) == ["E1-0", "E1-1"]
    settlement = table.state.history[1].settlement
    assert settlement is not None
    assert settlement.deltas == (-2100, 4300, -1100, -1100)
    assert table_at(journal).state == table.state
    recorded_hands = [entry.body.hand for entry in journal.entries() if isinstance(entry.body, SettlementRecorded)]
    assert recorded_hands == [0, 1, 0, 1]


def test_an_edit_that_takes_the_sticks_is_followed_by_the_hands_that_had_won_them(table: Table) -> None:
    tell(table, draw(0, riichi=(0,)), win(2, 3, 2))
    assert table.state.deposits == 0
    table.handle(EditResult(result=win(3, 1, 2, riichi=(0,)), hand=0))
    assert table.state.deposits == 0
    assert sum(table.state.scores) == 100000
    assert [hand.settlement.deltas[2] for hand in table.state.history if hand.settlement] == [0, 2000]


def test_a_hand_dealt_by_riichi_follows_an_edit_before_it(table: Table) -> None:
    tell(table, win(1, 0, 3))
    table.handle(riichi(2))
    table.handle(EditResult(result=win(0, 1, 3), hand=0))
    hand = table.state.live
    assert hand is not None
    assert (hand.dealer, hand.start.honba) == (Seat.NEAR, 1)
    assert table.state.scores == (30800, 19200, 24000, 25000)


def test_an_edit_can_be_edited_and_taken_back(journal: Journal, table: Table) -> None:
    tell(table, win(1, 0, 3), win(1, 1, 3))
    first = table.state
    table.handle(EditResult(result=win(0, 1, 3), hand=0))
    table.handle(EditResult(result=draw(), hand=0))
    assert rounds(table) == ["E1-0", "E2-1"]
    undo(table)
    assert rounds(table) == ["E1-0", "E1-1"]
    undo(table, why="it was right")
    assert table.state == first
    assert table_at(journal).state == first


def test_an_edit_of_no_hand_or_to_what_cannot_be_is_refused(journal: Journal, table: Table) -> None:
    with pytest.raises(PressError, match="expected no finished hand, got hand 1"):
        table.handle(EditResult(result=draw(), hand=0))
    tell(table, win(1, 0, 3))
    before = journal.last
    with pytest.raises(PressError, match="expected a finished hand from 1 to 1, got hand 2"):
        table.handle(EditResult(result=draw(), hand=1))
    with pytest.raises(PressError, match="two han at least") as refusal:
        table.handle(EditResult(result=win(1, 1, 1, riichi=(1,)), hand=0))
    assert refusal.value.says == "riichi_tsumo"
    assert journal.last == before


def test_hands_that_an_edit_leaves_no_game_for_are_kept_as_questions(table: Table) -> None:
    tell(table, win(1, 0, 3), draw())
    table.handle(
        EditResult(result=read_result({"kind": "ron", "wins": [{"seat": 1, "from": 0, "yakuman": 1}]}), hand=0)
    )
    assert table.state.is_over
    assert [unfit.message for unfit in table.folded_game.rejected_entries] == [
        "expected a hand to settle, got a game that has ended"
    ]
    undo(table)
    assert len(table.state.history) == 2


PLAYED = (win(1, 3, 11, None), win(1, 0, 1), win(0, 2, 2, riichi=(3,)), win(0, 2, 3), win(1, 0, 4))
"""Hands of which the third cannot be after the second was `POOR`: then seat 3 has no stick for its riichi."""
POOR = draw(0, 1, 2, 3, riichi=(3,))


def _leave_out_third_hand(table: Table) -> None:
    tell(table, *PLAYED)
    table.handle(EditResult(hand=1, result=POOR))
    assert [entry.says for entry in table.folded_game.rejected_entries] == ["riichi_points"]
    assert rounds(table) == ["E1-0", "E2-0", "E2-1", "E3-0"]


def test_a_hand_that_an_edit_leaves_out_gets_no_other_hands_payments_once_the_game_is_read_again(
    journal: Journal, table: Table
) -> None:
    _leave_out_third_hand(table)
    edited = table.state
    assert table_at(journal).state == edited
    tell(table, draw())
    undo(table)
    assert table.state == edited


def test_a_hand_that_an_edit_left_out_comes_back_with_its_own_payments(journal: Journal, table: Table) -> None:
    _leave_out_third_hand(table)
    table.handle(EditResult(hand=1, result=PLAYED[1]))
    with Journal(None) as unedited:
        as_played = table_at(unedited)
        tell(as_played, *PLAYED)
        assert table.state == as_played.state
    assert table_at(journal).state == table.state


def test_seats_entered_wrongly_are_swapped_with_names_and_all_hands(journal: Journal, table: Table) -> None:
    table.handle(NameSeats(names=("Aoi", "Ben", "Chie", "Dan")))
    tell(table, win(0, 1, 3), win(2, 2, 3))
    order = Seat.RIGHT, Seat.NEAR, Seat.FAR, Seat.LEFT
    table.handle(Reseat(order=order, why="Aoi sits in the south"))
    assert table.board.latest.names == ("Ben", "Aoi", "Chie", "Dan")
    assert rounds(table) == ["E1-0", "E2-0"]
    first = table.state.history[0].settlement
    assert first is not None
    assert first.deltas == (-3900, 3900, 0, 0)
    tell(table, draw())
    assert table_at(journal).state == table.state
    for _ in range(2):
        undo(table)
    assert rounds(table) == ["E1-0", "E1-1"]
    assert table.board.latest.names == ("Aoi", "Ben", "Chie", "Dan")


def swaps(table: Table) -> list[Any]:
    announcements = [logged.announcement for logged in table.announcements]
    return [announcement.args for announcement in announcements if announcement.id is AnnouncementId.SEATS_SWAPPED]


def test_everybody_is_told_of_a_swap_and_of_its_undoing(table: Table) -> None:
    swap = Reseat(order=(Seat.RIGHT, Seat.NEAR, Seat.FAR, Seat.LEFT))
    table.handle(swap)
    assert swaps(table) == [{"what": "swapped", "seats": [0, 1]}]
    tell(table, win(0, 1, 3))
    table.handle(swap)
    undo(table)
    redo(table)
    assert [each["what"] for each in swaps(table)[1:]] == ["swapped_results", "undone", "swapped_results"]
    table.handle(Reseat(order=(Seat.RIGHT, Seat.FAR, Seat.NEAR, Seat.LEFT)))
    assert swaps(table)[-1]["seats"] == [0, 1, 2]
    undo(table)
    tell(table, win(0, 1, 3))
    undo(table)
    assert len(swaps(table)) == 6


def test_where_a_camera_saw_the_seats_only_the_names_move(table: Table) -> None:
    table.handle(NameSeats(names=("Aoi", "Ben", "Chie", "Dan")))
    tell(table, win(0, 1, 3))
    scores = table.state.scores
    table.journal.append(
        entry_envelope(Source.CAMERA, LogicalClock().utc()), SettlementRecorded(hand=9, settlement=_settlement(table))
    )
    table = table_at(table.journal)
    table.handle(Reseat(order=(Seat.RIGHT, Seat.NEAR, Seat.FAR, Seat.LEFT)))
    assert table.state.scores == scores
    assert table.board.latest.names[:2] == ("Ben", "Aoi")
    assert swaps(table) == [{"what": "swapped", "seats": [0, 1]}]


def _settlement(table: Table) -> Any:
    return table.state.history[0].settlement


def test_every_change_keeps_who_when_and_why(table: Table) -> None:
    tell(table, win(1, 0, 3), by="seat 1")
    table.handle(EditResult(result=win(1, 0, 4), hand=0, why="dora forgotten", by="owner"))
    undo(table, why="it had no dora", by="seat 2")
    changes = table.board.latest.changes.all
    assert [(change.by, change.reason, change.is_undone) for change in changes] == [
        ("seat 1", "", False),
        ("owner", "dora forgotten", True),
        ("seat 2", "it had no dora", False),
    ]
    assert all(change.utc for change in changes)


def test_a_new_game_begins_beside_the_old_one(journal: Journal, table: Table) -> None:
    tell(table, win(1, 0, 3))
    table.handle(OpenGame(names=("A", "B", "C", "D"), first_dealer=Seat.FAR, ruleset=Ruleset(name="club", oka=0)))
    assert table.state.scores == (25000,) * 4
    assert table.board.latest.names == ("A", "B", "C", "D")
    tell(table, win(2, 0, 1))
    assert table.state.history[0].dealer is Seat.FAR
    restarted_table = table_at(journal)
    assert restarted_table.state == table.state
    assert restarted_table.folded_game.ruleset.name == "club"
    openings = [entry.body for entry in journal.entries() if isinstance(entry.body, GameOpened)]
    assert len(openings) == 2
    with pytest.raises(PressError, match="expected a finished hand from 1 to 1"):
        table.handle(EditResult(result=draw(), hand=3))


def test_a_game_goes_on_under_the_same_rules_where_none_are_named(table: Table) -> None:
    table.handle(OpenGame())
    assert table.folded_game.ruleset == HOME


def test_the_loop_takes_acts_and_previews_in_turn(table: Table) -> None:
    command = DeclareResult(result=win(1, 0, 3), hand=0)
    with TableLoop(table) as loop:
        before, after = loop.preview(command)
        assert (before.game, after.state.history[0].scores) == (table.state, (21100, 28900, 25000, 25000))
        loop.handle(command)
        with pytest.raises(PressError, match="another phone was faster"):
            loop.preview(command)
    assert table.state.scores == (21100, 28900, 25000, 25000)


def test_a_camera_hand_dealt_over_an_unsettled_one_can_be_edited(table: Table) -> None:
    start = table.state.next_start
    assert start is not None
    see(table, start, start)
    assert [hand.settlement for hand in table.state.history] == [None]
    table.handle(EditResult(result=win(1, 0, 3), hand=0))
    assert [hand.settlement.deltas for hand in table.state.history if hand.settlement] == [(-3900, 3900, 0, 0)]
    assert table.state.scores == (21100, 28900, 25000, 25000)
    table.handle(EditResult(result=win(1, 0, 1), hand=0))
    assert table.state.scores == (24000, 26000, 25000, 25000)
