"""Fouls found, or cancelled, after their hand was settled: the new payments, and their effects on later hands.

The other fouls of that hand and of later ones are recomputed (`fouls.foul_order`); if the cost of one changes, the old
cost is paid back and the new one is paid.

A foul found late adds its cost. Cancelling a foul returns the cost: the hand on the table is settled again without the
foul if its end is still known; otherwise, and in earlier hands, the foul's own payments are reversed, and the seat that
took the pot with its deposit pays that back. Later hands keep their confirmed payments, with changed scores, and the
end of the game is checked again. Nothing changes if people entered the points and the pot lacks the deposit.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from table.rules import foul_totals, hand_phase
from table.rules.aspects import exhaustive_draw, turn
from table.rules.draft import Draft, replace_at
from table.rules.events import FoulCancelled, GameEnded, HandStarted
from table.rules.foul_totals import in_force
from table.rules.fouls.foul_hand_end import ending_of, part_for, riichi_seats, with_outcomes
from table.rules.fouls.foul_log import work_out_again
from table.rules.fouls.foul_order import consequence_of, with_consequences
from table.rules.fouls.hand_of_foul import hand_of
from table.rules.fouls.voided_riichi import restore_riichi
from table.rules.penalties.consequence import Part, payment_deltas
from table.rules.scoring.game_progress import GameOver, after_hand
from table.rules.state import FinishedHand, GameState, LoggedFoul, Phase
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import NOTHING, Deltas, ResultKind, Settlement, add, subtract
from table.rules.terms.rule_errors import ImpossibleEventError
from table.rules.transitions.early_end import end_game_early
from table.rules.transitions.hand_end import (
    liabilities,
    paid_nagashi,
    propose,
    propose_penalty,
    settlement_as_declared,
)
from table.rules.transitions.missing_facts import missing
from table.rules.transitions.next_deal import facts_at, game_after


def add_late_foul(draft: Draft, foul: LoggedFoul, *, index: int = -1, on_table: Draft | None = None) -> GameState:
    """Returns the game with the cost of a foul that was found after the settlement of its hand.

    Args:
        draft: the hand, which already contains the foul.
        foul: the foul.
        index: the number of the hand in the game, from 0; -1 for the one just settled.
        on_table: the hand on the table, if that is another one.
    """
    table = on_table or draft
    line, index = table.game.history[index], range(len(table.game.history))[index]
    part = part_for(draft, foul, line.settlement)
    foul = replace(foul, outcome=part)
    line = _line_with(line, _settlement_with(line.settlement, part, foul, sign=1), (*line.fouls, foul))
    draft.fouls = line.fouls
    return _with_line(table, index, line, part.deltas, part.pot)


def cancel_settled_foul(draft: Draft, index: int, foul: int, reason: str) -> GameState:
    """Returns the game without the cost of a foul of a settled hand; the foul stays listed with the reason.

    Args:
        draft: the hand on the table, which may be a later one than the foul's.
        index: the number of the foul's hand in the game, from 0.
        foul: the number of the foul in that hand, from 0.
        reason: why the foul is cancelled.
    """
    fouls = draft.game.history[index].fouls
    cancelled_foul = fouls[foul]
    line, deltas, pot = _recalculate(
        draft, index, replace_at(fouls, foul, replace(cancelled_foul, cancel_reason=reason))
    )
    deltas_arg: dict[str, Any] = {"deltas": list(deltas)} if any(deltas) else {}
    draft.say(
        AnnouncementId.FOUL_CANCELLED,
        cancelled_foul.clause,
        cancelled_foul.seat,
        clause=cancelled_foul.clause,
        foul=foul,
        hand=index,
        **deltas_arg,
    )
    return _with_line(draft, index, line, deltas, pot)


def foul_payments(line: FinishedHand) -> Deltas:
    """Returns what fouls moved as part of a finished hand's payments, with what its winner took from the pot."""
    settlement = line.settlement
    for foul in in_force(line.fouls):
        settlement = _settlement_with(settlement, foul.outcome, foul, sign=-1)
    if line.settlement is None or settlement is None:
        return NOTHING
    return subtract(line.settlement.deltas, settlement.deltas)


