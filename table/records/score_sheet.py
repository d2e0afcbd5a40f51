"""The score sheet as plain text: one line per hand, with points by seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from table.game.journal.history.game_history import standings_of
from table.rules.penalties.consequence import Due
from table.rules.penalties.effect_terms import Op
from table.rules.ruleset import Ruleset
from table.rules.state import Adjustment, FinishedHand, GameState
from table.rules.terms.results import Deltas, ResultKind, Settlement, add, subtract
from table.rules.terms.seats import SEATS
from table.runtime.text_columns import padded

WIDTHS: Final = (8, 28)
END_KINDS: Final = {True: "left sticks", False: "left sticks and penalties"}
"""The names, in files and in the terminal, of what the end of a game moved, by whether it was sticks alone."""


def score_sheet(state: GameState, ruleset: Ruleset) -> str:
    """Returns every finished hand with its result and the scores after it, then the standing."""
    lines = [_line("hand", "result", [f"seat {int(seat)}" for seat in SEATS])]
    corrections = adjusted_scores(state)
    for number, hand in enumerate(state.history):
        lines += [
            _adjustment_line(adjustment, scores) for adjustment, scores in corrections if adjustment.hand == number
        ]
        lines.append(_line(_hand_name(hand), _result_text(hand.settlement), hand.scores))
    lines += [
        _adjustment_line(adjustment, scores)
        for adjustment, scores in corrections
        if adjustment.hand == len(state.history)
    ]
    if points_at_end(state) is not None:
        lines.append(_line("at end", END_KINDS[is_sticks_alone(state)], state.scores))
    lines.append(_line("now", _pot_text(state), state.scores))
    if state.chips is not None:
        lines.append(_line("chips", "", [f"{count:+d}" for count in state.chips]))
    if state.bust_bonus is not None:
        lines.append(_line("bust", "paid to who busts a seat", [f"{points:+d}" for points in state.bust_bonus]))
    lines += [_due_line(due) for hand in state.history for due in hand.dues]
    if state.is_over:
        places = standings_of(state, ruleset, state.first_dealer).places
        lines.append("ranking: " + ", ".join(f"{places[seat]}. seat {int(seat)}" for seat in state.ranking))
    return "\n".join(lines)


def adjusted_scores(state: GameState) -> list[tuple[Adjustment, Deltas]]:
    """Returns people's corrections of points, oldest first, each with the points after it, before its hand."""
    found: list[tuple[Adjustment, Deltas]] = []
    for adjustment in state.adjustments:
        if found and found[-1][0].hand == adjustment.hand:
            scores = add(found[-1][1], adjustment.event.points)
        else:
            scores = (
                add(state.history[adjustment.hand - 1].scores, adjustment.event.points)
                if adjustment.hand
                else adjustment.scores
            )
        found.append((adjustment, scores))
    return found


def points_at_end(state: GameState) -> Deltas | None:
    """Returns what the end of a game moved after its last hand, so that all rows add up to the final points.

    These are the sticks left on the table, and penalties that are taken from the final points (7-01 j, k). None if the
    game is not over, or nothing moved.
    """
    corrections = adjusted_scores(state)
    if corrections and corrections[-1][0].hand == len(state.history):
        before = corrections[-1][1]
    elif state.history:
        before = state.history[-1].scores
    else:
        return None
    change = subtract(state.scores, before)
    return change if state.is_over and any(change) else None


def is_sticks_alone(state: GameState) -> bool:
    """Returns whether the end of a game moved only the sticks left on the table, and no penalty."""
    return not any(due.op is Op.UNIT_DEDUCT for hand in state.history for due in hand.dues)


def _adjustment_line(adjustment: Adjustment, scores: Deltas) -> str:
    event = adjustment.event
    sticks = [f"sticks {event.sticks:+d}"] if event.sticks else []
    honba = [] if event.honba is None else [f"honba {event.honba}"]
    return _line("by hand", ", ".join([*sticks, *honba]), scores) + f"  {event.reason}"


def _line(first: str, second: str, points: Sequence[object]) -> str:
    return padded(first, WIDTHS[0]) + padded(second, WIDTHS[1]) + "".join(f"{value!s:>9}" for value in points)


def _hand_name(hand: FinishedHand) -> str:
    return f"{hand.round!r}" + (f"-{hand.honba}" if hand.honba else "")


def _result_text(settlement: Settlement | None) -> str:
    if settlement is None:
        return "not settled"
    match settlement.kind:
        case ResultKind.RON | ResultKind.TSUMO:
            return ", ".join(f"{settlement.kind.value} seat {int(win.seat)}: {win.points}" for win in settlement.wins)
        case ResultKind.DRAW:
            return "draw, tenpai: " + (" ".join(str(int(seat)) for seat in settlement.tenpai) or "nobody")
        case ResultKind.ABORT:
            return "abort" if settlement.reason is None else f"abort: {settlement.reason.value}"


def _pot_text(state: GameState) -> str:
    sticks = [f"{state.deposits} x 1000"] if state.deposits else []
    fines = [f"{state.deposit_points} of penalties"] if state.deposit_points else []
    return f"{' + '.join(sticks + fines)} on the table" if sticks or fines else ""


def _due_line(due: Due) -> str:
    amount = f": {due.amount}" if due.amount else f": {due.detail}" if due.detail else ""
    return f"penalty for seat {int(due.seat)}, {due.op.value.replace('_', ' ')}{amount}"
