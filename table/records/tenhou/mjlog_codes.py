"""Converts Tenhou's numbers of tiles (0-135) and yaku (0-54) and its packed melds (16 bits) to our values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from table.rules.events import AddedKan, Called, CallKind, ClosedKan
from table.rules.terms.seats import Seat, four
from table.rules.terms.tiles import KIND_TILES, Tile

PLAIN_TILES: Final = tuple(KIND_TILES[number // 4] for number in range(136))
"""Tiles by number in a set without red fives."""
_REDS: Final = {16: Tile("0m"), 52: Tile("0p"), 88: Tile("0s")}
TILES: Final = tuple(_REDS.get(number, tile) for number, tile in enumerate(PLAIN_TILES))
"""Tiles by number in a set with a red five of each suit."""

YAKU_BY_NUMBER: Final = (
    "menzen_tsumo",
    "riichi",
    "ippatsu",
    "robbing_a_kan",
    "after_a_kan",
    "last_tile_tsumo",
    "last_tile_ron",
    "pinfu",
    "tanyao",
    "iipeikou",
    "seat_wind",
    "seat_wind",
    "seat_wind",
    "seat_wind",
    "round_wind",
    "round_wind",
    "round_wind",
    "round_wind",
    "haku",
    "hatsu",
    "chun",
    "double_riichi",
    "seven_pairs",
    "chanta",
    "ittsuu",
    "sanshoku_doujun",
    "sanshoku_doukou",
    "three_kans",
    "toitoi",
    "three_closed_triplets",
    "little_three_dragons",
    "honroutou",
    "ryanpeikou",
    "junchan",
    "honitsu",
    "chinitsu",
    "renhou",
    "tenhou",
    "chiihou",
    "big_three_dragons",
    "four_closed_triplets",
    "four_closed_triplets_pair_wait",
    "all_honors",
    "all_green",
    "all_terminals",
    "nine_gates",
    "nine_gates_nine_waits",
    "thirteen_orphans",
    "thirteen_orphans_thirteen_waits",
    "big_four_winds",
    "little_four_winds",
    "four_kans",
    "dora",
    "ura_dora",
    "red_five",
)
"""Our names of Tenhou's yaku, by its numbers."""


def read_meld(code: int, seat: Seat, tiles: Sequence[Tile] = TILES) -> Called | AddedKan | ClosedKan:
    """Returns the act of a packed meld; `tiles` are the tiles by the 136 numbers.

    Raises:
        ValueError: for a meld that four players cannot make.
    """
    if not 0 <= code < 0x10000:
        raise ValueError(f"expected a meld of 16 bits, got {code}")
    from_seat = seat.plus(code & 3)
    if code & 0x4:
        # A chi is always called from the seat before; some writers leave its two bits empty.
        return _call(CallKind.CHI, *_chi(code), seat, from_seat=seat.plus(3), tiles=tiles)
    if code & 0x18:
        numbers, called_number, added_number = _triplet(code)
        if code & 0x10:
            return AddedKan(seat=seat, tile=tiles[added_number])
        return _call(CallKind.PON, numbers, called_number, seat, from_seat=from_seat, tiles=tiles)
    if code & 0x20:
        raise ValueError(f"expected a meld of four players, got a north set aside: {code}")
    called_number = code >> 8
    numbers = [called_number // 4 * 4 + copy for copy in range(4)]
    if from_seat == seat:
        return ClosedKan(seat=seat, tiles=four(sorted(tiles[number] for number in numbers)))
    return _call(CallKind.OPEN_KAN, numbers, called_number, seat, from_seat=from_seat, tiles=tiles)


def _chi(code: int) -> tuple[list[int], int]:
    pattern, place = divmod(code >> 10, 3)
    lowest = pattern // 7 * 9 + pattern % 7
    copies = [code >> 3 & 3, code >> 5 & 3, code >> 7 & 3]
    numbers = [4 * (lowest + step) + copy for step, copy in enumerate(copies)]
    return numbers, numbers[place]


def _triplet(code: int) -> tuple[list[int], int, int]:
    kind, place = divmod(code >> 9, 3)
    fourth = code >> 5 & 3
    numbers = [4 * kind + copy for copy in range(4) if copy != fourth]
    return numbers, numbers[place], 4 * kind + fourth


def _call(
    kind: CallKind, numbers: list[int], called_number: int, seat: Seat, *, from_seat: Seat, tiles: Sequence[Tile]
) -> Called:
    own_tiles = tuple(tiles[number] for number in numbers if number != called_number)
    return Called(seat=seat, kind=kind, tile=tiles[called_number], from_seat=from_seat, own=own_tiles)