def hand_number_of(state: GameState, event: FoulCancelled) -> int | None:
    """Returns the number of the finished hand that a cancelled foul belongs to; None for the hand being played.

    Raises:
        ImpossibleEventError: there is no such hand or foul, or it was already cancelled.
    """
    index = event.hand
    if index is None or (index == len(state.history) and state.live is not None):
        if state.live is not None:
            return None
        index = len(state.history) - 1
    if not 0 <= index < len(state.history):
        raise ImpossibleEventError(
            f"expected a hand out of {len(state.history)} to cancel a foul of, got {index}", says="foul_gone"
        )
    fouls = state.history[index].fouls
    if not 0 <= event.foul < len(fouls) or fouls[event.foul].cancel_reason is not None:
        raise ImpossibleEventError(
            f"expected a logged foul out of {len(fouls)} to cancel, got {event.foul}", says="foul_gone"
        )
    return index


def _recalculate(draft: Draft, index: int, fouls: tuple[LoggedFoul, ...]) -> tuple[FinishedHand, Deltas, int]:
    """Returns a finished hand with its fouls recomputed, and the change of points by seat and of the pot.

    Args:
        draft: the hand on the table.
        index: the number of the finished hand.
        fouls: its fouls; one that was in force may be cancelled now.
    """
    before = draft.game.history[index]
    old_fouls = tuple(foul for foul in before.fouls if not foul.is_late)
    listed_hand = _listed_hand(draft, index, before)
    new_fouls = with_consequences(listed_hand, tuple(foul for foul in fouls if not foul.is_late))
    timely_line = _without_late_fouls(before)
    new_end = _settle_again(draft, index, timely_line, new_fouls) if new_fouls != old_fouls else None
    if new_end is None:
        line = _with_new_costs(listed_hand, timely_line, new_fouls)
    else:
        line = _line_with(timely_line, _proposal(new_end, timely_line), with_outcomes(new_end))
    for foul in fouls:
        if foul.is_late:
            line = _with_late_foul(draft, index, line, foul)
    settlement = line.settlement
    if before.settlement is None or settlement is None:
        return line, NOTHING, 0
    if settlement.deposit_points < 0:
        return replace(line, settlement=before.settlement, scores=before.scores), NOTHING, 0
    if new_end is not None:
        draft.tiles_left = new_end.tiles_left
    if new_end is not None and not before.is_riichi_declared:
        draft.riichi, draft.rivers, draft.ippatsu = new_end.riichi, new_end.rivers, new_end.ippatsu
        pao, nagashi = liabilities(new_end, settlement), paid_nagashi(new_end, settlement)
        line = replace(line, riichi=riichi_seats(new_end), pao=pao, nagashi=nagashi)
    deltas = subtract(settlement.deltas, before.settlement.deltas)
    return line, deltas, settlement.deposit_points - before.settlement.deposit_points


def _listed_hand(draft: Draft, index: int, line: FinishedHand) -> Draft:
    """Returns a finished hand, after those before it."""
    game = replace(draft.game, history=(*draft.game.history[:index], line))
    return Draft(game, hand_of(line), draft.rules)


def _without_late_fouls(line: FinishedHand) -> FinishedHand:
    """Returns a finished hand as it was settled, without the fouls that were found afterwards."""
    settlement = line.settlement
    for foul in in_force(line.fouls):
        if foul.is_late:
            settlement = _settlement_with(settlement, foul.outcome, foul, sign=-1)
    return _line_with(line, settlement, tuple(foul for foul in line.fouls if not foul.is_late))


def _with_late_foul(draft: Draft, index: int, line: FinishedHand, foul: LoggedFoul) -> FinishedHand:
    """Returns a finished hand with another foul that was found afterwards, given the fouls before it."""
    if foul.cancel_reason is not None:
        return replace(line, fouls=(*line.fouls, foul))
    listed_hand = _listed_hand(draft, index, line)
    old_consequence, foul = foul.consequence, replace(foul, consequence=consequence_of(listed_hand, foul))
    part = foul.outcome if foul.consequence == old_consequence else part_for(listed_hand, foul, line.settlement)
    foul = replace(foul, outcome=part)
    return _line_with(line, _settlement_with(line.settlement, part, foul, sign=1), (*line.fouls, foul))


