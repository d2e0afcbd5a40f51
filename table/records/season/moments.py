"""Finds the memorable moments of a game in its results. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import product

from table.game.journal.history.game_history import GameHistory
from table.records.score_sheet import adjusted_scores
from table.rules.scoring.game_progress import Standings, final_standings
from table.rules.state import FinishedHand
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
    """The seats concerned: the winner, then who paid most or was overtaken; for riichi and fouls, who declared them.
    Those who won or paid the same are all there.
    """
    names: tuple[str, ...]
    """Their names, in the same order; empty if unknown."""
    points: int = 0
    """The change between two seats in a swing."""
    winners: int = 1
    """Number of winners in a swing, who are the first of the seats."""
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
    winners = [seat for seat in SEATS if deltas[seat] == max(deltas)]
    payers = [seat for seat in SEATS if deltas[seat] == min(deltas)]
    return _moment(game, MomentKind.SWING, -number, (*winners, *payers), points=points, winners=len(winners))


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
    """Yields a moment for each seat that took first place in the last hand, with each seat that lost it.

    By some rules several seats share the first place: nobody took it if a seat that had it still does. A correction of
    points before the last hand is no part of it.
    """
    *earlier, _ = game.state.history or (None,)
    if not game.state.is_over or not earlier:
        return
    dues = [due for hand in earlier for due in hand.dues]
    corrected = [scores for adjustment, scores in adjusted_scores(game.state) if adjustment.hand == len(earlier)]
    scores = [earlier[-1].scores, *corrected][-1]
    before = final_standings(scores, game.ruleset, first_dealer=game.first_dealer, dues=dues)
    leaders, winners = _first_places(before), _first_places(game.standings)
    if not leaders & winners:
        for winner, leader in product(sorted(winners), sorted(leaders)):
            yield _moment(game, MomentKind.LAST_TURN, len(earlier), (winner, leader))


def _first_places(standings: Standings) -> set[Seat]:
    return {seat for seat in SEATS if standings.places[seat] == 1}


def _moment(
    game: GameHistory,
    kind: MomentKind,
    hand: int,
    seats: tuple[Seat, ...],
    *,
    points: int = 0,
    winners: int = 1,
    details: tuple[str, ...] = (),
) -> GameMoment:
    names = tuple(game.names_in(hand)[seat] for seat in seats)
    return GameMoment(
        kind=kind,
        game=game.number,
        hand=hand,
        seats=seats,
        names=names,
        points=points,
        winners=winners,
        details=details,
    )
