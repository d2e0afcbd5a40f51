"""What is done at a tournament's desk, as its journal keeps it: one act a line, and only ever added to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from table.mqtt.desk.seating import Tables
from table.mqtt.table_games import Four, TableGame
from vision.strict_reader import StrictReader


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentOpened:
    """A tournament begins; the one before it is over."""

    title: str
    rules: str
    """The name of its rule set."""
    players: tuple[str, ...]
    rounds: tuple[Tables, ...]
    """Who sits where in each round: players by number, from East on."""
    tables: tuple[str, ...]
    """The tables' names on the broker; an empty one is kept by hand."""
    minutes: int = 0
    """How long a round is; 0: no clock."""
    event: str = ""
    """Its name in messages to the tables; empty for one of before there were such names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundBegun:
    """A round begins."""

    round: int
    """From 0."""
    at: str
    """ISO 8601, UTC."""
    until: str = ""
    """When time is called; empty: people call it."""
    before: Mapping[str, int] = field(default_factory=dict)
    """The last game of each table that had begun before, by number; one that is replaced counts from the start again,
    so this is no longer written."""
    known: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The games of each table that had begun before, as `TableGame.identity` has them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockMoved:
    """The round ends at another time."""

    until: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeCalled:
    """The signal that time is called went to every table."""

    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameHeard:
    """A table told how one of its games stands."""

    table: str
    game: TableGame
    at: str = ""
    """When, ISO 8601, UTC, by the desk's clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameMoved:
    """A game of a table counts for another round than its time says; None: for none."""

    table: str
    game: int
    round: int | None
    opened: str = ""
    """When it was opened, by the table's clock: a table that was swapped numbers its games anew. Empty: any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultTold:
    """The desk was told a table's final points, from East on; None takes back what was told."""

    round: int
    table: int
    """Which table of the round, from 0."""
    scores: Four | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyGiven:
    """Points come off a player's total."""

    player: int
    points: int
    why: str
    round: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyCancelled:
    """A penalty does not count; it stays listed."""

    penalty: int
    """Which one, from 0, in the order in which they were given."""
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerReplaced:
    """Somebody else plays a round for a player; an empty name takes it back."""

    round: int
    player: int
    by: str
    points: int | None = None
    """What the round is worth to the player who is replaced; None: what the substitute plays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AppealDecided:
    """The referee decided about a moment that a table flagged."""

    table: str
    clip: str
    ruling: str


Change = (
    RoundBegun
    | ClockMoved
    | TimeCalled
    | GameHeard
    | GameMoved
    | ResultTold
    | PenaltyGiven
    | PenaltyCancelled
    | PlayerReplaced
    | AppealDecided
)
"""What is done at a tournament that was opened."""
Act = TournamentOpened | Change
_TAG: Final = "act"
_READER: Final = StrictReader(tag=_TAG)


def act_fields(act: Act) -> Mapping[str, Any]:
    """Returns an act as plain data."""
    return {_TAG: type(act).__name__, **asdict(act)}


def read_act(fields: Any) -> Act:
    """Reads an act.

    Raises:
        ValueError: it is none.
    """
    act: Act = _READER.read(Act, fields)
    return act
