"""The effective events of a journal: its events after all amendments by people."""

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
    QuestionAsked,
    Redone,
    Reseated,
    SettlementRecorded,
    Source,
    Undone,
)
from table.game.journal.game_openings import own_entries
from table.rules.events import Event, FoulLogged, PointsAdjusted
from table.rules.penalties.foul_facts import reseated_fact
from table.rules.terms.seats import Seat, four

Order = tuple[Seat, Seat, Seat, Seat]


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectiveEvent:
    """One effective event."""

    event: Event
    first: Entry
    """The entry that recorded it first."""
    latest: Entry
    """The entry that determines it now: the first one, or its last amendment."""
    place: int
    """Its place in the journal: its entry's number; if it was inserted, the number before the entry it precedes."""

    @property
    def amendments(self) -> tuple[int, ...]:
        """The amendments that changed it."""
        return () if self.latest is self.first and self.place == self.first.number else (self.latest.number,)

    @property
    def is_edited(self) -> bool:
        """Whether a person changed it after it was first recorded."""
        return bool(self.amendments) and self.latest.envelope.source is Source.PRESS


def is_event(body: Body) -> TypeGuard[Event]:
    """Whether the body is an event of the game, not an amendment or a record."""
    return not isinstance(body, GameOpened | Amendment | SettlementRecorded | QuestionAsked)


def effective_entries(entries: Sequence[Entry]) -> list[Entry]:
    """Returns a game's entries without those of undone actions, and of later games whose openings are undone.

    Settlements that earlier versions recorded when undoing or redoing an action are left out too.
    """
    game_entries, undone = own_entries(entries), set[int]()
    for entry in game_entries:
        if isinstance(entry.body, Undone):
            undone |= {entry.body.act, entry.number}
        elif isinstance(entry.body, Redone):
            undone.discard(entry.body.act)
            undone.add(entry.number)
    return [entry for entry in game_entries if entry.envelope.act not in undone]


def effective_events(entries: Sequence[Entry]) -> Iterator[EffectiveEvent]:
    """Yields the effective events of a game, in the order in which they apply."""
    valid = effective_entries(entries)
    corrections = {entry.body.entry: entry for entry in valid if isinstance(entry.body, Corrected)}
    insertions = {entry.body.before: entry for entry in valid if isinstance(entry.body, Inserted)}
    moves = [entry for entry in valid if isinstance(entry.body, Reseated) and entry.body.moves_results]
    for entry in valid:
        effective = [_inserted_event(insertions[entry.number])] if entry.number in insertions else []
        effective += _corrected_event(entry, corrections)
        for event in effective:
            yield _after_reseating(event, moves)


def removed_events(entries: Sequence[Entry]) -> list[Entry]:
    """Returns the entries of the events that a correction removed, in order."""
    valid = effective_entries(entries)
    is_removed = {entry.body.entry: entry.body.event is None for entry in valid if isinstance(entry.body, Corrected)}
    return [entry for entry in valid if is_event(entry.body) and is_removed.get(entry.number, False)]


def _inserted_event(entry: Entry) -> EffectiveEvent:
    body = entry.body
    if not isinstance(body, Inserted):
        raise TypeError(f"expected an inserted event, got {entry!r}")
    return EffectiveEvent(event=body.event, first=entry, latest=entry, place=body.before - 1)


def _corrected_event(entry: Entry, corrections: Mapping[int, Entry]) -> list[EffectiveEvent]:
    if not is_event(entry.body):
        return []
    correction = corrections.get(entry.number)
    if correction is None or not isinstance(correction.body, Corrected):
        return [EffectiveEvent(event=entry.body, first=entry, latest=entry, place=entry.number)]
    if correction.body.event is None:
        return []
    return [EffectiveEvent(event=correction.body.event, first=entry, latest=correction, place=entry.number)]


def _after_reseating(effective: EffectiveEvent, moves: Sequence[Entry]) -> EffectiveEvent:
    """Returns the event with its seats changed to where the people really sit."""
    for entry in moves:
        body = entry.body
        if (
            isinstance(body, Reseated)
            and entry.number > effective.latest.number
            and effective.latest.envelope.source is Source.PRESS
        ):
            effective = dataclasses.replace(
                effective, event=with_moved_seats(effective.event, body.order), latest=entry
            )
    return effective


def with_moved_seats(value: Any, order: Order) -> Any:
    """Returns a value of the rules with each seat replaced by `order[seat]`."""
    if isinstance(value, Seat):
        return order[value]
    if isinstance(value, tuple):
        return tuple(with_moved_seats(item, order) for item in value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {
            field.name: with_moved_seats(getattr(value, field.name), order) for field in dataclasses.fields(value)
        }
        if isinstance(value, FoulLogged):
            fields["facts"] = tuple(reseated_fact(fact, order) for fact in value.facts)
        if isinstance(value, PointsAdjusted):
            fields["points"] = four(value.points[order.index(seat)] for seat in Seat)
        return dataclasses.replace(value, **fields)
    return value