def _line_with(line: FinishedHand, settlement: Settlement | None, fouls: tuple[LoggedFoul, ...]) -> FinishedHand:
    """Returns a finished hand with another settlement and other fouls, and with the scores and dues that follow."""
    scores = line.scores
    if line.settlement is not None and settlement is not None:
        scores = add(scores, subtract(settlement.deltas, line.settlement.deltas))
    dues = tuple(due for foul in in_force(fouls) for due in foul.outcome.dues)
    return replace(line, settlement=settlement, fouls=fouls, scores=scores, dues=dues)


def _settle_again(draft: Draft, index: int, line: FinishedHand, fouls: tuple[LoggedFoul, ...]) -> Draft | None:
    """Returns the hand on the table as it ends with these fouls; restores a riichi that a cancelled foul had voided.

    Returns None if the hand cannot be settled again, or if settling it with its old fouls gives other payments.
    """
    if draft.phase is not Phase.SETTLED or index != len(draft.game.history) - 1:
        return None
    new_end = Draft(draft.game, draft.freeze(), draft.rules)
    hand_phase.unsettle(new_end, line.phase)
    new_end.fouls, new_end.values = line.fouls, (None,) * 4
    if _proposal(new_end, line) != line.settlement:
        return None
    new_end.fouls, new_end.values = fouls, (None,) * 4
    turn.count_extra_draws(new_end, line.fouls)
    if not line.is_riichi_declared:
        for old, new in zip(line.fouls, fouls, strict=True):
            if old.cancel_reason != new.cancel_reason:
                restore_riichi(new_end, old)
    has_ended = bool(new_end.claims) or _is_drawn(new_end, line) or new_end.abort is not None
    is_ended = has_ended or ending_of(new_end) is not None
    return new_end if is_ended and _proposal(new_end, line) is not None else None


def _proposal(new_end: Draft, line: FinishedHand) -> Settlement | None:
    """Returns the settlement of a hand that is settled again, as people declared its result or as it was seen."""
    if line.declared_result is None:
        return propose(new_end)
    try:
        return settlement_as_declared(new_end, line.declared_result)
    except ImpossibleEventError:
        return None


def _is_drawn(new_end: Draft, line: FinishedHand) -> bool:
    """Whether the hand was settled as a draw, or would have been but for a chombo: all that a draw needs is known."""
    if line.declared_result is not None:
        return line.declared_result.kind is ResultKind.DRAW
    if line.settlement is not None and line.settlement.kind is ResultKind.DRAW:
        return True
    is_stated = not exhaustive_draw.is_tenpai_unstated(new_end)
    return line.phase is Phase.ENDING and is_stated and not missing(new_end)


def _with_new_costs(listed_hand: Draft, line: FinishedHand, fouls: tuple[LoggedFoul, ...]) -> FinishedHand:
    """Returns a finished hand with these fouls and their own payments; the result itself stays."""
    settlement = line.settlement
    before, after = _outcomes(listed_hand, line, line.fouls), _outcomes(listed_hand, line, fouls)
    changed: list[LoggedFoul] = []
    for old_foul, new_foul, old_outcome, new_outcome in zip(line.fouls, fouls, before, after, strict=True):
        if old_foul.cancel_reason is not None or (
            new_foul.cancel_reason is None and old_outcome.outcome == new_outcome.outcome
        ):
            changed.append(replace(new_foul, outcome=old_foul.outcome))
            continue
        settlement = _settlement_with(settlement, old_foul.outcome, old_foul, sign=-1)
        changed.append(new_foul if new_foul.cancel_reason is not None else new_outcome)
        if new_foul.cancel_reason is None:
            settlement = _settlement_with(settlement, new_outcome.outcome, new_outcome, sign=1)
    return _line_with(line, settlement, tuple(changed))


def _outcomes(listed_hand: Draft, line: FinishedHand, fouls: tuple[LoggedFoul, ...]) -> tuple[LoggedFoul, ...]:
    """Returns the fouls with their effects at the end of the hand as far as the score sheet records it."""
    claims = listed_hand.hand.claims if line.phase is Phase.CLAIMED else ()
    ended_hand = replace(listed_hand.hand, phase=line.phase, abort=line.abort, claims=claims, fouls=fouls)
    return with_outcomes(Draft(listed_hand.game, ended_hand, listed_hand.rules))


