"""The envelope of a journal entry: its time, its source, and the action that it belongs to."""

from __future__ import annotations

from dataclasses import replace

from table.game.game_commands import Command
from table.game.journal.entries import Body, Envelope, GameOpened, Redone, Source, Undone
from table.game.referee import Correction, FoundEvent


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


def in_action(envelope: Envelope, body: Body, act: int, command: Command) -> Envelope:
    """Returns the envelope as part of a command's action, which is undone as a whole.

    `act` is the number of the action's first entry. Entries that the camera caused belong to no action; undoing,
    redoing and opening a game only name who did it.
    """
    if envelope.source not in (Source.PRESS, Source.TABLE):
        return envelope
    is_act = not isinstance(body, Undone | Redone | GameOpened)
    return replace(envelope, act=act if is_act else None, by=command.by, mark=command.mark)
