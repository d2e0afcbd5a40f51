"""Finds the hand that a foul is about: the one in play, the next one, the one just settled, or an earlier one."""

from __future__ import annotations

from dataclasses import replace

from table.rules.dealing import live_or_next
from table.rules.draft import Draft
from table.rules.events import HandStarted, WinKind
from table.rules.ruleset import Ruleset
from table.rules.state import Claim, FinishedHand, GameState, HandState, Phase
from table.rules.terms.results import Deltas, subtract
from table.rules.terms.rule_errors import ImpossibleEventError


def hand_by_number(state: GameState, number: int | None, ruleset: Ruleset) -> tuple[Draft, int]:
    """Returns the hand that a foul is about and its number in the game, from 0; naming the next hand opens it.

    Args:
        state: the game.
        number: the hand's number, from 0; None means the hand in play or, between hands, the one just settled.
        ruleset: the rules played.

    Raises:
        ImpossibleEventError: there is no such hand.
    """
    next_number = len(state.history)
    if number is None:
        if state.hand is None and not next_number:
            raise ImpossibleEventError("expected a hand, got none: none was played yet", says="no_hand")
        number = next_number if state.live is not None else next_number - 1
    if number == next_number and not state.is_over:
        return live_or_next(state, ruleset), number
    if not 0 <= number < next_number:
        raise ImpossibleEventError(
            f"expected a hand of the game for a foul, one of {next_number}, got hand {number + 1}",
            says="hand_unfinished",
        )
    if number == next_number - 1 and state.hand is not None and state.live is None:
        return Draft(state, state.hand, ruleset), number
    return _listed_hand(state, number, ruleset), number


def _listed_hand(state: GameState, index: int, ruleset: Ruleset) -> Draft:
    """Returns an earlier hand as far as the score sheet records it, which is all that is still known."""
    return Draft(replace(state, history=state.history[: index + 1]), hand_of(state.history[index]), ruleset)


def hand_of(line: FinishedHand) -> HandState:
    """Returns a finished hand as far as its line of the score sheet records it."""
    start = HandStarted(round=line.round, dealer=line.dealer, honba=line.honba, scores=_scores_before(line))
    return HandState(start=start, phase=Phase.SETTLED, claims=_claims_of(line), fouls=line.fouls)


def _claims_of(line: FinishedHand) -> tuple[Claim, ...]:
    """Returns the wins of a finished hand."""
    return tuple(
        Claim(
            seat=win.seat,
            kind=WinKind.TSUMO if win.seat is win.from_seat else WinKind.RON,
            from_seat=win.from_seat,
        )
        for win in (() if line.settlement is None else line.settlement.wins)
    )


def _scores_before(line: FinishedHand) -> Deltas:
    """Returns the scores before a hand."""
    if line.settlement is None:
        return line.scores
    return subtract(line.scores, line.settlement.deltas)
