"""Who changed what, when and why: the acts of a game as its journal tells them, and which comes back or goes next.

What a seat told for itself alone, its wait, is none of it: everybody reads this.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from table.game.journal.effective_events import effective_entries
from table.game.journal.entries import Body, Corrected, Entry, GameOpened, Inserted, Redone, Reseated, Source, Undone
from table.rules.events import FoulCancelled, GameEnded, PointsAdjusted, WaitDeclared


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One thing that people did."""

    act: int | None
    """The act it is; None for the taking back of one, which is none itself."""
    what: Body
    """The first that was said in it."""
    by: str
    utc: str
    """When, ISO 8601, UTC."""
    is_undone: bool = False

    @property
    def why(self) -> str:
        """The reason that was given."""
        if isinstance(self.what, FoulCancelled | GameEnded | PointsAdjusted):
            return self.what.reason
        return self.what.why if isinstance(self.what, Corrected | Inserted | Undone | Reseated) else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """Everything that people did in a game."""

    all: tuple[Change, ...] = ()
    """Oldest first."""
    undo: int | None = None
    """The act that would be taken back next."""
    redo: int | None = None
    """The act that would count again next."""


def changes_of(entries: Sequence[Entry]) -> Changes:
    """Reads what people did from one game's entries. A new act ends what could come back.

    Opening the game is none of it. What was taken back, or brought again, without being there changes nothing.
    """
    effective_numbers = {entry.number for entry in effective_entries(entries)}
    found: dict[int, Change] = {}
    done: list[int] = []
    undone: list[int] = []
    for entry in _shared(entries):
        body, act = entry.body, entry.envelope.act
        if isinstance(body, Undone):
            _move(body.act, done, undone)
        elif isinstance(body, Redone):
            _move(body.act, undone, done)
        elif act is None or act in found or entry.envelope.source is not Source.PRESS or isinstance(body, GameOpened):
            continue
        else:
            done.append(act)
            undone.clear()
        found[entry.number if act is None else act] = Change(
            act=act,
            what=body,
            by=entry.envelope.by,
            utc=entry.envelope.utc,
            is_undone=entry.number not in effective_numbers,
        )
    return Changes(
        all=tuple(found.values()),
        undo=done[-1] if done else None,
        redo=undone[-1] if undone else None,
    )


def _move(act: int, source: list[int], target: list[int]) -> None:
    """Moves an act from one list to the other, if it is there."""
    if act in source:
        source.remove(act)
        target.append(act)


def _shared(entries: Sequence[Entry]) -> list[Entry]:
    """Leaves out declared waits, and where an old journal took such an act back or brought it again."""
    declaring = {entry.envelope.act for entry in entries if isinstance(entry.body, WaitDeclared)}
    also = {entry.envelope.act for entry in entries if not isinstance(entry.body, WaitDeclared)}
    private = declaring - also
    return [
        entry
        for entry in entries
        if not isinstance(entry.body, WaitDeclared)
        and not (isinstance(entry.body, Undone | Redone) and entry.body.act in private)
    ]
