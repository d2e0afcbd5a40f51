"""What stands in a journal: its events once everything that people amended is taken into account."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

from table.game.journal.entries import (
    Amendment,
    Body,
    Corrected,
    Entry,
    GameOpened,
    Inserted,
    Names,
    PlayersNamed,
    QuestionAsked,
    Redone,
    Reseated,
    SettlementRecorded,
    Source,
    Undone,
)
from table.rules.events import Event, FoulLogged, PointsAdjusted
from table.rules.penalties.foul_facts import moved_fact
from table.rules.terms.seats import Seat, four

Order = tuple[Seat, Seat, Seat, Seat]


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectiveEvent:
    """One event that stands."""

    event: Event
    first: Entry
    """What first told it."""
    by: Entry
    """What told it as it stands: the first telling, or its last amendment."""
    place: int
    """Where in the journal it counts: its own number, for what was inserted the number before the entry it precedes."""

    @property
    def because(self) -> tuple[int, ...]:
        """The amendments that made it what it is."""
        return () if self.by is self.first and self.place == self.first.number else (self.by.number,)

    @property
    def is_edited(self) -> bool:
        """Whether a person changed it since it was first told."""
        return bool(self.because) and self.by.envelope.source is Source.PRESS


def is_event(body: Body) -> TypeGuard[Event]:
    """Whether it tells something of the game itself, and not of the journal."""
    return not isinstance(body, GameOpened | Amendment | SettlementRecorded | QuestionAsked)


def effective_entries(entries: Sequence[Entry]) -> list[Entry]:
    """Leaves out the entries of acts that were taken back; a game's opening always stays.

    Earlier programs recorded settlements when they took something back or brought it again, which outlived it: those
    are left out too.
    """
    undone: set[int] = set()
    for entry in entries:
        if isinstance(entry.body, Undone):
            undone |= {entry.body.act, entry.number}
        elif isinstance(entry.body, Redone):
            undone.discard(entry.body.act)
            undone.add(entry.number)
    return [entry for entry in entries if entry.envelope.act not in undone or isinstance(entry.body, GameOpened)]


def effective_events(entries: Sequence[Entry]) -> Iterator[EffectiveEvent]:
    """Yields what stands of a game's entries, in the order in which it counts."""
    valid = effective_entries(entries)
    corrections = {entry.body.entry: entry for entry in valid if isinstance(entry.body, Corrected)}
    inserted = {entry.body.before: entry for entry in valid if isinstance(entry.body, Inserted)}
    moves = [entry for entry in valid if isinstance(entry.body, Reseated) and entry.body.moves_results]
    for entry in valid:
        effective = [_inserted(inserted[entry.number])] if entry.number in inserted else []
        effective += _as_corrected(entry, corrections)
        for each in effective:
            yield _reseated(each, moves)


def _inserted(entry: Entry) -> EffectiveEvent:
    body = entry.body
    if not isinstance(body, Inserted):
        raise TypeError(f"expected an inserted event, got {entry!r}")
    return EffectiveEvent(event=body.event, first=entry, by=entry, place=body.before - 1)


def _as_corrected(entry: Entry, corrections: Mapping[int, Entry]) -> list[EffectiveEvent]:
    if not is_event(entry.body):
        return []
    by = corrections.get(entry.number)
    if by is None or not isinstance(by.body, Corrected):
        return [EffectiveEvent(event=entry.body, first=entry, by=entry, place=entry.number)]
    if by.body.event is None:
        return []
    return [EffectiveEvent(event=by.body.event, first=entry, by=by, place=entry.number)]


def _reseated(effective: EffectiveEvent, moves: Sequence[Entry]) -> EffectiveEvent:
    """Follows the people that an event speaks of to where they really sit."""
    for entry in moves:
        body = entry.body
        if (
            isinstance(body, Reseated)
            and entry.number > effective.by.number
            and effective.by.envelope.source is Source.PRESS
        ):
            effective = dataclasses.replace(effective, event=moved(effective.event, body.order), by=entry)
    return effective


def moved(value: Any, order: Order) -> Any:
    """Returns a value of the rules with every seat in it moved."""
    if isinstance(value, Seat):
        return order[value]
    if isinstance(value, tuple):
        return tuple(moved(each, order) for each in value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: moved(getattr(value, field.name), order) for field in dataclasses.fields(value)}
        if isinstance(value, FoulLogged):
            fields["facts"] = tuple(moved_fact(each, order) for each in value.facts)
        if isinstance(value, PointsAdjusted):
            fields["points"] = four(value.points[order.index(seat)] for seat in Seat)
        return dataclasses.replace(value, **fields)
    return value


def names(entries: Sequence[Entry]) -> Names:
    """Returns who plays, by seat, after all that was said about it."""
    found: Names = ("", "", "", "")
    for entry in effective_entries(entries):
        match entry.body:
            case GameOpened(names=given) | PlayersNamed(names=given):
                found = given
            case Reseated(order=order):
                found = four(found[order.index(seat)] for seat in Seat)
    return found
