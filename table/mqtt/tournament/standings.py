"""The standings of a tournament: each table's points of each round, less penalties. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from table.mqtt.table_games import Four, TableGame
from table.mqtt.tournament.tournament import Tournament
from table.rules.ruleset import Ruleset
from table.rules.scoring.game_progress import final_standings
from table.rules.terms.seats import four


@dataclass(frozen=True, slots=True, kw_only=True)
class TableResult:
    """A table's result in a round, from East on."""

    scores: Four
    points: Four
    """With uma, oka and fouls that count after uma."""
    is_over: bool
    stopped: TableGame | None = None
    """The game, if people stopped it and the desk has not decided yet that it counts."""
    is_told: bool = False
    """Whether it was entered at the desk."""
    rules: str = ""
    """The rule set with which the table computed it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
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
    """Returns a table's result in a round: the one entered at the desk, else its last game's; None without either.

    Nothing is known of a result entered at the desk while there are no `rules` to compute its points.
    """
    told = tournament.told.get((round_, table))
    if told is not None and told.scores is not None:
        if rules is None:
            return None
        points = final_standings(told.scores, rules).points
        return TableResult(scores=told.scores, points=points, is_over=True, is_told=True, rules=rules.name)
    games = tournament.games_of(round_, table)
    if not games:
        return None
    game = _counting(games)
    stopped = game if game.is_stopped and not tournament.is_agreed(table, game) else None
    return TableResult(
        scores=_from_east(game.scores, game.first_dealer),
        points=_from_east(game.points, game.first_dealer),
        is_over=game.is_over and stopped is None,
        stopped=stopped,
        rules=game.rules,
    )


def _counting(games: Sequence[TableGame]) -> TableGame:
    """Returns which of a round's games counts: the last one, but no unfinished one after one that was played out."""
    if games[-1].is_over:
        return games[-1]
    return next((game for game in reversed(games) if game.is_played_out), games[-1])


def _from_east(values: Four, dealer: int) -> Four:
    return four(values[(dealer + wind) % 4] for wind in range(4))


def standings(tournament: Tournament, rules: Ruleset | None) -> tuple[Line, ...]:
    """Returns everybody's line, the first place first.

    A substitute has none: the replaced player gets the points that the desk decided for that round.
    """
    won = [points_of(tournament, round_, rules) for round_ in range(len(tournament.opened.rounds))]
    lost = [0] * len(tournament.opened.players)
    for penalty in tournament.penalties:
        if penalty.cancelled is None:
            lost[penalty.given.player] += penalty.given.points
    totals = [
        sum(points.get(player, 0) for points in won) - lost[player] for player in range(len(tournament.opened.players))
    ]
    order = sorted(range(len(totals)), key=lambda player: -totals[player])
    lines: list[Line] = []
    for total, players in groupby(order, key=lambda player: totals[player]):
        place = len(lines) + 1
        lines += [
            Line(
                place=place,
                player=player,
                total=total,
                rounds=tuple(points.get(player) for points in won),
                penalties=lost[player],
            )
            for player in players
        ]
    return tuple(lines)


def points_of(tournament: Tournament, round_: int, rules: Ruleset | None) -> Mapping[int, int]:
    """Returns the points of a round by player, where they are known; the desk's own count once the round is played."""
    return dict(_won(tournament, round_, rules))


def _won(tournament: Tournament, round_: int, rules: Ruleset | None) -> Iterator[tuple[int, int]]:
    has_begun = any(each.round == round_ for each in tournament.begun)
    for table, players in enumerate(tournament.opened.rounds[round_]):
        result = result_of(tournament, round_, table, rules)
        for wind, player in enumerate(players):
            replaced = tournament.replaced.get((round_, player))
            if replaced is not None and replaced.by and replaced.points is not None and (has_begun or result):
                yield player, replaced.points
            elif result is not None:
                yield player, result.points[wind]
