"""The moments of a game that people tell of afterwards, found in what its hands came to. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from table.game.journal.game_history import GameHistory
from table.rules.state import FinishedHand
from table.rules.terms.results import Deltas
from table.rules.terms.seats import SEATS, Seat

MANY_RIICHI = 3
"""So many riichi in one hand are a moment."""


class MomentKind(StrEnum):
    """What kind of moment it is."""

    YAKUMAN = "yakuman"
    SWING = "swing"
    THREE_RIICHI = "three_riichi"
    LAST_TURN = "last_turn"
    FOUL = "foul"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameMoment:
    """One moment of a game."""

    kind: MomentKind
    game: int
    """The entry that opened the game."""
    hand: int
    """Which hand of the game, from 0."""
    seats: tuple[Seat, ...]
    """Whom it is about: the winner first, then who paid most or was overtaken; of riichi and fouls those who did."""
    names: tuple[str, ...]
    """Theirs, in the same order; empty where nobody said."""
    points: int = 0
    """By how much a swing parted two seats."""
    what: tuple[str, ...] = ()
    """The yakuman, or the clause of a foul."""


def moments_of(game: GameHistory) -> list[GameMoment]:
    """Returns the moments of a game in order, its biggest swing among them."""
    found = [*_of_hands(game), *_last_turn(game)]
    swing = biggest_swing(game)
    return sorted([*found, *([] if swing is None else [swing])], key=lambda moment: moment.hand)


def biggest_swing(game: GameHistory) -> GameMoment | None:
    """Returns the hand that parted two seats most; None where no hand paid anything."""
    swings = [
        (max(deltas) - min(deltas), -number, deltas)
        for number, hand in enumerate(game.state.history)
        if hand.settlement is not None and any(deltas := hand.settlement.deltas)
    ]
    if not swings:
        return None
    points, number, deltas = max(swings)
    up, down = (deltas.index(end(deltas)) for end in (max, min))
    return _moment(game, MomentKind.SWING, -number, (SEATS[up], SEATS[down]), points=points)


def _of_hands(game: GameHistory) -> Iterator[GameMoment]:
    for number, hand in enumerate(game.state.history):
        for win in () if hand.settlement is None else hand.settlement.wins:
            if win.yakuman:
                names = tuple(name for name, _ in win.yaku)
                yield _moment(game, MomentKind.YAKUMAN, number, (win.seat,), what=names)
        if len(hand.riichi) >= MANY_RIICHI:
            yield _moment(game, MomentKind.THREE_RIICHI, number, hand.riichi)
        yield from _fouls(game, number, hand)


def _fouls(game: GameHistory, number: int, hand: FinishedHand) -> Iterator[GameMoment]:
    for foul in hand.fouls:
        if foul.cancelled is None:
            yield _moment(game, MomentKind.FOUL, number, (foul.seat,), what=(foul.clause,))


def _last_turn(game: GameHistory) -> Iterator[GameMoment]:
    """Who took the first place in the last hand, from whom."""
    lines = game.state.history
    if not game.state.is_over or len(lines) < 2:
        return
    *_, (before, _) = pairwise(lines)
    ahead, first = _leader(before.scores, game.first_dealer), game.state.ranking[0]
    if ahead is not first:
        yield _moment(game, MomentKind.LAST_TURN, len(lines) - 1, (first, ahead))


def _leader(scores: Deltas, first_dealer: Seat) -> Seat:
    return min(SEATS, key=lambda seat: (-scores[seat], seat.after(first_dealer)))


def _moment(
    game: GameHistory,
    kind: MomentKind,
    hand: int,
    seats: tuple[Seat, ...],
    *,
    points: int = 0,
    what: tuple[str, ...] = (),
) -> GameMoment:
    names = tuple(game.names[seat] for seat in seats)
    return GameMoment(kind=kind, game=game.number, hand=hand, seats=seats, names=names, points=points, what=what)
