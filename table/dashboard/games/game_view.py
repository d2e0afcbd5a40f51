"""How a game stands and how an evening went, in words: ranking, report, season. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

from table.dashboard.scores.score_text import score_text
from table.dashboard.web.view import View
from table.game.journal.game_history import GameHistory
from table.i18n import Catalogue, signed
from table.rules.terms.seats import Seat

EVENING: Final = timedelta(hours=6)
"""From the beginning of one game to that of the next of the same evening, at most."""


def ranking_view(game: GameHistory, texts: Catalogue) -> View:
    """Returns the seats from first to last place with scores, and what uma, oka and fouls make of them."""
    standings = game.standings
    return {
        "is_over": game.state.is_over,
        "sticks": game.state.deposits,
        "rows": [
            {
                "seat": int(seat),
                "place": texts.text("page.place", place=place),
                "name": game.names[seat] or texts.text("page.seat_number", number=int(seat) + 1),
                "score": score_text(game.state, seat, texts),
                "points": thousands(standings.points[seat]),
                "bonus": _bonus_text(game, seat, texts),
            }
            for place, seat in enumerate(standings.ranking, start=1)
        ],
    }


def _bonus_text(game: GameHistory, seat: Seat, texts: Catalogue) -> str:
    """What the seat pays or gets because somebody went bust, part of its points."""
    bonus = game.state.bust_bonus
    return texts.text("page.bust_bonus", points=signed(bonus[seat])) if bonus and bonus[seat] else ""


def thousands(points: int) -> str:
    """Points as league tables write them: in thousands, with one place and a sign."""
    return f"{points / 1000:+.1f}".replace("-", "−")


def report_view(games: Sequence[GameHistory], texts: Catalogue) -> list[View]:
    """Returns how games went in figures: what it took people, and how sure the table was."""
    hands = sum(len(game.state.history) for game in games)
    played = [seconds for game in games for seconds in game.seconds if seconds]
    minutes = sum(played) / 60
    needless = sum(game.needless for game in games)
    false = f" ({texts.text('report.needless', count=needless)})" if needless else ""
    figures = {
        "hands": str(hands),
        "minutes": f"{minutes:.0f}",
        "minutes_per_hand": f"{minutes / len(played):.1f}" if played else "–",
        "taps_per_hand": f"{sum(game.acts for game in games) / hands:.1f}" if hands else "–",
        "doubts": str(sum(game.asked for game in games)),
        "interruptions": f"{sum(game.interruptions for game in games)}{false}",
        "misses": str(sum(game.corrected for game in games)),
        "undone": str(sum(game.undone for game in games)),
        "fouls": str(sum(game.fouls for game in games)),
    }
    return [{"name": texts.text(f"report.{name}"), "value": value} for name, value in figures.items()]


def evening_of(games: Sequence[GameHistory]) -> list[GameHistory]:
    """Returns the games of the last game's evening, oldest first: none began long after the one before it."""
    found = list(games[-1:])
    for game in reversed(games[:-1]):
        if _began(found[0]) - _began(game) > EVENING:
            break
        found.insert(0, game)
    return found


def _began(game: GameHistory) -> datetime:
    try:
        return datetime.fromisoformat(game.utc)
    except ValueError:
        return datetime.fromtimestamp(0, UTC)


@dataclass
class _Player:
    """What one player has reached."""

    points: int = 0
    places: list[int] = field(default_factory=list)


def season_view(games: Sequence[GameHistory]) -> list[View]:
    """Returns everybody who finished a game under a name, by points: games, average place, wins."""
    players: dict[str, _Player] = {}
    for game in games:
        if not game.state.is_over:
            continue
        for place, seat in enumerate(game.standings.ranking, start=1):
            if name := game.names[seat]:
                found = players.setdefault(name, _Player())
                found.points += game.standings.points[seat]
                found.places.append(place)
    ranked = sorted(players.items(), key=lambda item: -item[1].points)
    return [
        {
            "name": name,
            "points": thousands(found.points),
            "games": len(found.places),
            "average": f"{sum(found.places) / len(found.places):.2f}",
            "firsts": found.places.count(1),
        }
        for name, found in ranked
    ]


def roster(games: Sequence[GameHistory]) -> list[str]:
    """Returns everybody who ever played here, for the name fields to offer."""
    return sorted({name for game in games for name in game.names if name})
