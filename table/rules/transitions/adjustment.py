"""Corrections of points, sticks and honba by people: after a wrong payment, or a forgotten stick.

A correction counts as if the hand had started with it; everything later is computed from that start.
"""

from __future__ import annotations

from dataclasses import replace

from table.rules.draft import Draft
from table.rules.events import HandStarted, PointsAdjusted
from table.rules.notation.event_notation import public_text
from table.rules.ruleset import Ruleset
from table.rules.state import Adjustment, GameState, HandState, Step
from table.rules.terms.amounts import amount
from table.rules.terms.announcements import Announcement, AnnouncementId
from table.rules.terms.results import add
from table.rules.terms.rule_errors import ImpossibleEventError
from table.rules.transitions.hand_end import propose
from table.rules.transitions.settlement_news import say_proposed


def adjust(state: GameState, event: PointsAdjusted, ruleset: Ruleset) -> Step:
    """Corrects points in the hand being played, or before the next one.

    Raises:
        ImpossibleEventError: the game has ended, or more sticks would be removed than are on the table.
    """
    hand = state.live
    start = state.next_start if hand is None else hand.start
    if start is None:
        raise ImpossibleEventError(
            f"expected a game in progress, got one that has ended for {public_text(event)!r}", says="game_over"
        )
    new_start = _adjusted_start(start, event)
    adjustment = Adjustment(hand=len(state.history), event=event, honba=start.honba, scores=new_start.scores)
    state = replace(
        state,
        scores=add(state.scores, event.points),
        deposits=state.deposits + event.sticks,
        adjustments=(*state.adjustments, adjustment),
    )
    announcement = _announcement(event, state)
    if hand is None:
        return Step(state=replace(state, next_start=new_start), announcements=(announcement,))
    return _adjust_hand(state, hand, new_start, announcement, ruleset)


def _adjust_hand(
    state: GameState, hand: HandState, new_start: HandStarted, announcement: Announcement, ruleset: Ruleset
) -> Step:
    """Continues the hand with the corrected start; an existing proposal is computed anew."""
    draft = Draft(state, hand, ruleset)
    draft.start = new_start
    draft.pass_on(announcement)
    if draft.proposal is not None and (proposal := propose(draft)) is not None:
        draft.proposal = proposal
        say_proposed(draft, proposal)
    return draft.step_to(replace(state, hand=draft.freeze()))


def _adjusted_start(start: HandStarted, event: PointsAdjusted) -> HandStarted:
    deposits = start.deposits + event.sticks
    if deposits < 0:
        raise ImpossibleEventError(
            f"expected at most {amount(start.deposits, 'stick')} to be taken off, got {-event.sticks}",
            says="too_few_sticks",
            count=start.deposits,
        )
    honba = start.honba if event.honba is None else event.honba
    return replace(start, scores=add(start.scores, event.points), deposits=deposits, honba=honba)


def _announcement(event: PointsAdjusted, state: GameState) -> Announcement:
    counter = {} if event.honba is None else {"honba": event.honba}
    args = {"deltas": list(event.points), "sticks": event.sticks, "scores": list(state.scores), **counter}
    return Announcement(id=AnnouncementId.POINTS_ADJUSTED, rule="by hand", args=args)
