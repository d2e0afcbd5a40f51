"""Continues the game after a settled hand: with the next deal, or with its end."""

from __future__ import annotations

from dataclasses import replace

from table.rules.draft import Draft
from table.rules.events import HandStarted
from table.rules.scoring.game_progress import GameOver, HandFacts, after_hand
from table.rules.state import FinishedHand, GameState
from table.rules.terms.results import Settlement, add
from table.rules.transitions.settlement_news import game_ended


def game_after(
    draft: Draft, settlement: Settlement, line: FinishedHand, earlier: tuple[FinishedHand, ...]
) -> GameState:
    """Returns the game after a settled hand: the next deal, or its end."""
    history = (*earlier, line)
    state = replace(draft.game, hand=draft.freeze(), history=history, next_start=None, ranking=(), bust_bonus=None)
    facts = replace(facts_at(line, history), is_last=state.is_last_hand_done)
    facts, settlement = _with_adjustments(facts, settlement, state)
    following = after_hand(facts, settlement, draft.rules)
    state = replace(
        state,
        scores=following.scores,
        deposits=following.deposits,
        deposit_points=following.deposit_points,
    )
    if isinstance(following, GameOver):
        over = replace(state, ranking=following.ranking, bust_bonus=following.bust_bonus)
        draft.pass_on(game_ended(over))
        return over
    next_start = HandStarted(
        round=following.round,
        dealer=following.dealer,
        scores=following.scores,
        honba=following.honba,
        deposits=following.deposits,
        deposit_points=following.deposit_points,
    )
    return replace(state, next_start=next_start)


def facts_at(hand: FinishedHand | HandStarted, history: tuple[FinishedHand, ...]) -> HandFacts:
    """Returns the facts of the game after a finished hand, or before one that starts; `history` is before it."""
    return HandFacts(
        round=hand.round,
        first_dealer=hand.dealer.plus(1 - hand.round.number),
        scores=hand.scores,
        dues=tuple(due for line in history for due in line.dues),
    )


def _with_adjustments(facts: HandFacts, settlement: Settlement, state: GameState) -> tuple[HandFacts, Settlement]:
    """Keeps corrections that people made after the last hand when that hand is settled again."""
    scores, deposits, honba = facts.scores, settlement.deposits, settlement.honba
    for adjustment in state.adjustments:
        if adjustment.hand == len(state.history):
            event = adjustment.event
            scores, deposits = add(scores, event.points), deposits + event.sticks
            honba = honba if event.honba is None else event.honba
    return replace(facts, scores=scores), replace(settlement, deposits=deposits, honba=honba)
