"""Melds that are taken up again, watched: the call was void, or a pon went before it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table.game.game_commands import LogFoul
from table.rules.events import Called, CallKind, Discarded, FoulLogged, PutBack
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile, parse_tiles
from tests.table.game.referee.felt_by_hand import FeltByHand
from vision.felt import Zone


def without_meld(table: FeltByHand, side: int) -> FeltByHand:
    """Takes the tiles of the only meld of a side away, and looks."""
    left = tuple(tile for tile in table.felt.tiles if (tile.side, tile.zone) != (side, Zone.MELD))
    return table.observe(replace(table.felt, tiles=left))


@pytest.mark.parametrize("seconds", [1.0, 15.0])
def test_a_void_pon_goes_back_to_hand_and_river_and_play_goes_on(seconds: float) -> None:
    table = FeltByHand().discard((0, "5m")).call(2, 0, "5m", "5m", "5m", turned=2)
    table.press(LogFoul, 2, clause="7-05-14")
    hand = table.watched.state.live
    assert hand is not None
    assert hand.melds[2] == ()
    found = len(table.watched.found)
    table.observe(table.felt, seconds=seconds)  # the meld still lies
    without_meld(table, 2).observe(table.felt, seconds=seconds)
    table.lay(0, Zone.RIVER, "5m").observe(table.felt, seconds=seconds)
    table.discard((1, "1p"), (2, "2p"))
    assert [each.event for each in table.watched.found[found:]] == [  # type: ignore[union-attr]
        Discarded(seat=Seat.RIGHT, tile=Tile("1p")),
        Discarded(seat=Seat.FAR, tile=Tile("2p")),
    ]


@pytest.mark.parametrize("named", [True, False])
def test_a_pon_that_is_taken_up_again_is_put_back_whether_or_not_a_foul_is_named(named: bool) -> None:
    table = FeltByHand().discard((0, "5m")).call(2, 0, "5m", "5m", "5m", turned=2)
    without_meld(table, 2).lay(0, Zone.RIVER, "5m").observe(table.felt, seconds=3.0)
    if named:
        table.press(LogFoul, 2, clause="7-05-14")
    table.observe(table.felt, seconds=15.0).discard((1, "1p"))
    assert [each for each in table.watched.events[3:] if not isinstance(each, FoulLogged)] == [
        PutBack(seat=Seat.FAR, meld=True),
        Discarded(seat=Seat.RIGHT, tile=Tile("1p")),
    ]
    assert table.watched.state.live is not None
    assert table.watched.state.live.melds[2] == ()


def test_a_meld_under_an_arm_is_not_taken_up() -> None:
    table = FeltByHand().discard((0, "5m")).call(2, 0, "5m", "5m", "5m", turned=2)
    found = len(table.watched.found)
    table.felt = replace(table.felt, covered=frozenset({(2, Zone.MELD)}))
    without_meld(table, 2).lay(0, Zone.RIVER, "5m")
    table.observe(table.felt, seconds=1.5)
    assert table.watched.found[found:] == []


@pytest.mark.parametrize("kind", [CallKind.PON, CallKind.OPEN_KAN])
def test_a_pon_or_kan_goes_before_a_chi_that_was_laid_first(kind: CallKind) -> None:
    held = 2 if kind is CallKind.PON else 3
    table = FeltByHand().discard((0, "9m")).call(1, 0, "9m", "7m", "8m", turned=0)
    without_meld(table, 1).lay(3, Zone.MELD, *["9m"] * (held + 1), turned=held)
    table.observe(table.felt, seconds=3.0).discard((3, "1p"))
    assert table.watched.events[-3:] == [
        Called(
            seat=Seat.RIGHT,
            kind=CallKind.CHI,
            tile=Tile("9m"),
            from_seat=Seat.NEAR,
            own=parse_tiles("78m"),
            points_at=Seat.NEAR,
        ),
        Called(
            seat=Seat.LEFT,
            kind=kind,
            tile=Tile("9m"),
            from_seat=Seat.NEAR,
            own=parse_tiles("9" * held + "m"),
            points_at=Seat.NEAR,
        ),
        Discarded(seat=Seat.LEFT, tile=Tile("1p")),
    ]
    assert table.watched.state.live is not None
    assert [len(each) for each in table.watched.state.live.melds] == [0, 0, 0, 1]
