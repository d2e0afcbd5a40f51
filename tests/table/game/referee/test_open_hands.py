from __future__ import annotations

from dataclasses import replace

import pytest

from table.game.commands.game_commands import CallDraw, ClaimRon, ClaimTsumo, Confirm
from table.game.journal.entries import Source
from table.game.referee import FoundEvent
from table.rules.events import ClaimsConfirmed, DrawReached, HandShown, TenpaiStated, WinClaimed, WinKind
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile, parse_tiles
from tests.table.camera.simulation.felts import changes
from tests.table.game.referee.felt_by_hand import WHOLE, FeltByHand, RefereedGame
from vision.felt import FeltReport, Outcome, Reading, Zone


def test_a_complete_hand_laid_open_without_a_press_is_an_inferred_tsumo() -> None:
    table = FeltByHand().lay(0, Zone.HAND, *WHOLE)
    claim, hand_shown = table.game.found[-2:]
    assert isinstance(claim, FoundEvent)
    assert (claim.event, claim.source) == (WinClaimed(seat=Seat.NEAR, kind=WinKind.TSUMO), Source.INFERRED)
    assert isinstance(hand_shown, FoundEvent)
    assert isinstance(hand_shown.event, HandShown)
    assert hand_shown.event.winning_tile == Tile("4s")


def test_a_shown_hand_that_people_put_right_stays_so() -> None:
    table = FeltByHand().press(ClaimTsumo, 0).lay(0, Zone.HAND, *WHOLE[:-1], "9p")
    assert isinstance(table.last, HandShown)
    table.press(ClaimTsumo, 0, tiles=parse_tiles("123456789m11p23s4s"))
    assert table.last == HandShown(seat=Seat.NEAR, tiles=parse_tiles("123456789m11p23s"), winning_tile=Tile("4s"))
    table.observe(table.felt)
    assert isinstance(table.last, HandShown)
    assert table.last.winning_tile == Tile("4s")


def test_a_tenpai_hand_laid_open_on_its_tile_is_an_inferred_ron() -> None:
    table = FeltByHand().discard((0, "4s")).lay(2, Zone.HAND, *WHOLE[:-1])
    assert WinClaimed(seat=Seat.FAR, kind=WinKind.RON) in table.game.events


def test_a_hand_that_is_not_complete_claims_nothing() -> None:
    table = FeltByHand().lay(0, Zone.HAND, *WHOLE[:-1], "9p")
    assert not any(isinstance(event, WinClaimed | HandShown) for event in table.game.events)


def test_half_a_hand_waits_for_the_rest() -> None:
    table = FeltByHand().press(ClaimTsumo, 0).lay(0, Zone.HAND, *WHOLE[:8])
    assert not any(isinstance(event, HandShown) for event in table.game.events)
    table.lay(0, Zone.HAND, *WHOLE[8:])
    assert isinstance(table.last, HandShown)


def test_a_doubtful_face_of_a_claimed_hand_is_what_completes_it() -> None:
    table = FeltByHand().press(ClaimTsumo, 0)
    row = table.row(0, Zone.HAND, (*WHOLE[:3], "1z", *WHOLE[4:]))
    row[3] = replace(row[3], reading=Reading(tile="1z", score=0.6, alternatives=(("9p", 0.2), ("4m", 0.15))))
    table.observe(replace(table.felt, tiles=(*table.felt.tiles, *row)))
    assert isinstance(table.last, HandShown)
    assert table.last.tiles[3] == Tile("4m")


@pytest.mark.parametrize(("chance", "read"), [(0.012, "4m"), (0.001, "1z")])
def test_a_face_misread_with_certainty_is_what_completes_a_claimed_hand_unless_that_is_inconceivable(
    chance: float, read: str
) -> None:
    table = FeltByHand().press(ClaimTsumo, 0)
    row = table.row(0, Zone.HAND, (*WHOLE[:3], "1z", *WHOLE[4:]))
    row[3] = replace(row[3], reading=Reading(tile="1z", score=0.98, alternatives=(("4m", chance),)))
    table.observe(replace(table.felt, tiles=(*table.felt.tiles, *row)))
    assert isinstance(table.last, HandShown)
    assert table.last.tiles[3] == Tile(read)


@pytest.mark.parametrize(("outcome", "read"), [(Outcome.SURPLUS, "4m"), (None, "1z")])
def test_of_more_copies_than_a_set_has_one_is_misread_however_surely(outcome: Outcome | None, read: str) -> None:
    table = FeltByHand().press(ClaimTsumo, 0)
    row = table.row(0, Zone.HAND, (*WHOLE[:3], "1z", *WHOLE[4:]))
    sure = Reading(tile="1z", score=0.9994, alternatives=(("4m", 0.0004),), outcome=outcome)
    row[3] = replace(row[3], reading=sure)
    table.observe(replace(table.felt, tiles=(*table.felt.tiles, *row)))
    assert isinstance(table.last, HandShown)
    assert table.last.tiles[3] == Tile(read)


def test_a_doubtful_face_of_a_hand_laid_open_at_a_draw_is_what_makes_it_wait() -> None:
    table = FeltByHand().discard((0, "9p")).press(CallDraw)
    row = table.row(2, Zone.HAND, (*WHOLE[:3], "1z", *WHOLE[4:-1]))
    row[3] = replace(row[3], reading=Reading(tile="1z", score=0.95, alternatives=(("4m", 0.04),)))
    table.observe(replace(table.felt, tiles=(*table.felt.tiles, *row)))
    assert isinstance(table.last, HandShown)
    assert table.last.tiles[3] == Tile("4m")


def test_a_shown_hand_that_does_not_fit_keeps_no_other_from_being_told() -> None:
    """What is found is not followed here, as if the rules refused it."""
    watcher, felts = RefereedGame(), FeltByHand().discard((0, "9p")).press(CallDraw)
    watcher.state, watcher.referee = felts.game.state, felts.game.referee
    rows = [tile for seat in (0, 2) for tile in felts.row(seat, Zone.HAND, WHOLE[:-1])]
    felt = replace(felts.felt, tiles=(*felts.felt.tiles, *rows))
    report = FeltReport(frame=99, t_ns=99_000_000_000, changes=changes(felts.felt, felt), felt=felt)
    found = list(watcher.referee.on_report(report, lambda: watcher.state))
    events = [each.event for each in found if isinstance(each, FoundEvent)]
    assert [event.seat for event in events if isinstance(event, HandShown)] == [Seat.NEAR, Seat.FAR]


def test_a_stray_tile_beside_a_claimed_hand_is_no_part_of_it() -> None:
    table = FeltByHand().discard((0, "4s")).press(ClaimRon, 2)
    table.lay(2, Zone.HAND, "2z", *WHOLE[:-1])
    assert table.last == HandShown(seat=Seat.FAR, tiles=tuple(Tile(face) for face in WHOLE[:-1]))


def test_a_hand_laid_open_at_a_draw_says_tenpai_also_where_a_tile_is_not_found() -> None:
    table = FeltByHand().discard((0, "9p")).press(CallDraw).lay(2, Zone.HAND, *WHOLE[:12])
    assert table.last == DrawReached(is_watched=True)
    table.press(Confirm)
    assert table.game.events[-2:] == [TenpaiStated(seat=Seat.FAR, is_tenpai=True), ClaimsConfirmed()]
