"""Ends a game before the rules do: it is late, somebody must leave, or time is called."""

from __future__ import annotations

from dataclasses import replace

from table.rules.events import GameEnded, HandStarted, TimeSignal
from table.rules.notation.event_notation import public_text
from table.rules.penalties.chombo import AFTER_CHOMBO
from table.rules.penalties.effect_terms import Op
from table.rules.ruleset import Ruleset
from table.rules.scoring.game_progress import end_game
from table.rules.state import GameState, Step
from table.rules.terms.announcements import Announcement, AnnouncementId
from table.rules.terms.rule_errors import ImpossibleEventError
from table.rules.transitions.next_deal import facts_at
from table.rules.transitions.settlement_news import game_ended


def end_game_early(state: GameState, event: GameEnded, ruleset: Ruleset) -> Step:
    """Ends the game at its present scores, as after its last hand; the rule set decides who takes leftover sticks.

    A hand in play does not count: its sticks, and payments for fouls in it, are returned. Once time was called the game
    may end at any moment; before, it is marked as stopped.

    Raises:
        ImpossibleEventError: the game has already ended.
    """
    step = _end_now(state, _start_of(state, event), ruleset)
    return replace(step, state=replace(step.state, is_stopped=state.ends_after is None))


def call_time(state: GameState, event: TimeSignal, ruleset: Ruleset) -> Step:
    """Calls time: the game ends with the hand being played, or one later, as the rule set requires.

    Between two hands the game ends at once, or with the next hand. If no camera watches, the hand whose result people
    declare next counts as the one being played.

    A table that was offline may receive the call late: hands finished since then count, except for those that are
    played again, so that it plays as many hands as other tables. A hand in play is always finished.

    Raises:
        ImpossibleEventError: the game has already ended, or time was already called.
    """
    start = _start_of(state, event)
    if state.ends_after is not None:
        raise ImpossibleEventError("expected one time signal in a game, got another", says="time_twice")
    in_play, more = state.live is not None or not _is_watched(state), ruleset.time_signal == "one_more"
    is_replaying, hands_left = _replays_chombo(ruleset), in_play + more
    if event.finished:
        replays = sum(line.is_penalty for line in state.history[-event.finished :]) if is_replaying else 0
        hands_left = max(in_play, 1 + more + replays - event.finished)
    last = "none" if not hands_left else "this_hand" if hands_left == in_play else "next_hand"
    announcement = Announcement(id=AnnouncementId.TIME_SIGNAL, rule="time signal", args={"last": last})
    replays_from = len(state.history) if is_replaying else None
    state = replace(state, ends_after=len(state.history) + hands_left, replays_from=replays_from)
    if not state.is_last_hand_done:
        return Step(state=state, announcements=(announcement,))
    step = _end_now(state, start, ruleset)
    return replace(step, announcements=(announcement, *step.announcements))


def _start_of(state: GameState, event: GameEnded | TimeSignal) -> HandStarted:
    start = state.present_start
    if start is None:
        raise ImpossibleEventError(
            f"expected a game in progress, got one that has ended for {public_text(event)!r}", says="game_over"
        )
    return start


def _replays_chombo(ruleset: Ruleset) -> bool:
    """Whether a hand that a chombo ends counts as not having happened, also after time was called (7-02 d)."""
    penalties = ruleset.penalties
    return not penalties.chombo_counts and penalties.chosen_effect(AFTER_CHOMBO, Op.REPLAY_HAND) is not None


def _is_watched(state: GameState) -> bool:
    """Whether the last hand was seen being played, so that the next deal would be seen too."""
    return state.hand is not None and state.hand.was_seen


def _end_now(state: GameState, start: HandStarted, ruleset: Ruleset) -> Step:
    last = state.history[-1] if state.history else start
    facts = replace(facts_at(last, state.history), scores=start.scores)
    over = end_game(facts, ruleset, deposits=start.deposits, deposit_points=start.deposit_points)
    ended_game = replace(
        state,
        scores=over.scores,
        deposits=over.deposits,
        deposit_points=over.deposit_points,
        hand=None if state.live is not None else state.hand,
        next_start=None,
        ranking=over.ranking,
        unplayed_dealer=None if state.history else facts.first_dealer,
    )
    return Step(state=ended_game, announcements=(game_ended(ended_game),))
