"""The common form of game records: the true course of each hand, including hidden tiles, and the payments.

Audits compare against it. Seats are the record's actors.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from table.rules.events import AddedKan, Called, ClosedKan, Discarded, DoraTurned, StickPlaced
from table.rules.ruleset import Ruleset
from table.rules.terms.results import AbortReason, Deltas, ResultKind, add
from table.rules.terms.seats import Round, Seat, four
from table.rules.terms.tiles import Tile

Tiles = tuple[Tile, ...]
Names = tuple[str, str, str, str]
NAMELESS: Final[Names] = ("", "", "", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """How a hand begins."""

    round: Round
    dealer: Seat
    honba: int
    deposits: int
    scores: Deltas
    indicator: Tile
    hands: tuple[Tiles, Tiles, Tiles, Tiles]
    """Thirteen tiles a seat; unknown ones where the record does not tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A tile was drawn, which no table shows."""

    seat: Seat
    tile: Tile


Move = Drawn | Discarded | StickPlaced | Called | AddedKan | ClosedKan | DoraTurned
"""One act. `Discarded.sideways` says that it declares riichi; the stick of an accepted riichi is its own act."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedWin:
    """A win as stated by the record; unstated fields are None or empty."""

    seat: Seat
    from_seat: Seat
    concealed: Tiles
    """Without the winning tile and the melds."""
    winning_tile: Tile
    ura: Tiles = ()
    han: int | None = None
    """Also None with yakuman."""
    fu: int | None = None
    yaku: tuple[tuple[str, int], ...] | None = None
    """Names of `YAKU` with their han; None where the record has no yaku."""
    yakuman: int = 0
    points: int | None = None
    liable: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRecord:
    """One hand, from the deal to the payments."""

    deal: Deal
    moves: tuple[Move, ...]
    kind: ResultKind
    deltas: Deltas | None
    """Scores after the hand less scores before it, sticks of this hand's riichi included; None where it is not told."""
    wins: tuple[RecordedWin, ...] = ()
    reason: AbortReason | None = None
    shown: tuple[Tiles | None, Tiles | None, Tiles | None, Tiles | None] = (None, None, None, None)
    """Hands laid open at a draw or an abort."""
    claimants: tuple[Seat, ...] = ()
    """Who pressed for an abort: nine terminals, or the three of a triple ron."""
    chips: Deltas | None = None
    """Chips handed over, by seat; None where none are played, or the record does not tell."""

    told_scores: Deltas | None = field(default=None, compare=False)
    """Points after the hand, where the record tells them beside the payments."""

    @property
    def scores(self) -> Deltas | None:
        """Points after the hand, by its payments."""
        return None if self.deltas is None else add(self.deal.scores, self.deltas)

    @property
    def riichi(self) -> tuple[Seat, ...]:
        """Seats whose riichi was accepted, in order."""
        return tuple(move.seat for move in self.moves if isinstance(move, StickPlaced))


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRecord:
    """A game: its complete hands, and the reason if the record is truncated."""

    ruleset: Ruleset
    """What the record's header says."""
    hands: tuple[HandRecord, ...]
    final: Deltas | None = None
    """Points at the end, leftover sticks included, as recorded; None where it does not tell."""
    cut_short: str | None = None
    """What is missing; None for a whole game."""
    names: Names = NAMELESS
    """Who played, by seat; empty where the record does not tell."""


def names_of(names: Any) -> Names:
    """Returns the four names of a record's header; empty if it does not have four."""
    if not isinstance(names, list) or len(names) != 4:
        return NAMELESS
    return four(str(name) for name in names)
