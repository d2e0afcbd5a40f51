"""The most frequent fouls, offered before the whole catalogue: chombo first, then by frequency."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Final

from table.rules.events import FoulLogged
from table.rules.fouls.foul_log import preview_consequence
from table.rules.penalties.consequence import EndKind
from table.rules.penalties.effect_terms import Fact
from table.rules.penalties.foul_effects import FALSE_WIN
from table.rules.penalties.penalty_rules import QuickFoul
from table.rules.ruleset import Ruleset
from table.rules.state import GameState, LoggedFoul
from table.rules.terms.seats import Seat

MOST_FAVOURITES: Final = 6
"""Limit of favourites on a page: as many as are visible without scrolling."""
_CHOMBO: Final = QuickFoul(clause=FALSE_WIN, facts=(Fact.OFFENDER_OPENED_HAND.value,))
"""A chombo in any rule set; offered even if the house's own quick fouls contain none."""


def favourite_fouls(
    game: GameState, number: int, seat: Seat, possible: tuple[str, ...], ruleset: Ruleset
) -> list[tuple[QuickFoul, bool]]:
    """Returns the favourites of a seat, each with whether it is a chombo, at most `MOST_FAVOURITES`.

    Args:
        game: the table.
        number: the hand of the game, counted from 0.
        seat: the seat that committed the foul.
        possible: the clauses that the seat may have violated.
        ruleset: the rules played, with the house's quick fouls.
    """
    counts = Counter(foul.clause for foul in _valid_fouls(game))
    quick = {foul: None for foul in ruleset.penalties.quick if foul.clause in possible}
    frequent = (clause for clause, _ in counts.most_common() if clause not in {foul.clause for foul in quick})
    offered = [*quick, *(QuickFoul(clause=clause) for clause in frequent if clause in possible)]
    candidates = [(foul, _is_chombo(game, number, seat, foul, ruleset)) for foul in offered]
    if not any(is_chombo for _, is_chombo in candidates):
        candidates = [(_CHOMBO, _is_chombo(game, number, seat, _CHOMBO, ruleset)), *candidates]
    return sorted(candidates, key=lambda candidate: (not candidate[1], -counts[candidate[0].clause]))[:MOST_FAVOURITES]


def _valid_fouls(game: GameState) -> Iterator[LoggedFoul]:
    fouls = chain(*(line.fouls for line in game.history), game.live.fouls if game.live is not None else ())
    yield from (foul for foul in fouls if foul.cancel_reason is None)


def _is_chombo(game: GameState, number: int, seat: Seat, foul: QuickFoul, ruleset: Ruleset) -> bool:
    event = FoulLogged(seat=seat, clause=foul.clause, option=foul.option, facts=foul.facts, hand=number)
    ending = preview_consequence(game, event, ruleset).now.ending
    return ending is not None and ending.kind is EndKind.CHOMBO
