"""Events of riichi: announced, opened, reported, and its stick."""

from __future__ import annotations

from dataclasses import dataclass

from table.rules.events.event_fields import expect
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile
from table.rules.terms.written_forms import NotationValue, notation_form


@notation_form("SEAT riichi", "riichi is announced", "1 riichi")
@dataclass(frozen=True, slots=True, kw_only=True)
class RiichiVoiced(NotationValue):
    """A seat announced riichi, by voice or by a press."""

    seat: Seat


@notation_form("SEAT opens TILES", "the tiles that show the wait of a riichi are laid open", "1 opens 45m")
@dataclass(frozen=True, slots=True, kw_only=True)
class RiichiOpened(NotationValue):
    """A seat laid open the waiting tiles of its riichi: the whole hand, or the part that waits."""

    seat: Seat
    tiles: tuple[Tile, ...]

    def __post_init__(self) -> None:
        expect(1 <= len(self.tiles) <= 13, "from 1 to 13 tiles laid open", self.tiles)


@notation_form("SEAT stick", "a stick of 1000 is placed", "1 stick")
@dataclass(frozen=True, slots=True, kw_only=True)
class StickPlaced(NotationValue):
    """A 1000-point stick was placed in a seat's stick zone."""

    seat: Seat


@notation_form("SEAT stick-back", "the stick is taken away", "1 stick-back")
@dataclass(frozen=True, slots=True, kw_only=True)
class StickTakenBack(NotationValue):
    """A seat's stick was taken away before the end of the hand."""

    seat: Seat


@notation_form("SEAT riichi-told", "people report a valid riichi whose tile nobody saw", "1 riichi-told")
@dataclass(frozen=True, slots=True, kw_only=True)
class RiichiReported(NotationValue):
    """People reported afterwards that a seat's riichi is valid; 1000 is charged at once.

    If it was declared with a tile that lay upright, it is a full riichi (WRC 12.3.5); if no tile was seen, it is only
    accepted, without an ippatsu window.
    """

    seat: Seat
