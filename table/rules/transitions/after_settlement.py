"""Fouls found, or cancelled, after their hand was settled: the new payments, and their effects on later hands.

A foul found late adds its cost. Cancelling a foul returns the cost: the hand on the table is settled again without the
foul if its end is still known; otherwise, and in earlier hands, the foul's own payments are reversed, and the seat that
took the pot with its deposit pays that back. Later hands keep their confirmed payments, with changed scores, and the
end of the game is checked again. Nothing changes if people entered the points and the pot lacks the deposit.
"""

from __future__ import annotations

from dataclasses import replace

from table.rules import hand_phase
from table.rules.draft import Draft, put
from table.rules.events import FoulCancelled, GameEnded
from table.rules.fouls.foul_hand_end import ending_of, part_for
from table.rules.fouls.voided_riichi import give_back
from table.rules.penalties.consequence import Part, paid, without
from table.rules.scoring.game_progress import GameOver, after_hand
from table.rules.state import FinishedHand, GameState, LoggedFoul, Phase
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import NOTHING, Deltas, ResultKind, Settlement, add, less
from table.rules.terms.rule_errors import ImpossibleEventError
from table.rules.transitions.early_end import stop
from table.rules.transitions.hand_end import facts_at, followed_by, in_riichi, propose


def found(draft: Draft, foul: LoggedFoul, *, index: int = -1, on_table: Draft | None = None) -> GameState:
    """Returns the game with the cost of a foul that was found after the settlement of its hand.

    Args:
        draft: the hand, which already contains the foul.
        foul: the foul.
        index: the number of the hand in the game, from 0; -1 for the one just settled.
        on_table: the hand on the table, if that is another one.
    """
    table = on_table or draft
    line = table.game.history[index]
    part = part_for(foul.consequence, line.settlement)
    draft.fouls = (*draft.fouls[:-1], replace(foul, led_to=part))
    line = replace(
        line,
        settlement=_changed(line.settlement, part, foul, sign=1),
        fouls=draft.fouls,
        dues=(*line.dues, *part.dues),
    )
    return _with_line(table, range(len(table.game.history))[index], line, part.moved, part.pot)


def cancelled(draft: Draft, index: int, foul: int, reason: str) -> GameState:
    """Returns the game without the cost of a foul of a settled hand; the foul stays listed with the reason.

    Args:
        draft: the hand on the table, which may be a later one than the foul's.
        index: the number of the foul's hand in the game, from 0.
        foul: the number of the foul in that hand, from 0.
        reason: why the foul is cancelled.
    """
    line = draft.game.history[index]
    line = replace(line, fouls=_passed_on(line.fouls, foul))
    gone, before = line.fouls[foul], line.settlement
    draft.say(AnnouncementId.FOUL_CANCELLED, gone.clause, gone.seat, clause=gone.clause, foul=foul)
    part = gone.led_to
    fouls = put(line.fouls, foul, replace(gone, cancelled=reason))
    again = _settled_without(draft, index, line, fouls, gone)
    after = propose(again) if again is not None else _changed(before, part, gone, sign=-1)
    moved, pot = NOTHING, 0
    if after is not None and after.deposit_points < 0:
        after, again = before, None
    if again is not None and not line.is_riichi_declared:
        draft.riichi, draft.rivers, draft.ippatsu = again.riichi, again.rivers, again.ippatsu
        line = replace(line, riichi=in_riichi(again))
    if before is not None and after is not None:
        moved = less(after.deltas, before.deltas)
        pot = after.deposit_points - before.deposit_points
    line = replace(line, settlement=after, fouls=fouls, dues=without(line.dues, part.dues))
    if draft.phase is Phase.SETTLED and index == len(draft.game.history) - 1:
        draft.fouls = fouls
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


def _passed_on(fouls: tuple[LoggedFoul, ...], cancelled: int) -> tuple[LoggedFoul, ...]:
    """Returns the fouls with the chombo of one to be cancelled charged to the next foul whose chombo was free by it."""
    for cost in fouls[cancelled].led_to.chombos:
        heirs = (
            (index, each)
            for index, foul in enumerate(fouls)
            for each in foul.led_to.free
            if foul.cancelled is None and each.seat is cost.seat
        )
        if (found := next(heirs, None)) is None:
            continue
        (index, free), gone = found, fouls[cancelled]
        heir = fouls[index]
        led_to = replace(heir.led_to, free=without(heir.led_to.free, (free,)))
        led_to += Part(moved=cost.moved, dues=cost.dues, chombos=(cost,))
        fouls = put(fouls, index, replace(heir, led_to=led_to, consequence=heir.consequence.charged()))
        fouls = put(fouls, cancelled, replace(gone, led_to=gone.led_to.freed({cost.seat})))
    return fouls


def _settled_without(
    draft: Draft, index: int, line: FinishedHand, fouls: tuple[LoggedFoul, ...], gone: LoggedFoul
) -> Draft | None:
    """Returns the hand on the table as it ends without the foul `gone`; a riichi that the foul voided is restored.

    Returns None if the hand cannot be settled again, or if settling it with the foul would not give the same payments.
    """
    if draft.phase is not Phase.SETTLED or index != len(draft.game.history) - 1:
        return None
    again = Draft(draft.game, draft.hand, draft.rules)
    hand_phase.unsettle(again)
    again.values = (None,) * 4
    if propose(again) != line.settlement:
        return None
    again.fouls, again.values = fouls, (None,) * 4
    if not line.is_riichi_declared:
        give_back(again, gone)
    is_drawn = line.settlement is not None and line.settlement.kind is ResultKind.DRAW
    is_ended = bool(again.claims) or is_drawn or again.abort is not None or ending_of(again) is not None
    return again if is_ended and propose(again) is not None else None


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
    """Returns the game with that line changed and the change carried through later hands, and checks its end again."""
    state, history = draft.game, list(draft.game.history)
    history[index] = replace(line, scores=add(line.scores, moved))
    for later in range(index + 1, len(history)):
        each = history[later]
        settlement = each.settlement
        if settlement is None or (not settlement.wins and settlement.deposit_points + pot < 0):
            moved, pot = NOTHING, 0
        if settlement is not None and pot:
            taken = _to(settlement, pot) if settlement.wins else NOTHING
            pot = 0 if settlement.wins else pot
            moved = add(moved, taken)
            deltas = add(settlement.deltas, taken)
            settlement = replace(settlement, deltas=deltas, deposit_points=settlement.deposit_points + pot)
        history[later] = replace(each, settlement=settlement, scores=add(each.scores, moved))
    last = history[-1]
    if draft.phase is Phase.SETTLED and last.settlement is not None:
        return _ended_again(draft, followed_by(draft, last.settlement, last, tuple(history[:-1])))
    start = draft.start
    if start.deposit_points + pot < 0:
        moved, pot = NOTHING, 0
    draft.start = replace(start, scores=add(start.scores, moved), deposit_points=start.deposit_points + pot)
    return replace(
        state,
        scores=add(state.scores, moved),
        deposit_points=state.deposit_points + pot,
        hand=draft.freeze(),
        history=tuple(history),
    )


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
