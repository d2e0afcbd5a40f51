"""Logs and cancels fouls, in the hand on the table or in an earlier one."""

from __future__ import annotations

from dataclasses import replace

from table.rules import events, foul_totals
from table.rules.aspects import furiten
from table.rules.draft import Draft
from table.rules.fouls import foul_hand_end, foul_log
from table.rules.fouls.hand_of_foul import hand_by_number, hand_of
from table.rules.notation.event_notation import public_text
from table.rules.ruleset import Ruleset
from table.rules.state import GameState, LoggedFoul, Phase, Step
from table.rules.terms.rule_errors import ImpossibleEventError
from table.rules.transitions import aborts, after_settlement, hand_end
from table.rules.transitions.by_event.void_calls import take_back_void_call


def log_or_cancel(state: GameState, event: events.FoulLogged | events.FoulCancelled, ruleset: Ruleset) -> Step:
    """Logs or cancels a foul, even after the hand's settlement."""
    if state.hand is None and state.history:  # people ended the game in the midst of a hand
        step = log_or_cancel(replace(state, hand=hand_of(state.history[-1])), event, ruleset)
        return replace(step, state=replace(step.state, hand=None))
    if isinstance(event, events.FoulLogged):
        draft, index = hand_by_number(state, event.hand, ruleset)
        voided = foul_hand_end.voided_wins(draft)
        foul = foul_log.log_foul(draft, event, state.history[index].settlement if index < len(state.history) else None)
        if draft.phase is Phase.SETTLED:
            return _found_late(draft, foul, index, state, ruleset)
        take_back_void_call(draft)
        foul_hand_end.say_voided_wins(draft, voided)
    else:
        if state.hand is None:
            raise ImpossibleEventError(f"expected a hand, got none for {public_text(event)!r}", says="no_hand")
        draft = Draft(state, state.hand, ruleset)
        if (line := after_settlement.hand_number_of(state, event)) is not None:
            return draft.step_to(after_settlement.cancel_settled_foul(draft, line, event.foul, event.reason))
        foul_log.cancel_foul(draft, event)
    if foul_hand_end.ending_of(draft) is None:
        aborts.follow_riichi(draft)
    furiten.announce_all(draft)
    hand_end.propose_penalty(draft)
    return draft.step_to(
        replace(
            draft.game,
            scores=draft.scores,
            deposits=draft.deposits,
            deposit_points=draft.start.deposit_points + foul_totals.pot(draft.fouls),
            hand=draft.freeze(),
            next_start=None,
        )
    )


def _found_late(draft: Draft, foul: LoggedFoul, index: int, state: GameState, ruleset: Ruleset) -> Step:
    """Charges a foul of a settled hand, which may be an earlier one than that on the table."""
    if state.hand is None or draft.hand is state.hand:
        return draft.step_to(after_settlement.add_late_foul(draft, foul))
    on_table = Draft(state, state.hand, ruleset)
    step = on_table.step_to(after_settlement.add_late_foul(draft, foul, index=index, on_table=on_table))
    return replace(step, announcements=(*draft.step().announcements, *step.announcements))
