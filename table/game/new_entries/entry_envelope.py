"""The envelope of a journal entry: its time, its source, and the action that it belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from table.game.commands.game_commands import Command
from table.game.journal.entries import Body, Entry, Envelope, Redone, Source, Undone
from table.game.referee import Correction, FoundEvent
from table.rules.events import DrawReached, WinClaimed


def entry_envelope(source: Source, utc: str, finding: FoundEvent | Correction | None = None) -> Envelope:
    """Returns the envelope of an entry written at `utc`, with the frame and confidence of a finding."""
    if finding is None:
        return Envelope(utc=utc, source=source)
    return Envelope(
        utc=utc,
        source=source,
        frame=finding.frame,
        confidence=finding.confidence,
        evidence=finding.evidence,
    )


def with_action(envelope: Envelope, body: Body, act: int, command: Command) -> Envelope:
    """Returns the envelope as part of a command's action, which is undone as a whole.

    `act` is the number of the action's first entry. Entries that the camera caused belong to no action; undoing and
    redoing only name who did it.
    """
    if envelope.source not in (Source.PRESS, Source.TABLE):
        return envelope
    is_act = not isinstance(body, Undone | Redone)
    return replace(envelope, act=act if is_act else None, by=command.by, mark=command.mark)


def with_repeated_action(envelope: Envelope, body: Body, entries: Sequence[Entry]) -> Envelope:
    """Returns the envelope of a claim that is repeated after its late discard: part of the action that it repeats."""
    seat = getattr(body, "seat", None)
    for entry in reversed(entries):
        is_claim = isinstance(entry.body, WinClaimed) and entry.body.seat == seat
        is_draw = isinstance(entry.body, DrawReached) and isinstance(body, DrawReached)
        if entry.envelope.act is not None and (is_claim or is_draw):
            first = entry.envelope
            return replace(envelope, act=first.act, by=first.by, mark=first.mark)
    return envelope
