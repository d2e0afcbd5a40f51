"""Reads a table's games and appeals for a desk; every field is validated. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlsplit

from table.dashboard.web.addresses.local_names import is_local_name
from table.game.journal.history.played_round import PlayedRound
from table.mqtt.desk_signal import sent_moment
from vision.strict_reader import PLAIN, MisfitError

MOST_SENT: Final = 50
"""Limit of games, and of appeals, in one message."""
MOST_POINTS: Final = 10_000_000
_NAME: Final = re.compile(r"[\w-]{1,60}", re.ASCII)
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[\d.:+Z-]{0,20}")
"""A moment in a desk's journal, which may be impossible: earlier versions stored whatever had this form."""
_MOST_LETTERS: Final = 200
_SHORTEST_GAME: Final = 4
"""The number of hands of the shortest game that the rules end without anybody going bust."""
SeatPoints = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableGame:
    """One game of a table, by seat."""

    number: int
    """Its number in the table's journal; later games have larger numbers."""
    opened: str
    """When it was opened, ISO 8601, UTC, by the table's clock; empty if unknown."""
    rules: str
    """The name of its rule set."""
    first_dealer: int
    """The seat that began as East."""
    hands: int
    """Finished hands."""
    is_over: bool
    scores: SeatPoints
    points: SeatPoints
    """With uma, oka and fouls that count after uma."""
    is_stopped: bool = False
    """Whether people ended it before the rules did, and before time was called."""
    round: str = ""
    """The round that it counts for according to the table, as `played_round` writes it; empty if unknown."""

    @property
    def opened_at(self) -> datetime | None:
        """The moment of opening; None if it is unknown or impossible."""
        try:
            return sent_moment(self.opened)
        except ValueError:
            return None

    @property
    def identity(self) -> str:
        """A text that is unique among a table's games, even if another journal starts numbering them again."""
        return f"{self.number} {self.opened}"

    @property
    def is_played_out(self) -> bool:
        """Whether it ended after four hands or more, or with somebody at 0 points or less.

        Other games were stopped in their first hands, to be begun anew.
        """
        return self.is_over and (self.hands >= _SHORTEST_GAME or min(self.scores) <= 0)

    def __post_init__(self) -> None:
        if not 0 <= self.first_dealer < 4 or min(self.number, self.hands) < 0:
            raise ValueError("expected a seat from 0 to 3, and numbers of 0 or more")
        if any(abs(points) > MOST_POINTS for points in (*self.scores, *self.points)):
            raise ValueError(f"expected points of {MOST_POINTS} at most")
        if self.opened and not _TIME.fullmatch(self.opened):
            raise ValueError("expected the time of opening as ISO 8601")
        if self.round and PlayedRound.parse(self.round) is None:
            raise ValueError("expected the round as a table writes it")
        if len(self.rules) > _MOST_LETTERS:
            raise ValueError("expected the name of a rule set")


@dataclass(frozen=True, slots=True, kw_only=True)
class Appeal:
    """A moment that somebody at a table flagged."""

    name: str
    """The name of its clip."""
    at: str
    """The time of day at the table: `21:03`."""
    seconds: int
    by: str = ""
    """Who flagged it: `seat 2`, `owner`."""

    def __post_init__(self) -> None:
        if len(self.by) > _MOST_LETTERS or not _NAME.fullmatch(self.name) or not re.fullmatch(r"\d\d:\d\d", self.at):
            raise ValueError("expected a clip's name and the time of day")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Games:
    games: tuple[TableGame, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableAppeals:
    """The appeals of a table, and the address of its pages."""

    address: str | None = None
    """As `http://192.168.1.5:8000`; None if phones cannot reach it."""
    appeals: tuple[Appeal, ...] = ()

    def __post_init__(self) -> None:
        if self.address is not None and not _is_page(self.address):
            raise ValueError("expected the address of a table's pages")


def games_in(fields: Mapping[str, Any]) -> tuple[TableGame, ...]:
    """Returns the games in a table's message, by their number.

    Raises:
        ValueError: no table sends such a message.
    """
    games: tuple[TableGame, ...] = _read(_Games, fields).games
    if len(games) > MOST_SENT:
        raise ValueError(f"expected {MOST_SENT} games at most, got {len(games)}")
    for game in games:
        if game.opened and game.opened_at is None:
            raise ValueError(f"expected the moment of opening, got {game.opened!r}")
    return tuple(sorted(games, key=lambda game: game.number))


def appeals_in(fields: Mapping[str, Any]) -> TableAppeals:
    """Returns the appeals in a table's message.

    Raises:
        ValueError: no table sends such a message.
    """
    appeals: TableAppeals = _read(TableAppeals, fields)
    if len(appeals.appeals) > MOST_SENT:
        raise ValueError(f"expected {MOST_SENT} appeals at most, got {len(appeals.appeals)}")
    return appeals


def _read(kind: type[Any], fields: Mapping[str, Any]) -> Any:
    try:
        return PLAIN.read(kind, fields)
    except MisfitError as error:
        raise ValueError(str(error)[:_MOST_LETTERS]) from error


def _is_page(address: str) -> bool:
    """Returns whether this is the address of a page on the local network, and nothing else."""
    if len(address) > _MOST_LETTERS or not address.isascii():
        return False
    try:
        parts = urlsplit(address)
        nothing_more = not (parts.path or parts.query or parts.fragment or parts.username or parts.password)
        is_usable = parts.scheme in ("http", "https") and parts.port != 0  # raises an error for what is no port
        return is_usable and nothing_more and is_local_name(parts.netloc)
    except ValueError:
        return False
