"""The ranking of a game, the report of an evening and the season, in words. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from table.dashboard.games.archive.past_games import PlayerRecord
from table.dashboard.scores.score_text import score_text, thousands, worth_texts
from table.dashboard.web.view import View
from table.game.journal.history.game_history import GameHistory
from table.game.journal.history.game_summary import GameFigures
from table.i18n import Catalogue, isolated, lasting_name


def ranking_view(game: GameHistory, texts: Catalogue) -> View:
    """Returns the seats from first to last place with scores, and the effects of uma, oka and fouls."""
    standings = game.standings
    return {
        "is_over": game.state.is_over,
        "sticks": game.state.deposits,
        "rows": [
            {
                "seat": int(seat),
                "place": texts.text("page.place", place=standings.places[seat]),
                "name": lasting_name(isolated(game.names[seat]), seat, texts),
                "score": score_text(game.state, seat, texts),
                "points": thousands(standings.points[seat]),
                "worth": worth_texts(game.state, game.ruleset, seat, standings.points[seat], texts),
            }
            for seat in standings.ranking
        ],
    }


def report_view(figures: GameFigures, texts: Catalogue) -> list[View]:
    """Returns the figures of games: how much work they were for people, and how confident the table was."""
    hands, minutes = figures.hands, figures.seconds / 60
    interruptions = str(figures.interruptions)
    if figures.needless:
        interruptions = texts.with_note(interruptions, texts.text("report.needless", count=figures.needless))
    values = {
        "hands": str(hands),
        "minutes": f"{minutes:.0f}",
        "minutes_per_hand": f"{minutes / figures.timed_hands:.1f}" if figures.timed_hands else "–",
        "taps_per_hand": f"{figures.acts / hands:.1f}" if hands else "–",
        "doubts": str(figures.asked),
        "interruptions": interruptions,
        "misses": str(figures.corrected),
        "undone": str(figures.undone),
        "fouls": str(figures.fouls),
    }
    return [{"name": texts.text(f"report.{name}"), "value": value} for name, value in values.items()]


def season_view(players: Sequence[PlayerRecord]) -> list[View]:
    """Returns a season's players as rows of a table: points, games, average place, wins."""
    return [
        {
            "name": player.name,
            "points": thousands(player.points),
            "games": player.games,
            "average": f"{player.places / player.games:.2f}",
            "firsts": player.firsts,
        }
        for player in players
    ]
