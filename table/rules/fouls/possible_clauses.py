"""The clauses that a seat can have broken at this point of the hand: phones offer them when people name a foul.

A clause that only determines how other fouls are settled is never offered. A clause without a check here, such as one
about speech, is always offered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from table.rules.foul_totals import is_dead
from table.rules.penalties.penalty_rules import PenaltyRules
from table.rules.state import HandState, Phase
from table.rules.terms.melds import MeldKind
from table.rules.terms.results import STICK, Deltas
from table.rules.terms.seats import Seat

MODIFIERS: Final = frozenset(
    {
        "7-01",
        "7-01-01",
        "7-02",
        "7-02-01",
        "7-03",
        "7-05-01-01",
        "7-05-01-02",
        "7-05-10-01",
        "7-06-05-01",
        "7-08-06",
        "7-09-05",
        "7-09-06",
    }
)
"""Clauses that only determine how other fouls are settled."""
LAST_TURN: Final = 4
"""The number of tiles left from which riichi may be too late."""


def possible_fouls(hand: HandState, scores: Deltas, seat: Seat, rules: PenaltyRules) -> tuple[str, ...]:
    """Returns the rule set's clauses that the seat can have broken, in the order of its rulebook."""
    modifiers = MODIFIERS | {rule.choice for rule in rules.rules if rule.clause in MODIFIERS}
    return tuple(
        rule.clause
        for rule in rules.rules
        if rule.clause not in modifiers and _CHECKS.get(rule.clause, _always)(hand, scores, seat)
    )


Check = Callable[[HandState, Deltas, Seat], bool]


def _always(_: HandState, __: Deltas, ___: Seat) -> bool:
    return True


def _has_called(hand: HandState, _: Deltas, seat: Seat) -> bool:
    return any(meld.kind is not MeldKind.CLOSED_KAN for meld in hand.melds[seat])


def _has_closed_kan(hand: HandState, _: Deltas, seat: Seat) -> bool:
    return any(meld.kind is MeldKind.CLOSED_KAN for meld in hand.melds[seat])


def _in_riichi(hand: HandState, _: Deltas, seat: Seat) -> bool:
    return hand.riichi[seat].is_declared


def _is_unseen(hand: HandState, _: Deltas, __: Seat) -> bool:
    """Whether nothing of the hand was seen, so that people state only at its end who was in riichi, or a draw."""
    return not hand.has_begun


def _is_dead(hand: HandState, _: Deltas, seat: Seat) -> bool:
    return is_dead(hand.fouls, seat)


def _is_drawn(hand: HandState) -> bool:
    return hand.phase in (Phase.ENDING, Phase.SETTLED) and not hand.claims


def _has_winner(hand: HandState, _: Deltas, __: Seat) -> bool:
    return bool(hand.claims)


_CHECKS: Final[Mapping[str, Check]] = MappingProxyType(
    {
        "R01": lambda hand, scores, seat: _in_riichi(hand, scores, seat) and _has_called(hand, scores, seat),
        "R21": _in_riichi,
        "R22": _in_riichi,
        "R23": lambda hand, scores, seat: _in_riichi(hand, scores, seat) and _has_called(hand, scores, seat),
        "R58": lambda hand, scores, seat: _in_riichi(hand, scores, seat) and _has_closed_kan(hand, scores, seat),
        "R60": lambda hand, scores, seat: _in_riichi(hand, scores, seat) and _has_closed_kan(hand, scores, seat),
        "7-05-03": _has_closed_kan,
        "7-05-04": _has_called,
        "7-05-05": _has_called,
        "7-05-06": lambda hand, scores, seat: _in_riichi(hand, scores, seat) and _has_closed_kan(hand, scores, seat),
        "7-05-07": lambda hand, scores, seat: _in_riichi(hand, scores, seat) or _is_unseen(hand, scores, seat),
        "7-05-08": lambda hand, scores, seat: _in_riichi(hand, scores, seat) and hand.tiles_left < LAST_TURN,
        "7-05-13": lambda hand, scores, seat: _in_riichi(hand, scores, seat) and scores[seat] < STICK,
        "7-05-16": lambda hand, scores, seat: _is_drawn(hand) or _is_unseen(hand, scores, seat),
        "7-06-04": lambda hand, scores, seat: not _in_riichi(hand, scores, seat),
        "7-06-05": _in_riichi,
        "7-07-02": _has_winner,
        "7-07-03": _has_winner,
        "7-08-02": _has_winner,
        "7-09-01": _is_dead,
        "7-09-02": _is_dead,
        "7-09-03": _is_dead,
        "7-09-04": _is_dead,
    }
)
"""When a clause can be broken; any time if it is not listed."""
