"""Follows games event by event or from an mjai stream, and returns the announcements of the rules."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from table.game.journal.entries import NOBODY
from table.game.journal.fold import Status, key_of
from table.i18n import announcement_dealer, announcement_sentence, catalogue, running_text
from table.i18n.foul_text import foul_sentences
from table.library.hands import check_texts
from table.records.mjai_follower import MjaiFollower
from table.records.walkthrough import Walkthrough
from table.rulebook import rules_named
from table.rules.events import FoulLogged
from table.rules.fouls.foul_outlook import Outlook, outlook_of_newest
from table.rules.notation.event_notation import split_events
from table.rules.terms.announcements import Announcement, AnnouncementId
from table.rules.terms.rule_errors import ImpossibleEventError, InvalidValueError, NotationError
from table.rules.terms.seats import Seat
from table.runtime.table_errors import RecordError


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One announcement of the rules."""

    key: str
    """Hand, id, seat and causing event: the same for the same statement, whenever it is made again."""
    status: str = "new"
    """`new`, `changed` (it replaces the one with the same key) or `withdrawn` (what was said no longer holds)."""
    names: Sequence[str] = NOBODY
    """The players' names by seat; empty if unknown."""
    _announcement: Announcement = field(hash=False)
    _dealer: Seat
    _outlook: Outlook | None = field(default=None, repr=False, hash=False)
    """What follows from the foul that it announces, as its hand stands; None for any other announcement."""

    @property
    def dealer(self) -> int:
        """The dealer of the hand, by seat, since seats without a name are called by their winds."""
        return int(self._dealer)

    @property
    def id(self) -> str:
        """The announcement's id from the closed list in the contract `announcement`, such as `riichi_declared`."""
        return self._announcement.id.value

    @property
    def seat(self) -> int | None:
        """The seat concerned, 0 to 3 counter-clockwise; None if it concerns no single seat."""
        return None if self._announcement.seat is None else int(self._announcement.seat)

    @property
    def scope(self) -> str:
        """Who may hear it: `public`, `private` (that seat only), `verdict` (once the hand is shown) or `staff`."""
        return self._announcement.scope.value

    @property
    def args(self) -> dict[str, Any]:
        """The announcement's arguments, as JSON values."""
        return dict(self._announcement.args)

    @property
    def rule(self) -> str:
        """The rule that it follows from, such as `R40`."""
        return self._announcement.rule

    def text(self, language: str = "en") -> str:
        """Returns the sentence in one of `languages()`: for a foul with what follows from it, marked if withdrawn.

        Raises:
            TachiaiError: the language is not available.
        """
        texts = catalogue(language)
        announcement = self._announcement
        if self._outlook is not None:  # its sentences name the payments
            args = {name: value for name, value in announcement.args.items() if name != "deltas"}
            announcement = replace(announcement, args=args)
        text = announcement_sentence(announcement, self._dealer, texts, self.names)
        if self.status == Status.WITHDRAWN:
            return texts.text("said.withdrawn", text=text)
        if self._outlook is None:
            return text
        return running_text((text, *foul_sentences(self._outlook, self._dealer, texts, self.names)))


def said_of(
    announcement: Announcement,
    *,
    key: str,
    dealer: Seat,
    status: str = "new",
    names: Sequence[str] = NOBODY,
    outlook: Outlook | None = None,
) -> Said:
    """Returns an announcement of a hand dealt by `dealer` as the library offers it; for a foul with its `outlook`."""
    return Said(key=key, status=status, names=names, _announcement=announcement, _dealer=dealer, _outlook=outlook)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """An irregular act, as a question for people rather than a verdict."""

    clause: str
    """The clause that it may breach: its number in the catalogue, its article, or `R23` where neither exists."""
    seat: int
    """The seat that acted, 0 to 3 counter-clockwise."""
    evidence: tuple[str, ...]
    """What was seen, in plain words that accuse nobody."""
    scope: str
    """Who may read it: `verdict` (once the hand is shown) or `staff`."""


