"""Compares the settlements confirmed in a journal with the rules' results for its hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from table.game.journal.effective_events import EffectiveEvent, effective_events
from table.game.journal.entries import Entry, GameOpened
from table.game.journal.fold import FoldedGame, fold_steps, opened_game
from table.records.audit.audit_verdict import disagreements, rules_results, settlement_statements
from table.records.audit.entered_wins import HandPlace, ValuedWins, revalued_wins
from table.records.audit.game_audit import AuditedEnd, AuditedHand
from table.records.audit.played_hand import Play, open_windows
from table.records.audit.record_values import final_points
from table.records.formats.game_record import Deal
from table.rules.advance import advance
from table.rules.events import HandSettled, HandStarted, ResultDeclared
from table.rules.ruleset import Ruleset
from table.rules.state import GameState
from table.rules.terms.results import Settlement
from table.rules.terms.rule_errors import RulesError
from table.rules.terms.seats import SEATS, four
from table.rules.terms.tiles import UNKNOWN


def audit_journal(entries: Sequence[Entry], *, log: str, ruleset: Ruleset | None) -> Iterator[AuditedHand | AuditedEnd]:
    """Yields the rules' result for each settled hand of one game, then the final points if it is over.

    Args:
        entries: the game's entries, from its opening.
        log: its name.
        ruleset: rules to use instead of those of the journal.
    """
    opening = entries[0]
    if not isinstance(opening.body, GameOpened):
        return
    recorded_rules = opening.body.ruleset
    if ruleset is not None:
        opening = replace(opening, body=replace(opening.body, ruleset=ruleset))
    before = opened_game(opening)
    same_rules = replace(before.ruleset, length=recorded_rules.length) == recorded_rules
    for effective, after in zip(effective_events(entries[1:]), fold_steps(before, entries[1:]), strict=True):
        settlement = after.state.history[before.hand].settlement if after.hand > before.hand else None
        if settlement is not None:
            yield _audit_hand(before, effective, after, settlement, log=log, same_rules=same_rules)
        before = after
    if before.state.history and before.state.is_over:
        yield AuditedEnd(log=log, final=final_points(before.state, before.ruleset))


def _audit_hand(
    before: FoldedGame,
    effective: EffectiveEvent,
    after: FoldedGame,
    settlement: Settlement,
    *,
    log: str,
    same_rules: bool,
) -> AuditedHand:
    """Returns the hand that ended between two steps of a fold, with the rules' and the confirmed settlement."""
    state = _state_by_rules(before, effective, after)
    play = Play(state=state, rules=before.ruleset, number=before.hand, ippatsu=open_windows(before.state))
    play.announcements = [logged for logged in after.announcements if logged.hand == before.hand]
    play.suspicions = [logged.suspicion for logged in after.suspicions if logged.entry > before.entry_before_hand]
    finished = state.history[before.hand]
    riichi = [seat for seat in play.accepted_riichi if seat in finished.riichi] or list(finished.riichi)
    found = disagreements(
        settlement_statements(settlement),
        rules_results(play.final_settlement, finished, riichi),
        wins=settlement.wins,
        found_wins=play.final_settlement.wins,
        same_rules=same_rules,
    )
    deal = _deal(before, after)
    is_pressed = state.hand is not None and not state.hand.was_seen
    is_entered = is_pressed or isinstance(effective.event, HandSettled | ResultDeclared)
    entered = (
        _entered_wins(play, deal, same_rules=same_rules) if is_entered else ValuedWins(wins=play.final_settlement.wins)
    )
    return AuditedHand(
        log=log,
        deal=deal,
        settlement=replace(play.final_settlement, wins=entered.wins),
        play=play,
        disagreements=[*found, *entered.disagreements],
        is_checked=not is_entered or entered.are_valued,
    )


def _entered_wins(play: Play, deal: Deal, *, same_rules: bool) -> ValuedWins:
    """Returns the wins that people entered, valued by the rules if they entered the tiles too, and none were seen."""
    hand = play.state.hand
    hands = [None] * len(SEATS) if hand is None or hand.laid_tiles else hand.shown_hands
    place = HandPlace(round=deal.round, dealer=deal.dealer, honba=deal.honba)
    return revalued_wins(play.final_settlement.wins, hands, place, play.rules, same_rules=same_rules)


def _state_by_rules(before: FoldedGame, effective: EffectiveEvent, after: FoldedGame) -> GameState:
    """Returns the game after the hand's last event by the rules, or as recorded if the rules do not end the hand."""
    try:
        state = advance(before.state, effective.event, before.ruleset).state
    except RulesError:
        return after.state
    has_ended = len(state.history) > before.hand and state.history[before.hand].settlement is not None
    return state if has_ended else after.state


def _deal(before: FoldedGame, after: FoldedGame) -> Deal:
    """Returns the start of the hand; if only its result was entered, the start by the rules."""
    hand = before.state.live or after.state.hand
    start = before.state.next_start if hand is None else hand.start
    if isinstance(start, HandStarted):
        return Deal(
            round=start.round,
            dealer=start.dealer,
            honba=start.honba,
            deposits=start.deposits,
            scores=start.scores,
            indicator=start.dora_indicator or UNKNOWN,
            hands=four(() for _ in SEATS),
        )
    finished = after.state.history[before.hand]
    return Deal(
        round=finished.round,
        dealer=finished.dealer,
        honba=finished.honba,
        deposits=0,
        scores=before.state.scores,
        indicator=UNKNOWN,
        hands=four(() for _ in SEATS),
    )
