"""Who sits where in a game, at each of its moments: people change seats when a wrong seating is corrected.

The author of an entry is stored as a seat, and means the person who sat there then.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from table.game.journal.effective_events import Order, effective_entries, moved
from table.game.journal.entries import NOBODY, Entry, GameOpened, Names, PlayersNamed, Redone, Reseated, Undone
from table.game.journal.game_openings import own_entries
from table.rules.events import Event, FoulCancelled, FoulLogged, PointsAdjusted
from table.rules.terms.seats import SEATS, Seat, four


@dataclass(frozen=True, slots=True, kw_only=True)
class Seating:
    """The people of a game at one moment."""

    names: Names = NOBODY
    people: Order = SEATS
    """Where the people are who were entered at each seat when the game began."""
    results: Order = SEATS
    """Where the results of the seats count with which people entered them at first: a camera sees the right seats."""

    def seat_in(self, later: Seating, seat: Seat) -> Seat:
        """Returns where the person of a seat sits later: by name, or by the swaps in between."""
        name = self.names[seat]
        if name and later.names.count(name) == 1:
            return SEATS[later.names.index(name)]
        return later.people[self.people.index(seat)]

    def people_in(self, later: Seating) -> Order:
        """Returns where the people of all seats sit later, by the swaps in between."""
        return four(later.people[self.people.index(seat)] for seat in SEATS)

    def results_in(self, later: Seating) -> Order:
        """Returns at which seats the results of all seats count later."""
        return four(later.results[self.results.index(seat)] for seat in SEATS)

    def authors_in(self, later: Seating, by: str) -> str:
        """Returns authors as an entry says them, `seat 1, owner`, with their later seats."""
        return ", ".join(self._author_in(later, each) for each in by.split(", "))

    def _author_in(self, later: Seating, by: str) -> str:
        kind, _, number = by.partition(" ")
        if kind != "seat" or number not in ("0", "1", "2", "3"):
            return by
        return f"seat {int(self.seat_in(later, SEATS[int(number)]))}"


class SeatingHistory:
    """The seating at every entry of a game."""

    def __init__(self, entries: Sequence[Entry], opened_with: Names = NOBODY) -> None:
        """Takes the game's entries, from its opening; `opened_with` as for `seating_of`."""
        self._first = Seating(names=opened_with)
        found = list(_seatings(own_entries(entries), opened_with))
        self._numbers, self._seatings = [number for number, _ in found], [seating for _, seating in found]

    @property
    def now(self) -> Seating:
        """The present seating."""
        return self._seatings[-1] if self._seatings else self._first

    def before(self, number: int) -> Seating:
        """Returns the seating just before the entry with this number."""
        at = bisect_left(self._numbers, number)
        return self._seatings[at - 1] if at else self._first

    def with_present_author(self, event: Event, number: int) -> Event:
        """Returns an event, recorded with this number, whose author is named by the present seat."""
        if not isinstance(event, FoulLogged | FoulCancelled | PointsAdjusted) or not event.by:
            return event
        return replace(event, by=self.before(number).authors_in(self.now, event.by))

    def with_present_seats(self, event: Event, number: int) -> Event:
        """Returns an event that people recorded with this number, with the seats at which it counts now."""
        order = self.before(number).results_in(self.now)
        return event if order == SEATS else _moved(event, order)


def _moved(event: Event, order: Order) -> Event:
    found: Event = moved(event, order)
    return found


def seating_of(entries: Sequence[Entry], opened_with: Names = NOBODY) -> Seating:
    """Returns the seating after entries of one game.

    `opened_with` are its first names, if its opening is not among the entries.
    """
    found, people, results = opened_with, SEATS, SEATS
    for entry in effective_entries(entries):
        match entry.body:
            case GameOpened(names=given) | PlayersNamed(names=given):
                found = given
            case Reseated(order=order, moves_results=moves_results):
                found = four(found[order.index(seat)] for seat in SEATS)
                people = four(order[seat] for seat in people)
                results = four(order[seat] for seat in results) if moves_results else results
    return Seating(names=found, people=people, results=results)


def names(entries: Sequence[Entry]) -> Names:
    """Returns the players' names by seat, after all entries about them."""
    return seating_of(entries).names


def _seatings(own: Sequence[Entry], opened_with: Names) -> Iterator[tuple[int, Seating]]:
    """Yields the seating after each entry that may have changed it, with the entry's number."""
    acts = {entry.envelope.act for entry in own if isinstance(entry.body, PlayersNamed | Reseated)}
    for at, entry in enumerate(own):
        body = entry.body
        is_about = at == 0 or isinstance(body, PlayersNamed | Reseated)
        if is_about or (isinstance(body, Undone | Redone) and body.act in acts):
            yield entry.number, seating_of(own[: at + 1], opened_with)
