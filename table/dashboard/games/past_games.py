"""Games that are over, added up as each is read: what a page shows of them costs the same, however many there are."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Final

from table.game.journal.game_summary import GameFigures, GameSummary

EVENING: Final = timedelta(hours=6)
"""From the beginning of one game to that of the next of the same evening, at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRecord:
    """What one player has reached in finished games."""

    name: str
    points: int = 0
    games: int = 0
    places: int = 0
    """All places added up."""
    firsts: int = 0
    last_game: int = 0
    """The newest game that they were named in, finished or not."""


@dataclass(slots=True)
class Season:
    """Everybody who was ever named here, with what they reached."""

    players: dict[str, PlayerRecord] = field(default_factory=dict)

    def add(self, game: GameSummary) -> None:
        """Counts a game once it is certain how it ended."""
        for name in filter(None, game.names):
            player = self.players.get(name, PlayerRecord(name=name))
            self.players[name] = replace(player, last_game=max(player.last_game, game.number))
        for place, seat in enumerate(game.ranking, start=1):
            if name := game.names[seat]:
                player = self.players[name]
                self.players[name] = replace(
                    player,
                    points=player.points + game.points[seat],
                    games=player.games + 1,
                    places=player.places + place,
                    firsts=player.firsts + (place == 1),
                )

    def added(self, game: GameSummary) -> Season:
        """Returns the season with one more game; this one stays as it is."""
        season = Season(dict(self.players))
        season.add(game)
        return season

    def ranked(self, most: int | None = None) -> list[PlayerRecord]:
        """Returns those who finished a game, by points, at most so many."""
        found = [player for player in self.players.values() if player.games]
        return sorted(found, key=lambda player: -player.points)[:most]

    def names(self, most: int) -> list[str]:
        """Returns the players named last, at most so many, by name."""
        latest = heapq.nlargest(most, self.players.values(), key=lambda player: player.last_game)
        return sorted(player.name for player in latest)


@dataclass(slots=True)
class Evening:
    """The newest games of which none began long after the one before, added up. Games come from both ends."""

    games: int = 0
    figures: GameFigures = field(default_factory=GameFigures)
    _first: datetime | None = None
    _last: datetime | None = None
    _is_whole: bool = False
    """Whether a game is known that was of an earlier evening."""

    def add_newer(self, game: GameSummary) -> None:
        """Takes a game that was begun after all others; it may begin another evening."""
        began = began_at(game.utc)
        if self._last is not None and began - self._last > EVENING:
            self.games, self.figures, self._first, self._is_whole = 0, GameFigures(), None, True
        self._take(game)
        self._first, self._last = self._first or began, began

    def add_older(self, game: GameSummary) -> None:
        """Takes the game before all others."""
        began = began_at(game.utc)
        self._is_whole = self._is_whole or (self._first is not None and self._first - began > EVENING)
        if not self._is_whole:
            self._take(game)
            self._first, self._last = began, self._last or began

    def _take(self, game: GameSummary) -> None:
        self.games += 1
        self.figures += game.figures

    def copy(self) -> Evening:
        """Returns another one that is the same."""
        return replace(self)


def began_at(utc: str) -> datetime:
    """When a game began; long ago where that cannot be read."""
    try:
        found = datetime.fromisoformat(utc)
        return found if found.tzinfo else found.replace(tzinfo=UTC)
    except ValueError:
        return datetime.fromtimestamp(0, UTC)


def evening_of(games: Sequence[GameSummary]) -> Evening:
    """Returns the evening of the last of these games, which are in order."""
    evening = Evening()
    for game in games:
        evening.add_newer(game)
    return evening
