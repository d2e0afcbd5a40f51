from __future__ import annotations

import pytest

from table.game.commands.game_commands import CallAbort, CallDraw, CancelWin, ClaimRon, ClaimTsumo, PassTile
from table.game.journal.entries import Source
from table.game.referee import FoundEvent
from table.rules.events import AbortCalled, HandShown, WinClaimed, WinWithdrawn
from table.rules.terms.results import AbortReason
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile
from table.runtime.table_errors import PressError
from tests.table.game.referee.felt_by_hand import WHOLE, FeltByHand, RefereedGame
from vision.felt import Zone


def test_a_press_before_the_first_hand_is_refused() -> None:
    with pytest.raises(PressError, match="expected a hand in play"):
        RefereedGame().take([CallDraw()])


def test_a_ron_pressed_after_it_was_inferred_counts_as_pressed_and_changes_nothing_else() -> None:
    table = FeltByHand().discard((0, "4s")).lay(2, Zone.HAND, *WHOLE[:-1])
    inferred = table.game.state
    table.press(ClaimRon, 2).press(ClaimRon, 2)
    found = [each for each in table.game.found if isinstance(each, FoundEvent)]
    assert [each.source for each in found if isinstance(each.event, WinClaimed)] == [Source.INFERRED, Source.PRESS]
    assert table.game.state == inferred


def test_a_pressed_hand_needs_no_open_one() -> None:
    concealed = tuple(Tile(face) for face in WHOLE)
    table = FeltByHand().press(ClaimTsumo, 0, tiles=concealed)
    assert table.last == HandShown(seat=Seat.NEAR, tiles=concealed[:-1], winning_tile=concealed[-1])


def test_a_pressed_ron_may_leave_out_the_tile_that_lies_in_the_river() -> None:
    standing = tuple(Tile(face) for face in WHOLE[:-1])
    table = FeltByHand().discard((0, "4s")).press(ClaimRon, 2, tiles=standing)
    assert table.last == HandShown(seat=Seat.FAR, tiles=standing)
    table.press(ClaimRon, 2, tiles=(*standing, Tile("4s")))
    assert table.last == HandShown(seat=Seat.FAR, tiles=standing, winning_tile=Tile("4s"))


def test_a_cancel_takes_the_last_claim_back() -> None:
    table = FeltByHand().press(ClaimTsumo, 0).press(CancelWin)
    assert table.last == WinWithdrawn(seat=Seat.NEAR)


def test_a_cancel_without_a_claim_is_refused() -> None:
    with pytest.raises(PressError, match="expected a claimed win to cancel"):
        FeltByHand().press(CancelWin)


def test_an_abort_needs_a_reason_or_a_seat_once_nobody_can_have_nine_terminals() -> None:
    first = ((0, "1m"), (1, "2m"), (2, "3m"), (3, "4m"))
    with pytest.raises(PressError, match="expected a reason or a seat"):
        FeltByHand().discard(*first).press(CallAbort)


@pytest.mark.parametrize(("first", "caller"), [([], Seat.NEAR), ([(0, "1m"), (1, "2m")], Seat.FAR)])
def test_an_abort_of_nobody_is_the_nine_terminals_of_the_player_in_turn(
    first: list[tuple[int, str]], caller: Seat
) -> None:
    table = FeltByHand().discard(*first).press(CallAbort)
    assert table.last == AbortCalled(reason=AbortReason.NINE_TERMINALS, seat=caller)


@pytest.mark.parametrize("word", ["pending", "ended", "lapsed"])
def test_an_abort_of_nobody_is_the_one_that_the_table_shows(word: str) -> None:
    table = FeltByHand().discard((0, "2z"), (1, "2z"), (2, "2z"), (3, "2z"))
    if word == "ended":
        table.press(PassTile)
    elif word == "lapsed":
        table.discard((0, "4s"))
    table.press(CallAbort)
    assert table.last == AbortCalled(reason=AbortReason.FOUR_WINDS)


def test_an_abort_of_nobody_while_three_claim_one_tile_is_by_triple_ron() -> None:
    table = FeltByHand().discard((0, "4s")).press(ClaimRon, 1).press(ClaimRon, 2).press(ClaimRon, 3).press(CallAbort)
    assert table.last == AbortCalled(reason=AbortReason.TRIPLE_RON)


def test_an_abort_of_an_unknown_reason_names_those_there_are() -> None:
    with pytest.raises(PressError, match="expected a reason out of four_riichi"):
        FeltByHand().press(CallAbort, reason="boredom")


def test_an_abort_by_a_seat_is_its_nine_terminals() -> None:
    table = FeltByHand().press(CallAbort, 0)
    assert getattr(table.last, "reason", None) is AbortReason.NINE_TERMINALS
