"""Tracks the concealed hands through a record's acts, for formats that do not repeat them at the end of a hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from table.records.formats.game_record import AcceptedWithoutStick, Drawn, Move, Tiles
from table.rules.events import AddedKan, Called, ClosedKan, Discarded, DoraTurned, StickPlaced
from table.rules.scoring.waits import waits
from table.rules.terms.seats import SEATS, Seat
from table.rules.terms.tiles import UNKNOWN, Tile


class HiddenHands:
    """Four concealed hands, updated act by act."""

    def __init__(self, hands: Sequence[Tiles]) -> None:
        self._tiles = [list(hand) for hand in hands]
        self._hidden = [UNKNOWN in hand for hand in hands]
        self._melds: list[list[Tiles]] = [[], [], [], []]
        self.last_drawn: Tile = UNKNOWN
        """The tile that was drawn last, by any seat; unknown before the first draw."""

    def apply(self, move: Move) -> None:
        """Applies one act; a hand that was hidden at the deal stays hidden.

        Raises:
            ValueError: for a tile that the hand does not contain.
        """
        match move:
            case Drawn():
                self._add(move.seat, move.tile)
                self.last_drawn = move.tile
            case Discarded():
                self._remove(move.seat, (move.tile,))
            case Called():
                self._remove(move.seat, move.own)
                self._melds[move.seat].append((*move.own, move.tile))
            case AddedKan():
                self._remove(move.seat, (move.tile,))
                self._add_to_pon(move)
            case ClosedKan():
                self._remove(move.seat, move.tiles)
                self._melds[move.seat].append(move.tiles)
            case DoraTurned() | StickPlaced() | AcceptedWithoutStick():
                pass
            case _:
                assert_never(move)

    def concealed(self, seat: Seat, without: Tile | None = None) -> Tiles:
        """Returns a seat's concealed tiles in order, less the tile `without`; unknown tiles for a hidden hand."""
        if self._hidden[seat]:
            return (UNKNOWN,) * (13 - 3 * len(self._melds[seat]))
        tiles = self._tiles[seat]
        return tuple(sorted(tiles)) if without is None else tiles_without(tiles, without, seat)

    def is_known(self, seat: Seat) -> bool:
        """Whether every concealed tile of the seat is known."""
        return not self._hidden[seat] and UNKNOWN not in self._tiles[seat]

    def waits(self, seat: Seat) -> frozenset[int]:
        """Returns the kinds that the seat waits for."""
        melds = self._melds[seat]
        return waits(self._tiles[seat], len(melds), in_melds=[tile for meld in melds for tile in meld])

    def is_tenpai(self, seat: Seat) -> bool:
        """Whether the seat is tenpai."""
        return bool(self.waits(seat))

    def has_pon(self, seat: Seat, tile: Tile) -> bool:
        """Whether the seat has a pon of that kind."""
        return any(
            len(meld) == 3 and {meld_tile.kind for meld_tile in meld} == {tile.kind} for meld in self._melds[seat]
        )

    def tenpai(self) -> tuple[Seat, ...]:
        """Returns the seats that are tenpai."""
        return tuple(seat for seat in SEATS if self.is_tenpai(seat))

    def _add(self, seat: Seat, tile: Tile) -> None:
        if not self._hidden[seat]:
            self._tiles[seat].append(tile)

    def _remove(self, seat: Seat, tiles: Sequence[Tile]) -> None:
        if self._hidden[seat]:
            return
        hand = self._tiles[seat]
        for tile in tiles:
            removed = tile if tile in hand else UNKNOWN
            if removed not in hand:
                raise _missing_tile(tile, hand, seat)
            hand.remove(removed)

    def _add_to_pon(self, move: AddedKan) -> None:
        for place, meld in enumerate(self._melds[move.seat]):
            if len(meld) == 3 and meld[0].kind == meld[1].kind == move.tile.kind:
                self._melds[move.seat][place] = (*meld, move.tile)
                return
        raise ValueError(f"expected a pon of {move.tile} at seat {int(move.seat)}, got {self._melds[move.seat]!r}")


def tiles_without(tiles: Sequence[Tile], tile: Tile, seat: Seat) -> Tiles:
    """Returns the tiles of a seat's hand in order, less one tile.

    Raises:
        ValueError: the hand does not contain it.
    """
    if tile not in tiles:
        raise _missing_tile(tile, tiles, seat)
    others = sorted(tiles)
    others.remove(tile)
    return tuple(others)


def _missing_tile(tile: Tile, tiles: Sequence[Tile], seat: Seat) -> ValueError:
    return ValueError(f"expected {tile} in the hand of seat {int(seat)}, got {sorted(tiles)!r}")
