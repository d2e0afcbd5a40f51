"""The points of mjai lines as the table has them in the end: a later foul may change those of an earlier hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from table.records.formats.late_penalties import FIELDS, late_dues, late_fields
from table.records.mjai.fields.mjai_line import MjaiLine
from table.records.mjai.fields.mjai_reasons import REASON_NAMES
from table.rules.state import FinishedHand
from table.rules.terms.results import Deltas, subtract
from table.rules.terms.seats import SEATS
from table.rules.transitions.after_settlement import foul_payments


def moved_by_fouls(finished: FinishedHand) -> Deltas | None:
    """Returns what fouls moved as part of a hand's payments; None if they moved nothing, or ended the hand."""
    moved = foul_payments(finished)
    return moved if any(moved) and not finished.is_penalty else None


def foul_fields(finished: FinishedHand) -> MjaiLine:
    """Returns the fields with what fouls moved, as part of `deltas`, and what they cost at the end of the game."""
    moved = moved_by_fouls(finished)
    return {**({} if moved is None else {"foul_payments": list(moved)}), **late_fields(late_dues(finished.dues), list)}


def with_scores(lines: Sequence[MjaiLine], history: Sequence[FinishedHand]) -> Iterator[MjaiLine]:
    """Yields the lines with the starting points of hands that were dealt after an unsettled one."""
    number = -1
    for line in lines:
        number += line["type"] == "start_kyoku"
        is_unknown = line["type"] == "start_kyoku" and line["scores"] is None
        yield {**line, "scores": list(history[number - 1].scores)} if is_unknown else line


def with_settled_points(lines: Sequence[MjaiLine], history: Sequence[FinishedHand]) -> Iterator[MjaiLine]:
    """Yields the lines with the points before and after each finished hand, and its payments, from `history`."""
    bounds = [*(place for place, line in enumerate(lines) if line["type"] == "start_kyoku"), len(lines)]
    yield from lines[: bounds[0]]
    for number, (start, end) in enumerate(pairwise(bounds)):
        points = _points_by_type(lines[start:end], history[number]) if number < len(history) else {}
        for line in lines[start:end]:
            is_changed = line["type"] in points and (line["type"] == "start_kyoku" or "deltas" in line)
            yield {**_without_fouls(line), **points[line["type"]]} if is_changed else line


def _without_fouls(line: MjaiLine) -> MjaiLine:
    return {name: value for name, value in line.items() if name not in ("foul_payments", *FIELDS)}


def _points_by_type(lines: Sequence[MjaiLine], finished: FinishedHand) -> dict[str, dict[str, Any]]:
    """Returns the fields of a hand's deal and of its end; none if it was not settled with the wins of its lines."""
    wins = [(line["actor"], line["target"]) for line in lines if line["type"] == "hora" and "retracted" not in line]
    settlement = finished.settlement
    if settlement is None or wins != [(int(win.seat), int(win.from_seat)) for win in settlement.wins]:
        return {}
    end = {"deltas": list(settlement.deltas), "scores": list(finished.scores), **foul_fields(finished)}
    start = {"scores": list(subtract(finished.scores, settlement.deltas))}
    tenpais = [seat in settlement.tenpai for seat in SEATS]
    draw = {**end, "reason": REASON_NAMES[settlement.reason], "tenpais": tenpais}
    return {"start_kyoku": start, "hora": end, "ryukyoku": draw}