class Game:
    """A game that follows events in the event notation.

    >>> game = Game("wrc-2025", names=("Aki", "Ben", "Chie", "Dan"))
    >>> for said in game.follow("0 discards 5m sideways; 0 stick; 1 discards 2p"):
    ...     print(said.seat, said.id)
    0 riichi_declared
    0 double_riichi
    0 riichi_accepted
    0 ippatsu_open
    """

    def __init__(self, ruleset: str | Path = "home", names: Sequence[str] = NOBODY) -> None:
        """Starts a game.

        Args:
            ruleset: the rules: a preset's name, or the file of a rule set.
            names: the four players' names by seat.

        Raises:
            TachiaiError: the rule set is unknown.
            RulesError: there are not four names.
        """
        if not isinstance(names, Sequence):
            raise InvalidValueError(f"expected the names of four players, got {type(names).__name__}: {names!r:.100}")
        if len(names) != 4:
            raise InvalidValueError(f"expected the names of four players, got {len(names)}: {list(names)}")
        self._walk = Walkthrough(rules_named(ruleset).ruleset)
        self._ruleset = str(ruleset)
        self._names = tuple(names)
        self._suspicions: list[Question] = []
        self._unreturned: list[Said] = []
        self._events = 0

    def __repr__(self) -> str:
        """Returns the rules, the names and the points."""
        return f"<Game by {self._ruleset!r}, names {self._names}, scores {self.scores}>"

    def follow(self, events: str) -> tuple[Said, ...]:
        """Follows events, one per line or separated by `;`; returns the announcements of the rules.

        `tachiai rules play --help` lists the events. If one is refused, those before it were accepted: the next call
        returns their announcements before its own, and `follow("")` returns them alone.

        >>> from table.library import RulesError
        >>> game = Game("home")
        >>> try:
        ...     game.follow("0 discards 5m sideways; 1 discards 5x")
        ... except RulesError as error:
        ...     print([said.id for said in game.follow("")], error)
        ['riichi_declared', 'double_riichi'] expected a tile such as 1m, 0p, 7z or ?, got '5x'

        Raises:
            RulesError: the events are not one text, or an event cannot be read or cannot have happened.
        """
        check_texts(events=events)
        for text in split_events(events):
            self._unreturned += self._follow_event(text)
        announcements, self._unreturned = tuple(self._unreturned), []
        return announcements

    def _follow_event(self, text: str) -> Iterator[Said]:
        hand_number = len(self._walk.state.history)
        walk_step = self._walk.follow(text)
        if walk_step.error is not None:
            raise (NotationError if walk_step.event is None else ImpossibleEventError)(walk_step.error)
        state = walk_step.step.state
        default_dealer = Seat.NEAR if state.hand is None else state.hand.dealer
        self._suspicions += (
            Question(
                clause=suspicion.clause,
                seat=int(suspicion.seat),
                evidence=suspicion.evidence,
                scope=suspicion.scope.value,
            )
            for suspicion in walk_step.step.suspicions
        )
        self._events += 1
        for announcement in walk_step.step.announcements:
            key = key_of(hand_number, announcement, self._events)
            outlook = None
            if isinstance(walk_step.event, FoulLogged) and announcement.id is AnnouncementId.FOUL_LOGGED:
                outlook = outlook_of_newest(state, walk_step.event, self._walk.ruleset)
            dealer = announcement_dealer(announcement, hand_number, state, default_dealer)
            yield said_of(announcement, key=key, dealer=dealer, names=self._names, outlook=outlook)

    @property
    def scores(self) -> tuple[int, ...]:
        """Points by seat."""
        return tuple(self._walk.state.scores)

    @property
    def suspicions(self) -> tuple[Question, ...]:
        """Irregularities so far, as questions for people rather than verdicts."""
        return tuple(self._suspicions)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._walk.state.is_over


def follow_mjai(
    lines: Iterable[str | bytes | Mapping[str, Any]], *, ruleset: str | Path | None = None
) -> Iterator[Said]:
    """Yields the announcements of the rules for an mjai stream, after each line as it arrives.

    >>> with open("game.mjson", encoding="utf-8") as stream:
    ...     print([said.id for said in follow_mjai(stream)][:3])
    ['hand_started', 'riichi_declared', 'double_riichi']

    Args:
        lines: one JSON object each, as text or already read: a file, a socket's file, or a process's output; not a
            whole game as one text.
        ruleset: rules to use instead of those that the stream names.

    Raises:
        TachiaiError: a line is not an mjai action or cannot have happened, or the rule set is unknown. What was
            announced before it was yielded before.
    """
    if isinstance(lines, str | bytes | Path | Mapping) or not isinstance(lines, Iterable):
        raise RecordError(f"expected the lines of an mjai stream, such as an open file, got {type(lines).__name__}")
    follower = MjaiFollower(ruleset=None if ruleset is None else rules_named(ruleset).ruleset)
    for number, line in enumerate(lines, start=1):
        for logged, dealer in follower.announcements_after(_line_text(line, number)):
            yield said_of(logged.announcement, key=logged.key, dealer=dealer, names=follower.names)


def _line_text(line: object, number: int) -> str:
    """Returns a line of an mjai stream as text.

    Raises:
        RecordError: it is neither text nor an object, or holds a value that JSON lacks, such as a number of NumPy.
    """
    if isinstance(line, str):
        return line
    if isinstance(line, bytes | bytearray):
        return line.decode(errors="replace")
    try:
        if isinstance(line, Mapping):
            return json.dumps(dict(line))
    except (TypeError, ValueError) as error:
        raise RecordError(f"mjai, line {number}: expected values of JSON, got another: {error}") from error
    raise RecordError(f"mjai, line {number}: expected an mjai action as text or object, got {type(line).__name__}")
