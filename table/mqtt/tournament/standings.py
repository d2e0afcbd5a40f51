"""The standings of a tournament: each table's points of each round, less penalties. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from table.mqtt.table_games import SeatPoints, TableGame
from table.mqtt.tournament.tournament import Tournament
from table.rules.ruleset import Ruleset
from table.rules.scoring.game_progress import final_standings
from table.rules.terms.seats import four


@dataclass(frozen=True, slots=True, kw_only=True)
class TableResult:
    """A table's result in a round, from East on."""

    scores: SeatPoints
    points: SeatPoints
    """With uma, oka and fouls that count after uma."""
    is_over: bool
    stopped_game: TableGame | None = None
    """The game, if people stopped it and the desk has not decided yet that it counts."""
    is_entered: bool = False
    """Whether it was entered at the desk."""
    rules: str = ""
    """The rule set with which the table computed it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsLine:
    """One player's line in the standings."""

    place: int
    """Counted from 1; equal totals share a place."""
    player: int
    total: int
    rounds: tuple[int | None, ...]
    """The points of each round; None if unknown."""
    penalties: int
    """The points deducted by penalties."""


def result_of(tournament: Tournament, round_: int, table: int, rules: Ruleset | None) -> TableResult | None:
    """Returns a table's result in a round: the one entered at the desk, else its game's; None without either.

    Also returns None for a result entered at the desk while there are no `rules` to compute its points.
    """
    entered = tournament.entered_results.get((round_, table))
    if entered is not None and entered.scores is not None:
        if rules is None:
            return None
        points = final_standings(entered.scores, rules).points
        return TableResult(scores=entered.scores, points=points, is_over=True, is_entered=True, rules=rules.name)
    games = tournament.games_of(round_, table)
    if not games:
        return None
    undecided_games = [game for game in games if game.is_stopped and not tournament.is_agreed(table, game)]
    game = _counting_game(games, undecided_games)
    stopped_game = game if game in undecided_games else None
    return TableResult(
        scores=_from_east(game.scores, game.first_dealer),
        points=_from_east(game.points, game.first_dealer),
        is_over=game.is_over and stopped_game is None,
        stopped_game=stopped_game,
        rules=game.rules,
    )


def is_round_over(tournament: Tournament, rules: Ruleset | None) -> bool:
    """Returns whether every table's result in the current round is final; False before the first round."""
    round_ = tournament.round
    if round_ is None:
        return False
    results = (result_of(tournament, round_, table, rules) for table in range(len(tournament.opening.tables)))
    return all(result is not None and result.is_over for result in results)


def _counting_game(games: Sequence[TableGame], undecided_games: Collection[TableGame]) -> TableGame:
    """Returns the one of a round's games that counts: the last one, unless it is unfinished and another was played out.

    In that case it is the last game that was played out, except for `undecided_games`, which people stopped.
    """
    if games[-1].is_over:
        return games[-1]
    return next((game for game in reversed(games) if game.is_played_out and game not in undecided_games), games[-1])


def _from_east(values: SeatPoints, dealer: int) -> SeatPoints:
    return four(values[(dealer + wind) % 4] for wind in range(4))


def standings(tournament: Tournament, rules: Ruleset | None) -> tuple[StandingsLine, ...]:
    """Returns the line of every player, first place first.

    A substitute has no line: the round counts for the replaced player, with the points that the desk decided.
    """
    round_points = [points_of(tournament, round_, rules) for round_ in range(len(tournament.opening.rounds))]
    deducted = [0] * len(tournament.opening.players)
    for penalty in tournament.penalties:
        if penalty.cancel_reason is None:
            deducted[penalty.act.player] += penalty.act.points
    totals = [
        sum(points.get(player, 0) for points in round_points) - deducted[player]
        for player in range(len(tournament.opening.players))
    ]
    order = sorted(range(len(totals)), key=lambda player: -totals[player])
    lines: list[StandingsLine] = []
    for total, players in groupby(order, key=lambda player: totals[player]):
        place = len(lines) + 1
        lines += [
            StandingsLine(
                place=place,
                player=player,
                total=total,
                rounds=tuple(points.get(player) for points in round_points),
                penalties=deducted[player],
            )
            for player in players
        ]
    return tuple(lines)


def points_of(tournament: Tournament, round_: int, rules: Ruleset | None) -> Mapping[int, int]:
    """Returns the points of a round by player, where they are known.

    Points that the desk decided for a replaced player are known once the round has begun.
    """
    return dict(_round_points(tournament, round_, rules))


def _round_points(tournament: Tournament, round_: int, rules: Ruleset | None) -> Iterator[tuple[int, int]]:
    has_begun = any(begun.round == round_ for begun in tournament.begun_rounds)
    for table, players in enumerate(tournament.opening.rounds[round_]):
        result = result_of(tournament, round_, table, rules)
        for wind, player in enumerate(players):
            replacement = tournament.replacements.get((round_, player))
            if replacement is not None and replacement.by and replacement.points is not None and (has_begun or result):
                yield player, replacement.points
            elif result is not None:
                yield player, result.points[wind]
