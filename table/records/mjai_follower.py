"""Follows a game as its mjai lines come, and says after each line what the rules announce."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from table.records.formats.game_record import Deal, HandRecord, Names
from table.records.game_audit import Play, settle
from table.records.mjai.mjai_reader import MjaiReader
from table.records.seen_events import seen_events, seen_moves, start_of
from table.rules.advance import new_game
from table.rules.events import Event
from table.rules.ruleset import Ruleset
from table.rules.state import GameState
from table.rules.terms.announcements import Announcement
from table.rules.terms.rule_errors import RulesError
from table.rules.terms.seats import Seat
from table.runtime.table_errors import RecordError


@dataclass(slots=True)
class MjaiFollower:
    """One game, line by line. Draws and hidden tiles are read and never shown to the rules, as in an audit."""

    where: str = "mjai"
    """What messages call the stream."""
    ruleset: Ruleset | None = None
    """Rules to play by instead of those that the stream names."""
    _reader: MjaiReader = field(init=False)
    _play: Play | None = None
    """The hand that was begun last."""
    _lines: int = 0
    _finished: int = 0
    """Hands whose end the rules have seen."""

    def __post_init__(self) -> None:
        self._reader = MjaiReader(where=self.where)

    @property
    def names(self) -> Names:
        """The players' names by seat; empty where the stream does not tell them."""
        return self._reader.names

    @property
    def state(self) -> GameState:
        """The game as it stands."""
        return new_game(self._rules) if self._play is None else self._play.state

    def take(self, line: str) -> Sequence[tuple[Announcement, Seat]]:
        """Takes the next line; returns what the rules announce after it, each with the dealer of its hand.

        A win is followed once no further winner can come: at `end_kyoku` or what comes in its place. An empty line
        says nothing.

        Raises:
            RecordError: the line is no mjai act, or one that cannot have happened.
        """
        self._lines += 1
        if not line.strip():
            return ()
        self._reader.take_text(line, self._lines, is_last=False)
        said = [each for hand in self._reader.hands[self._finished :] for each in self._end(hand)]
        hand = self._reader.hand
        return said if hand is None else [*said, *self._go_on(hand.deal, seen_moves(hand.moves))]

    @property
    def _rules(self) -> Ruleset:
        return self.ruleset or self._reader.ruleset

    def _end(self, hand: HandRecord) -> Sequence[tuple[Announcement, Seat]]:
        """Shows the rules how a hand ended, and confirms it."""
        play = self._in_play()
        before = len(play.announcements)
        self._feed(play, list(seen_events(hand)))
        settle(play, hand, self._place)
        self._finished += 1
        return [(logged.announcement, hand.deal.dealer) for logged in play.announcements[before:]]

    def _go_on(self, deal: Deal, moves: Iterator[Event]) -> Sequence[tuple[Announcement, Seat]]:
        """Shows the rules what is new of the hand in play."""
        play = self._in_play()
        before = len(play.announcements)
        self._feed(play, [start_of(deal), *moves])
        return [(logged.announcement, deal.dealer) for logged in play.announcements[before:]]

    def _in_play(self) -> Play:
        """The hand that the reader is at."""
        if self._play is None or self._play.number < self._finished:
            self._play = Play(state=self.state, rules=self._rules, number=self._finished)
        return self._play

    def _feed(self, play: Play, events: Sequence[Event]) -> None:
        for event in events[play.events :]:
            try:
                play.feed(event)
            except RulesError as error:
                raise RecordError(f"{self._place}: {error}") from error

    @property
    def _place(self) -> str:
        return f"{self.where}, line {self._lines}"
