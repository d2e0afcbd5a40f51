"""The clauses that a foul can name: those of the catalogue, of every rulebook, and of the rules' questions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from table.game.commands.game_commands import UNNAMED_FOUL
from table.rulebook import SHIPPED, all_clauses, known_rules
from table.rules.penalties.penalty_rules import PenaltyRules
from table.rules.terms.results import ABORTS
from table.rules.terms.rule_errors import InvalidValueError
from vision.strict_reader import hint

_QUESTION_CLAUSES: Final = ("R08", "R18", "R19", "R34", *(reason.names.rule for reason in ABORTS))
"""The suspicions that no clause and no article covers."""
_EXPECTED: Final = "a clause such as 7-05-01, an article such as 'EMA 6.3' or a requirement such as R22"


def check_clause(clause: str, penalties: PenaltyRules, event_text: str) -> None:
    """Checks that a foul's clause exists; rules without penalties accept any.

    Args:
        clause: what the foul names.
        penalties: the penalties of the rule set.
        event_text: the event as written, for the message.

    Raises:
        InvalidValueError: the clause does not exist; the message names the nearest one.
    """
    if not penalties.rules or penalties.answer(clause) is not None:
        return
    clauses = set(_all_clauses())
    if clause not in clauses:
        nearest = hint(clause, sorted(clauses))
        raise InvalidValueError(f"expected {_EXPECTED}, got {clause!r} in {event_text!r}{nearest}")


def _all_clauses() -> Iterator[str]:
    yield from all_clauses()
    for name in SHIPPED:
        for article in known_rules(name).articles:
            yield from (article.number, *article.about)
    yield from (*_QUESTION_CLAUSES, UNNAMED_FOUL)
