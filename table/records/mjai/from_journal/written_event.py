"""An event of the journal with the fields that its mjai lines have besides its own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from table.game.journal.effective_events import EffectiveEvent, is_event
from table.game.journal.entries import Envelope, Source
from table.records.mjai.fields.mjai_line import MjaiLine
from table.rules.events import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenEvent:
    """One effective event, with the additional fields of its lines."""

    event: Event
    frame: int | None
    confidence: float
    is_inferred: bool
    first: WrittenEvent | None = None
    """The event before its correction, as it was committed; None if it was not corrected."""

    def line(self, kind: str, **fields: Any) -> MjaiLine:
        """Returns an mjai line of that type."""
        line: MjaiLine = {"type": kind, **fields, "frame": self.frame, "confidence": round(self.confidence, 3)}
        return {**line, "inferred": True} if self.is_inferred else line


def written_event(effective: EffectiveEvent) -> WrittenEvent:
    """Returns an effective event with the frame in which its last version was committed."""
    body, committed = effective.first.body, effective.first.envelope
    event = committed_event(effective.event, effective.latest.envelope)
    return replace(
        event,
        frame=committed.frame if event.frame is None else event.frame,
        first=committed_event(body, committed) if effective.amendments and is_event(body) else None,
    )


def committed_event(event: Event, envelope: Envelope) -> WrittenEvent:
    """Returns an event as it was committed, with the frame and confidence of its envelope."""
    return WrittenEvent(
        event=event,
        frame=envelope.frame,
        confidence=envelope.confidence,
        is_inferred=envelope.source is Source.INFERRED,
    )
