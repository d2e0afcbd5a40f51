"""What is counted of games: by name, so that it adds up in any order, and whole numbers alone, so that none is rounded.

What the table could not see is counted apart, as *unknown*: it is in no share and no average.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

SHARES: Final = (
    "wins",
    "deal_ins",
    "riichi",
    "calls",
    "tenpai",
    "ippatsu",
    "ura",
    "furiten_riichi",
    "fouls",
    "comebacks",
)
"""What is counted as so many of so many, in the order in which it is told."""
AMOUNTS: Final = ("win_value", "deal_in_value", "riichi_turn")
"""What is averaged over hands."""


@dataclass(slots=True, kw_only=True)
class Share:
    """So many of so many."""

    hits: int = 0
    of: int = 0
    unknown: int = 0
    """How often it could have happened, and nobody saw whether it did."""

    def count(self, happened: bool | None) -> None:
        """Counts one more; None for what was not seen."""
        if happened is None:
            self.unknown += 1
        else:
            self.of += 1
            self.hits += happened

    def add(self, other: Share) -> None:
        """Counts everything that the other counted, too."""
        self.hits += other.hits
        self.of += other.of
        self.unknown += other.unknown


@dataclass(slots=True, kw_only=True)
class Amount:
    """A sum over so many, with the sum of squares that its spread follows from."""

    count: int = 0
    total: int = 0
    squares: int = 0
    unknown: int = 0

    def note(self, value: int | None) -> None:
        """Adds one more value; None for one that was not seen."""
        if value is None:
            self.unknown += 1
        else:
            self.count += 1
            self.total += value
            self.squares += value * value

    def add(self, other: Amount) -> None:
        """Adds all values of the other."""
        self.count += other.count
        self.total += other.total
        self.squares += other.squares
        self.unknown += other.unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class BestHand:
    """A win that was worth most."""

    points: int
    han: int | None
    fu: int | None
    yakuman: int
    yaku: tuple[tuple[str, int], ...]
    utc: str
    """When its game began; empty where the record does not tell."""
    hand: int
    """Which hand of its game it was, from 0."""
    tiles: str = ""
    """The closed tiles without the winning one, in mpsz; empty where nobody saw them."""
    winning_tile: str = ""
    melds: tuple[str, ...] = ()
    """The tiles of each, a closed kan in brackets."""


@dataclass(slots=True, kw_only=True)
class Tally:
    """What one name did in the hands of some games."""

    hands: int = 0
    shares: dict[str, Share] = field(default_factory=lambda: {name: Share() for name in SHARES})
    amounts: dict[str, Amount] = field(default_factory=lambda: {name: Amount() for name in AMOUNTS})
    deal_in_turns: dict[int, int] = field(default_factory=dict)
    """How often it dealt in with its n-th discard."""
    turns_unknown: int = 0
    """Deal-ins of which nobody saw with which discard; a robbed kan is none."""
    dealership: int = 0
    """The most hands in a row that it dealt."""
    best: BestHand | None = None
    rons: dict[str, Amount] = field(default_factory=dict)
    """What it won by ron from each other name."""

    def add(self, other: Tally) -> None:
        """Counts everything that the other counted, too."""
        self.hands += other.hands
        for name, share in other.shares.items():
            self.shares[name].add(share)
        for name, amount in other.amounts.items():
            self.amounts[name].add(amount)
        for turn, count in other.deal_in_turns.items():
            self.deal_in_turns[turn] = self.deal_in_turns.get(turn, 0) + count
        self.turns_unknown += other.turns_unknown
        self.dealership = max(self.dealership, other.dealership)
        self.best = better(self.best, other.best)
        for name, amount in other.rons.items():
            self.rons.setdefault(name, Amount()).add(amount)


def better(one: BestHand | None, other: BestHand | None) -> BestHand | None:
    """Returns the hand that was worth more; of equal ones that of the earlier game, else the one counted first."""
    found = [hand for hand in (one, other) if hand is not None]
    return min(found, key=lambda hand: (-hand.points, hand.utc), default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """How one seat ended a game."""

    name: str
    place: int
    """From 1."""
    points: int
    """Those on the table at the end."""
    uma: int
    """What the place was worth: uma, oka, and what fouls and busting took or gave."""

    result: int
    """What league tables add up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameTally:
    """One game as a season counts it."""

    utc: str = ""
    """When it began, ISO 8601; empty where the record does not tell."""
    number: int = 0
    """The entry of the journal that opened it; 0 in a game record."""
    places: tuple[Place, ...] = ()
    """First to last; empty where it did not end."""
    tallies: Mapping[str, Tally] = field(default_factory=dict)
    """By name; seats without one are left out."""

    def as_json(self) -> dict[str, Any]:
        """Returns it as `read_game` takes it."""
        return asdict(self)


def read_game(data: Mapping[str, Any]) -> GameTally:
    """Returns a game from its JSON.

    Raises:
        KeyError, TypeError, ValueError: it is none.
    """
    return GameTally(
        utc=data["utc"],
        number=data["number"],
        places=tuple(Place(**each) for each in data["places"]),
        tallies={name: read_tally(each) for name, each in data["tallies"].items()},
    )


def read_tally(data: Mapping[str, Any]) -> Tally:
    """Returns a tally from its JSON.

    Raises:
        KeyError, TypeError, ValueError: it is none.
    """
    best = data["best"]
    return Tally(
        hands=data["hands"],
        shares={name: Share(**data["shares"][name]) for name in SHARES},
        amounts={name: Amount(**data["amounts"][name]) for name in AMOUNTS},
        deal_in_turns={int(turn): count for turn, count in data["deal_in_turns"].items()},
        turns_unknown=data["turns_unknown"],
        dealership=data["dealership"],
        best=None if best is None else _best(best),
        rons={name: Amount(**each) for name, each in data["rons"].items()},
    )


def _best(data: Mapping[str, Any]) -> BestHand:
    yaku = tuple((name, han) for name, han in data["yaku"])
    return BestHand(**{**data, "yaku": yaku, "melds": tuple(data["melds"])})


def totals(games: Iterable[GameTally]) -> dict[str, Tally]:
    """Returns what each name did in all of these games."""
    found: dict[str, Tally] = {}
    for game in games:
        for name, tally in game.tallies.items():
            found.setdefault(name, Tally()).add(tally)
    return found
