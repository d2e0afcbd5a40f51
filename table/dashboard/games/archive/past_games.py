"""Totals of finished games, updated as each is read, so that a page costs the same for any number of games."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import reduce
from typing import Final

from table.game.journal.history.game_summary import GameFigures, GameSummary

EVENING: Final = timedelta(hours=6)
"""Maximum time between the starts of two successive games of one evening."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRecord:
    """One player's results in finished games."""

    name: str
    points: int = 0
    games: int = 0
    places: int = 0
    """The sum of all places."""
    firsts: int = 0
    last_game: int = 0
    """The newest game under this name, finished or not."""

    def __add__(self, other: PlayerRecord) -> PlayerRecord:
        """Returns the combined results of one person under two names."""
        return PlayerRecord(
            name=self.name,
            points=self.points + other.points,
            games=self.games + other.games,
            places=self.places + other.places,
            firsts=self.firsts + other.firsts,
            last_game=max(self.last_game, other.last_game),
        )


@dataclass(slots=True)
class PointsTable:
    """Everybody ever named here, with their results: the season as the games page shows it.

    `records.season.season_figures.Season` counts the same points and places, and all other figures, for the season's
    pages.
    """

    players: dict[str, PlayerRecord] = field(default_factory=dict)

    def add(self, game: GameSummary) -> None:
        """Adds a game; of one that is unfinished, or does not count for the season, only who played."""
        for name in filter(None, game.names):
            player = self.players.get(name, PlayerRecord(name=name))
            self.players[name] = replace(player, last_game=max(player.last_game, game.number))
        for seat, place in enumerate(game.places if game.counts else ()):
            if name := game.names[seat]:
                player = self.players[name]
                self.players[name] = replace(
                    player,
                    points=player.points + game.points[seat],
                    games=player.games + 1,
                    places=player.places + place,
                    firsts=player.firsts + (place == 1),
                )

    def with_game(self, game: GameSummary) -> PointsTable:
        """Returns the table with one more game, leaving this one unchanged."""
        table = PointsTable(dict(self.players))
        table.add(game)
        return table

    def ranking(self) -> list[PlayerRecord]:
        """Returns the players who finished a game, by points."""
        found = [player for player in self.players.values() if player.games]
        return sorted(found, key=lambda player: -player.points)

    def names(self, limit: int) -> list[str]:
        """Returns at most `limit` players, those named most recently, sorted by name."""
        latest = heapq.nlargest(limit, self.players.values(), key=lambda player: player.last_game)
        return sorted(player.name for player in latest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evening:
    """The totals of games that started shortly after one another."""

    games: int = 0
    """The number of games with a finished hand."""
    figures: GameFigures = field(default_factory=GameFigures)
    last_start: datetime | None = None
    """When the newest of them started."""

    def with_game(self, game: GameSummary) -> Evening:
        """Returns the evening of a game played after these: this one, or a new one."""
        start, count = _start_time(game.utc), int(game.figures.hands > 0)
        if self.last_start is None or start - self.last_start > EVENING:
            return Evening(games=count, figures=game.figures, last_start=start)
        return Evening(games=self.games + count, figures=self.figures + game.figures, last_start=start)


def is_same_evening(before: str, after: str) -> bool:
    """Returns whether two games belong to the same evening, by the times when they were opened."""
    return _start_time(after) - _start_time(before) <= EVENING


def _start_time(utc: str) -> datetime:
    """Returns when a game started; a very early time if that cannot be read."""
    try:
        found = datetime.fromisoformat(utc)
        return found if found.tzinfo else found.replace(tzinfo=UTC)
    except ValueError:
        return datetime.fromtimestamp(0, UTC)


def evening_of(games: Iterable[GameSummary]) -> Evening:
    """Returns the evening of the newest of these games, which are given newest first; reads only those needed."""
    found: list[GameSummary] = []
    for game in games:
        if found and _start_time(found[-1].utc) - _start_time(game.utc) > EVENING:
            break
        found.append(game)
    return reduce(Evening.with_game, reversed(found), Evening())