def _settlement_with(settlement: Settlement | None, part: Part, foul: LoggedFoul, *, sign: int) -> Settlement | None:
    """Adds a foul's payments to a settlement, or removes them; earlier deposits in the pot went to the winner."""
    if settlement is None:
        return None
    change, pot = _signed(part.deltas, sign), sign * part.pot
    if settlement.wins and not foul.is_late:
        change, pot = add(change, _to_pot_winner(settlement, pot)), 0
    deltas = add(settlement.deltas, change)
    return replace(settlement, deltas=deltas, deposit_points=settlement.deposit_points + pot)


def _with_line(draft: Draft, index: int, line: FinishedHand, deltas: Deltas, pot: int) -> GameState:
    """Returns the game with that line changed, later hands too, and checks its end again.

    The points and the pot are carried through later hands, whose fouls are recomputed.
    """
    state, history = draft.game, list(draft.game.history)
    history[index] = line
    is_settled = draft.phase is Phase.SETTLED
    for later in range(index + 1, len(history)):
        if is_settled and later == len(history) - 1:
            draft.start = _start_with(draft.start, deltas, pot)
        history[later], deltas, pot = _carry_over(history[later], deltas, pot)
        draft.game = replace(state, history=tuple(history))
        history[later], more_deltas, more_pot = _recalculate(draft, later, history[later].fouls)
        deltas, pot = add(deltas, more_deltas), pot + more_pot
    draft.game, last = state, history[-1]
    if is_settled and last.settlement is not None:
        draft.fouls = last.fouls
        return _end_again(draft, game_after(draft, last.settlement, last, tuple(history[:-1])))
    draft.start = _start_with(draft.start, deltas, pot)
    return _in_play_after(draft, tuple(history))


def _in_play_after(draft: Draft, history: tuple[FinishedHand, ...]) -> GameState:
    """Returns the game with the hand in play after these hands, which have changed."""
    before = draft.fouls
    draft.game = replace(draft.game, history=history)
    if draft.phase is not Phase.SETTLED:
        work_out_again(draft)
        if draft.fouls != before or propose(draft) != draft.proposal:
            propose_penalty(draft)
    return replace(
        draft.game,
        scores=draft.scores,
        deposits=draft.deposits,
        deposit_points=draft.start.deposit_points + foul_totals.pot(draft.fouls),
        hand=draft.freeze(),
    )


def _start_with(start: HandStarted, deltas: Deltas, pot: int) -> HandStarted:
    """Returns the start of a hand after such a change; unchanged if people have entered a pot that lacks the points."""
    if start.deposit_points + pot < 0:
        return start
    return replace(start, scores=add(start.scores, deltas), deposit_points=start.deposit_points + pot)


def _carry_over(line: FinishedHand, change: Deltas, pot: int) -> tuple[FinishedHand, Deltas, int]:
    """Returns a later hand after such a change of points and pot before it, and the change after it."""
    settlement = line.settlement
    if settlement is None or (not settlement.wins and settlement.deposit_points + pot < 0):
        change, pot = NOTHING, 0
    if settlement is not None and pot:
        pot_deltas = _to_pot_winner(settlement, pot) if settlement.wins else NOTHING
        pot = 0 if settlement.wins else pot
        change = add(change, pot_deltas)
        deltas = add(settlement.deltas, pot_deltas)
        settlement = replace(settlement, deltas=deltas, deposit_points=settlement.deposit_points + pot)
    return replace(line, settlement=settlement, scores=add(line.scores, change)), change, pot


def _end_again(draft: Draft, game: GameState) -> GameState:
    """Returns the game; ends it again if people, not the rules, had ended it."""
    before = draft.game
    last = before.history[-1].settlement
    if game.is_over or not before.is_over or last is None:
        return game
    is_by_rules = isinstance(after_hand(facts_at(before.history[-1], before.history), last, draft.rules), GameOver)
    if is_by_rules and not before.is_stopped:
        return game
    step = end_game_early(game, GameEnded(), draft.rules)
    draft.pass_on(*step.announcements)
    return replace(step.state, is_stopped=before.is_stopped)


def _to_pot_winner(settlement: Settlement, points: int) -> Deltas:
    """Returns a change of points for the seat that took the pot: the first winner."""
    return payment_deltas(settlement.wins[0].seat, {settlement.wins[0].seat: -points})


def _signed(points: Deltas, sign: int) -> Deltas:
    return points if sign > 0 else subtract(NOTHING, points)
