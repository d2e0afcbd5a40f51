"""A season's figures for every person, with confidence intervals: tallies by name, merged by person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Final

from table.records.season.intervals import Interval, mean_interval, share_interval
from table.records.season.people import People, person_id
from table.records.season.tally import Amount, BestHand, GamePlace, Share, Tally
from table.runtime.person_name import normalised_name

VALUE_RANGES: Final[Mapping[str, Interval]] = {
    "place": (1, 4),
    "win_value": (0, inf),
    "deal_in_value": (0, inf),
    "riichi_turn": (1, inf),
}
"""The range of the values of each average, and so of its interval."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """A share: cases out of all known opportunities."""

    hits: int
    of: int
    unknown: int = 0

    @property
    def value(self) -> float | None:
        """The share; None if nothing is known."""
        return self.hits / self.of if self.of else None

    @property
    def interval(self) -> Interval | None:
        """The 95 % confidence interval of the share."""
        return share_interval(self.hits, self.of)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mean:
    """An average over the known values."""

    count: int
    total: int
    squares: int
    unknown: int = 0
    value_range: Interval | None = None
    """The range of possible values; None if unlimited."""

    @property
    def value(self) -> float | None:
        """The average; None if nothing is known."""
        return self.total / self.count if self.count else None

    @property
    def interval(self) -> Interval | None:
        """The 95 % confidence interval of the average; None for fewer than two values."""
        found = mean_interval(self.count, self.total, self.squares)
        if found is None or self.value_range is None:
            return found
        return max(found[0], self.value_range[0]), min(found[1], self.value_range[1])


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResult:
    """One person's result in one game."""

    utc: str
    number: int
    place: int
    points: int
    uma: int
    result: int


@dataclass(slots=True, kw_only=True)
class HeadToHead:
    """One person's record against another."""

    games: int = 0
    above: int = 0
    """Games finished in a better place than the other person."""
    result: int = 0
    """Total lead over all these games in points, including uma and oka."""
    won: Amount = field(default_factory=Amount)
    """Points won from the other person by ron."""
    lost: Amount = field(default_factory=Amount)
    """Points lost to the other person by ron."""


@dataclass(slots=True, kw_only=True)
class PersonFigures:
    """All figures of one person."""

    name: str
    names: tuple[str, ...] = ()
    """Every name that the person played under."""
    games: list[GameResult] = field(default_factory=list)
    """Oldest first."""
    tally: Tally = field(default_factory=Tally)
    against: dict[str, HeadToHead] = field(default_factory=dict)
    """The record against each other person."""

    @property
    def id(self) -> str:
        """The person's identifier in addresses."""
        return person_id(self.name)

    @property
    def result(self) -> int:
        """Total points including uma and oka."""
        return sum(game.result for game in self.games)

    @property
    def places(self) -> list[Rate]:
        """How often each place was reached, starting with first place."""
        found = [game.place for game in self.games]
        return [Rate(hits=found.count(place), of=len(found)) for place in (1, 2, 3, 4)]

    def mean_of(self, name: str) -> Mean:
        """Returns the average `place`, `points`, `uma` or `result` over games, or of an amount over hands."""
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
            value_range=VALUE_RANGES.get(name),
        )

    def rate_of(self, name: str) -> Rate:
        """Returns a share of the person's hands."""
        share: Share = self.tally.shares[name]
        return Rate(hits=share.hits, of=share.of, unknown=share.unknown)

    @property
    def best(self) -> BestHand | None:
        """The person's most valuable win."""
        return self.tally.best


@dataclass(frozen=True, slots=True, kw_only=True)
class Season:
    """All figures of some games."""

    games: int
    """How many games were read, including unfinished ones, but not those whose first hand goes on."""
    finished: int
    """How many of them count in somebody's figures."""
    left_out: int = 0
    """How many of them people took out of the season: they count for nobody."""
    people: tuple[PersonFigures, ...]
    """All persons, ordered by total points including uma and oka."""

    def find(self, identity: str) -> PersonFigures | None:
        """Returns the person with this identifier."""
        return next((person for person in self.people if person.id == identity), None)

    def meetings(self, person: str, other: str) -> int:
        """Returns in how many finished games two persons sat at the same table."""
        found = self.find(person_id(person))
        against = None if found is None else found.against.get(other)
        return 0 if against is None else against.games


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnd:
    """The end of a game."""

    utc: str
    number: int
    places: tuple[GamePlace, ...]


def season_of(
    tallies: Mapping[str, Tally], game_ends: Sequence[GameEnd], people: People, *, games: int, left_out: int = 0
) -> Season:
    """Builds a season's figures.

    Args:
        tallies: the tally of each name.
        game_ends: the ends of games, in any order.
        people: which names are one person, and who is a guest.
        games: how many games were read, in which a hand was finished.
        left_out: how many of them people took out of the season.
    """
    found: dict[str, PersonFigures] = {}
    for name, tally in tallies.items():
        if (person := people.person(name)) is not None:
            figures = found.setdefault(person, PersonFigures(name=person))
            if normalised_name(name) not in figures.names:
                figures.names = (*figures.names, normalised_name(name))
            figures.tally.add(tally)
    finished = 0
    for game in sorted(game_ends, key=lambda game_end: (game_end.utc, game_end.number)):
        finished += any(people.person(place.name) in found for place in game.places)
        _add_game(found, game, people)
    for figures in found.values():
        _add_rons(found, figures, people)
    ordered = tuple(sorted(found.values(), key=lambda person_figures: (-person_figures.result, person_figures.name)))
    return Season(games=games, finished=finished, left_out=left_out, people=ordered)


def _add_game(found: Mapping[str, PersonFigures], game: GameEnd, people: People) -> None:
    persons = [(people.person(place.name), place) for place in game.places]
    for person, own_place in persons:
        if person is None or person not in found:
            continue
        result = GameResult(
            utc=game.utc,
            number=game.number,
            place=own_place.place,
            points=own_place.points,
            uma=own_place.uma,
            result=own_place.result,
        )
        found[person].games.append(result)
        for other, other_place in persons:
            if other is not None and other != person:
                against = found[person].against.setdefault(other, HeadToHead())
                against.games += 1
                against.above += own_place.place < other_place.place
                against.result += own_place.result - other_place.result


def _add_rons(found: Mapping[str, PersonFigures], figures: PersonFigures, people: People) -> None:
    for name, amount in figures.tally.rons.items():
        other = people.person(name)
        if other is not None and other != figures.name and other in found:
            figures.against.setdefault(other, HeadToHead()).won.add(amount)
            found[other].against.setdefault(figures.name, HeadToHead()).lost.add(amount)
