"""Seats, winds and rounds.

Seats are places at the table, 0-3 counter-clockwise seen from above; the next player sits to one's right.
Winds follow from the dealer's seat.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, TypeVar

from table.rules.terms.rule_errors import InvalidValueError, NotationError
from table.rules.terms.tiles import Tile

T = TypeVar("T")


class Seat(IntEnum):
    """A place at the table: `NEAR` is at the bottom edge of the camera's picture."""

    NEAR = 0
    RIGHT = 1
    FAR = 2
    LEFT = 3

    @property
    def next(self) -> Seat:
        """The seat that plays after this one."""
        return SEATS[(self + 1) % 4]

    def after(self, other: Seat) -> int:
        """Returns how many turns this seat comes after `other`: 0-3."""
        return (self - other) % 4

    def plus(self, turns: int) -> Seat:
        """Returns the seat that plays `turns` turns after this one."""
        return SEATS[(self + turns) % 4]


SEATS: Final = (Seat.NEAR, Seat.RIGHT, Seat.FAR, Seat.LEFT)


def seats_from(first: Seat) -> tuple[Seat, Seat, Seat, Seat]:
    """Returns all seats in turn order, beginning with `first`."""
    return (first, first.next, first.plus(2), first.plus(3))


def four(values: Iterable[T]) -> tuple[T, T, T, T]:
    """Returns four values, such as one for each seat, as a tuple.

    Raises:
        ValueError: if there are not exactly four.
    """
    first, second, third, fourth = values
    return first, second, third, fourth


class Wind(IntEnum):
    """A wind, in playing order."""

    EAST = 0
    SOUTH = 1
    WEST = 2
    NORTH = 3

    @property
    def letter(self) -> str:
        """`E`, `S`, `W` or `N`."""
        return "ESWN"[self]

    @property
    def tile(self) -> Tile:
        """The wind's tile."""
        return Tile(f"{self + 1}z")


def seat_wind(seat: Seat, dealer: Seat) -> Wind:
    """Returns the wind of a seat in a hand dealt by `dealer`."""
    return Wind(seat.after(dealer))


@dataclass(frozen=True, slots=True)
class Round:
    """One hand's place in the game, `E1` to `N4`; its repr is its text."""

    wind: Wind
    number: int
    """The dealer's number, 1-4, counted from the first dealer."""

    def __post_init__(self) -> None:
        if not 1 <= self.number <= 4:
            raise InvalidValueError(f"expected a round number from 1 to 4, got {self.number!r}")

    @classmethod
    def parse(cls, text: str) -> Round:
        """Reads `E1` … `N4`.

        Raises:
            NotationError: for any other text.
        """
        if len(text) != 2 or text[0] not in "ESWN" or text[1] not in "1234":
            raise NotationError(f"expected a round from E1 to N4, got {text!r:.80}")
        return cls(Wind("ESWN".index(text[0])), int(text[1]))

    def __repr__(self) -> str:
        return f"{self.wind.letter}{self.number}"

    @property
    def next(self) -> Round:
        """The round after the deal has passed; after N4 comes E1 again."""
        if self.number < 4:
            return Round(self.wind, self.number + 1)
        return Round(Wind((self.wind + 1) % 4), 1)
