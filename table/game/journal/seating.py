"""Who sits where in a game, at each of its moments: a wrong seating is corrected, or a substitute sits down.

The author of an entry is stored as a seat, and means the person who sat there then. A new name at a seat corrects the
name of the same person, unless a substitution says that somebody else sits down, or the name is that of somebody else
who plays or played in this game.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from table.game.journal.authors import author_seat, authors, is_owner, named_author, seated_author
from table.game.journal.effective_events import Order, effective_entries, with_moved_seats
from table.game.journal.entries import NOBODY, Entry, GameOpened, Names, PlayersNamed, Redone, Reseated, Undone
from table.game.journal.game_openings import own_entries
from table.rules.events import Event, FoulCancelled, FoulLogged, PointsAdjusted
from table.rules.terms.seats import SEATS, Seat, four

Person = tuple[int, int]
"""Identifies somebody in a game: the entry with which they came, 0 at its beginning, and the seat they took."""
Sitters = tuple[Person, Person, Person, Person]
_AUTHORED_EVENTS: Final = (FoulLogged, FoulCancelled, PointsAdjusted)
"""The events with an author."""
_FIRST_SITTERS: Final[Sitters] = ((0, 0), (0, 1), (0, 2), (0, 3))


@dataclass(frozen=True, slots=True, kw_only=True)
class Seating:
    """The people of a game at one moment."""

    names: Names = NOBODY
    people: Order = SEATS
    """Where the people are who were entered at each seat when the game began."""
    results: Order = SEATS
    """Where results that were entered at each seat when the game began count; a camera sees the right seats."""
    sitters: Sitters = _FIRST_SITTERS
    """Who sits at each seat."""
    substitutions: tuple[int, int, int, int] = (0, 0, 0, 0)
    """The entry with which a substitute sat down at each seat; 0 if none did."""
    known_names: Mapping[Person, str] = field(default_factory=dict, repr=False)
    """The names of everybody who plays or played, as they were written last in the game.

    Not in the text of a seating, which identifies it: an undone renaming leaves them in another order.
    """

    def seat_in(self, later: Seating, seat: Seat) -> Seat:
        """Returns where the person of a seat sits later; if they left, where swaps moved their seat in between."""
        person = self.sitters[seat]
        if person in later.sitters:
            return SEATS[later.sitters.index(person)]
        return later.people[self.people.index(seat)]

    def name_if_left(self, later: Seating, seat: Seat) -> str:
        """Returns the name, as written later, of the person at a seat if they have no seat later; else empty."""
        person = self.sitters[seat]
        return "" if person in later.sitters else later.known_names.get(person, "")

    def people_in(self, later: Seating) -> Order:
        """Returns where the people of all seats sit later, by the swaps in between."""
        return four(later.people[self.people.index(seat)] for seat in SEATS)

    def results_in(self, later: Seating) -> Order:
        """Returns at which seats the results of all seats count later."""
        return four(later.results[self.results.index(seat)] for seat in SEATS)

    def names_in(self, later: Seating) -> Names:
        """Returns, for each later seat, the name as written later of who sat there now; swaps are followed."""
        return four(self._name_in(later, seat) for seat in SEATS)

    def authors_in(self, later: Seating, by: str) -> str:
        """Returns authors as an entry names them, such as `seat 1, owner`, with their later seats.

        Somebody without a later seat is called by name: `name "Anna"`.
        """
        return ", ".join(self._author_in(later, author) for author in authors(by))

    def _name_in(self, later: Seating, seat: Seat) -> str:
        earlier_seat = self.people[later.people.index(seat)]
        is_other_person = self.substitutions[earlier_seat] != later.substitutions[seat]
        leaver = later.known_names.get(self.sitters[earlier_seat], "") if is_other_person else ""
        return leaver or later.names[seat]

    def _author_in(self, later: Seating, by: str) -> str:
        seat = author_seat(by)
        if seat is None:
            return by
        if name := self.name_if_left(later, seat):
            return named_author(name)
        return seated_author(self.seat_in(later, seat), is_owner=is_owner(by))


class SeatingHistory:
    """The seating at every entry of a game."""

    def __init__(self, entries: Sequence[Entry], names_at_opening: Names = NOBODY) -> None:
        """Takes the game's entries; `names_at_opening` are its first names, if its opening is not among them."""
        game_entries = own_entries(entries)
        opening = next((entry.body for entry in game_entries[:1] if isinstance(entry.body, GameOpened)), None)
        tracker = _SeatingTracker(names_at_opening if opening is None else opening.names)
        self._first = tracker.now
        self._numbers: list[int] = []
        self._seatings: list[Seating] = []
        for entry in game_entries:
            has_changed = entry.body is not opening and tracker.follow(entry)
            if has_changed or entry is game_entries[0]:
                self._numbers.append(entry.number)
                self._seatings.append(tracker.now)

    @property
    def now(self) -> Seating:
        """The present seating."""
        return self._seatings[-1] if self._seatings else self._first

    def before(self, number: int) -> Seating:
        """Returns the seating just before the entry with this number."""
        index = bisect_left(self._numbers, number)
        return self._seatings[index - 1] if index else self._first

    @property
    def names_before_changes(self) -> tuple[tuple[int, Names], ...]:
        """Who sat at the present seats before each change of people: its entry, and their names as written now."""
        moments = zip(self._numbers, [self._first, *self._seatings], strict=False)
        return tuple((number, seating.names_in(self.now)) for number, seating in moments)

    def names_at(self, number: int) -> Names:
        """Returns the names, as written now, of those who sat at the present seats when this entry was written."""
        return self.before(number).names_in(self.now)

    def with_present_author(self, event: Event, number: int) -> Event:
        """Returns an event, recorded with this number, whose author is named by the present seat."""
        if not (isinstance(event, _AUTHORED_EVENTS) and event.by):
            return event
        return replace(event, by=self.before(number).authors_in(self.now, event.by))

    def with_present_seats(self, event: Event, number: int) -> Event:
        """Returns an event that people recorded with this number, with the seats at which it counts now."""
        order = self.before(number).results_in(self.now)
        return event if order == SEATS else _event_with_moved_seats(event, order)


