"""A seat's riichi, its ippatsu window, and the ways to be furiten."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from table.rules.terms.tiles import Tile


class Ippatsu(Enum):
    """A seat's ippatsu window (R40)."""

    NONE = "none"
    OPEN = "open"
    LAST_CHANCE = "last_chance"
    """Only the declarer's own draw is left in the window."""
    UNSURE = "unsure"
    """It was open, but turns may have gone unseen since, so only people know whether it is closed."""
    CLOSED = "closed"

    @property
    def is_open(self) -> bool:
        """Whether a win now surely scores ippatsu."""
        return self in (Ippatsu.OPEN, Ippatsu.LAST_CHANCE)

    @property
    def may_be_open(self) -> bool:
        """Whether a win now may score ippatsu."""
        return self.is_open or self is Ippatsu.UNSURE


class RiichiStage(Enum):
    """The stages of a riichi."""

    NONE = "none"
    DECLARED = "declared"
    """The sideways tile was discarded, and may still be ronned."""
    ACCEPTED = "accepted"
    """The riichi counts, and 1000 is charged."""
    VOID = "void"
    """The declaration tile was ronned (R13)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Riichi:
    """A seat's riichi."""

    stage: RiichiStage = RiichiStage.NONE
    is_double: bool = False
    may_be_double: bool = False
    """Whether it is not double because a discard or call before it may have gone unseen."""
    discard_number: int | None = None
    """The number of the discard that declared it, among all discards of the hand, from 0."""
    laid_index: int | None = None
    """The index of that tile in `HandState.laid_tiles`."""
    has_passed: bool = False
    """Whether the declaration tile was not ronned, as far as is known."""
    may_be_later: bool = False
    """Whether it was reported after unseen play, so that a later tile than the one on record may have declared it."""
    last_laid_index: int | None = None
    """If several tiles may have declared a reported riichi, the index of the last one in `HandState.laid_tiles`."""
    stick_seen: bool = False
    is_voiced: bool = False
    is_assumed: bool = False
    """Whether its tile went unseen, and it is only inferred from an abort by four riichi."""
    open_tiles: tuple[Tile, ...] = ()
    """The tiles laid open to show its wait; empty if there are none."""
    upright_laid_index: int | None = None
    """The index in `HandState.laid_tiles` of the first upright tile after riichi was announced or the stick placed."""

    @property
    def is_declared(self) -> bool:
        """Whether riichi was declared and is not void, accepted or not."""
        return self.stage in (RiichiStage.DECLARED, RiichiStage.ACCEPTED)

    @property
    def is_accepted(self) -> bool:
        """Whether the riichi counts and 1000 is charged."""
        return self.stage is RiichiStage.ACCEPTED

    @property
    def is_laid_open(self) -> bool:
        """Whether it is an open riichi, with its waiting tiles laid open."""
        return bool(self.open_tiles) and self.is_declared


class Furiten(Enum):
    """The three ways to be furiten."""

    DISCARD = "discard"
    """A tile of the wait is among the seat's own discards, including called ones (R50)."""
    TEMPORARY = "temporary"
    """The seat let a tile of its wait pass since its last discard."""
    RIICHI = "riichi"
    """The seat let a tile of its wait pass in riichi: furiten until the end of the hand (R51, R53)."""
