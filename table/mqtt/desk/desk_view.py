"""What the desk's pages and sheets show, as plain data. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from operator import itemgetter
from typing import Any, Final

from table.dashboard.scores.score_text import thousands
from table.dashboard.web.clause_names import article_text
from table.dashboard.web.view import View
from table.i18n import Catalogue, signed
from table.mqtt.desk_signal import moment
from table.mqtt.hall_messages import HallTable
from table.mqtt.table_games import TableGame
from table.mqtt.tournament.game_rounds import is_older
from table.mqtt.tournament.standings import TableResult, is_round_over, points_of, result_of, standings
from table.mqtt.tournament.tournament import Tournament
from table.rules.ruleset import Ruleset
from table.runtime.clock import local_time

WINDS = "ESWN"
LINES: Final = 16
"""Number of lines of the standings in a broadcast's picture."""
_BY_ARTICLE: Final = re.compile(r"(.*?)((?: × \d+)?)(?:: (.*))?")
"""Why a penalty by the book was given: its article, how many times, and a note."""


def standings_view(tournament: Tournament, rules: Ruleset | None) -> View:
    """Returns the standings, as everybody may see them."""
    lines = standings(tournament, rules)
    count = len(tournament.opening.rounds)
    is_over = is_round_over(tournament, rules)
    is_playing = tournament.round is not None and not is_over
    return {
        "title": tournament.opening.title,
        "rounds": list(range(1, count + 1)),
        "is_open": bool(is_playing or stopped_games_view(tournament, rules)),
        "is_round_over": is_over,
        "has_penalties": any(line.penalties for line in lines),
        "round": None if tournament.round is None else tournament.round + 1,
        "lines": [
            {
                "place": line.place,
                "name": tournament.opening.players[line.player],
                "total": thousands(line.total),
                "rounds": ["" if points is None else thousands(points) for points in line.rounds],
                "penalties": thousands(-line.penalties) if line.penalties else "",
            }
            for line in lines
        ],
    }


