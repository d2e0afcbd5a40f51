"""Fouls found, or cancelled, after their hand was settled: what the confirmed payments become, and all that follows.

A foul found late adds what it costs. A cancelled one gives that back: the hand is settled again without it where the
table still shows how it ended; else, and in earlier hands, its own payments are reversed. Who took the pot with its
deposit pays that back. Later hands keep what was confirmed; scores after them move along, and whether the game is over
is judged anew. Where people said the points themselves, and the pot does not hold the deposit, nothing moves any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from table.rules import hand_phase
from table.rules.draft import Draft, put
from table.rules.events import FoulCancelled, GameEnded
from table.rules.fouls.foul_hand_end import ending_of, part_for
from table.rules.fouls.voided_riichi import give_back
from table.rules.penalties.consequence import Due, Part, paid
from table.rules.scoring.game_progress import GameOver, after_hand
from table.rules.state import FinishedHand, GameState, LoggedFoul, Phase
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import NOTHING, Deltas, ResultKind, Settlement, add, less
from table.rules.terms.rule_errors import ImpossibleEventError
from table.rules.transitions.early_end import stop
from table.rules.transitions.hand_end import facts_at, followed_by, in_riichi, propose


def found(draft: Draft, foul: LoggedFoul, *, index: int = -1, on_table: Draft | None = None) -> GameState:
    """Returns the game with what a foul costs that was found after the settlement of its hand.

    Args:
        draft: the hand, which holds the foul already.
        foul: the foul.
        index: which hand of the game it is, from 0; -1 is the one just settled.
        on_table: the hand on the table, where that is another one.
    """
    table = on_table or draft
    line = table.game.history[index]
    part = part_for(foul.consequence, line.settlement)
    if line.settlement is None:  # the next deal said the points
        part = Part(dues=part.dues)
    draft.fouls = (*draft.fouls[:-1], replace(foul, led_to=part))
    line = replace(
        line,
        settlement=_changed(line.settlement, part, foul, sign=1),
        fouls=draft.fouls,
        dues=(*line.dues, *part.dues),
    )
    return _with_line(table, range(len(table.game.history))[index], line, part.moved, part.pot)


def cancelled(draft: Draft, index: int, foul: int, reason: str) -> GameState:
    """Returns the game without what a foul of a settled hand cost; it stays listed with the reason.

    Args:
        draft: the hand on the table, which is another than the foul's where that one was played earlier.
        index: which hand of the game, from 0.
        foul: which foul of that hand, from 0.
        reason: why it is cancelled.
    """
    line = draft.game.history[index]
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
    line = replace(line, settlement=after, fouls=fouls, dues=_without(line.dues, part.dues))
    if draft.phase is Phase.SETTLED and index == len(draft.game.history) - 1:
        draft.fouls = fouls
    return _with_line(draft, index, line, moved, pot)


def line_of(state: GameState, event: FoulCancelled) -> int | None:
    """Returns which finished hand a cancelled foul belongs to; None for the hand being played.

    Raises:
        ImpossibleEventError: there is no such hand or foul, or it is cancelled already.
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


def _settled_without(
    draft: Draft, index: int, line: FinishedHand, fouls: tuple[LoggedFoul, ...], gone: LoggedFoul
) -> Draft | None:
    """Returns the hand on the table as it ends without the foul `gone`: a riichi that it made void stands again.

    None where even with the foul that leads to something else than was paid, or cannot be settled.
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
    """Adds what a foul moved to payments, or takes it out; a winner has taken what was laid before the settlement."""
    if settlement is None:
        return None
    moved, pot = _times(part.moved, sign), sign * part.pot
    if settlement.wins and not foul.is_after:
        moved, pot = add(moved, _to(settlement, pot)), 0
    deltas = add(settlement.deltas, moved)
    return replace(settlement, deltas=deltas, deposit_points=settlement.deposit_points + pot)


def _with_line(draft: Draft, index: int, line: FinishedHand, moved: Deltas, pot: int) -> GameState:
    """Returns the game with that line changed, what moved carried through all later hands, and its end judged anew."""
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
    """Returns the game ended as before where people had ended it, not the rules."""
    before = draft.game
    last = before.history[-1].settlement
    if game.is_over or not before.is_over or last is None:
        return game
    if isinstance(after_hand(facts_at(before.history[-1], before.history), last, draft.rules), GameOver):
        return game
    ended = stop(game, GameEnded(), draft.rules)
    draft.pass_on(*ended.announcements)
    return ended.state


def _to(settlement: Settlement, points: int) -> Deltas:
    """Points for who took the pot: the first winner."""
    return paid(settlement.wins[0].seat, {settlement.wins[0].seat: -points})


def _times(points: Deltas, sign: int) -> Deltas:
    return points if sign > 0 else less(NOTHING, points)


def _without(dues: Sequence[Due], gone: Sequence[Due]) -> tuple[Due, ...]:
    left = list(dues)
    for due in gone:
        left.remove(due)
    return tuple(left)
