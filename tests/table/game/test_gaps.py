"""A camera that is back and sees each river and meld as it is on record shows that nothing was missed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from table.game.commands.game_commands import CancelWin, ClaimRon
from table.game.journal.fold import fold, opened_game
from table.game.journal.journal import Journal
from table.rules.events import SightProven
from table.rules.state import Ippatsu
from table.rules.terms.seats import Seat
from tests.table.game.table_by_hand import TableByHand
from vision.felt import Zone

SIX = ((0, "1m"), (1, "2m"), (2, "3m"), (3, "4m"), (0, "5m"), (1, "6m"))


@pytest.fixture
def by_hand() -> Iterator[TableByHand]:
    by_hand = TableByHand().discard(*SIX)
    yield by_hand
    by_hand.table.journal.close()


def _look_again(by_hand: TableByHand, seconds: float = 2.0) -> TableByHand:
    """Lets the camera look again, and once more after a time."""
    return by_hand.observe(by_hand.felt).observe(by_hand.felt, seconds=seconds)


def test_a_camera_that_is_back_and_sees_all_as_it_was_leaves_no_gap(by_hand: TableByHand) -> None:
    assert by_hand.lose_camera().hand.is_behind
    _look_again(by_hand)
    assert not by_hand.hand.has_gap
    by_hand.discard((2, "9p")).press(ClaimRon, 0, han=3, fu=40, by="seat 0")
    assert [claim.from_seat for claim in by_hand.hand.claims] == [Seat.FAR]


def _claim_ron(by_hand: TableByHand, seat: int, **facts: object) -> tuple[Seat | None, bool]:
    """Claims a ron; returns the seat that dealt in as far as is known, and whether it is known with which tile."""
    by_hand.press(ClaimRon, seat, **{"han": 3, "fu": 40, "by": f"seat {seat}"} | facts)
    claim = next(claim for claim in by_hand.hand.claims if claim.seat == seat)
    return claim.from_seat, claim.laid_tile is not None


def test_a_winner_may_hold_a_tile_that_nobody_saw_until_the_next_discard(by_hand: TableByHand) -> None:
    assert _claim_ron(_look_again(by_hand.lose_camera()), 0) == (None, False), (
        "South's last tile, or one of West that East has lifted"
    )
    by_hand.press(CancelWin, by="seat 0")
    _look_again(by_hand)
    assert not by_hand.hand.has_gap


def test_who_can_have_dealt_in_after_a_proven_gap_is_known_where_only_one_seat_can(by_hand: TableByHand) -> None:
    assert _claim_ron(_look_again(by_hand.lose_camera()), 2) == (Seat.RIGHT, True), "West was to discard next"
    by_hand.press(CancelWin, by="seat 2")
    assert _claim_ron(by_hand, 1) == (Seat.FAR, False), "the last tile on record is the winner's own"


@pytest.mark.parametrize("is_asked", [False, True])
def test_who_dealt_in_with_the_last_tile_on_record_tells_that_nothing_went_unseen(
    by_hand: TableByHand, is_asked: bool
) -> None:
    _look_again(by_hand.lose_camera())
    if is_asked:
        _claim_ron(by_hand, 0)
        _claim_ron(by_hand, 3, discarder=None)
    assert _claim_ron(by_hand, 0, discarder=Seat.RIGHT) == (Seat.RIGHT, True)
    assert not by_hand.hand.has_gap
    assert [(claim.han, claim.fu) for claim in by_hand.hand.claims] == [(3, 40)] * (1 + is_asked)


def test_a_last_tile_that_its_winner_has_lifted_is_the_one_won_on(by_hand: TableByHand) -> None:
    _look_again(by_hand.lose_camera().take(1, is_observed=False), seconds=1.9)
    assert _claim_ron(by_hand, 0) == (None, False), "one look may still show what was believed before"
    by_hand.press(CancelWin, by="seat 0")
    _look_again(by_hand)
    assert _claim_ron(by_hand, 0) == (Seat.RIGHT, True)
    assert not by_hand.hand.has_gap


def test_a_last_tile_that_is_lifted_after_the_proof_is_the_one_won_on(by_hand: TableByHand) -> None:
    _look_again(by_hand.lose_camera()).take(1)
    assert _claim_ron(by_hand, 0) == (Seat.RIGHT, True)
    assert _claim_ron(by_hand, 3) == (Seat.RIGHT, True)


def test_a_look_just_after_the_loss_proves_nothing_yet(by_hand: TableByHand) -> None:
    _look_again(by_hand.lose_camera(), seconds=1.9)
    assert by_hand.hand.has_gap
    by_hand.observe(by_hand.felt, seconds=0.1)
    assert not by_hand.hand.has_gap


def test_a_camera_that_is_lost_again_begins_to_look_anew(by_hand: TableByHand) -> None:
    by_hand.lose_camera().observe(by_hand.felt)
    _look_again(by_hand.lose_camera(), seconds=1.0)
    assert by_hand.hand.has_gap


@pytest.mark.parametrize("unseen", [((2, "9p"),), ((2, "9p"), (3, "9s"), (0, "1z"), (1, "2z"), (2, "3z"))])
def test_discards_found_in_turn_leave_no_gap(by_hand: TableByHand, unseen: tuple[tuple[int, str], ...]) -> None:
    by_hand.lose_camera()
    for seat, face in unseen:  # all in one look
        by_hand.felt = replace(by_hand.felt, tiles=(*by_hand.felt.tiles, *by_hand.row(seat, Zone.RIVER, [face])))
    _look_again(by_hand)
    assert by_hand.discards == [face for _, face in (*SIX, *unseen)]
    assert not by_hand.hand.has_gap


def test_a_discard_that_is_missing_leaves_the_gap(by_hand: TableByHand) -> None:
    _look_again(by_hand.lose_camera().take(1))
    assert by_hand.hand.has_gap


def test_a_call_that_went_unseen_leaves_the_gap(by_hand: TableByHand) -> None:
    by_hand.lose_camera().call(3, 1, "6m", "6m", "6m", sideways=1).discard((3, "9p"), (0, "9s"), (1, "1z"))
    _look_again(by_hand)
    assert len(by_hand.hand.melds[3]) == 1
    assert by_hand.hand.has_gap


def test_a_meld_seen_before_the_camera_was_lost_is_part_of_the_proof(by_hand: TableByHand) -> None:
    by_hand.call(3, 1, "6m", "6m", "6m", sideways=1).discard((3, "9p"))
    _look_again(by_hand.lose_camera())
    assert not by_hand.hand.has_gap
    by_hand.lose_camera()
    by_hand.felt = replace(by_hand.felt, tiles=tuple(tile for tile in by_hand.felt.tiles if tile.zone is not Zone.MELD))
    _look_again(by_hand)
    assert by_hand.hand.has_gap


@pytest.mark.parametrize("zone", [Zone.RIVER, Zone.MELD])
def test_what_an_arm_covers_is_not_seen(by_hand: TableByHand, zone: Zone) -> None:
    felt = by_hand.felt
    by_hand.lose_camera().felt = replace(felt, covered=frozenset({(3, zone)}))
    _look_again(by_hand)
    assert by_hand.hand.has_gap
    by_hand.felt = felt
    _look_again(by_hand)
    assert not by_hand.hand.has_gap


def test_an_open_hand_leaves_the_gap(by_hand: TableByHand) -> None:
    by_hand.lose_camera().lay(0, Zone.HAND, "1s", "2s", "3s", "4s")
    _look_again(by_hand)
    assert by_hand.hand.has_gap


def test_another_river_of_as_many_tiles_is_no_proof(by_hand: TableByHand, journal: Journal) -> None:
    TableByHand(journal=journal).discard(*SIX)
    second_table = TableByHand(journal=journal, indicator="")
    second_table.felt = by_hand.felt
    second_table.felt = replace(
        second_table.felt,
        tiles=tuple(
            replace(tile, reading=replace(tile.reading, tile="9p")) if tile.reading.tile == "1m" else tile
            for tile in second_table.felt.tiles
        ),
    )
    _look_again(second_table)
    assert second_table.hand.has_gap


def test_a_table_that_was_started_anew_finds_that_nothing_was_missed(by_hand: TableByHand, journal: Journal) -> None:
    TableByHand(journal=journal).discard(*SIX)
    second_table = TableByHand(journal=journal, indicator="")
    assert second_table.hand.has_gap
    second_table.felt = by_hand.felt
    _look_again(second_table)
    assert second_table.discards == [face for _, face in SIX]
    assert not second_table.hand.has_gap


def test_the_journal_alone_tells_that_nothing_was_missed(by_hand: TableByHand) -> None:
    _look_again(by_hand.lose_camera())
    entries = by_hand.table.journal.entries()
    assert isinstance(entries[-1].body, SightProven)
    assert fold(opened_game(entries[0]), entries[1:]).state == by_hand.table.state


def _in_one_look(by_hand: TableByHand, *rivers: tuple[int, str]) -> TableByHand:
    """Lays, in one look, seat 1's pon of a tile of seat 2 that nobody saw, and tiles of the rivers."""
    tiles = [*by_hand.felt.tiles, *by_hand.row(1, Zone.MELD, ["5z", "5z", "5z"], sideways=2)]
    for seat, face in rivers:
        sideways = 0 if face.startswith("r") else None
        tiles += by_hand.row(seat, Zone.RIVER, [face.removeprefix("r")], sideways=sideways)
    return by_hand.observe(replace(by_hand.felt, tiles=tuple(tiles)))


