"""The acts at a tournament desk, as its append-only journal stores them, one a line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from table.mqtt.table_games import SeatPoints, TableGame
from table.mqtt.tournament.round_seating import Tables
from vision.strict_reader import StrictReader


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentOpened:
    """A tournament is opened; an earlier one is over."""

    title: str
    rules: str
    """The name of its rule set."""
    players: tuple[str, ...]
    rounds: tuple[Tables, ...]
    """The seating of each round: players by number, from East on."""
    tables: tuple[str, ...]
    """The tables' names on the broker; a table with an empty name reports nothing and is entered by hand."""
    minutes: int = 0
    """The length of a round; 0 without a clock."""
    event: str = ""
    """Its name in messages to the tables; empty if it was opened before tournaments had such names."""
    house: str = ""
    """An imported rule set itself, as its file had it then; empty for a shipped one, or if only its name was stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundBegun:
    """A round begins."""

    round: int
    """From 0."""
    at: str
    """When it began, ISO 8601, UTC."""
    until: str = ""
    """When time is called; empty if people call it."""
    before: Mapping[str, int] = field(default_factory=dict)
    """The last game of each table that had begun before, by number. No longer written, since a replaced table starts
    counting again.
    """
    known: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What each table had done before: its games with a finished hand, by `TableGame.identity`, and the moments flagged
    there, by the names of their clips.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockMoved:
    """The round ends at another time."""

    until: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeCalled:
    """The signal that time is called was sent to every table."""

    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameHeard:
    """A table reported the state of one of its games."""

    table: str
    game: TableGame
    at: str = ""
    """When, ISO 8601, UTC, by the desk's clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameMoved:
    """The desk decided for which round a table's game counts; None for no round."""

    table: str
    game: int
    round: int | None
    opened: str = ""
    """When the game was opened, by the table's clock, since a replaced table numbers its games again; empty for any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultTold:
    """A table's final points were entered, from East on; None withdraws them."""

    round: int
    table: int
    """The table's number in the round, counted from 0."""
    scores: SeatPoints | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyGiven:
    """Points are deducted from a player's total."""

    player: int
    points: int
    why: str
    round: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyCancelled:
    """A penalty is cancelled; it stays listed."""

    penalty: int
    """The penalty's number, counted from 0 in the order in which they were given."""
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerReplaced:
    """A substitute plays a round for a player; an empty name withdraws this."""

    round: int
    player: int
    by: str
    points: int | None = None
    """The round's points for the replaced player; None for what the substitute wins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AppealDecided:
    """The referee ruled on a moment that a table flagged."""

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
"""An act in an open tournament."""
Act = TournamentOpened | Change
_TAG: Final = "act"
_READER: Final = StrictReader(tag=_TAG)


def act_fields(act: Act) -> Mapping[str, Any]:
    """Returns an act as JSON-ready data."""
    fields = {_TAG: type(act).__name__, **asdict(act)}
    if isinstance(act, GameHeard) and not act.game.is_stopped:
        del fields["game"]["is_stopped"]  # earlier desks do not know it; without it they read the game
    if isinstance(act, TournamentOpened) and not act.house:
        del fields["house"]  # likewise for the tournament
    return fields


def read_act(fields: Any) -> Act:
    """Reads an act from plain data.

    Raises:
        ValueError: it is not an act.
    """
    act: Act = _READER.read(Act, fields)
    return act
