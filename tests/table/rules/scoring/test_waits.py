from __future__ import annotations

import random
from typing import Any

import pytest
from jansou.analysis.waits import waits as other_waits
from jansou.core.hand import Hand

from table.rules.scoring.waits import is_complete, kind_counts, readings, waits
from table.rules.terms.tiles import KIND_TILES, UNKNOWN, Tile, parse_tiles, tiles_text
from tests.table.rules.hands import random_win
from tests.table.rules.jansou_oracle import other_tile


def waits_text(hand: str, melds: int = 0, in_melds: str = "") -> str:
    """The waits of a hand as text."""
    kinds = waits(parse_tiles(hand), melds, in_melds=parse_tiles(in_melds))
    return tiles_text([KIND_TILES[kind] for kind in sorted(kinds)])


@pytest.mark.parametrize(
    ("hand", "wait"),
    [
        ("11123444p222s56m", "47m"),
        ("3444m223344p678s", "235m"),
        ("2225556m234p678s", "467m"),
        ("111222333m11166z", ""),
        ("11122233m11166z", "3m6z"),
        ("222333444p6667m", "578m"),
        ("6666777788999m", "589m"),
        ("33345m11p123456s", "36m1p"),
        ("344556m24s678s66z", "3s"),
        ("1112345678999m", "123456789m"),
        ("19m19p19s1234567z", "19m19p19s1234567z"),
        ("119m19p19s123456z", "7z"),
        ("1199m1199p1199s1z", "1z"),
        ("1122334455667m", "147m"),
        ("123m123p123s1122z", "12z"),
        ("147m258p369s1234z", ""),
    ],
)
def test_waits_are_what_completes_the_hand(hand: str, wait: str) -> None:
    assert waits_text(hand) == wait


def test_a_hand_with_melds_waits_with_what_is_left() -> None:
    assert waits_text("5z", 4) == "5z"
    assert waits_text("23m44p", 3) == "14m"


def test_seven_pairs_need_seven_kinds_and_no_meld() -> None:
    assert waits_text("1111m2233p4455s6z") == ""
    assert waits_text("2233p4455s66z7z", 1) == ""


def test_a_fifth_copy_of_ones_own_four_is_no_wait() -> None:
    assert waits_text("1111m234567p456s") == ""
    assert waits_text("23m11z", 3, "111m4444m555z") == "1m"
    assert waits_text("1m", 4, "111m234m567p555z") == ""


def test_unread_tiles_and_wrong_numbers_of_tiles_wait_for_nothing() -> None:
    assert waits((*parse_tiles("123456789m123p"), UNKNOWN)) == frozenset()
    assert waits_text("123456789m123p") == ""


def test_a_red_five_is_a_five() -> None:
    assert waits_text("406m11z", 3) == ""
    assert waits_text("40m11z", 3) == "36m"


def test_an_independent_engine_finds_the_same_waits() -> None:
    rng = random.Random(5)
    for _ in range(1500):
        won = random_win(rng)
        tiles = list(won.concealed)
        if rng.random() < 0.3:
            tiles[0] = KIND_TILES[rng.randrange(34)]
        hand: Any = Hand(tuple(other_tile(tile) for tile in tiles))
        if not won.melds and max(tiles.count(tile.without_red) for tile in tiles) <= 4:
            assert waits(tiles) == {int(kind) for kind in other_waits(hand)}, tiles


def test_a_hand_is_read_in_every_way() -> None:
    found = readings(parse_tiles("11122233344455m"))
    assert len(found) == 4
    assert ((0, 1, 2), (0, 1, 2), (0, 1, 2), (3, 3, 3), (4, 4)) in found


def test_ryanpeikou_is_also_read_as_seven_pairs() -> None:
    assert sorted(len(reading) for reading in readings(parse_tiles("112233m445566p77z"))) == [5, 7]


def test_thirteen_orphans_are_one_block() -> None:
    assert [len(reading) for reading in readings(parse_tiles("119m19p19s1234567z"))] == [1]


def test_what_is_not_complete_has_no_reading() -> None:
    assert readings(parse_tiles("1234m")) == ()
    assert readings(parse_tiles("147m258p369s12345z")) == ()
    assert readings((*parse_tiles("1234567891234m"), UNKNOWN)) == ()


def test_a_hand_is_complete_just_when_it_can_be_read() -> None:
    rng = random.Random(11)
    for _ in range(200):
        won = random_win(rng)
        for tile in (won.winning_tile, Tile("7z"), Tile("5m")):
            hand = (*won.concealed, tile)
            if hand.count(tile.without_red) <= 4:
                assert is_complete(hand, len(won.melds)) == bool(readings(hand, len(won.melds))), hand


def test_unread_tiles_are_not_counted() -> None:
    assert sum(kind_counts(parse_tiles("12m?0p"))) == 3
