"""Fouls found, or cancelled, after their hand was settled: the new payments, and their effects on later hands.

The other fouls of that hand and of later ones are worked out again (`fouls.foul_order`); one that costs something else
now is paid back, and its new cost is paid.

A foul found late adds its cost. Cancelling a foul returns the cost: the hand on the table is settled again without the
foul if its end is still known; otherwise, and in earlier hands, the foul's own payments are reversed, and the seat that
took the pot with its deposit pays that back. Later hands keep their confirmed payments, with changed scores, and the
end of the game is checked again. Nothing changes if people entered the points and the pot lacks the deposit.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from table.rules import foul_totals, hand_phase
from table.rules.draft import Draft, put
from table.rules.events import FoulCancelled, GameEnded, HandStarted
from table.rules.foul_totals import in_force
from table.rules.fouls.foul_hand_end import ending_of, in_riichi, part_for, with_outcomes
from table.rules.fouls.foul_log import work_out_again
from table.rules.fouls.foul_order import consequence_of, worked_out
from table.rules.fouls.hand_of_foul import hand_of
from table.rules.fouls.voided_riichi import give_back
from table.rules.penalties.consequence import Part, paid
from table.rules.scoring.game_progress import GameOver, after_hand
from table.rules.state import FinishedHand, GameState, LoggedFoul, Phase
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import NOTHING, Deltas, ResultKind, Settlement, add, less
from table.rules.terms.rule_errors import ImpossibleEventError
from table.rules.transitions.early_end import stop
from table.rules.transitions.hand_end import propose, propose_penalty
from table.rules.transitions.next_deal import facts_at, followed_by


def found(draft: Draft, foul: LoggedFoul, *, index: int = -1, on_table: Draft | None = None) -> GameState:
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
    foul = replace(foul, led_to=part)
    line = _line_with(line, _changed(line.settlement, part, foul, sign=1), (*line.fouls, foul))
    draft.fouls = line.fouls
    return _with_line(table, index, line, part.moved, part.pot)


def cancelled(draft: Draft, index: int, foul: int, reason: str) -> GameState:
    """Returns the game without the cost of a foul of a settled hand; the foul stays listed with the reason.

    Args:
        draft: the hand on the table, which may be a later one than the foul's.
        index: the number of the foul's hand in the game, from 0.
        foul: the number of the foul in that hand, from 0.
        reason: why the foul is cancelled.
    """
    fouls = draft.game.history[index].fouls
    gone = fouls[foul]
    line, moved, pot = _worked_out_again(draft, index, put(fouls, foul, replace(gone, cancelled=reason)))
    paid: dict[str, Any] = {"deltas": list(moved)} if any(moved) else {}
    draft.say(AnnouncementId.FOUL_CANCELLED, gone.clause, gone.seat, clause=gone.clause, foul=foul, **paid)
    return _with_line(draft, index, line, moved, pot)


def line_of(state: GameState, event: FoulCancelled) -> int | None:
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
    if not 0 <= event.foul < len(fouls) or fouls[event.foul].cancelled is not None:
        raise ImpossibleEventError(
            f"expected a logged foul out of {len(fouls)} to cancel, got {event.foul}", says="foul_gone"
        )
    return index


def _worked_out_again(draft: Draft, index: int, fouls: tuple[LoggedFoul, ...]) -> tuple[FinishedHand, Deltas, int]:
    """Returns a finished hand with its fouls worked out again, and the change of points by seat and of the pot.

    Args:
        draft: the hand on the table.
        index: the number of the finished hand.
        fouls: its fouls; one that was in force may be cancelled now.
    """
    before = draft.game.history[index]
    was = tuple(foul for foul in before.fouls if not foul.is_after)
    listed = _listed(draft, index, before)
    now = worked_out(listed, tuple(foul for foul in fouls if not foul.is_after))
    bare = _without_late(before)
    again = _settled_again(draft, index, bare, now) if now != was else None
    if again is None:
        line = _with_new_costs(listed, bare, now)
    else:
        line = _line_with(bare, propose(again), with_outcomes(again))
    for foul in fouls:
        if foul.is_after:
            line = _with_late(draft, index, line, foul)
    after = line.settlement
    if before.settlement is None or after is None:
        return line, NOTHING, 0
    if after.deposit_points < 0:
        return replace(line, settlement=before.settlement, scores=before.scores), NOTHING, 0
    if again is not None and not before.is_riichi_declared:
        draft.riichi, draft.rivers, draft.ippatsu = again.riichi, again.rivers, again.ippatsu
        line = replace(line, riichi=in_riichi(again))
    moved = less(after.deltas, before.settlement.deltas)
    return line, moved, after.deposit_points - before.settlement.deposit_points


def _listed(draft: Draft, index: int, line: FinishedHand) -> Draft:
    """Returns a finished hand, after those before it."""
    game = replace(draft.game, history=(*draft.game.history[:index], line))
    return Draft(game, hand_of(line), draft.rules)


def _without_late(line: FinishedHand) -> FinishedHand:
    """Returns a finished hand as it was settled, without the fouls that were found afterwards."""
    settlement = line.settlement
    for foul in in_force(line.fouls):
        if foul.is_after:
            settlement = _changed(settlement, foul.led_to, foul, sign=-1)
    return _line_with(line, settlement, tuple(foul for foul in line.fouls if not foul.is_after))


def _with_late(draft: Draft, index: int, line: FinishedHand, foul: LoggedFoul) -> FinishedHand:
    """Returns a finished hand with a foul that was found afterwards, beside those before it."""
    if foul.cancelled is not None:
        return replace(line, fouls=(*line.fouls, foul))
    listed = _listed(draft, index, line)
    was, foul = foul.consequence, replace(foul, consequence=consequence_of(listed, foul))
    part = foul.led_to if foul.consequence == was else part_for(listed, foul, line.settlement)
    foul = replace(foul, led_to=part)
    return _line_with(line, _changed(line.settlement, part, foul, sign=1), (*line.fouls, foul))


def _line_with(line: FinishedHand, settlement: Settlement | None, fouls: tuple[LoggedFoul, ...]) -> FinishedHand:
    """Returns a finished hand with another settlement and other fouls, and with the scores and dues that follow."""
    scores = line.scores
    if line.settlement is not None and settlement is not None:
        scores = add(scores, less(settlement.deltas, line.settlement.deltas))
    dues = tuple(due for foul in in_force(fouls) for due in foul.led_to.dues)
    return replace(line, settlement=settlement, fouls=fouls, scores=scores, dues=dues)


def _settled_again(draft: Draft, index: int, line: FinishedHand, fouls: tuple[LoggedFoul, ...]) -> Draft | None:
    """Returns the hand on the table as it ends with these fouls; a riichi that a cancelled one voided is restored.

    Returns None if the hand cannot be settled again, or if settling it with its fouls would not give the same payments.
    """
    if draft.phase is not Phase.SETTLED or index != len(draft.game.history) - 1:
        return None
    again = Draft(draft.game, draft.freeze(), draft.rules)
    hand_phase.unsettle(again, line.phase)
    again.fouls, again.values = line.fouls, (None,) * 4
    if propose(again) != line.settlement:
        return None
    again.fouls, again.values = fouls, (None,) * 4
    if not line.is_riichi_declared:
        for was, now in zip(line.fouls, fouls, strict=True):
            if was.cancelled != now.cancelled:
                give_back(again, was)
    is_drawn = line.settlement is not None and line.settlement.kind is ResultKind.DRAW
    is_ended = bool(again.claims) or is_drawn or again.abort is not None or ending_of(again) is not None
    return again if is_ended and propose(again) is not None else None


def _with_new_costs(listed: Draft, line: FinishedHand, fouls: tuple[LoggedFoul, ...]) -> FinishedHand:
    """Returns a finished hand with these fouls and their own payments; the result itself stays."""
    settlement = line.settlement
    before, after = _outcomes(listed, line, line.fouls), _outcomes(listed, line, fouls)
    changed: list[LoggedFoul] = []
    for was, foul, old, new in zip(line.fouls, fouls, before, after, strict=True):
        if was.cancelled is not None or (foul.cancelled is None and old.led_to == new.led_to):
            changed.append(replace(foul, led_to=was.led_to))
            continue
        settlement = _changed(settlement, was.led_to, was, sign=-1)
        changed.append(foul if foul.cancelled is not None else new)
        if foul.cancelled is None:
            settlement = _changed(settlement, new.led_to, new, sign=1)
    return _line_with(line, settlement, tuple(changed))


def _outcomes(listed: Draft, line: FinishedHand, fouls: tuple[LoggedFoul, ...]) -> tuple[LoggedFoul, ...]:
    """Returns the fouls with their effects at the end of the hand as far as the score sheet records it."""
    claims = listed.hand.claims if line.phase is Phase.CLAIMED else ()
    ended = replace(listed.hand, phase=line.phase, abort=line.abort, claims=claims, fouls=fouls)
    return with_outcomes(Draft(listed.game, ended, listed.rules))


def _changed(settlement: Settlement | None, part: Part, foul: LoggedFoul, *, sign: int) -> Settlement | None:
    """Adds a foul's payments to a settlement, or removes them; earlier deposits in the pot went to the winner."""
    if settlement is None:
        return None
    moved, pot = _times(part.moved, sign), sign * part.pot
    if settlement.wins and not foul.is_after:
        moved, pot = add(moved, _to(settlement, pot)), 0
    deltas = add(settlement.deltas, moved)
    return replace(settlement, deltas=deltas, deposit_points=settlement.deposit_points + pot)


