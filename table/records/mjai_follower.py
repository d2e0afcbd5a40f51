"""Follows a game through its mjai lines as they arrive, and returns the announcements of the rules after each line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from table.game.journal.entries import Names
from table.game.journal.fold import LoggedAnnouncement
from table.records.audit.played_hand import Play, play_hand, settle
from table.records.audit.record_values import with_costs_at_end, with_late_fines
from table.records.audit.seen_events import seen_events, seen_moves, start_of
from table.records.formats.game_record import Deal, HandRecord
from table.records.mjai.mjai_hand import MjaiHand
from table.records.mjai.mjai_reader import MjaiReader
from table.rules.advance import new_game
from table.rules.events import Event
from table.rules.penalties.consequence import Due
from table.rules.ruleset import Ruleset
from table.rules.state import GameState
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.rule_errors import RulesError
from table.rules.terms.seats import Seat
from table.rules.transitions.settlement_news import game_ended
from table.runtime.table_errors import RecordError


@dataclass(slots=True)
class MjaiFollower:
    """One game, line by line. Draws and hidden tiles are read but not passed to the rules, as in an audit."""

    source: str = "mjai"
    """The stream's name in messages."""
    ruleset: Ruleset | None = None
    """Rules to use instead of those that the stream names."""
    _reader: MjaiReader = field(init=False)
    _play: Play | None = None
    """The hand that was started last."""
    _open_hand: MjaiHand | None = None
    """What the reader has of that hand; None once it has ended. Another in its place is the same hand, sent again."""
    _before: GameState = field(init=False)
    """The game before that hand."""
    _line_count: int = 0
    _finished_hands: int = 0
    """The number of hands whose end was passed to the rules."""

    def __post_init__(self) -> None:
        self._reader = MjaiReader(source=self.source)
        self._before = self.state

    @property
    def names(self) -> Names:
        """The players' names by seat; empty if the stream has none."""
        return self._reader.names

    @property
    def state(self) -> GameState:
        """The current state of the game."""
        return new_game(self._rules) if self._play is None else self._play.state

    def announcements_after(self, line: str) -> Iterator[tuple[LoggedAnnouncement, Seat]]:
        """Reads the next line; yields the resulting announcements, each with the dealer of its hand.

        A win is passed to the rules once no further winner can follow: at `end_kyoku`, or at the line in its place.
        A hand that starts anew before it has ended is the same one, sent again. Empty lines are ignored.

        Raises:
            RecordError: the line is not an mjai action, or one that cannot have happened.
        """
        self._line_count += 1
        if not line.strip():
            return
        reader = self._reader
        known_repeated, known_unsettled = len(reader.repeated), reader.unsettled_count
        reader.read_line(line, self._line_count, is_last=False)
        for hand in reader.hands[self._finished_hands :]:
            yield from self._end(hand)
        if len(reader.repeated) > known_repeated:
            self._open_hand, self._play = None, Play.after(self._before, self._rules)
        if reader.unsettled_count > known_unsettled:
            self._open_hand = None
        if (open_hand := reader.hand) is not None:
            if open_hand is not self._open_hand:
                self._before = self.state if self._open_hand is None else self._before
                self._open_hand, self._play = open_hand, Play.after(self._before, self._rules)
            yield from self._feed(open_hand.deal, [start_of(open_hand.deal), *seen_moves(open_hand.moves)])

    @property
    def _rules(self) -> Ruleset:
        return self.ruleset or self._reader.ruleset

    def _end(self, hand: HandRecord) -> Iterator[tuple[LoggedAnnouncement, Seat]]:
        """Passes the end of a hand to the rules, and confirms it.

        A hand in which fouls moved points is played again, since only its end says so: its deal has them then.
        """
        play = self._started_play()
        if hand.foul_payments is not None and not hand.is_entered:
            known_count = len(play.announcements)
            play = self._play = play_hand(self._before, hand, self._rules, self._place)
        else:
            for logged, dealer in self._feed(hand.deal, list(seen_events(hand, self._rules))):
                if not _is_end_of_game(logged):  # said last, with what `_add_costs` adds
                    yield logged, dealer
            known_count = len(play.announcements)
            settle(play, hand, self._place)
        _add_costs(play, hand.late_fines, [due for each in self._reader.hands_so_far for due in each.dues])
        self._finished_hands += 1
        self._open_hand = None
        for number, logged in enumerate(play.announcements):
            if number >= known_count or _is_end_of_game(logged):
                yield logged, hand.deal.dealer

    def _started_play(self) -> Play:
        """Returns the hand that was started last.

        Raises:
            RecordError: none was.
        """
        if self._play is None:
            raise RecordError(f"{self._place}: expected start_kyoku before the end of a hand, got none")
        return self._play

    def _feed(self, deal: Deal, events: Sequence[Event]) -> Iterator[tuple[LoggedAnnouncement, Seat]]:
        """Passes the events of a hand that the rules have not had yet; yields what is announced after each."""
        play = self._started_play()
        for event in events[play.event_count :]:
            known_count = len(play.announcements)
            try:
                play.feed(event)
            except RulesError as error:
                raise RecordError(f"{self._place}: {error}") from error
            yield from ((announcement, deal.dealer) for announcement in play.announcements[known_count:])

    @property
    def _place(self) -> str:
        return f"{self.source}, line {self._line_count}"


def _add_costs(play: Play, fines: int, dues: Sequence[Due]) -> None:
    """Adds fines that were found after a win, and at the end of the game the points that fouls cost only there.

    The rules have no event for them here. If they end the game, its end is announced with them.
    """
    state = with_late_fines(play.state, fines, play.rules) if fines else play.state
    state = with_costs_at_end(state, dues, play.rules) if state.is_over and dues else state
    if state is play.state:
        return
    play.state = state
    play.announcements = [
        replace(logged, announcement=game_ended(state)) if _is_end_of_game(logged) else logged
        for logged in play.announcements
    ]


def _is_end_of_game(logged: LoggedAnnouncement) -> bool:
    return logged.announcement.id is AnnouncementId.GAME_ENDED
