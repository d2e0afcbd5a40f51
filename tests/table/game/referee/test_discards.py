from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from table.game.commands.game_commands import CorrectDiscard
from table.game.journal.entries import Source
from table.rules.events import Discarded, StickPlaced, StickTakenBack
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile
from tests.table.game.referee.felt_by_hand import FeltByHand, RefereedGame, reread
from vision.felt import Felt, Outcome, Reading, Zone


def test_a_tile_that_is_lost_and_found_again_is_no_new_discard() -> None:
    table = FeltByHand().discard((0, "1m"), (1, "2m"), (2, "3m"), (3, "4m"), (0, "5m"))
    whole = table.felt
    seen_again = tuple(replace(tile, id=tile.id + 500) if tile.side == 1 else tile for tile in whole.tiles)
    table.observe(replace(whole, tiles=tuple(tile for tile in whole.tiles if tile.side != 1)))
    table.observe(replace(whole, tiles=seen_again)).discard((1, "6m"))
    assert [str(event.tile) for event in table.game.events if isinstance(event, Discarded)] == [
        "1m", "2m", "3m", "4m", "5m", "6m",
    ]  # fmt: skip


RIVERS = ("1m2m3m4m", "5p6p7p8p", "1s1s2s3s", "1z2z3z4z")
"""Four rounds of discards, of which the third seat's first two are alike."""


@pytest.mark.parametrize("side", range(4))
@pytest.mark.parametrize("hidden", [combination for size in (1, 2, 3) for combination in combinations(range(4), size)])
def test_a_referee_that_starts_while_an_arm_hides_part_of_a_river_finds_no_discard_twice(
    side: int, hidden: tuple[int, ...]
) -> None:
    faces = [[river[at : at + 2] for at in range(0, 8, 2)] for river in RIVERS]
    table = FeltByHand().discard(*((seat, faces[seat][turn]) for turn in range(4) for seat in range(4)))
    whole = table.felt
    table.game = RefereedGame(table.game.state)
    for places in (hidden, hidden[1:], ()):
        arm = {whole.in_zone(side, Zone.RIVER)[place].id for place in places}
        table.observe(replace(whole, tiles=tuple(tile for tile in whole.tiles if tile.id not in arm)), seconds=4.0)
    assert not table.game.found
    table.discard((0, "9m"), (1, "9p"))
    assert [str(event.tile) for event in table.game.events if isinstance(event, Discarded)] == ["9m", "9p"]


def test_a_referee_that_starts_under_an_arm_finds_what_was_discarded_meanwhile() -> None:
    table = FeltByHand().discard((0, "1m"), (1, "1p"), (2, "1s"), (3, "1z"), (0, "2m"))
    table.game = RefereedGame(table.game.state)
    later = (*table.row(1, Zone.RIVER, ["2p"]), *table.row(2, Zone.RIVER, ["2s"]))
    whole = replace(table.felt, tiles=(*table.felt.tiles, *later))
    table.observe(replace(whole, tiles=tuple(tile for tile in whole.tiles if tile.reading.tile != "1p")), seconds=4.0)
    table.observe(whole, seconds=4.0)
    assert [str(event.tile) for event in table.game.events if isinstance(event, Discarded)] == ["2p", "2s"]


def test_a_discard_out_of_turn_waits_for_the_one_before_it() -> None:
    table = FeltByHand().discard((0, "1m"), (2, "3m"))
    assert table.last == Discarded(seat=Seat.NEAR, tile=Tile("1m"))
    table.discard((1, "2m"))
    assert [event.seat for event in table.game.events if isinstance(event, Discarded)] == [0, 1, 2]


def test_a_discard_that_stays_out_of_turn_is_told_as_it_looks() -> None:
    table = FeltByHand().discard((0, "1m"), (2, "3m"))
    table.observe(replace(table.felt, covered=frozenset()), seconds=3.0)
    assert table.last == Discarded(seat=Seat.FAR, tile=Tile("3m"))


def test_a_fifth_copy_enters_unread_with_a_question() -> None:
    table = FeltByHand().discard((0, "9s"), (1, "9s"), (2, "9s"), (3, "9s"), (0, "9s"))
    assert table.last == Discarded(seat=Seat.NEAR, tile=Tile("?"))
    question = table.game.questions[-1]
    assert (question.id, question.discard, question.tile) == (AnnouncementId.IMPOSSIBLE_READING, 4, Tile("9s"))


def test_a_second_red_five_of_a_suit_is_impossible() -> None:
    table = FeltByHand().discard((0, "0p"), (1, "0p"))
    assert table.last == Discarded(seat=Seat.RIGHT, tile=Tile("?"))


def test_a_doubtful_reading_stands_and_is_asked_about() -> None:
    table = FeltByHand()
    table.lay(0, Zone.RIVER, "7s", score=0.5)
    assert table.last == Discarded(seat=Seat.NEAR, tile=Tile("7s"))
    assert [(question.id, question.discard) for question in table.game.questions] == [(AnnouncementId.DOUBT, 0)]


