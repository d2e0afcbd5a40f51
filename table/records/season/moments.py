"""Finds the memorable moments of a game in its results. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from table.game.journal.history.game_history import GameHistory
from table.rules.state import FinishedHand
from table.rules.terms.results import Deltas
from table.rules.terms.seats import SEATS, Seat

MANY_RIICHI = 3
"""Number of riichi in one hand that make a moment."""


class MomentKind(StrEnum):
    """The kind of moment."""

    YAKUMAN = "yakuman"
    SWING = "swing"
    THREE_RIICHI = "three_riichi"
    LAST_TURN = "last_turn"
    FOUL = "foul"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameMoment:
    """One memorable moment of a game."""

    kind: MomentKind
    game: int
    """The entry that opened the game."""
    hand: int
    """The number of the hand in the game, counted from 0."""
    seats: tuple[Seat, ...]
    """The seats concerned: the winner, then who paid most or was overtaken; for riichi and fouls, who declared them."""
    names: tuple[str, ...]
    """Their names, in the same order; empty if unknown."""
    points: int = 0
    """The change between two seats in a swing."""
    details: tuple[str, ...] = ()
    """The yakuman, or the clause of a foul."""


def moments_of(game: GameHistory) -> list[GameMoment]:
    """Returns the moments of a game in order, including its biggest swing."""
    found = [*_of_hands(game), *_last_turn(game)]
    swing = biggest_swing(game)
    return sorted([*found, *([] if swing is None else [swing])], key=lambda moment: moment.hand)


def biggest_swing(game: GameHistory) -> GameMoment | None:
    """Returns the hand with the largest change between two seats; None if no hand paid anything."""
    swings = [
        (max(deltas) - min(deltas), -number, deltas)
        for number, hand in enumerate(game.state.history)
        if hand.settlement is not None and any(deltas := hand.settlement.deltas)
    ]
    if not swings:
        return None
    points, number, deltas = max(swings)
    winner, payer = (deltas.index(end(deltas)) for end in (max, min))
    return _moment(game, MomentKind.SWING, -number, (SEATS[winner], SEATS[payer]), points=points)


def _of_hands(game: GameHistory) -> Iterator[GameMoment]:
    for number, hand in enumerate(game.state.history):
        for win in () if hand.settlement is None else hand.settlement.wins:
            if win.yakuman:
                names = tuple(name for name, _ in win.yaku)
                yield _moment(game, MomentKind.YAKUMAN, number, (win.seat,), details=names)
        if len(hand.riichi) >= MANY_RIICHI:
            yield _moment(game, MomentKind.THREE_RIICHI, number, hand.riichi)
        yield from _fouls(game, number, hand)


def _fouls(game: GameHistory, number: int, hand: FinishedHand) -> Iterator[GameMoment]:
    for foul in hand.fouls:
        if foul.cancel_reason is None:
            yield _moment(game, MomentKind.FOUL, number, (foul.seat,), details=(foul.clause,))


def _last_turn(game: GameHistory) -> Iterator[GameMoment]:
    """Returns the change of the lead in the last hand, if there was one; two who stay level do not change places."""
    lines = game.state.history
    if not game.state.is_over or len(lines) < 2:
        return
    *_, (before, _) = pairwise(lines)
    leader, winner = _leader(before.scores, game.first_dealer), game.state.ranking[0]
    was_level, is_level = (scores[leader] == scores[winner] for scores in (before.scores, game.state.scores))
    if leader is not winner and not (was_level and is_level):
        yield _moment(game, MomentKind.LAST_TURN, len(lines) - 1, (winner, leader))


def _leader(scores: Deltas, first_dealer: Seat) -> Seat:
    return min(SEATS, key=lambda seat: (-scores[seat], seat.after(first_dealer)))


def _moment(
    game: GameHistory,
    kind: MomentKind,
    hand: int,
    seats: tuple[Seat, ...],
    *,
    points: int = 0,
    details: tuple[str, ...] = (),
) -> GameMoment:
    names = tuple(game.names_in(hand)[seat] for seat in seats)
    return GameMoment(kind=kind, game=game.number, hand=hand, seats=seats, names=names, points=points, details=details)
