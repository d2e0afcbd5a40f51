"""Computes the cost of each foul given the fouls in force before it; logging, previews and cancelling use it.

Earlier fouls matter in three ways: cards and repeated fouls are counted, a deposit may be excused because of the points
already paid (7-08-06), and a seat pays only once for a chombo that ends the hand (7-02). So the fouls of a hand are
recomputed in order whenever one of them, or one of an earlier hand, is logged or cancelled.
"""

from __future__ import annotations

from dataclasses import replace

from table.rules.draft import Draft
from table.rules.foul_totals import in_force
from table.rules.fouls.foul_evidence import facts_of
from table.rules.penalties.consequence import Consequence
from table.rules.penalties.foul_effects import FALSE_BESIDE_VALID, FALSE_WIN, consequences
from table.rules.state import LoggedFoul


def with_consequences(draft: Draft, fouls: tuple[LoggedFoul, ...]) -> tuple[LoggedFoul, ...]:
    """Returns the fouls of a hand, each with its consequence; cancelled ones stay as they are.

    Raises:
        InvalidValueError: a clause has no such option.
    """
    before = draft.fouls
    false_winners = {foul.seat for foul in in_force(fouls) if foul.clause == FALSE_WIN}
    try:
        draft.fouls = ()
        for foul in fouls:
            new = foul if foul.cancel_reason is not None else replace(foul, consequence=consequence_of(draft, foul))
            if new.clause == FALSE_BESIDE_VALID and new.seat in false_winners and new.cancel_reason is None:
                new = replace(new, consequence=_without_cost(new.consequence))
            draft.fouls = (*draft.fouls, new)
        return draft.fouls
    finally:
        draft.fouls = before


def consequence_of(draft: Draft, foul: LoggedFoul) -> Consequence:
    """Returns the consequence of a foul, given the fouls of `draft`, which come before it, and of earlier hands.

    Raises:
        InvalidValueError: the clause has no such option.
    """
    consequence = consequences(foul.clause, foul.seat, draft.rules.penalties, facts_of(draft, foul), foul.option)
    parts = (logged.outcome if foul.is_late else logged.consequence.now for logged in in_force(draft.fouls))
    return consequence.with_chombos_free({chombo.seat for part in parts for chombo in part.chombos})


def _without_cost(consequence: Consequence) -> Consequence:
    """Returns 7-05-01-01 without its cost, since 7-05-01 of the same seat already charges the false win."""
    return Consequence(option=consequence.option, instructions=consequence.instructions)
