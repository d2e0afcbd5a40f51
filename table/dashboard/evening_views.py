"""How a game stands and how an evening went, in words: ranking, report, season. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from table.ledger.chronicle import Chronicle
from table.translations import Catalogue, signed

View = dict[str, Any]


def standing_view(game: Chronicle, texts: Catalogue) -> View:
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
                "score": signed(game.state.scores[seat], plus=""),
                "points": thousands(standings.points[seat]),
            }
            for place, seat in enumerate(standings.ranking, start=1)
        ],
    }


def thousands(points: int) -> str:
    """Points as league tables write them: in thousands, with one place and a sign."""
    return f"{points / 1000:+.1f}".replace("-", "−")


def report_view(game: Chronicle, asked: int, texts: Catalogue) -> list[View]:
    """Returns how the game went in figures: what it took people, and how sure the table was."""
    hands = len(game.state.history)
    played = [seconds for seconds in game.seconds if seconds]
    minutes = sum(played) / 60
    figures = {
        "hands": str(hands),
        "minutes": f"{minutes:.0f}",
        "minutes_per_hand": f"{minutes / len(played):.1f}" if played else "–",
        "taps_per_hand": f"{game.acts / hands:.1f}" if hands else "–",
        "doubts": str(asked),
        "misses": str(game.corrected),
        "undone": str(game.undone),
        "fouls": str(game.fouls),
    }
    return [{"name": texts.text(f"report.{name}"), "value": value} for name, value in figures.items()]


@dataclass
class _Player:
    """What one player has reached."""

    points: int = 0
    places: list[int] = field(default_factory=list)


def season_view(games: Sequence[Chronicle]) -> list[View]:
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


def roster(games: Sequence[Chronicle]) -> list[str]:
    """Returns everybody who ever played here, for the name fields to offer."""
    return sorted({name for game in games for name in game.names if name})
