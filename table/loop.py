"""The one writer: everything that changes the table's state goes through here.

`Table` is the state with its journal and referee; one thread at a time may call it. `TableLoop` gives it that thread
and an inbox, for cameras, buttons and phones. Every change is published as an immutable snapshot.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import replace
from types import TracebackType
from typing import Final, TypeVar

from table.announced import as_spoken, difference, doubted
from table.clock import Clock
from table.errors import PressError
from table.ledger.entries import Corrected, Entry, Envelope, GameOpened, SettlementRecorded, Source
from table.ledger.fold import Folded, fold, noted, opened
from table.ledger.journal import Journal
from table.naming import NamedFoul, follow
from table.presses import NAMING, Press
from table.referee import Correction, Finding, Question, Referee, Ruling
from table.rules.advance import advance
from table.rules.errors import RulesError
from table.rules.events import Discarded, DoraTurned, Event, HandStarted
from table.rules.ruleset import Ruleset
from table.rules.state import GameState
from table.snapshot import Board, CameraHealth, Doubt, Mode, Snapshot, Spoken
from vision.felt import FeltReport

SHOWN: Final = 50
"""How many announcements a snapshot carries."""
_log = logging.getLogger(__name__)


class Table:
    """A table's state, folded from its journal, and what is said about it. Not for several threads at once."""

    def __init__(
        self, *, journal: Journal, referee: Referee, ruleset: Ruleset, clock: Clock, mode: Mode = Mode.HOME
    ) -> None:
        """Takes up the journal's last game where it stands, or opens one under `ruleset` in an empty journal."""
        self.journal = journal
        self.said: list[Spoken] = []
        """Every announcement made since the start, of every scope, oldest first."""
        self._referee = referee
        self._clock = clock
        self._mode = mode
        entries = journal.entries()
        games = [index for index, entry in enumerate(entries) if isinstance(entry.body, GameOpened)]
        if not games:
            entries, games = (journal.append(self._envelope(Source.TABLE), GameOpened(ruleset=ruleset)),), [0]
        self._opening = entries[games[-1]]
        self._folded = fold(opened(self._opening), entries[games[-1] + 1 :])
        self._hand_start = self._at_hand_start()
        self._doubts: tuple[Doubt, ...] = ()
        self._named: NamedFoul | None = None
        self._snapshot = Snapshot(version=1, game=self._folded.state, mode=mode)
        self.board = Board(self._snapshot)

    @property
    def state(self) -> GameState:
        """The game as it stands."""
        return self._folded.state

    @property
    def folded(self) -> Folded:
        """The game with all that was said, suspected and did not fit."""
        return self._folded

    def report(self, report: FeltReport) -> None:
        """Takes in what a judged frame changed on the felt."""
        for finding in self._referee.on_report(report, lambda: self.state):
            try:
                self._follow(finding)
            except RulesError as error:
                _log.warning("frame %d: %r does not fit: %s", report.frame, finding, error)
        self._publish(replace(self._snapshot, felt=report.felt, camera=CameraHealth.OK))

    def press(self, press: Press) -> None:
        """Takes in what somebody pressed.

        Raises:
            PressError: it cannot be now; the message says why, and nothing was changed.
        """
        try:
            if press.kind in NAMING:
                self._name(press)
            else:
                self._carry_out(press)
        finally:
            self._publish(self._snapshot)

    def _name(self, press: Press) -> None:
        """Follows a press about a foul that nobody has confirmed; what is agreed on is carried out."""
        followed = follow(self._named, press, self._folded.ruleset.penalties)
        for each in followed.presses:
            self._carry_out(each)
        self._named = followed.named

    def _carry_out(self, press: Press) -> None:
        try:
            for finding in self._referee.on_press(press, lambda: self.state):
                self._follow(finding)
        except RulesError as error:
            raise PressError(f"{press.kind.value} is not possible now: {error}") from error

    def camera(self, health: CameraHealth) -> None:
        """Takes in that the camera went or came back."""
        self._publish(replace(self._snapshot, camera=health))

    def _follow(self, finding: Finding) -> None:
        match finding:
            case Ruling():
                self._rule(finding)
            case Correction():
                self._correct(finding)
            case Question():
                self._ask(finding)

    def _rule(self, ruling: Ruling) -> None:
        """Tries the event first, writes it down durably, and only then lets anybody hear of it."""
        before = self._folded
        step = advance(before.state, ruling.event, before.ruleset)
        if isinstance(ruling.event, HandStarted):
            self._named = None  # it was about the hand before
        entry = self.journal.append(self._envelope(ruling.source, ruling), ruling.event)
        self._folded = noted(before, step, entry)
        self.said += [as_spoken(told, "new") for told in self._folded.told[len(before.told) :]]
        if self._folded.hand > before.hand:
            self._end_hand(before)

    def _end_hand(self, before: Folded) -> None:
        """Records what was settled; a hand dealt over an unsettled one starts with the entry that ended that."""
        settlement = self.state.history[-1].settlement
        if settlement is not None:
            record = SettlementRecorded(hand=before.hand, settlement=settlement)
            self.journal.append(self._envelope(Source.TABLE), record)
        self._hand_start = self._folded if self._folded.began == self._folded.last else before
        self._doubts = ()

    def _correct(self, correction: Correction) -> None:
        """Writes the correction down, folds the hand again, and says only what changed by it."""
        entry, event = self._corrected(correction)
        body = Corrected(entry=entry.number, event=event)
        self.journal.append(self._envelope(correction.source, correction), body)
        before = self._folded
        self._folded = fold(self._hand_start, self.journal.entries(after=self._hand_start.last))
        self.said += difference(before.told, self._folded.told)
        self._doubts = tuple(doubt for doubt in self._doubts if doubt.discard != correction.discard)

    def _corrected(self, correction: Correction) -> tuple[Entry, Event]:
        """Finds the entry that told the tile, and what it must say instead."""
        believed = self._believed()
        if correction.discard is not None:
            discards = [(entry, event) for entry, event in believed if isinstance(event, Discarded)]
            entry, discard = _nth("discard", discards, correction.discard)
            return entry, replace(discard, tile=correction.to)
        turned = [(entry, event) for entry, event in believed if isinstance(event, HandStarted | DoraTurned)]
        entry, event = _nth("indicator", turned, correction.indicator or 0)
        if isinstance(event, HandStarted):
            return entry, replace(event, dora_indicator=correction.to)
        return entry, replace(event, indicator=correction.to)

    def _believed(self) -> list[tuple[Entry, Event]]:
        """The events of the hand being played as they are believed now, each with the entry that first told it."""
        current: dict[int, tuple[Entry, Event | None]] = {}
        for entry in self.journal.entries(after=self._hand_start.last):
            if isinstance(entry.body, Corrected):
                if entry.body.entry in current:
                    current[entry.body.entry] = (current[entry.body.entry][0], entry.body.event)
            elif not isinstance(entry.body, GameOpened | SettlementRecorded):
                current[entry.number] = (entry, entry.body)
        return [(entry, event) for entry, event in current.values() if event is not None]

    def _ask(self, question: Question) -> None:
        self.said.append(doubted(question, self._folded.hand))
        if question.seat is not None and question.discard is not None and question.tile is not None:
            doubt = Doubt(
                seat=question.seat,
                discard=question.discard,
                tile=question.tile.text,
                alternatives=tuple((tile.text, score) for tile, score in question.alternatives),
            )
            self._doubts = (*(each for each in self._doubts if each.discard != doubt.discard), doubt)

    def _at_hand_start(self) -> Folded:
        """The state before the hand being played: a fold of what came before it."""
        earlier = [
            entry
            for entry in self.journal.entries(after=self._opening.number)
            if entry.number <= self._folded.began or isinstance(entry.body, Corrected | SettlementRecorded)
        ]
        return replace(fold(opened(self._opening), earlier), last=self._folded.began)

    def _envelope(self, source: Source, finding: Ruling | Correction | None = None) -> Envelope:
        wall = self._clock.wall()
        if finding is None:
            return Envelope(wall=wall, source=source)
        return Envelope(
            wall=wall,
            source=source,
            frame=finding.frame,
            confidence=finding.confidence,
            evidence=finding.evidence,
        )

    def _publish(self, snapshot: Snapshot) -> None:
        self._snapshot = replace(
            snapshot,
            version=snapshot.version + 1,
            game=self.state,
            said=tuple(self.said[-SHOWN:]),
            doubts=self._doubts,
            named=self._named,
        )
        self.board.publish(self._snapshot)


