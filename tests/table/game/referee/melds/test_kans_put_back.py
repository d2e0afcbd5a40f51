"""Kans from the hand that are taken up again at once, watched."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table.game.commands.game_commands import ClaimTsumo
from table.rules.events import ClosedKan, Discarded, PutBack
from table.rules.state import HandState
from table.rules.terms.melds import MeldKind
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile
from tests.table.game.referee.felt_by_hand import FeltByHand
from tests.table.game.referee.void_pon import without_meld
from vision.felt import Zone

CLOSED = ("back", "3p", "3p", "back")
PUT_BACK = PutBack(seat=Seat.RIGHT, meld=True)


def hand_of(table: FeltByHand) -> HandState:
    assert table.game.state.live is not None
    return table.game.state.live


def closed_kan() -> FeltByHand:
    return FeltByHand().discard((0, "7z")).lay(1, Zone.MELD, *CLOSED)


def added_kan(*, on_top: bool = False, after_chi: bool = False) -> FeltByHand:
    table = FeltByHand()
    if after_chi:
        table.discard((0, "1s")).call(1, 0, "1s", "2s", "3s", sideways=0)
        table.discard((1, "1z"), (2, "2z"), (3, "3z"))
    table.discard((0, "7z")).call(1, 0, "7z", "7z", "7z", sideways=0)
    table.discard((1, "1m"), (2, "2m"), (3, "3m"), (0, "4m"))
    return table.lay(1, Zone.MELD, "7z", sideways=0, on_top=on_top, group=int(after_chi))


def without_fourth(table: FeltByHand) -> FeltByHand:
    """Takes the tile up again that was added to the pon, and looks."""
    fourth = table.felt.in_zone(1, Zone.MELD)[-1]
    return table.observe(replace(table.felt, tiles=tuple(tile for tile in table.felt.tiles if tile != fourth)))


def test_a_closed_kan_that_is_taken_up_again_at_once_is_no_kan() -> None:
    table = without_meld(closed_kan(), 1)
    table.observe(table.felt, seconds=3.0)
    assert table.last == PUT_BACK
    hand = hand_of(table.discard((1, "9s"), (2, "9m")))
    assert (hand.melds[1], hand.kans, hand.tiles_left) == ((), (), 67)
    assert [[discard.tile.text for discard in river] for river in hand.rivers] == [["7z"], ["9s"], ["9m"], []]


def test_a_closed_kan_that_is_out_of_sight_for_a_moment_twice_stays_one() -> None:
    table = closed_kan()
    found, felt = table.game.events, table.felt
    for _ in range(2):
        without_meld(table, 1).observe(felt).observe(felt, seconds=10.0)
    assert table.game.events == found


def test_a_closed_kan_is_no_kan_once_its_seat_discards_without_it() -> None:
    table = without_meld(closed_kan(), 1).discard((1, "9s"))
    assert table.game.events[-2:] == [PUT_BACK, Discarded(seat=Seat.RIGHT, tile=Tile("9s"))]


def test_a_tsumo_after_a_closed_kan_that_was_taken_up_again_counts_without_the_kan() -> None:
    table = without_meld(closed_kan(), 1).press(ClaimTsumo, 1)
    assert hand_of(table).melds[1] == ()
    assert [claim.seat for claim in hand_of(table).claims] == [Seat.RIGHT]


def test_a_closed_kan_of_the_same_tiles_may_be_made_after_all() -> None:
    table = closed_kan()
    felt = table.felt
    without_meld(table, 1).observe(table.felt, seconds=3.0)
    table.observe(felt)
    assert table.last == ClosedKan(seat=Seat.RIGHT, tiles=(Tile("3p"),) * 4)
    assert len(hand_of(table).kans) == 1


@pytest.mark.parametrize("what", ["arm", "short", "moved", "indicator"])
def test_a_closed_kan_stays_one_while_it_may_still_lie_there_or_once_its_indicator_is_turned(what: str) -> None:
    table = closed_kan()
    if what == "indicator":
        table.lay(2, Zone.WALL, "2z")
    felt = table.felt
    if what == "moved":
        tiles = (replace(tile, group=7) if tile.zone is Zone.MELD else tile for tile in felt.tiles)
        felt = replace(felt, tiles=tuple(tiles))
    else:
        felt = replace(felt, tiles=tuple(tile for tile in felt.tiles if tile.zone is not Zone.MELD))
    if what == "arm":
        felt = replace(felt, covered=frozenset({(1, Zone.MELD)}))
    table.observe(felt)
    if what != "short":
        table.observe(table.felt, seconds=4.0)
    assert len(hand_of(table).kans) == 1


@pytest.mark.parametrize("after_chi", [False, True])
def test_a_tile_added_to_a_pon_that_is_taken_up_again_leaves_the_pon_once_its_seat_discards(*, after_chi: bool) -> None:
    table = without_fourth(added_kan(after_chi=after_chi))
    table.observe(table.felt, seconds=4.0)
    assert len(hand_of(table).kans) == 1  # somebody may rob it
    table.discard((1, "7z"), (2, "9m"))
    hand = hand_of(table)
    assert hand.melds[1][-1].kind is MeldKind.PON
    assert (hand.kans, [discard.tile.text for discard in hand.rivers[1]][-2:]) == ((), ["1m", "7z"])
    assert PUT_BACK in table.game.events
    assert table.last == Discarded(seat=Seat.FAR, tile=Tile("9m"))


def test_an_added_tile_that_lay_on_top_may_only_be_hard_to_see() -> None:
    table = without_fourth(added_kan(on_top=True)).discard((1, "9s"))
    assert [meld.kind for meld in hand_of(table).melds[1]] == [MeldKind.ADDED_KAN]