def _with_line(draft: Draft, index: int, line: FinishedHand, moved: Deltas, pot: int) -> GameState:
    """Returns the game with that line changed, later hands too, and checks its end again.

    The points and the pot are carried through later hands, whose fouls are worked out again.
    """
    state, history = draft.game, list(draft.game.history)
    history[index] = line
    is_settled = draft.phase is Phase.SETTLED
    for later in range(index + 1, len(history)):
        if is_settled and later == len(history) - 1:
            draft.start = _start_with(draft.start, moved, pot)
        history[later], moved, pot = _carried(history[later], moved, pot)
        draft.game = replace(state, history=tuple(history))
        history[later], more, more_pot = _worked_out_again(draft, later, history[later].fouls)
        moved, pot = add(moved, more), pot + more_pot
    draft.game, last = state, history[-1]
    if is_settled and last.settlement is not None:
        draft.fouls = last.fouls
        return _ended_again(draft, followed_by(draft, last.settlement, last, tuple(history[:-1])))
    draft.start = _start_with(draft.start, moved, pot)
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


def _start_with(start: HandStarted, moved: Deltas, pot: int) -> HandStarted:
    """Returns the start of a hand after such a change; unchanged if people have entered a pot that lacks the points."""
    if start.deposit_points + pot < 0:
        return start
    return replace(start, scores=add(start.scores, moved), deposit_points=start.deposit_points + pot)