def test_an_unseen_call_has_the_only_place_that_the_turns_leave(by_hand: TableByHand) -> None:
    _in_one_look(by_hand, (1, "9s"), (2, "9p"))
    assert by_hand.discards[len(SIX) :] == ["5z", "9s", "9p"]
    assert not by_hand.hand.has_gap


def test_a_riichi_that_may_be_before_or_after_an_unseen_call_is_asked_about_ippatsu(by_hand: TableByHand) -> None:
    _in_one_look(by_hand, (1, "9s"), (2, "9p"), (3, "r1z"), (0, "2z"))
    _look_again(by_hand).discard((1, "3z"))
    assert by_hand.hand.ippatsu[3] is Ippatsu.UNSURE


def test_a_called_tile_and_a_sideways_one_after_it_leave_open_which_of_them_declared_riichi(
    by_hand: TableByHand,
) -> None:
    _in_one_look(by_hand.stick(2), (1, "9s"), (2, "r1z"))
    by_hand.discard((3, "3z"))
    assert by_hand.hand.riichi[2].is_declared
    assert by_hand.hand.ippatsu[2] is Ippatsu.UNSURE


def test_a_call_and_a_riichi_of_one_look_whose_order_the_turns_tell_are_not_asked_about(by_hand: TableByHand) -> None:
    _in_one_look(by_hand, (1, "9s"), (2, "9p"), (3, "r1z")).discard((0, "3z"))
    assert by_hand.hand.ippatsu[3] is Ippatsu.OPEN