def _event_with_moved_seats(event: Event, order: Order) -> Event:
    found: Event = with_moved_seats(event, order)
    return found


def has_author(event: Event) -> bool:
    """Whether an event says who did it."""
    return isinstance(event, _AUTHORED_EVENTS) and bool(event.by)


def may_change_seating(entry: Entry) -> bool:
    """Whether people may sit elsewhere, or be called otherwise, after an entry than before it."""
    return isinstance(entry.body, GameOpened | PlayersNamed | Reseated | Undone | Redone)


def seating_of(entries: Sequence[Entry]) -> Seating:
    """Returns the seating after entries of one game."""
    tracker = _SeatingTracker(NOBODY)
    for entry in effective_entries(entries):
        tracker.follow(entry)
    return tracker.now


class _KnownPeople:
    """Everybody who plays or played, by person and by name."""

    def __init__(self) -> None:
        self.names: dict[Person, str] = {}
        self._people_called: dict[str, set[Person]] = {}

    def people_called(self, name: str) -> Collection[Person]:
        """Returns the people with a name."""
        return self._people_called.get(name, ())

    def write(self, names: Mapping[Person, str]) -> dict[Person, str]:
        """Sets names, or removes those that are empty, and returns what to write to take that back."""
        before = {person: self.names.get(person, "") for person in names}
        for person, name in names.items():
            if before[person]:
                self._people_called[before[person]].discard(person)
                del self.names[person]
            if name:
                self.names[person] = name
                self._people_called.setdefault(name, set()).add(person)
        return before


@dataclass(frozen=True, slots=True)
class _Change:
    """A change of the seating that is not undone."""

    entry: Entry
    after: Seating
    names_before: Mapping[Person, str]
    """The earlier names of the people whose names it changed."""


