"""How much of a hand was seen: whether discards went unseen, or may have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from table.rules.state.laid_tiles import LaidTile
from table.rules.terms.melds import Meld
from table.rules.terms.seats import Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """How a hand stood when play first began to go unseen, for the case that nothing did."""

    laid_count: int
    """How many tiles were laid."""
    seat: Seat
    """The seat that was to discard next."""
    melds: tuple[tuple[Meld, ...], ...]
    missed_at: tuple[int | None, ...]
    """What `HandState.missed_at` was."""


class _PlayRecord(Protocol):
    @property
    def laid_tiles(self) -> Sequence[LaidTile]: ...
    @property
    def missed_at(self) -> Sequence[int | None]: ...
    @property
    def unseen_from(self) -> int | None: ...


class SeenPlay:
    """What a hand, or a draft of it, lacks of the discards made: the one place that says so."""

    __slots__ = ()

    @property
    def has_gap(self: _PlayRecord) -> bool:
        """Whether a discard was missed, or may have been: what counts tiles or turns is not certain."""
        return any(place is not None for place in self.missed_at)

    @property
    def is_behind(self: _PlayRecord) -> bool:
        """Whether nothing was laid since play may have gone unseen: the newest tile on record may be an old one."""
        return self.unseen_from == len(self.laid_tiles)
