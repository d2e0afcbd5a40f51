"""A fact that the settlement of a hand still needs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from table.rules.terms.seats import Seat


class FactKind(StrEnum):
    """The kinds of missing fact; each concerns one seat, except `DORA` and `TENPAI`."""

    STICK = "stick"
    """The stick of the seat's riichi."""
    DORA = "dora"
    """An indicator, turned at the deal or due for a kan."""
    URA = "ura"
    """Indicators that the seat may turn for its win."""
    HAND = "hand"
    """The seat's hand, to be shown."""
    WINNING_TILE = "winning_tile"
    """The unseen tile that the seat won on."""
    YAKU = "yaku"
    """A yaku of the seat's shown hand, which only unseen play can have given it."""
    UNSEEN = "unseen"
    """What unseen play may have added to the seat's win."""
    DISCARDER = "discarder"
    """Whose unseen discard the seat won on."""
    LIABLE = "liable"
    """Who fed the meld that completes the seat's yakuman, if people reported that meld; needed for any settlement."""
    DECLARATION = "declaration"
    """Whether the win was on the seat's riichi tile, or on a later tile that nobody saw."""
    RULING = "ruling"
    """A ruling of the referee on the seat's foul or riichi."""
    NAGASHI = "nagashi"
    """Whether the seat has nagashi mangan."""
    TENPAI = "tenpai"
    """Who was tenpai at a draw that went unseen; needed for any settlement."""


@dataclass(frozen=True, slots=True)
class MissingFact:
    """A missing fact; its text is `hand 2`, or `dora` if it concerns no seat."""

    kind: FactKind
    seat: Seat | None = None

    def __str__(self) -> str:
        return self.kind if self.seat is None else f"{self.kind} {int(self.seat)}"
