"""Counts of games by name: integers only, so that they add up in any order without rounding.

What the table could not see is counted separately, as *unknown*, and excluded from every share and average.
"""

from __future__ import annotations

from collections.abc import Mapping
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
"""The names of the shares, in display order."""
AMOUNTS: Final = ("win_value", "deal_in_value", "riichi_turn")
"""The names of the averages over hands."""


@dataclass(slots=True, kw_only=True)
class Share:
    """A number of cases out of a number of opportunities."""

    hits: int = 0
    of: int = 0
    unknown: int = 0
    """Number of opportunities whose outcome was not seen."""

    def count(self, has_happened: bool | None) -> None:
        """Counts one more opportunity; None if its outcome was not seen."""
        if has_happened is None:
            self.unknown += 1
        else:
            self.of += 1
            self.hits += has_happened

    def add(self, other: Share) -> None:
        """Adds the other's counts."""
        self.hits += other.hits
        self.of += other.of
        self.unknown += other.unknown


@dataclass(slots=True, kw_only=True)
class Amount:
    """A sum of values, with their number and the sum of their squares."""

    count: int = 0
    total: int = 0
    squares: int = 0
    unknown: int = 0

    def note(self, value: int | None) -> None:
        """Adds one value; None if it was not seen."""
        if value is None:
            self.unknown += 1
        else:
            self.count += 1
            self.total += value
            self.squares += value * value

    def add(self, other: Amount) -> None:
        """Adds the other's values."""
        self.count += other.count
        self.total += other.total
        self.squares += other.squares
        self.unknown += other.unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class BestHand:
    """The most valuable win of a person."""

    points: int
    han: int | None
    fu: int | None
    yakuman: int
    yaku: tuple[tuple[str, int], ...]
    utc: str
    """When the game began; empty if unknown."""
    hand: int
    """The number of the hand in its game, counted from 0."""
    tiles: str = ""
    """The concealed tiles without the winning one, in mpsz notation; empty if not seen."""
    winning_tile: str = ""
    melds: tuple[str, ...] = ()
    """The tiles of each meld, a closed kan in brackets."""


@dataclass(slots=True, kw_only=True)
class Tally:
    """The counts of one name."""

    hands: int = 0
    shares: dict[str, Share] = field(default_factory=lambda: {name: Share() for name in SHARES})
    amounts: dict[str, Amount] = field(default_factory=lambda: {name: Amount() for name in AMOUNTS})
    deal_in_turns: dict[int, int] = field(default_factory=dict)
    """Number of deal-ins with the n-th discard."""
    turns_unknown: int = 0
    """Deal-ins whose discard was not seen; a robbed kan does not count."""
    dealership: int = 0
    """The longest streak of hands as dealer."""
    best: BestHand | None = None
    rons: dict[str, Amount] = field(default_factory=dict)
    """Points won by ron from each other name."""

    def add(self, other: Tally) -> None:
        """Adds the other's counts."""
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
    """Returns the more valuable hand; of equal ones, that of the earlier game, else the one counted first."""
    found = [hand for hand in (one, other) if hand is not None]
    return min(found, key=lambda hand: (-hand.points, hand.utc), default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePlace:
    """One seat's result in a game."""

    name: str
    place: int
    """The place, counted from 1."""
    points: int
    """The points on the table at the end."""
    uma: int
    """Uma and oka, including payments for fouls and busting."""

    result: int
    """The result that league tables add up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameTally:
    """The counts of one game."""

    utc: str = ""
    """When it began, ISO 8601; empty if unknown."""
    number: int = 0
    """The journal entry that opened the game; 0 for a game record."""
    places: tuple[GamePlace, ...] = ()
    """From first to last place; empty if the game did not end."""
    tallies: Mapping[str, Tally] = field(default_factory=dict)
    """The tallies by name; seats without a name are left out."""
    counts: bool = True
    """Whether people let it count for the season; one that does not has neither places nor tallies."""
    has_begun: bool = True
    """Whether a hand was finished, or the game itself was; an opening alone is no game yet."""

    def as_json(self) -> dict[str, Any]:
        """Returns the JSON that `read_game` reads."""
        return asdict(self)


def read_game(data: Mapping[str, Any]) -> GameTally:
    """Returns a game from its JSON.

    Raises:
        KeyError, TypeError, ValueError: the data is not a game.
    """
    return GameTally(
        utc=data["utc"],
        number=data["number"],
        places=tuple(GamePlace(**place) for place in data["places"]),
        tallies={name: read_tally(tally) for name, tally in data["tallies"].items()},
        counts=data["counts"],
        has_begun=data["has_begun"],
    )


def read_tally(data: Mapping[str, Any]) -> Tally:
    """Returns a tally from its JSON.

    Raises:
        KeyError, TypeError, ValueError: the data is not a tally.
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
        rons={name: Amount(**amount) for name, amount in data["rons"].items()},
    )


def _best(data: Mapping[str, Any]) -> BestHand:
    yaku = tuple((name, han) for name, han in data["yaku"])
    return BestHand(**{**data, "yaku": yaku, "melds": tuple(data["melds"])})
