"""Situations in one line: a table that events are fed to by their notation, checked from scratch after each."""

from __future__ import annotations

from dataclasses import dataclass

from table.records.walkthrough import PlayJson, Walkthrough, end_line, event_line
from table.rulebook import rules_named
from table.rules.advance import advance, new_game
from table.rules.notation.event_notation import parse_events, split_events
from table.rules.ruleset import Ruleset
from table.rules.state import GameState, HandState
from table.rules.terms.announcements import Announcement, AnnouncementId, Suspicion
from table.rules.terms.results import Settlement
from tests.contracts import assert_keeps
from tests.table.rules.invariants import check

TANYAO = "234m567m34567p22s"
"""A closed hand that waits for 2p 5p 8p."""
START = "start E1 scores=25000,25000,25000,25000 dora=1z"


class Table:
    """A game that remembers what was said."""

    def __init__(self, ruleset: Ruleset | None = None) -> None:
        self.ruleset = ruleset or Ruleset()
        self.state: GameState = new_game(self.ruleset)
        self.announcements: list[Announcement] = []
        self.suspicions: list[Suspicion] = []

    def feed(self, text: str) -> Table:
        """Feeds events; `announcements` and `suspicions` then hold what these events brought."""
        self.announcements, self.suspicions = [], []
        for event in parse_events(text):
            step = advance(self.state, event, self.ruleset)
            check(step.state, self.ruleset)
            self.state = step.state
            self.announcements += step.announcements
            self.suspicions += step.suspicions
        return self

    @property
    def hand(self) -> HandState:
        assert self.state.hand is not None
        return self.state.hand

    @property
    def missing(self) -> tuple[str, ...]:
        """The facts that the hand's settlement still needs, as texts."""
        return tuple(map(str, self.hand.missing))

    @property
    def sayings(self) -> list[tuple[str, int | None]]:
        """Ids with their seats, in order."""
        return [
            (announcement.id.value, None if announcement.seat is None else int(announcement.seat))
            for announcement in self.announcements
        ]

    @property
    def clauses(self) -> list[tuple[str, int]]:
        """Clauses of the suspicions with their seats."""
        return [(suspicion.clause, int(suspicion.seat)) for suspicion in self.suspicions]

    def one(self, saying: AnnouncementId) -> Announcement:
        """The only announcement of that kind."""
        (found,) = [announcement for announcement in self.announcements if announcement.id is saying]
        return found


def play(text: str, **switches: object) -> Table:
    """A table at which a plain first hand began and these events happened; `switches` change the home rules."""
    table = Table(Ruleset().but(**switches))
    table.feed(START)
    return table.feed(text) if text else table


def discards(tiles: str, first: int = 0) -> str:
    """Discards in turn order, `tiles` parted by spaces."""
    return "; ".join(f"{(first + index) % 4} discards {tile}" for index, tile in enumerate(tiles.split()))


def discards_until(left: int) -> str:
    """Discards up to the one that is laid with `left` tiles to draw."""
    kinds = [f"{rank}{suit}" for suit in "mps" for rank in (1, 2, 3, 4, 6, 7, 8, 9)]
    tiles = [kind for kind in kinds for _ in range(3)]
    return discards(" ".join(tiles[: 69 - left]))


def settlement_of(table: Table) -> Settlement:
    """The settlement of the last finished hand."""
    settlement = table.state.history[-1].settlement
    assert settlement is not None
    return settlement


@dataclass(frozen=True)
class Ruling:
    """What `tachiai rules play --json` says of some events."""

    events: list[PlayJson]
    """A line an event."""
    end: PlayJson
    """Where the game stands after them."""

    @property
    def suspicions(self) -> list[tuple[str, int]]:
        """Every suspicion in order: article and seat."""
        return [(each["article"], each["seat"]) for line in self.events for each in line["suspicions"]]

    @property
    def announcements(self) -> list[tuple[str, int | None]]:
        """Every announcement in order: id and seat."""
        return [(each["id"], each["seat"]) for line in self.events for each in line["announcements"]]

    @property
    def errors(self) -> list[str]:
        """Why events could not be read, or cannot have happened."""
        return [line["error"] for line in self.events if line["error"] is not None]


def ruling(text: str, ruleset: str | Ruleset = "home", *, may_fail: bool = False) -> Ruling:
    """What a referee gets from `tachiai rules play` for these events; the state is checked after each.

    Without a `start` it is the first hand of a game. `ruleset` is a named set with its penalties, or the rules
    themselves; an event that cannot be followed fails the test unless it `may_fail`.
    """
    rules = rules_named(ruleset).ruleset if isinstance(ruleset, str) else ruleset
    walk = Walkthrough(rules)
    lines = []
    for event in split_events(text):
        lines.append(event_line(walk.follow(event)))
        check(walk.state, rules)
    found = Ruling(lines, end_line(walk.end(), rules))
    for line in (*lines, found.end):
        assert_keeps("rules_play", line)
    assert may_fail or not found.errors
    return found
