"""Situations in one line: a table that events are fed to by their notation, checked from scratch after each."""

from __future__ import annotations

from table.rules.advance import advance, new_game
from table.rules.announcements import Announcement, Saying, Suspicion
from table.rules.notation import parse_events
from table.rules.results import Settlement
from table.rules.ruleset import Ruleset
from table.rules.state import GameState, HandState
from tests.rules.invariants import check

TANYAO = "234m567m34567p22s"
"""A closed hand that waits for 2p 5p 8p."""
START = "start E1 scores=25000,25000,25000,25000 dora=1z"


class Table:
    """A game that remembers what was said."""

    def __init__(self, ruleset: Ruleset | None = None) -> None:
        self.ruleset = ruleset or Ruleset()
        self.state: GameState = new_game(self.ruleset)
        self.said: list[Announcement] = []
        self.suspicions: list[Suspicion] = []

    def feed(self, text: str) -> Table:
        """Feeds events; `said` and `suspicions` then hold what these events brought."""
        self.said, self.suspicions = [], []
        for event in parse_events(text):
            step = advance(self.state, event, self.ruleset)
            check(step.state, self.ruleset)
            self.state = step.state
            self.said += step.announcements
            self.suspicions += step.suspicions
        return self

    @property
    def hand(self) -> HandState:
        assert self.state.hand is not None
        return self.state.hand

    @property
    def sayings(self) -> list[tuple[str, int | None]]:
        """Ids with their seats, in order."""
        return [(each.saying.value, None if each.seat is None else int(each.seat)) for each in self.said]

    @property
    def clauses(self) -> list[tuple[str, int]]:
        """Clauses of the suspicions with their seats."""
        return [(each.clause, int(each.seat)) for each in self.suspicions]

    def one(self, saying: Saying) -> Announcement:
        """The only announcement of that kind."""
        (found,) = [each for each in self.said if each.saying is saying]
        return found


def play(text: str, **switches: object) -> Table:
    """A table at which a plain first hand began and these events happened; `switches` change the home rules."""
    table = Table(Ruleset().but(**switches))
    table.feed(START)
    return table.feed(text) if text else table


def discards(tiles: str, first: int = 0) -> str:
    """Discards in turn order, `tiles` parted by spaces."""
    return "; ".join(f"{(first + index) % 4} discards {tile}" for index, tile in enumerate(tiles.split()))


def settled(table: Table) -> Settlement:
    """The settlement of the last finished hand."""
    settlement = table.state.history[-1].settlement
    assert settlement is not None
    return settlement
