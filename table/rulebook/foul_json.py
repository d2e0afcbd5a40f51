"""Fouls and what follows from them as JSON, for phones and other programs."""

from __future__ import annotations

from typing import Any

from table.rules.penalties.consequence import Consequence, Part, Sanction
from table.rules.penalties.penalty_rules import PenaltyRules
from table.rules.state import LoggedFoul


def foul_line(foul: LoggedFoul, rules: PenaltyRules) -> dict[str, Any]:
    """Returns a logged foul by the contract of suspicions and fouls."""
    rule = rules.rule(foul.clause)
    return {
        "clause": foul.clause,
        "seat": int(foul.seat),
        "evidence": [*([foul.note] if foul.note else []), *foul.facts],
        "options": [] if rule is None else [option.letter for option in rule.options],
        "chosen": foul.consequence.option,
        "consequence": consequence_line(foul.consequence),
        "by": foul.by or None,
        "cancelled": foul.cancelled is not None,
        "reason": foul.cancelled,
    }


def consequence_line(found: Consequence) -> dict[str, Any]:
    """Returns what follows from a foul: points by seat at each time, bans, what hands do, what is still asked."""
    return {
        "now": part_line(found.now),
        "at_draw": part_line(found.at_draw),
        "at_win": part_line(found.at_win),
        "at_end": part_line(found.at_end),
        "sanctions": [_sanction(each) for each in found.sanctions],
        "told": [_sanction(each) for each in found.told],
        "questions": list(found.questions),
    }


def part_line(part: Part) -> dict[str, Any] | None:
    """Returns what comes about at one time; None for nothing."""
    if part.is_empty:
        return None
    ending = part.ending
    return {
        "points": list(part.moved),
        "pot": part.pot,
        "outside": part.outside,
        "ends": None if ending is None else ending.kind.value,
        "dealer_passes": ending is not None and ending.dealer_passes,
        "returns": None if ending is None else ending.returns,
        "dues": [{"seat": int(due.seat), "do": due.op.value, "amount": due.amount} for due in part.dues],
    }


def _sanction(each: Sanction) -> dict[str, Any]:
    return {"seat": int(each.seat), "do": each.op.value, **dict(each.effect.params)}
