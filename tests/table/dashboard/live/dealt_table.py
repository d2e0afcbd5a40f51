"""A table that sees a hand dealt and its first discard."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from table.game.journal.entries import Source
from table.game.journal.journal import Journal
from table.game.referee import Finding, FoundEvent, Referee
from table.game.table_loop import Table
from table.rulebook import rules_named
from table.rules.notation.event_notation import parse_event
from table.rules.state import GameState
from table.runtime.clock import LogicalClock
from vision.felt import FeltReport


class FirstDiscardReferee(Referee):
    """Sees a hand dealt, and its first discard."""

    def on_report(self, report: FeltReport, get_state: Callable[[], GameState]) -> Iterator[Finding]:
        start = get_state().next_start
        assert start is not None
        for number, event in enumerate((start, parse_event("0 discards 5m"))):
            yield FoundEvent(event=event, source=Source.CAMERA, frame=number, confidence=1.0)


def dealing_table(journal: Journal) -> Table:
    """A table that sees the deal with its first report."""
    return Table(
        journal=journal, referee=FirstDiscardReferee(), ruleset=rules_named("home").ruleset, clock=LogicalClock()
    )
