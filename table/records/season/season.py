"""A season's figures of everybody, with intervals: what was counted by name, put together by person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Final

from table.records.season.intervals import Interval, mean_interval, share_interval
from table.records.season.people import People, person_id
from table.records.season.tally import Amount, BestHand, GameTally, Place, Share, Tally

WITHIN: Final[Mapping[str, Interval]] = {
    "place": (1, 4),
    "win_value": (0, inf),
    "deal_in_value": (0, inf),
    "riichi_turn": (1, inf),
}
"""Between what the values of an average lie, and so its interval."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """So many of so many that are known."""

    hits: int
    of: int
    unknown: int = 0

    @property
    def value(self) -> float | None:
        """The share; None where nothing is known."""
        return self.hits / self.of if self.of else None

    @property
    def interval(self) -> Interval | None:
        """Where the true share lies, 95 times of 100."""
        return share_interval(self.hits, self.of)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mean:
    """An average over as many as are known."""

    count: int
    total: int
    squares: int
    unknown: int = 0
    within: Interval | None = None
    """Between what every value lies; None where that is not known."""

    @property
    def value(self) -> float | None:
        """The average; None where nothing is known."""
        return self.total / self.count if self.count else None

    @property
    def interval(self) -> Interval | None:
        """Where the true average lies, 95 times of 100; None of less than two."""
        found = mean_interval(self.count, self.total, self.squares)
        if found is None or self.within is None:
            return found
        return max(found[0], self.within[0]), min(found[1], self.within[1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """How one person ended one game."""

    utc: str
    number: int
    place: int
    points: int
    uma: int
    result: int


@dataclass(slots=True, kw_only=True)
class Against:
    """What one person reached against another one."""

    games: int = 0
    above: int = 0
    """Games that it ended in a better place."""
    result: int = 0
    """By how many points, with uma and oka, it was ahead in all of them."""
    won: Amount = field(default_factory=Amount)
    """What it won from the other one by ron."""
    lost: Amount = field(default_factory=Amount)
    """What the other one won from it by ron."""


@dataclass(slots=True, kw_only=True)
class PersonFigures:
    """Everything that is told of one person."""

    name: str
    names: tuple[str, ...] = ()
    """Every name that it played under."""
    games: list[Played] = field(default_factory=list)
    """Oldest first."""
    tally: Tally = field(default_factory=Tally)
    against: dict[str, Against] = field(default_factory=dict)
    """By person."""

    @property
    def id(self) -> str:
        """What stands for it in addresses."""
        return person_id(self.name)

    @property
    def result(self) -> int:
        """All points with uma and oka."""
        return sum(game.result for game in self.games)

    @property
    def places(self) -> list[Rate]:
        """How often it reached each place, the first one first."""
        found = [game.place for game in self.games]
        return [Rate(hits=found.count(place), of=len(found)) for place in (1, 2, 3, 4)]

    def mean_of(self, name: str) -> Mean:
        """Returns the average `place`, `points`, `uma` or `result` of its games, or an amount of its hands."""
        amount = self.tally.amounts.get(name)
        if amount is None:
            amount = Amount()
            for game in self.games:
                amount.note(getattr(game, name))
        return Mean(
            count=amount.count,
            total=amount.total,
            squares=amount.squares,
            unknown=amount.unknown,
            within=WITHIN.get(name),
        )

    def rate_of(self, name: str) -> Rate:
        """Returns a share of its hands."""
        share: Share = self.tally.shares[name]
        return Rate(hits=share.hits, of=share.of, unknown=share.unknown)

    @property
    def best(self) -> BestHand | None:
        """Its win that was worth most."""
        return self.tally.best


@dataclass(frozen=True, slots=True, kw_only=True)
class Season:
    """All figures of some games."""

    games: int
    """How many games were read, also those that did not end."""
    people: tuple[PersonFigures, ...]
    """By their points with uma and oka."""

    def find(self, identity: str) -> PersonFigures | None:
        """Returns the person that an address means."""
        return next((person for person in self.people if person.id == identity), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """A game of which only its end is told."""

    utc: str
    number: int
    places: tuple[Place, ...]


def ended_games(games: Iterable[GameTally]) -> list[Ended]:
    """Returns the ends of those games that have one."""
    return [Ended(utc=game.utc, number=game.number, places=game.places) for game in games if game.places]


def season_of(counted: Mapping[str, Tally], ended: Sequence[Ended], people: People, *, games: int) -> Season:
    """Puts a season together.

    Args:
        counted: what each name did in hands.
        ended: the ends of games, in any order.
        people: which names are one person, and who is a guest.
        games: how many games were read.
    """
    found: dict[str, PersonFigures] = {}
    for name, tally in counted.items():
        if (person := people.person(name)) is not None:
            figures = found.setdefault(person, PersonFigures(name=person))
            figures.names = (*figures.names, name)
            figures.tally.add(tally)
    for game in sorted(ended, key=lambda each: (each.utc, each.number)):
        _add_game(found, game, people)
    for figures in found.values():
        _add_rons(found, figures, people)
    return Season(games=games, people=tuple(sorted(found.values(), key=lambda each: (-each.result, each.name))))


def _add_game(found: Mapping[str, PersonFigures], game: Ended, people: People) -> None:
    persons = [(people.person(place.name), place) for place in game.places]
    for person, own in persons:
        if person is None or person not in found:
            continue
        played = Played(
            utc=game.utc, number=game.number, place=own.place, points=own.points, uma=own.uma, result=own.result
        )
        found[person].games.append(played)
        for other, theirs in persons:
            if other is not None and other != person:
                against = found[person].against.setdefault(other, Against())
                against.games += 1
                against.above += own.place < theirs.place
                against.result += own.result - theirs.result


def _add_rons(found: Mapping[str, PersonFigures], figures: PersonFigures, people: People) -> None:
    for name, amount in figures.tally.rons.items():
        other = people.person(name)
        if other is not None and other != figures.name and other in found:
            figures.against.setdefault(other, Against()).won.add(amount)
            found[other].against.setdefault(figures.name, Against()).lost.add(amount)
