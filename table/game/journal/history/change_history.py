"""The history of changes: who changed what in a game, when and why, and the next actions to undo and redo.

Everybody can read it, so it contains no privately declared waits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from table.game.journal.effective_events import effective_entries, is_event
from table.game.journal.entries import (
    NOBODY,
    Body,
    Corrected,
    Entry,
    Inserted,
    Names,
    PlayersNamed,
    Redone,
    Reseated,
    Source,
    Undone,
)
from table.game.journal.game_openings import own_entries
from table.game.journal.seating import SeatingHistory
from table.rules.events import FoulCancelled, GameEnded, HandShown, HandStarted, PointsAdjusted, WaitDeclared
from table.rules.terms.seats import SEATS, Seat

_RECORDED_BEFORE: Final = (HandStarted, HandShown)
"""What an action may record before the result, the foul or the riichi that it is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One action of people."""

    act: int | None
    """The number of the action; None for undoing or redoing one."""
    body: Body
    """What the action is about: the body of its first entry that is not a start or a hand recorded before it.

    An event has the seats at which it counts now.
    """
    by: str
    """Who did it: the person who sat there then, by their present seat, or by name if they no longer have one."""
    utc: str
    """The time of the action, ISO 8601, UTC."""
    is_undone: bool = False
    hand: int | None = None
    """The number of the finished hand whose result it states or edits, from 0; None for anything else."""
    moved_seats: tuple[Seat, ...] = ()
    """Whom a swap of seats moved, by their present seats, or where substitutes sat down; empty for anything else."""
    names: Names = NOBODY
    """Those who sat at the present seats after the action, by their present names."""

    @property
    def reason(self) -> str:
        """The reason that was given, if any."""
        if isinstance(self.body, FoulCancelled | GameEnded | PointsAdjusted):
            return self.body.reason
        return self.body.why if isinstance(self.body, Corrected | Inserted | Undone | Reseated) else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """All actions of people in a game."""

    all: tuple[Change, ...] = ()
    """The actions, oldest first."""
    undo: int | None = None
    """The action that would be undone next; None without one."""
    redo: int | None = None
    """The action that would be redone next; None without one."""


def changes_of(
    entries: Sequence[Entry],
    hand_ends: Sequence[int] = (),
    *,
    has_undoable_opening: bool = False,
    seatings: SeatingHistory | None = None,
) -> Changes:
    """Returns the actions of people in one game's entries; after a new action nothing can be redone.

    Undoing or redoing an unknown action has no effect.

    Args:
        entries: the game's entries, from its opening.
        hand_ends: the places that ended the finished hands.
        has_undoable_opening: whether the game's opening is an action too, which can be undone; the openings of later
            games, which were undone, always are.
        seatings: who sat where at each of the entries, if that is already known.
    """
    effective_numbers = {entry.number for entry in effective_entries(entries)}
    opening = entries[0].number if entries and not has_undoable_opening else None
    seatings = seatings or SeatingHistory(entries)
    found: dict[int, Change] = {}
    done: list[int] = []
    undone: list[int] = []
    for entry in _public_entries(own_entries(entries)):
        body, act = entry.body, entry.envelope.act
        if isinstance(body, Undone):
            _move(body.act, done, undone)
        elif isinstance(body, Redone):
            _move(body.act, undone, done)
        elif act is None or act == opening or entry.envelope.source is not Source.PRESS:
            continue
        elif act in found:
            if isinstance(found[act].body, _RECORDED_BEFORE):
                body = _with_present_seats(entry, seatings)
                found[act] = replace(found[act], body=body, hand=_hand_of(entry, hand_ends))
            continue
        else:
            done.append(act)
            undone.clear()
        found[entry.number if act is None else act] = replace(
            _change(entry, hand_ends, seatings), is_undone=entry.number not in effective_numbers
        )
    return Changes(
        all=tuple(found.values()),
        undo=done[-1] if done else None,
        redo=undone[-1] if undone else None,
    )


def _change(entry: Entry, hand_ends: Sequence[int], seatings: SeatingHistory) -> Change:
    return Change(
        act=entry.envelope.act,
        body=_with_present_seats(entry, seatings),
        by=_author(entry, seatings),
        utc=entry.envelope.utc,
        hand=_hand_of(entry, hand_ends),
        moved_seats=_moved_seats(entry, seatings),
        names=seatings.names_at(entry.number + 1),
    )


def _author(entry: Entry, seatings: SeatingHistory) -> str:
    """Returns who did it, by the present seat; a seat's phone that names the seat's substitute is the substitute's."""
    is_substitution = isinstance(entry.body, PlayersNamed) and entry.body.is_substitution
    return seatings.before(entry.number + is_substitution).authors_in(seatings.now, entry.envelope.by)


def _with_present_seats(entry: Entry, seatings: SeatingHistory) -> Body:
    return seatings.with_present_seats(entry.body, entry.number) if is_event(entry.body) else entry.body


def _moved_seats(entry: Entry, seatings: SeatingHistory) -> tuple[Seat, ...]:
    before = seatings.before(entry.number)
    if isinstance(entry.body, PlayersNamed) and entry.body.is_substitution:
        return tuple(
            before.seat_in(seatings.now, seat) for seat in SEATS if entry.body.names[seat] != before.names[seat]
        )
    if not isinstance(entry.body, Reseated):
        return ()
    return tuple(before.seat_in(seatings.now, seat) for seat in SEATS if entry.body.order[seat] is not seat)


def _hand_of(entry: Entry, hand_ends: Sequence[int]) -> int | None:
    match entry.body:
        case Corrected(entry=place):
            pass
        case Inserted(before=before):
            place = before - 1
        case _:
            place = entry.number
    return hand_ends.index(place) if place in hand_ends else None


def _move(act: int, source: list[int], target: list[int]) -> None:
    """Moves an action from one list to the other, if it is there."""
    if act in source:
        source.remove(act)
        target.append(act)


def _public_entries(entries: Sequence[Entry]) -> list[Entry]:
    """Returns the entries without declared waits, and without undoing and redoing of these in old journals."""
    wait_acts = {entry.envelope.act for entry in entries if isinstance(entry.body, WaitDeclared)}
    other_acts = {entry.envelope.act for entry in entries if not isinstance(entry.body, WaitDeclared)}
    private_acts = wait_acts - other_acts
    return [
        entry
        for entry in entries
        if not isinstance(entry.body, WaitDeclared)
        and not (isinstance(entry.body, Undone | Redone) and entry.body.act in private_acts)
    ]