Said = TypeVar("Said", bound=Event)


def _nth(what: str, told: Sequence[tuple[Entry, Said]], number: int) -> tuple[Entry, Said]:
    if not 0 <= number < len(told):
        raise PressError(f"expected a {what} from 0 to {len(told) - 1} of this hand, got {number}")
    return told[number]


Message = FeltReport | Press | CameraHealth


class TableLoop:
    """The thread that owns a `Table`, and its inbox. A context manager; messages are taken in the order they came."""

    def __init__(self, table: Table) -> None:
        """Starts nothing yet: the thread lives inside ``with``."""
        self._table = table
        self._inbox: queue.SimpleQueue[tuple[Message, Future[None]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="table-loop", daemon=True)

    def send(self, message: Message) -> Future[None]:
        """Puts a message into the inbox; the future is done when it was taken in, or holds its `PressError`."""
        done: Future[None] = Future()
        self._inbox.put((message, done))
        return done

    def report(self, report: FeltReport) -> None:
        """Sends a report and waits until it was taken in."""
        self.send(report).result()

    def press(self, press: Press, timeout: float = 5.0) -> None:
        """Sends a press and waits until it was taken in.

        Raises:
            PressError: it is refused; the message says why.
            TimeoutError: the loop did not get to it in time.
        """
        self.send(press).result(timeout)

    def __enter__(self) -> TableLoop:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._inbox.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (item := self._inbox.get()) is not None:
            message, done = item
            try:
                self._take(message)
            except Exception as error:  # the sender gets it; the loop must live on
                if not isinstance(error, PressError):
                    _log.exception("a message could not be taken in")
                done.set_exception(error)
            else:
                done.set_result(None)

    def _take(self, message: Message) -> None:
        match message:
            case FeltReport():
                self._table.report(message)
            case Press():
                self._table.press(message)
            case CameraHealth():
                self._table.camera(message)