def _carried(line: FinishedHand, moved: Deltas, pot: int) -> tuple[FinishedHand, Deltas, int]:
    """Returns a later hand after such a change of points and pot before it, and the change after it."""
    settlement = line.settlement
    if settlement is None or (not settlement.wins and settlement.deposit_points + pot < 0):
        moved, pot = NOTHING, 0
    if settlement is not None and pot:
        taken = _to(settlement, pot) if settlement.wins else NOTHING
        pot = 0 if settlement.wins else pot
        moved = add(moved, taken)
        deltas = add(settlement.deltas, taken)
        settlement = replace(settlement, deltas=deltas, deposit_points=settlement.deposit_points + pot)
    return replace(line, settlement=settlement, scores=add(line.scores, moved)), moved, pot


def _ended_again(draft: Draft, game: GameState) -> GameState:
    """Returns the game, ended again if people, not the rules, had ended it."""
    before = draft.game
    last = before.history[-1].settlement
    if game.is_over or not before.is_over or last is None:
        return game
    if isinstance(after_hand(facts_at(before.history[-1], before.history), last, draft.rules), GameOver):
        return game
    ended = stop(game, GameEnded(), draft.rules)
    draft.pass_on(*ended.announcements)
    return replace(ended.state, is_stopped=before.is_stopped)


def _to(settlement: Settlement, points: int) -> Deltas:
    """Returns a change of points for the seat that took the pot: the first winner."""
    return paid(settlement.wins[0].seat, {settlement.wins[0].seat: -points})


def _times(points: Deltas, sign: int) -> Deltas:
    return points if sign > 0 else less(NOTHING, points)
