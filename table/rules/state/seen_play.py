"""Whether anything of a hand was seen, and whether all of its discards were."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from table.rules.state.laid_tiles import LaidTile
from table.rules.terms.melds import Meld
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A hand's state when play first began to go unseen, to restore it if nothing went unseen after all."""

    laid_count: int
    """The number of laid tiles."""
    seat: Seat
    """The seat that was to discard next."""
    melds: tuple[tuple[Meld, ...], ...]
    missed_at: tuple[int | None, ...]
    """The value of `HandState.missed_at`."""


class _PlayRecord(Protocol):
    @property
    def dora_indicators(self) -> Sequence[Tile]: ...
    @property
    def laid_tiles(self) -> Sequence[LaidTile]: ...
    @property
    def missed_at(self) -> Sequence[int | None]: ...
    @property
    def unseen_from(self) -> int | None: ...


class SeenPlay:
    """Whether a hand, or its draft, was seen, or discards are missing from it; every other module asks here."""

    __slots__ = ()

    @property
    def was_seen(self: _PlayRecord) -> bool:
        """Whether an indicator or a tile was seen; a hand that people keep by hand has neither."""
        return bool(self.dora_indicators or self.laid_tiles)

    @property
    def has_gap(self: _PlayRecord) -> bool:
        """Whether a discard was missed, or may have been, so that counts of tiles and turns are uncertain."""
        return any(place is not None for place in self.missed_at)

    @property
    def is_behind(self: _PlayRecord) -> bool:
        """Whether nothing was laid since play may have gone unseen: the newest tile on record may be an old one."""
        return self.unseen_from == len(self.laid_tiles)
