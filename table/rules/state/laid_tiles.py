"""Discards, the tiles that others may claim, and the claims on them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from table.rules.events import Origin, WinKind
from table.rules.state.riichi_status import Ippatsu
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile

DRAWS: Final = 70
"""Number of draws in a hand, including the dealer's first: 136 tiles less four hands of 13 and a dead wall of 14."""


class LaidKind(Enum):
    """The act by which a tile became claimable."""

    DISCARD = "discard"
    ADDED_KAN = "added_kan"
    CLOSED_KAN = "closed_kan"

    @property
    def is_kan(self) -> bool:
        """Whether the act is a kan."""
        return self is not LaidKind.DISCARD


@dataclass(frozen=True, slots=True, kw_only=True)
class RiverTile:
    """One discard. A called tile stays in its discarder's river, with its caller, since it counts for furiten."""

    tile: Tile
    discard_number: int
    """Its number among all discards of the hand, from 0."""
    sideways: bool = False
    is_declaration: bool = False
    """Whether it declared riichi; false for a sideways tile that replaces the declaration tile (R19)."""
    origin: Origin = Origin.UNKNOWN
    called_by: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidTile:
    """A tile that others could claim: a discard, or the tile of a kan."""

    tile: Tile
    seat: Seat
    kind: LaidKind
    laid_index: int
    """Its index among all claimable tiles of the hand, in `HandState.laid_tiles`."""
    ippatsu: tuple[Ippatsu, ...]
    """The ippatsu windows that apply to a claim of this tile, by seat."""
    dora_due: int = 0
    """Indicators due for kans that apply to a claim of this tile: without that of its own kan."""
    tiles_left_without_fouls: int = DRAWS
    """The number of tiles left to draw when it was laid, with those that fouls had let seats draw (7-04-02 i)."""
    foul_count: int = field(default=0, compare=False)
    """The number of fouls that had been logged in the hand when it was laid."""
    pointed_seat: Seat | None = None
    """The seat that counts as discarder because the caller turned the called tile toward it (EMA)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A claimed win."""

    seat: Seat
    kind: WinKind
    from_seat: Seat | None
    """The discarder; the winner on a tsumo. None while nobody has said who discarded a tile that may be unseen."""
    laid_tile: LaidTile | None = None
    """The claimed tile; None on a tsumo, and if it may be one that nobody saw."""
    han: int | None = None
    fu: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pao:
    """The seat that is liable for a yakuman, because its discard completed the visible part."""

    winner: Seat
    liable: Seat
    yakuman: str
    """`big_three_dragons`, `big_four_winds` or `four_kans`."""
