"""A call that is announced when the next player has already discarded (7-05-14)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from table.rules.terms.seats import Seat
from tests.table.game.table_by_hand import TableByHand
from vision.felt import Felt, Zone


@pytest.fixture
def before_pon() -> Iterator[TableByHand]:
    """A table whose far player has discarded since the right player laid the 4m that the near one calls."""
    by_hand = TableByHand().discard((0, "3m"), (1, "4m"), (2, "9p"))
    yield by_hand
    by_hand.table.journal.close()


def lay_pon(by_hand: TableByHand, *, sideways: int = 2) -> None:
    by_hand.felt = _without(by_hand.felt, "4m")
    by_hand.lay(0, Zone.MELD, "4m", "4m", "4m", sideways=sideways)


def wait(by_hand: TableByHand) -> None:
    for _ in range(3):
        by_hand.observe(by_hand.felt)


def _without(felt: Felt, face: str) -> Felt:
    return replace(felt, tiles=tuple(tile for tile in felt.tiles if tile.reading.tile != face))


def clauses(by_hand: TableByHand) -> list[str]:
    return [logged.suspicion.clause for logged in by_hand.table.folded_game.suspicions]


@pytest.mark.parametrize("sideways", [1, 2])
@pytest.mark.parametrize("is_first", [True, False])
def test_a_late_pon_takes_its_tile_and_the_next_player_takes_up_the_discard(
    before_pon: TableByHand, is_first: bool, sideways: int
) -> None:
    if is_first:
        before_pon.take(2)
        lay_pon(before_pon, sideways=sideways)
    else:
        lay_pon(before_pon, sideways=sideways)
        wait(before_pon)
        before_pon.take(2)
    before_pon.discard((0, "1s"), (1, "2s"), (2, "9p"))
    assert before_pon.discards == ["3m", "4m", "1s", "2s", "9p"]
    assert [meld.from_seat for meld in before_pon.hand.melds[0]] == [Seat.RIGHT]
    assert before_pon.hand.tiles_left == 66
    assert clauses(before_pon) == []


def test_a_late_pon_is_asked_about_if_the_discard_after_its_tile_stays(before_pon: TableByHand) -> None:
    lay_pon(before_pon)
    before_pon.discard((0, "1s"))
    wait(before_pon)
    before_pon.discard((1, "2s"), (2, "2p"))
    assert before_pon.discards == ["3m", "4m", "9p", "1s", "2s", "2p"]
    assert [len(meld.tiles) for meld in before_pon.hand.melds[0]] == [3]
    assert clauses(before_pon) == ["7-05-14"]


def test_a_late_pon_whose_caller_is_slow_is_told_in_the_end(before_pon: TableByHand) -> None:
    lay_pon(before_pon)
    before_pon.observe(before_pon.felt, seconds=11.0)
    assert before_pon.hand.turn is Seat.NEAR


def test_a_tile_of_an_earlier_turn_that_still_lies_in_its_river_was_not_called_late(before_pon: TableByHand) -> None:
    before_pon.lay(0, Zone.MELD, "4m", "4m", "4m", sideways=2)
    wait(before_pon)
    assert not any(discard.called_by is not None for river in before_pon.hand.rivers for discard in river[:1])
