"""Which round a table's game counts for: by what the desk had told the table when the game began. Pure.

A table's clock may be wrong: a Pi without a clock of its own wakes up in 1970, or hours behind. So it notes in its
journal which round the desk had begun last, and each game comes with that. The time of day is asked only where the
table knew of no round, or where a time that can be right says a later one: the table was away for a whole round.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from table.game.journal.played_round import PlayedRound
from table.mqtt.desk.acts import GameHeard, RoundBegun
from table.mqtt.desk_signal import moment
from table.mqtt.table_games import TableGame

EARLY: Final = timedelta(minutes=10)
"""So long before a round begins its game may be opened at a table."""


def played_round(heard: GameHeard, begun: Sequence[RoundBegun], table: str, event: str) -> int | None:
    """Returns the round that a game counts for, from 0; None where it counts for none.

    Args:
        heard: the game, and when the desk first heard of it.
        begun: the rounds that were begun, in that order.
        table: the table's name.
        event: the tournament's name in messages.
    """
    can_be = _begun_before_its_first_hand(heard.game, begun, table)
    told = PlayedRound.parse(heard.game.round)
    if told is None or told.event != event:
        return _by_time(heard.game, can_be)
    later = _by_time(heard.game, can_be) if _can_be_right(heard, begun, told) else None
    numbers = [each.round for each in can_be]
    if later is not None and later + 1 >= told.earliest:
        return later
    if told.earliest - 1 in numbers:
        return told.earliest - 1
    return None if told.is_called or not numbers else min(numbers[-1], told.earliest - 1)


def _begun_before_its_first_hand(game: TableGame, begun: Sequence[RoundBegun], table: str) -> Sequence[RoundBegun]:
    """The rounds that it can count for: the desk knew no finished hand of it when they began."""
    for at, each in enumerate(begun):
        if is_older(game, each, table):
            return begun[:at]
    return begun


def is_older(game: TableGame, begun: RoundBegun, table: str) -> bool:
    """Whether the desk knew a finished hand of a table's game when a round began."""
    return game.identity in begun.known.get(table, ()) or game.number <= begun.before.get(table, -1)


def _by_time(game: TableGame, begun: Sequence[RoundBegun]) -> int | None:
    for each in reversed(begun):
        if not game.opened or moment(game.opened) >= moment(each.at) - EARLY:
            return each.round
    return None


def _can_be_right(heard: GameHeard, begun: Sequence[RoundBegun], told: PlayedRound) -> bool:
    """Whether a game's time lies between the begin of the round that its table knew, and when the desk heard of it."""
    if not heard.game.opened or not heard.at:
        return False
    known = next((moment(each.at) for each in begun if each.round == told.number - 1), None)
    opened = moment(heard.game.opened)
    return known is not None and known - EARLY <= opened <= moment(heard.at) + EARLY
