"""Discards that the camera sees only after later ones, as while it sags: they come into their places in the rivers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table.game.commands.game_commands import ClaimRon, ClaimTsumo, CorrectDiscard
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile
from tests.table.game.referee.felt_by_hand import FeltByHand
from tests.table.game.table_by_hand import TableByHand
from vision.felt import LyingTile, Zone

TURNS = tuple(
    (turn % 4, face) for turn, face in enumerate(("1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "1p"))
)


def discards() -> list[LyingTile]:
    """What lies in the rivers after these turns, in the order of play."""
    return [tile for tile in FeltByHand().discard(*TURNS).felt.tiles if tile.zone is Zone.RIVER]


def lay(table: TableByHand, *tiles: LyingTile, seconds: float = 1.0) -> None:
    table.observe(replace(table.felt, tiles=(*table.felt.tiles, *tiles)), seconds=seconds)


def river(table: TableByHand, seat: int) -> list[str]:
    return [discard.tile.text for discard in table.hand.rivers[seat]]


@pytest.mark.parametrize("score", [0.97, 0.5])
def test_a_discard_seen_after_its_seats_next_one_comes_into_its_place(score: float) -> None:
    table, tiles = TableByHand(), discards()
    late = replace(tiles[4], reading=replace(tiles[4].reading, score=score))
    lay(table, *tiles[:4])
    lay(table, *tiles[5:9])
    assert river(table, 0) == ["1m", "9m"]
    lay(table, late)
    lay(table, seconds=2.0)
    assert [river(table, seat) for seat in range(4)] == [["1m", "5m", "9m"], ["2m", "6m"], ["3m", "7m"], ["4m", "8m"]]
    assert [doubt.discard for doubt in table.table.board.latest.doubts] == ([4] if score < 0.9 else [])
    lay(table, tiles[9])
    assert river(table, 1) == ["2m", "6m", "1p"]


def test_two_discards_of_one_seat_seen_late_come_into_their_places() -> None:
    table, tiles = TableByHand(), discards()
    lay(table, *tiles[:4], tiles[8])
    lay(table, tiles[4], *tiles[5:8])
    lay(table, seconds=2.0)
    lay(table, seconds=2.0)
    assert sorted(table.discards) == sorted(face for _, face in TURNS[:9])
    assert river(table, 0) == ["1m", "5m", "9m"]


@pytest.mark.parametrize("case", ["riichi", "named by people"])
def test_what_people_named_and_a_riichi_stay_and_the_discard_seen_late_is_reported_after_them(case: str) -> None:
    table, tiles = TableByHand(), discards()
    lay(table, *tiles[:4], replace(tiles[8], is_sideways=case == "riichi"))
    if case == "named by people":
        table.press(CorrectDiscard, discard=4, to=Tile("9m"))
    lay(table, tiles[4])
    lay(table, seconds=2.0)
    assert river(table, 0) == ["1m", "9m", "5m"]


def test_a_tile_read_anew_under_another_id_is_no_discard_seen_late() -> None:
    table, tiles = TableByHand(), discards()
    lay(table, *tiles[:9])
    other = replace(tiles[4], id=500, reading=replace(tiles[4].reading, tile="6p"))
    table.observe(replace(table.felt, tiles=tuple(other if tile == tiles[4] else tile for tile in table.felt.tiles)))
    lay(table, seconds=3.0)
    assert river(table, 0) == ["1m", "5m", "9m"]


def test_a_pon_whose_tile_nobody_saw_is_found_although_later_discards_lie_where_it_was() -> None:
    table = TableByHand()
    table.discard(*TURNS[:5])
    table.lay(0, Zone.MELD, "5z", "5z").discard((0, "9p"))
    table.observe(table.felt, seconds=0.5)
    (third,) = table.row(0, Zone.MELD, ("5z",), sideways=0)
    later = [*table.row(1, Zone.RIVER, ("2z",)), *table.row(2, Zone.RIVER, ("3z",))]
    lay(table, third, *later, seconds=3.0)
    assert [river(table, seat) for seat in (1, 2)] == [["2m", "5z", "2z"], ["3m", "3z"]]
    assert table.hand.rivers[1][1].called_by is Seat.NEAR


@pytest.mark.parametrize("is_lost", [False, True])
def test_a_go_round_seen_only_after_a_tsumo_comes_before_it_in_turn_order(is_lost: bool) -> None:
    """Otherwise only the discards of the seat before the winner were entered, and a riichi went without its stick."""
    table, rows = TableByHand().discard((0, "1m"), (1, "2m"), (2, "3m"), (3, "4m")), FeltByHand()
    rows.discard((0, "1m"), (1, "2m"), (2, "3m"), (3, "4m"), (0, "5m"), (1, "6m"), (2, "7m"), (3, "r8m"), (0, "9m"))
    late = [tile for tile in rows.felt.tiles if tile.zone is Zone.RIVER][4:]
    if is_lost:
        table.lose_camera()
    table.press(ClaimTsumo, 1)
    lay(table, *(replace(tile, id=tile.id + 100) for tile in late))
    table.stick(3)
    assert table.discards == [f"{rank}m" for rank in range(1, 10)]
    assert table.hand.riichi[Seat.LEFT].is_accepted
    assert [claim.seat for claim in table.hand.claims] == [Seat.RIGHT]


def test_of_discards_seen_late_one_whose_reading_is_impossible_is_unknown_and_keeps_its_turn() -> None:
    """Each discard counts for the copies of the next ones: otherwise a fifth copy was left out, and a turn with it."""
    table, rows = TableByHand().discard((0, "4s"), (1, "4s"), (2, "4s"), (3, "1m")), FeltByHand()
    rows.discard((0, "4s"), (1, "4s"), (2, "4s"), (3, "1m"), (0, "4s"), (1, "4s"), (2, "1p"))
    table.press(ClaimTsumo, 3)
    lay(table, *[replace(tile, id=tile.id + 100) for tile in rows.felt.tiles if tile.zone is Zone.RIVER][4:])
    assert table.discards[4:] == ["4s", "?", "1p"]
    assert [claim.seat for claim in table.hand.claims] == [Seat.LEFT]


def test_a_winning_tile_laid_at_the_winners_river_is_no_discard_seen_late() -> None:
    table = TableByHand().discard((0, "1m"))
    table.press(ClaimTsumo, 1).lay(1, Zone.RIVER, "5m")
    assert table.discards == ["1m"]


def test_a_ron_stays_claimed_while_only_its_winners_own_late_discard_has_come_to_rest() -> None:
    table, tiles = TableByHand(), discards()
    lay(table, *tiles[:5])
    table.press(ClaimRon, 1, by="seat 1")
    lay(table, tiles[5])
    assert [claim.from_seat for claim in table.hand.claims] == [Seat(0)], "the tile won on may come to rest yet"
    lay(table, tiles[6])
    assert [claim.from_seat for claim in table.hand.claims] == [Seat(2)]
    assert (len(table.discards), table.hand.has_gap) == (7, False)


@pytest.mark.parametrize(
    ("press", "winners"),
    [
        (ClaimRon(seat=Seat(3), by="seat 3"), [1, 3]),
        (ClaimRon(seat=Seat(1), han=1, fu=30, by="seat 1"), [1]),
        (ClaimRon(seat=Seat(1), by="seat 1"), [1]),
    ],
    ids=["another ron", "its value", "once more"],
)
def test_a_ron_stays_claimed_whatever_is_pressed_before_the_tile_won_on_comes_to_rest(
    press: ClaimRon, winners: list[int]
) -> None:
    table, tiles = TableByHand(), discards()
    lay(table, *tiles[:5])
    table.press(ClaimRon, 1, by="seat 1")
    lay(table, tiles[5])
    table.table.handle(press)
    assert {int(claim.seat) for claim in table.hand.claims} == set(winners)
    lay(table, tiles[6])
    assert {int(claim.seat): claim.from_seat for claim in table.hand.claims} == dict.fromkeys(winners, Seat(2))
    assert (len(table.discards), table.hand.has_gap) == (7, False)


def test_a_ron_pressed_by_mistake_is_over_once_its_claimants_own_discard_has_lain_for_a_while() -> None:
    table, tiles = TableByHand(), discards()
    lay(table, *tiles[:5])
    table.press(ClaimRon, 1, by="seat 1")
    lay(table, tiles[5])
    lay(table, seconds=2.0)
    assert (table.hand.claims, table.discards[5:]) == ((), ["6m"])
    lay(table, *tiles[6:8])
    assert (table.discards[5:], table.hand.has_gap) == (["6m", "7m", "8m"], False)


@pytest.mark.parametrize("seconds", [1.0, 20.0])
def test_a_tile_won_on_that_its_winner_lays_at_the_own_river_is_no_discard_seen_late(seconds: float) -> None:
    table = TableByHand().discard((0, "1m"), (1, "2m"), (2, "3m"), (3, "4m"), (0, "5m"))
    table.press(ClaimRon, 1, by="seat 1").take(0).lay(1, Zone.RIVER, "5m").observe(table.felt, seconds=seconds)
    assert [claim.from_seat for claim in table.hand.claims] == [Seat(0)]
    assert len(table.discards) == 5


@pytest.mark.parametrize(
    "beside",
    [(1, Zone.RIVER, "9s"), (1, Zone.MELD, "9s")],
    ids=["the tile won on, beside the winner's river", "a tile of the winner's hand, beside its melds"],
)
def test_a_discard_that_rests_just_after_a_tsumo_leaves_no_doubt_whatever_the_winner_lays_beside_it(
    beside: tuple[int, Zone, str],
) -> None:
    table = TableByHand().discard((0, "1m"), (1, "2m"), (2, "3m"), (3, "4m")).press(ClaimTsumo, 1)
    side, zone, face = beside
    lay(table, *table.row(0, Zone.RIVER, ["5m"]), *table.row(side, zone, [face]))
    assert table.discards[4:] == ["5m"]
    assert not table.hand.has_gap


@pytest.mark.parametrize("seen", [0, 2], ids=["hidden", "two tiles"])
def test_a_meld_that_is_seen_only_in_part_when_a_late_discard_rests_is_no_new_one(seen: int) -> None:
    table = TableByHand().discard((0, "1m"), (1, "2m"), (2, "3m")).lay(3, Zone.MELD, "?", "9s", "9s", "?")
    table.discard((3, "4m"), (0, "5m"), (1, "6m"), (2, "7m"))
    melds = [tile for tile in table.felt.tiles if tile.zone is Zone.MELD]
    table.observe(replace(table.felt, tiles=tuple(tile for tile in table.felt.tiles if tile not in melds[seen:])))
    lay(table.press(ClaimTsumo, 0), *table.row(3, Zone.RIVER, ["8m"]))
    assert table.discards[-1] == "8m"
    assert not table.hand.has_gap
