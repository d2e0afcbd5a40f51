"""The summary of a finished game, with the figures for a season, an evening's report and a list of games."""

from __future__ import annotations

from dataclasses import dataclass, fields

from table.game.journal.entries import Names
from table.game.journal.history.game_history import GameHistory


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFigures:
    """Durations and numbers of actions of games, added up."""

    hands: int = 0
    seconds: float = 0.0
    """The total duration of the hands whose duration is known."""
    timed_hands: int = 0
    """The number of hands whose duration is known."""
    acts: int = 0
    asked: int = 0
    interruptions: int = 0
    needless: int = 0
    corrected: int = 0
    undone: int = 0
    fouls: int = 0

    def __add__(self, other: GameFigures) -> GameFigures:
        """Returns the sums of both."""
        return GameFigures(
            **{field.name: getattr(self, field.name) + getattr(other, field.name) for field in fields(self)}
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSummary:
    """The summary of one game."""

    number: int
    """The number of the entry that opened the game."""
    utc: str
    """The time of its opening, ISO 8601, UTC."""
    names: Names
    places: tuple[int, ...] = ()
    """The places, counted from 1, by seat; empty if the game never ended."""
    points: tuple[int, ...] = ()
    """The points for league tables, by seat; empty if the game never ended."""
    figures: GameFigures = GameFigures()
    counts: bool = True
    """Whether it counts for the season."""


def summary_of(game: GameHistory) -> GameSummary:
    """Returns the summary of a game."""
    standings = game.standings if game.state.is_over else None
    return GameSummary(
        number=game.number,
        utc=game.utc,
        names=game.names,
        places=() if standings is None else standings.places,
        points=() if standings is None else tuple(standings.points),
        figures=figures_of(game),
        counts=game.counts,
    )


def figures_of(game: GameHistory) -> GameFigures:
    """Returns the figures of a game."""
    durations = [seconds for seconds in game.seconds if seconds]
    return GameFigures(
        hands=len(game.state.history),
        seconds=sum(durations),
        timed_hands=len(durations),
        acts=game.acts,
        asked=game.asked,
        interruptions=game.interruptions,
        needless=game.needless,
        corrected=game.corrected,
        undone=game.undone,
        fouls=game.fouls,
    )