def lines_of_turn(lines: Sequence[View], turn: int) -> Sequence[View]:
    """Returns the lines of the standings for a turn of a broadcast: the next ones each turn, then the first again."""
    first = turn % max(1, -(-len(lines) // LINES)) * LINES
    return lines[first : first + LINES]


def clock_view(tournament: Tournament, now: str, *, is_over: bool) -> View:
    """Returns the common clock: the round and its remaining time, or that all its games have ended."""
    left_s = round((moment(tournament.until) - moment(now)).total_seconds()) if tournament.until else None
    return {
        "round": None if tournament.round is None else tournament.round + 1,
        "is_over": is_over,
        "is_called": tournament.called_at is not None,
        "left": None if left_s is None else minutes_text(max(0, left_s)),
    }


def minutes_text(seconds: int) -> str:
    """Returns a remaining time as `73:05`."""
    return f"{seconds // 60}:{seconds % 60:02d}"


def round_view(tournament: Tournament, round_: int, rules: Ruleset | None, hall: Mapping[str, HallTable]) -> list[View]:
    """Returns each table of a round: its players and its result."""
    return [
        _table_view(tournament, round_, table, rules, hall) for table in range(len(tournament.opening.rounds[round_]))
    ]


def _table_view(
    tournament: Tournament, round_: int, table: int, rules: Ruleset | None, hall: Mapping[str, HallTable]
) -> View:
    opening, result = tournament.opening, result_of(tournament, round_, table, rules)
    name = opening.tables[table]
    stopped_game = None if result is None else result.stopped_game
    later_game = None if stopped_game is None else tournament.game_begun_anew(table, stopped_game)
    hall_table = hall.get(name)
    return {
        "number": table + 1,
        "name": name,
        "is_away": bool(name) and (hall_table is None or not hall_table.is_online),
        "seats": [
            {
                "wind": WINDS[wind],
                "name": opening.players[player],
                "substitute": _substitute(tournament, round_, player),
                "score": None if result is None else result.scores[wind],
                "score_text": "" if result is None else signed(result.scores[wind], plus=""),
                "points": "" if result is None else thousands(result.points[wind]),
            }
            for wind, player in enumerate(opening.rounds[round_][table])
        ],
        "is_over": result is not None and result.is_over,
        "is_told": result is not None and result.is_entered,
        "stopped": None if stopped_game is None else _key(stopped_game),
        "later": None if later_game is None else _reported_game(later_game),
        "is_playing": result is not None and not result.is_over and stopped_game is None,
        "other_rules": result.rules if result is not None and rules is not None and result.rules != rules.name else "",
        "games": len(tournament.games_of(round_, table)),
    }


def _substitute(tournament: Tournament, round_: int, player: int) -> str:
    replacement = tournament.replacements.get((round_, player))
    return "" if replacement is None else replacement.by


def _key(game: TableGame) -> View:
    """Returns the fields by which a form names this game."""
    return {"number": game.number, "identity": game.opened}


def _reported_game(game: TableGame) -> View:
    """Returns a game as its table reported it, by seat."""
    return {
        **_key(game),
        "opened": local_time(game.opened)[11:],
        "hands": game.hands,
        "scores": [signed(score, plus="") for score in game.scores],
    }


def tables_without_result(tournament: Tournament, rules: Ruleset | None) -> list[int]:
    """Returns the tables of the current round whose game is not over, by number; none before the first round."""
    if tournament.round is None:
        return []
    tables = round_view(tournament, tournament.round, rules, {})
    return [table["number"] for table in tables if not (table["is_over"] or table["is_told"])]


def earlier_view(earlier: Sequence[Tournament]) -> list[View]:
    """Returns the tournaments that were played before, the last one first, each with its number."""
    played_tournaments = [each for each in enumerate(earlier) if each[1].begun_rounds or each[1].entered_results]
    return [
        {"number": number, "title": tournament.opening.title} for number, tournament in reversed(played_tournaments)
    ]


def stopped_games_view(tournament: Tournament, rules: Ruleset | None) -> list[View]:
    """Returns the tables of the rounds begun whose game people stopped, until the desk decides whether it counts."""
    return [
        {"round": begun.round + 1, "table": table + 1}
        for begun in tournament.begun_rounds
        for table in range(len(tournament.opening.tables))
        if (result := result_of(tournament, begun.round, table, rules)) is not None and result.stopped_game is not None
    ]


def games_view(tournament: Tournament) -> list[View]:
    """Returns the games that tables reported, the newest first, and the round that each counts for."""
    first_round = tournament.begun_rounds[:1]
    found = [
        (report.at, table, game, round_)
        for table in sorted(tournament.games, reverse=True)
        for report, (game, round_) in zip(tournament.games[table].values(), tournament.rounds_of(table), strict=True)
        if game.hands and (round_ is not None or not first_round or not is_older(game, first_round[0], table))
    ]
    found.sort(key=itemgetter(0))
    return [
        {
            "table": table,
            **_reported_game(game),
            "round": None if round_ is None else round_ + 1,
        }
        for _, table, game, round_ in reversed(found)
    ]


def appeals_view(tournament: Tournament, hall: Sequence[HallTable], today: date) -> list[View]:
    """Returns the moments that tables flagged since the first round began, undecided ones first, then the newest.

    Each has the date of its clip, unless that is `today`.
    """
    if not tournament.begun_rounds:
        return []
    before = tournament.begun_rounds[0].known
    found = [
        {
            "table": table.name,
            "clip": appeal.name,
            "at": f"{_day(appeal.name, today)} {appeal.at}".lstrip(),
            "seconds": appeal.seconds,
            "address": table.appeals.address and f"{table.appeals.address}/clips/{appeal.name}.zip",
            "ruling": tournament.rulings.get((table.name, appeal.name), ""),
        }
        for table in hall
        if table.name in tournament.opening.tables
        for appeal in table.appeals.appeals
        if appeal.name not in before.get(table.name, ())
    ]
    newest = sorted(found, key=lambda appeal: str(appeal["clip"]), reverse=True)
    return sorted(newest, key=lambda appeal: bool(appeal["ruling"]))


def _day(clip: str, today: date) -> str:
    """Returns the date in a clip's name; empty if it has none, or today's."""
    found = re.match(r"(\d{4})(\d\d)(\d\d)-", clip)
    day = "" if found is None else "-".join(found.groups())
    return "" if day == today.isoformat() else day


def penalties_view(tournament: Tournament, texts: Catalogue) -> list[View]:
    """Returns the penalties, the newest first; an article of a rulebook by its title in the page's language."""
    penalties = [
        {
            "number": number,
            "name": tournament.opening.players[penalty.act.player],
            "points": single_points(-penalty.act.points, texts),
            "why": _reason(penalty.act.why, texts),
            "cancelled": penalty.cancel_reason,
        }
        for number, penalty in enumerate(tournament.penalties)
    ]
    return list(reversed(penalties))


def _reason(reason: str, texts: Catalogue) -> str:
    """Returns why a penalty was given; the article that it begins with, `EMA late × 2`, by its title."""
    found = _BY_ARTICLE.fullmatch(reason)
    if found is None or (title := texts.texts.get(f"article.{found[1]}")) is None:
        return reason
    article = f"{article_text(found[1], title, texts)}{found[2]}"
    return texts.labelled(article, found[3]) if found[3] else article


def single_points(points: int, texts: Catalogue) -> str:
    """Returns a change of points with its unit, `−5,000 points`, since the figures beside it are in thousands."""
    return texts.text("desk.single_points", points=signed(points))


def substitutes_view(tournament: Tournament, texts: Catalogue) -> list[View]:
    """Returns who substitutes for whom."""
    return [
        {
            "round": round_ + 1,
            "player": player,
            "name": tournament.opening.players[player],
            "by": replacement.by,
            "points": None if replacement.points is None else single_points(replacement.points, texts),
        }
        for (round_, player), replacement in sorted(tournament.replacements.items())
        if replacement.by
    ]


def csv_rows(kind: str, tournament: Tournament, rules: Ruleset | None) -> Iterator[list[Any]]:
    """Yields the rows of a CSV file: `standings`, `seating` or `results`."""
    opening = tournament.opening
    if kind == "standings":
        numbers = range(1, len(opening.rounds) + 1)
        yield ["place", "player", "total", *(f"round {number}" for number in numbers), "penalties"]
        for line in standings(tournament, rules):
            yield [line.place, opening.players[line.player], line.total, *line.rounds, -line.penalties]
        return
    has_points = kind == "results"
    yield (
        ["round", "table", "east", "south", "west", "north"]
        if not has_points
        else [
            "round",
            "table",
            "wind",
            "player",
            "substitute",
            "score",
            "points",
            "state",
        ]
    )
    for round_, tables in enumerate(opening.rounds):
        for table, players in enumerate(tables):
            if not has_points:
                yield [round_ + 1, table + 1, *(opening.players[player] for player in players)]
                continue
            yield from _result_rows(tournament, round_, table, rules)


def _result_rows(tournament: Tournament, round_: int, table: int, rules: Ruleset | None) -> Iterator[list[Any]]:
    """Yields the rows of a table's players, with the points that count in the standings."""
    result, points = result_of(tournament, round_, table, rules), points_of(tournament, round_, rules)
    for wind, player in enumerate(tournament.opening.rounds[round_][table]):
        if player in points:
            name, other = tournament.opening.players[player], _substitute(tournament, round_, player)
            score = "" if result is None else result.scores[wind]
            yield [round_ + 1, table + 1, WINDS[wind], name, other, score, points[player], _state(result)]


def _state(result: TableResult | None) -> str:
    if result is None:
        return "none"
    state = "over" if result.is_over else "playing" if result.stopped_game is None else "stopped"
    return "told" if result.is_entered else state
