"""Determines the round that a table's game counts for, by what the table knew when the game began. Pure.

A table's clock may be wrong: a Pi without a clock chip starts in 1970, or hours behind. A table therefore notes in its
journal which round the desk had begun last, and sends it with each game. The time of day decides only if the table knew
of no round, or if a plausible time indicates a later one: the table was offline for a whole round.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Sequence
from datetime import timedelta
from typing import Final

from table.game.journal.history.played_round import PlayedRound
from table.mqtt.desk_signal import moment
from table.mqtt.table_games import TableGame
from table.mqtt.tournament.acts import GameHeard, RoundBegun

EARLY: Final = timedelta(minutes=10)
"""How long before a round begins a table may open its game."""


def played_round(
    report: GameHeard,
    begun_rounds: Sequence[RoundBegun],
    table: str,
    event: str,
    *,
    finished_rounds: Container[int],
    played_rounds: Collection[int],
) -> int | None:
    """Returns the round that a game counts for, from 0; None if it counts for none.

    Args:
        report: the game, and when the desk first heard of it.
        begun_rounds: the rounds that have begun, in order.
        table: the table's name.
        event: the tournament's name in messages.
        finished_rounds: the rounds whose game the table had played out before this one; games after that are for fun
            until the next round begins, unless the table itself names their round.
        played_rounds: the rounds in which the table had played a hand before this game; a table that was still playing
            an earlier round's game when time was called plays its game of the round after the call.
    """
    possible = _begun_before_first_hand(report.game, begun_rounds, table)
    table_round = PlayedRound.parse(report.game.round)
    if table_round is None or table_round.event != event:
        return _unless_in(finished_rounds, _round_by_time(report.game, possible))
    later_round = (
        _round_by_time(report.game, possible) if _is_time_plausible(report, begun_rounds, table_round) else None
    )
    numbers = [begun.round for begun in possible]
    if later_round is not None and later_round + 1 >= table_round.earliest:
        return later_round
    if table_round.earliest - 1 in numbers:
        return table_round.earliest - 1
    if table_round.is_called and not table_round.games and played_rounds and table_round.number - 1 in numbers:
        return None if table_round.number - 1 in played_rounds else table_round.number - 1
    return (
        None
        if table_round.is_called or not numbers
        else _unless_in(finished_rounds, min(numbers[-1], table_round.earliest - 1))
    )


def _unless_in(rounds: Container[int], round_: int | None) -> int | None:
    return None if round_ in rounds else round_


def _begun_before_first_hand(game: TableGame, begun_rounds: Sequence[RoundBegun], table: str) -> Sequence[RoundBegun]:
    """Returns the rounds that a game can count for: those begun before the desk knew a finished hand of it."""
    for index, begun in enumerate(begun_rounds):
        if is_older(game, begun, table):
            return begun_rounds[:index]
    return begun_rounds


def is_older(game: TableGame, begun_round: RoundBegun, table: str) -> bool:
    """Returns whether the desk knew a finished hand of a table's game when a round began."""
    return game.identity in begun_round.known.get(table, ()) or game.number <= begun_round.before.get(table, -1)


def _round_by_time(game: TableGame, begun_rounds: Sequence[RoundBegun]) -> int | None:
    for begun in reversed(begun_rounds):
        if game.opened_at is None or game.opened_at >= moment(begun.at) - EARLY:
            return begun.round
    return None


def _is_time_plausible(report: GameHeard, begun_rounds: Sequence[RoundBegun], table_round: PlayedRound) -> bool:
    """Returns whether a game's time is between the start of the round that its table knew and its first report."""
    opened_at = report.game.opened_at
    if opened_at is None or not report.at:
        return False
    round_start = next((moment(begun.at) for begun in begun_rounds if begun.round == table_round.number - 1), None)
    return round_start is not None and round_start - EARLY <= opened_at <= moment(report.at) + EARLY
