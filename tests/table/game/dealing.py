"""A table of four at which fouls are pressed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from table.game.journal.entries import Source
from table.game.referee import Finding, FoundEvent, Referee
from table.rules.events import HandStarted
from table.rules.notation.event_notation import parse_event
from table.rules.state import GameState
from tests.table.rules.situations import START
from vision.felt import FeltReport


class DealingReferee(Referee):
    """Sees one thing: that a hand is dealt."""

    def on_report(self, report: FeltReport, get_state: Callable[[], GameState]) -> Iterator[Finding]:
        first = parse_event(START)
        assert isinstance(first, HandStarted)
        next_start = get_state().next_start
        start = first if next_start is None else replace(next_start, dora_indicator=first.dora_indicator)
        yield FoundEvent(event=start, source=Source.CAMERA, frame=0, confidence=1.0)
