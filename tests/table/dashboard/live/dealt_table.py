"""A table that sees a hand dealt and its first discard, and what phones post to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from flask.testing import FlaskClient

from table.game.journal.entries import Source
from table.game.journal.journal import Journal
from table.game.referee import Finding, FoundEvent, Referee
from table.game.table_loop import Table
from table.rulebook import rules_named
from table.rules.notation.event_notation import parse_event
from table.rules.state import GameState
from table.runtime.clock import LogicalClock
from tests.fakes.desks import token
from vision.felt import FeltReport


class Laying(Referee):
    """Sees a hand dealt, and its first discard."""

    def on_report(self, report: FeltReport, state: Callable[[], GameState]) -> Iterator[Finding]:
        start = state().next_start
        assert start is not None
        for number, event in enumerate((start, parse_event("0 discards 5m"))):
            yield FoundEvent(event=event, source=Source.CAMERA, frame=number, confidence=1.0)


def dealing_table(journal: Journal) -> Table:
    """A table that sees the deal with its first report."""
    return Table(journal=journal, referee=Laying(), ruleset=rules_named("home").ruleset, clock=LogicalClock())


def do(client: FlaskClient, deed: str, **body: Any) -> tuple[int, dict[str, Any]]:
    """Posts something that people do; returns the status and what was answered."""
    answer = client.post(f"/api/{deed}", json=body, headers=token(client))
    return answer.status_code, answer.get_json()