def test_a_discard_read_otherwise_later_is_corrected() -> None:
    table = FeltByHand().discard((0, "6s"), (1, "1m"))
    table.observe(replace(table.felt, tiles=tuple(reread(tile, "6s", "8s") for tile in table.felt.tiles)))
    assert [(correction.discard, correction.to, correction.source) for correction in table.game.corrections] == [
        (0, Tile("8s"), Source.CAMERA)
    ]


def test_what_people_corrected_is_not_corrected_back() -> None:
    table = FeltByHand().discard((0, "6s"))
    hand = table.game.state.live
    assert hand is not None
    river = (replace(hand.rivers[0][0], tile=Tile("3s")),)
    table.game.state = replace(table.game.state, hand=replace(hand, rivers=(river, (), (), ())))
    table.observe(replace(table.felt, tiles=tuple(reread(tile, "6s", "8s") for tile in table.felt.tiles)))
    assert not table.game.corrections


def test_a_discard_that_the_rest_of_the_table_speaks_against_is_asked_about() -> None:
    table = FeltByHand().discard((0, "6s"), (1, "1m"))
    table.observe(_reweighed(table.felt, "6s", Reading(tile="6s", score=0.5, outcome=Outcome.DOUBTED)))
    assert [(question.id, question.seat, question.discard) for question in table.game.questions] == [
        (AnnouncementId.DOUBT, Seat.NEAR, 0)
    ]
    assert not table.game.corrections


def test_a_doubt_that_the_rest_of_the_table_ends_is_asked_about_no_more() -> None:
    table = FeltByHand().lay(0, Zone.RIVER, "9s", score=0.5)
    table.observe(_reweighed(table.felt, "9s", Reading(tile="9s", score=0.95, outcome=Outcome.UPHELD)))
    assert [(correction.discard, correction.to) for correction in table.game.corrections] == [(0, Tile("9s"))]
    assert len(table.game.questions) == 1


def _reweighed(felt: Felt, face: str, reading: Reading) -> Felt:
    return replace(
        felt, tiles=tuple(replace(tile, reading=reading) if tile.reading.tile == face else tile for tile in felt.tiles)
    )


def test_what_people_said_is_right_is_not_corrected_by_another_look() -> None:
    table = FeltByHand().discard((0, "6s"), (1, "1m"))
    table.press(CorrectDiscard, discard=0, to=Tile("6s"))
    table.observe(replace(table.felt, tiles=tuple(reread(tile, "6s", "8s") for tile in table.felt.tiles)))
    assert table.game.corrections == []


def test_a_stick_without_a_sideways_tile_waits_for_it() -> None:
    table = FeltByHand().stick(0)
    assert StickPlaced(seat=Seat.NEAR) not in table.game.events
    table.discard((0, "r5z"))
    assert table.last == StickPlaced(seat=Seat.NEAR)


def test_a_stick_from_an_earlier_hand_is_no_new_stick() -> None:
    table = FeltByHand()
    table.game, table.felt = RefereedGame(), Felt()
    table.stick(1).lay(0, Zone.WALL, "2z").discard((0, "1m"))
    assert table.discard((1, "r2m")).last == Discarded(seat=Seat.RIGHT, tile=Tile("2m"), sideways=True)
    assert not any(isinstance(event, StickPlaced) for event in table.game.events)


def test_a_stick_that_stays_away_is_taken_back() -> None:
    table = FeltByHand().discard((0, "r5z")).stick(0)
    table.observe(replace(table.felt, sticks=())).discard((1, "1m"))
    assert not isinstance(table.last, StickTakenBack)
    table.discard((2, "2m"), (3, "3m"))
    assert StickTakenBack(seat=Seat.NEAR) in table.game.events


def test_a_stick_that_is_out_of_sight_for_a_moment_twice_lies_there_all_along() -> None:
    table = FeltByHand().discard((0, "r5z")).stick(0)
    found, felt = table.game.events, table.felt
    for _ in range(2):
        table.observe(replace(felt, sticks=())).observe(felt).observe(felt, seconds=60.0)
    assert table.game.events == found


def test_a_stick_laid_for_a_moment_twice_is_no_riichi_stick() -> None:
    table = FeltByHand().discard((0, "1m"))
    for _ in range(2):
        table.stick(2).observe(replace(table.felt, sticks=())).observe(table.felt, seconds=60.0)
    assert StickPlaced(seat=Seat.FAR) not in table.game.events


def test_an_indicator_read_otherwise_later_is_corrected() -> None:
    table = FeltByHand().discard((0, "6s"))
    table.observe(replace(table.felt, tiles=tuple(reread(tile, "1z", "4z") for tile in table.felt.tiles)))
    assert [(correction.indicator, correction.to) for correction in table.game.corrections] == [(0, Tile("4z"))]
