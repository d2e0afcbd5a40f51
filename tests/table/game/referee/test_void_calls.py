"""Melds that are taken up again, watched: the call was void, or a pon went before it."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest

from table.game.commands.game_commands import LogFoul
from table.game.referee import FoundEvent
from table.rules.events import Called, CallKind, Discarded, Event, FoulLogged, PutBack
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile, parse_tiles
from tests.table.game.referee.felt_by_hand import FeltByHand
from tests.table.game.referee.void_pon import BACK, go_back, without_meld
from vision.felt import Zone


@pytest.mark.parametrize("seconds", [1.0, 15.0])
def test_a_void_pon_goes_back_to_hand_and_river_and_play_goes_on(seconds: float) -> None:
    table = FeltByHand().discard((0, "5m")).call(2, 0, "5m", "5m", "5m", sideways=2)
    table.press(LogFoul, 2, clause="7-05-14")
    hand = table.game.state.live
    assert hand is not None
    assert hand.melds[2] == ()
    found = len(table.game.found)
    table.observe(table.felt, seconds=seconds)  # the meld still lies
    without_meld(table, 2).observe(table.felt, seconds=seconds)
    table.lay(0, Zone.RIVER, "5m").observe(table.felt, seconds=seconds)
    table.discard((1, "1p"), (2, "2p"))
    assert [finding.event for finding in table.game.found[found:]] == [  # type: ignore[union-attr]
        Discarded(seat=Seat.RIGHT, tile=Tile("1p")),
        Discarded(seat=Seat.FAR, tile=Tile("2p")),
    ]


@pytest.mark.parametrize("order", list(permutations(BACK)))
@pytest.mark.parametrize(("named_after", "seconds"), [(0, 0.5), (0, 4.0), (1, 0.5), (2, 0.5), (3, 0.5), (4, 0.5)])
def test_a_void_pon_goes_back_with_its_discard_in_any_order(
    order: tuple[str, ...], named_after: int, seconds: float
) -> None:
    """The foul is named before the tiles go back, meanwhile, afterwards, or never."""
    table = FeltByHand().discard((0, "5m")).call(2, 0, "5m", "5m", "5m", sideways=2).discard((2, "9p"))
    found = len(table.game.found)
    for number in range(4):
        if number == named_after:
            table.press(LogFoul, 2, clause="7-09-02", option="b")
        if number < len(order):
            go_back(table, order[number]).observe(table.felt, seconds=seconds)
    table.observe(table.felt, seconds=5.0).discard((1, "1p"), (2, "2p"))
    hand = table.game.state.live
    assert hand is not None
    assert hand.melds[2] == ()
    assert [[discard.tile.text for discard in river] for river in hand.rivers] == [["5m"], ["1p"], ["2p"], []]
    new = [finding.event for finding in table.game.found[found:] if isinstance(finding, FoundEvent)]
    expected: list[Event] = [Discarded(seat=Seat.RIGHT, tile=Tile("1p")), Discarded(seat=Seat.FAR, tile=Tile("2p"))]
    assert [each for each in new if isinstance(each, Discarded)] == expected
    assert table.game.questions == []


@pytest.mark.parametrize("has_discarded", [False, True])
def test_what_was_discarded_over_an_unnoticed_pon_stays_in_its_river_when_the_pon_goes_back(
    has_discarded: bool,
) -> None:
    """7-08-03 c."""
    table = FeltByHand().discard((0, "5m")).call(2, 0, "5m", "5m", "5m", sideways=2)
    if has_discarded:
        table.discard((2, "8s"))
    table.discard((1, "9s")).observe(table.felt, seconds=3.0)
    table.press(LogFoul, 1, clause="7-08-03", option="c", facts=("pon_caller=2",))
    found = len(table.game.found)
    go_back(go_back(table, "called"), "meld")
    if has_discarded:
        go_back(table, "discard")
    table.discard((2, "1p"), (3, "2p"))
    hand = table.game.state.live
    assert hand is not None
    assert [[discard.tile.text for discard in river] for river in hand.rivers] == [["5m"], ["9s"], ["1p"], ["2p"]]
    assert [finding.event for finding in table.game.found[found:] if isinstance(finding, FoundEvent)] == [
        Discarded(seat=Seat.FAR, tile=Tile("1p")),
        Discarded(seat=Seat.LEFT, tile=Tile("2p")),
    ]
    read = table.felt.in_zone(1, Zone.RIVER)[0]
    better = replace(read, reading=replace(read.reading, tile="8s"))
    table.observe(replace(table.felt, tiles=tuple(better if tile == read else tile for tile in table.felt.tiles)))
    assert [(correction.discard, correction.to) for correction in table.game.corrections] == [(1, Tile("8s"))]


@pytest.mark.parametrize("is_foul_named", [True, False])
def test_a_pon_that_is_taken_up_again_is_put_back_whether_or_not_a_foul_is_named(is_foul_named: bool) -> None:
    table = FeltByHand().discard((0, "5m")).call(2, 0, "5m", "5m", "5m", sideways=2)
    without_meld(table, 2).lay(0, Zone.RIVER, "5m").observe(table.felt, seconds=3.0)
    if is_foul_named:
        table.press(LogFoul, 2, clause="7-05-14")
    table.observe(table.felt, seconds=15.0).discard((1, "1p"))
    assert [event for event in table.game.events[3:] if not isinstance(event, FoulLogged)] == [
        PutBack(seat=Seat.FAR, meld=True),
        Discarded(seat=Seat.RIGHT, tile=Tile("1p")),
    ]
    assert table.game.state.live is not None
    assert table.game.state.live.melds[2] == ()


def test_a_meld_under_an_arm_is_not_taken_up() -> None:
    table = FeltByHand().discard((0, "5m")).call(2, 0, "5m", "5m", "5m", sideways=2)
    found = len(table.game.found)
    table.felt = replace(table.felt, covered=frozenset({(2, Zone.MELD)}))
    without_meld(table, 2).lay(0, Zone.RIVER, "5m")
    table.observe(table.felt, seconds=1.5)
    assert table.game.found[found:] == []


@pytest.mark.parametrize("kind", [CallKind.PON, CallKind.OPEN_KAN])
def test_a_pon_or_kan_goes_before_a_chi_that_was_laid_first(kind: CallKind) -> None:
    own_count = 2 if kind is CallKind.PON else 3
    table = FeltByHand().discard((0, "9m")).call(1, 0, "9m", "7m", "8m", sideways=0)
    without_meld(table, 1).lay(3, Zone.MELD, *["9m"] * (own_count + 1), sideways=own_count)
    table.observe(table.felt, seconds=3.0).discard((3, "1p"))
    assert table.game.events[-3:] == [
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
            own=parse_tiles("9" * own_count + "m"),
            points_at=Seat.NEAR,
        ),
        Discarded(seat=Seat.LEFT, tile=Tile("1p")),
    ]
    assert table.game.state.live is not None
    assert [len(meld) for meld in table.game.state.live.melds] == [0, 0, 0, 1]