class _SeatingTracker:
    """The seating while a game's entries are followed: each costs the same, however many changed it before."""

    def __init__(self, names_at_opening: Names) -> None:
        self._people = _KnownPeople()
        self._people.write(_first_people(names_at_opening))
        self._first = Seating(names=names_at_opening, known_names=self._people.names)
        self._changes: list[_Change] = []
        self._acts: dict[int | None, list[Entry]] = {}
        self._undone: set[int | None] = set()

    @property
    def now(self) -> Seating:
        """The seating after the entries so far."""
        return self._changes[-1].after if self._changes else self._first

    def follow(self, entry: Entry) -> bool:
        """Follows the game's next entry; returns whether it names or moves people, or undoes or redoes such a one."""
        match entry.body:
            case Undone(act=act):
                self._undone |= {act, entry.number}
                return self._follow_again(act)
            case Redone(act=act):
                self._undone.discard(act)
                self._undone.add(entry.number)
                return self._follow_again(act)
            case GameOpened() | PlayersNamed() | Reseated():
                self._acts.setdefault(entry.envelope.act, []).append(entry)
                self._change(entry)
                return not isinstance(entry.body, GameOpened)
        return False

    def _follow_again(self, act: int) -> bool:
        """Follows the changes from an action on again, after it was undone or redone."""
        act_entries = {entry.number: entry for entry in self._acts.get(act, ())}
        followed_entries = dict(act_entries)
        while act_entries and self._changes and self._changes[-1].entry.number >= min(act_entries):
            change = self._changes.pop()
            self._people.write(change.names_before)
            followed_entries[change.entry.number] = change.entry
        for number in sorted(followed_entries):
            self._change(followed_entries[number])
        return any(not isinstance(entry.body, GameOpened) for entry in act_entries.values())

    def _change(self, entry: Entry) -> None:
        """Makes the change of an entry, unless it is undone."""
        if entry.envelope.act in self._undone:
            return
        after, new_names = self.now, dict[Person, str]()
        match entry.body:
            case GameOpened(names=names):
                after = Seating(names=names, known_names=self._people.names)
                new_names = dict.fromkeys(self._people.names, "") | _first_people(names)
            case PlayersNamed(names=names, is_substitution=is_substitution):
                after = _with_names(after, names, entry.number, self._people, is_substitution=is_substitution)
                new_names = {person: name for person, name in zip(after.sitters, names, strict=True) if name}
            case Reseated(order=order, moves_results=moves_results):
                after = _with_swapped_seats(after, order, moves_results=moves_results)
        self._changes.append(_Change(entry, after, self._people.write(new_names)))


def _first_people(names: Names) -> dict[Person, str]:
    return {person: name for person, name in zip(_FIRST_SITTERS, names, strict=True) if name}


def _with_names(seating: Seating, names: Names, number: int, people: _KnownPeople, *, is_substitution: bool) -> Seating:
    """Returns the seating after the seats have these names, by the entry with this number."""
    sitters, substitutions = list(seating.sitters), list(seating.substitutions)
    arrivals: dict[int, Person] = {}
    for seat, (old_name, name) in enumerate(zip(seating.names, names, strict=True)):
        is_substitute = bool(old_name) and is_substitution
        if name == old_name or not (name or is_substitute):
            continue
        same_named = people.people_called(name)
        if len(same_named) == 1 and names.count(name) == 1:
            (arrivals[seat],) = same_named
        elif is_substitute:
            arrivals[seat] = (number, seat)
        if is_substitute:
            substitutions[seat] = number
    for seat, person in enumerate(sitters):
        is_replaced = seat not in arrivals and person in arrivals.values()
        sitters[seat] = (number, seat) if is_replaced else arrivals.get(seat, person)
    return replace(seating, names=names, sitters=four(sitters), substitutions=four(substitutions))


def _with_swapped_seats(seating: Seating, order: Order, *, moves_results: bool) -> Seating:
    earlier_seats = [order.index(seat) for seat in SEATS]
    return replace(
        seating,
        names=four(seating.names[seat] for seat in earlier_seats),
        people=four(order[seat] for seat in seating.people),
        results=four(order[seat] for seat in seating.results) if moves_results else seating.results,
        sitters=four(seating.sitters[seat] for seat in earlier_seats),
        substitutions=four(seating.substitutions[seat] for seat in earlier_seats),
    )


def names(entries: Sequence[Entry]) -> Names:
    """Returns the players' names by seat, after all entries about them."""
    return seating_of(entries).names
