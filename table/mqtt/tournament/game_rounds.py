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
    heard: GameHeard,
    begun: Sequence[RoundBegun],
    table: str,
    event: str,
    *,
    done: Container[int],
    played: Collection[int],
) -> int | None:
    """Returns the round that a game counts for, from 0; None if it counts for none.

    Args:
        heard: the game, and when the desk first heard of it.
        begun: the rounds that have begun, in order.
        table: the table's name.
        event: the tournament's name in messages.
        done: the rounds whose game the table has played out before this one; whatever it plays until the next round
            begins is for fun, unless the table itself names the round.
        played: the rounds of which the table has played a hand before this game; a table that was still playing an
            earlier one when time was called plays its own game of the round after the call.
    """
    can_be = _begun_before_its_first_hand(heard.game, begun, table)
    told = PlayedRound.parse(heard.game.round)
    if told is None or told.event != event:
        return _unless(done, _by_time(heard.game, can_be))
    later = _by_time(heard.game, can_be) if _can_be_right(heard, begun, told) else None
    numbers = [each.round for each in can_be]
    if later is not None and later + 1 >= told.earliest:
        return later
    if told.earliest - 1 in numbers:
        return told.earliest - 1
    if told.is_called and not told.games and played and told.number - 1 in numbers:
        return None if told.number - 1 in played else told.number - 1
    return None if told.is_called or not numbers else _unless(done, min(numbers[-1], told.earliest - 1))


def _unless(done: Container[int], round_: int | None) -> int | None:
    return None if round_ in done else round_


def _begun_before_its_first_hand(game: TableGame, begun: Sequence[RoundBegun], table: str) -> Sequence[RoundBegun]:
    """Returns the rounds that it can count for: those that began before the desk knew a finished hand of it."""
    for at, each in enumerate(begun):
        if is_older(game, each, table):
            return begun[:at]
    return begun


def is_older(game: TableGame, begun: RoundBegun, table: str) -> bool:
    """Returns whether the desk knew a finished hand of a table's game when a round began."""
    return game.identity in begun.known.get(table, ()) or game.number <= begun.before.get(table, -1)


def _by_time(game: TableGame, begun: Sequence[RoundBegun]) -> int | None:
    for each in reversed(begun):
        if game.opened_at is None or game.opened_at >= moment(each.at) - EARLY:
            return each.round
    return None


def _can_be_right(heard: GameHeard, begun: Sequence[RoundBegun], told: PlayedRound) -> bool:
    """Returns whether a game's time is between the start of the round that its table knew and its first report."""
    opened = heard.game.opened_at
    if opened is None or not heard.at:
        return False
    known = next((moment(each.at) for each in begun if each.round == told.number - 1), None)
    return known is not None and known - EARLY <= opened <= moment(heard.at) + EARLY
