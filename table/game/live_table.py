"""The one writer: everything that changes the table's state goes through here.

`Table` is the state with its journal and referee; one thread at a time may call it (`table.game.table_loop`). Every
change is published as an immutable snapshot.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from table.game import game_commands as commands
from table.game.amendments import check_declared, entry_body, missing_records, preview_state
from table.game.announcement_json import (
    access_changed,
    camera_changed,
    camera_moved,
    difference,
    doubted,
    moment_flagged,
    seen_after,
    voices_agreed,
)
from table.game.confirm_keys import check_outcome_seen, check_seen
from table.game.foul_vote import FoulProposal, apply_press, if_agreed
from table.game.game_commands import Command, FoulVotePress, HandPress, JournalCommand
from table.game.hand_entries import (
    before_hand,
    corrected_entry,
    discards_of,
    doubt_of,
    open_suspicions,
    was_carried_out,
)
from table.game.journal.change_history import changes_of
from table.game.journal.effective_events import is_event, names
from table.game.journal.entries import (
    Body,
    Corrected,
    Entry,
    Envelope,
    GameOpened,
    QuestionAsked,
    Redone,
    Source,
    Undone,
)
from table.game.journal.fold import Folded, LoggedAnnouncement, add_step, fold, opened_game
from table.game.journal.journal import Journal
from table.game.journal.journal_notice import JournalNotice, NoticeKind, check_writable, current_notices
from table.game.referee import Correction, Finding, FoundEvent, Question, Referee, check_possible
from table.game.snapshot import AccessNews, Board, CameraHealth, Doubt, KeptMoment, Mode, Snapshot
from table.rules.advance import advance
from table.rules.events import HandStarted, WinClaimed
from table.rules.ruleset import Ruleset
from table.rules.state import GameState
from table.rules.terms.rule_errors import RulesError
from table.runtime.clock import Clock
from table.runtime.table_errors import PressError
from vision.felt import FeltReport

SHOWN: Final = 50
"""How many announcements a snapshot carries."""
_log = logging.getLogger(__name__)


class Table:
    """A table's state, folded from its journal, and what is said about it. Not for several threads at once."""

    def __init__(
        self,
        *,
        journal: Journal,
        referee: Referee,
        ruleset: Ruleset,
        clock: Clock,
        mode: Mode = Mode.HOME,
        notices: Sequence[JournalNotice] = (),
    ) -> None:
        """Takes up the journal's last game where it stands, or opens one under `ruleset` in an empty journal.

        `notices` say what had to be done for the journal.
        """
        self.journal = journal
        self._notices = tuple(notices)
        self.announcements: list[LoggedAnnouncement] = []
        """Every announcement made since the start, of every scope, oldest first."""
        self._referee = referee
        self._clock = clock
        self._seen_since = journal.last
        self._doubts: tuple[Doubt, ...] = ()
        self._named: FoulProposal | None = None
        self._actor: tuple[int, Command] | None = None
        """The act that is being taken in: its number, and what makes it."""
        self.start_trouble = ""
        """Why the journal's last game could not be taken up; empty where it was."""
        try:
            self._snapshot = self._taken_up(journal.last_game() or self._new_game(ruleset), mode)
        except Exception as error:  # whatever it is, people want to see their table and play on
            self.start_trouble = f"the last game of the journal cannot be followed, another one begins: {error}"
            _log.debug("what the last game of the journal failed by", exc_info=True)
            self._notices += (JournalNotice(kind=NoticeKind.UNFOLLOWED),)
            self._snapshot = self._taken_up(self._new_game(ruleset), mode)
        self.board = Board(self._snapshot)

    def _new_game(self, ruleset: Ruleset) -> tuple[Entry, ...]:
        return (self.journal.append(self._envelope(Source.TABLE), GameOpened(ruleset=ruleset)),)

    def _taken_up(self, entries: Sequence[Entry], mode: Mode) -> Snapshot:
        """Takes up a game where it stands; returns what can be seen of it."""
        self._entries = list(entries)
        self._folded = fold(opened_game(self._entries[0]), self._entries[1:])
        self._hand_start = before_hand(self._folded, self._entries)
        return self._shown(Snapshot(version=1, game=self._folded.state, mode=mode))

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
        with self.journal.together():
            for finding in self._referee.on_report(report, lambda: self.state):
                try:
                    self._follow(finding)
                except RulesError as error:
                    _log.warning("frame %d: %r does not fit: %s", report.frame, finding, error)
        if report.moved_mm:
            self.announcements.append(camera_moved(report, self._folded.hand))
        self._publish(replace(self._snapshot, felt=report.felt, camera=CameraHealth.OK))

    def handle(self, command: Command) -> None:
        """Carries out what somebody asks for.

        Raises:
            PressError: it cannot be now; the message says why, and nothing was changed.
        """
        if was_carried_out(command, self._entries):
            return
        with self._acting(command):
            opened_by = self._entries[0].number
            check_seen(command, self.state, self._named, self._folded.ruleset, opened_by=opened_by)
            if isinstance(command, FoulVotePress):
                self._vote(command)
            elif isinstance(command, commands.CorrectDiscard):
                self._correct_discard(command)
            elif isinstance(command, JournalCommand):
                self._amend(command)
            else:
                self._play(command)

    def preview(self, command: JournalCommand) -> GameState:
        """Returns the game as a command would make it; nothing is written.

        Raises:
            PressError: as for the command itself.
        """
        return self._foreseen(command)[1].state

    def _amend(self, command: JournalCommand) -> None:
        entry, after = self._foreseen(command)
        check_outcome_seen(command, after.state, opened_by=self._entries[0].number)
        self._write(entry)
        before, self._folded = self._folded, after
        if isinstance(entry.body, GameOpened):
            self._open(entry)
        elif is_event(entry.body):
            self._say_since(before)
        else:
            self._amended(before)

    def _foreseen(self, command: JournalCommand) -> tuple[Entry, Folded]:
        """The entry that a command makes, as it will be written, and the game with it; neither is written yet."""
        body = entry_body(command, self._folded, self._entries)
        entry = self._entry(Source.PRESS, body, actor=(self.journal.last + 1, command))
        after = preview_state(entry, self._folded, self._entries)
        if isinstance(command, commands.DeclareResult):
            check_declared(self._folded, after)
        return entry, after

    @contextmanager
    def _acting(self, command: Command) -> Iterator[None]:
        """Makes what is written meanwhile one act, and publishes what came of it.

        Raises:
            PressError: the disk does not take the act; nothing was changed.
        """
        if self.journal.trouble:
            self.retry_journal()
            check_writable(self.journal, self._notices)
        self._actor, last, undo = (self.journal.last + 1, command), self.journal.last, self._way_back()
        try:
            with self.journal.together():
                yield
            check_writable(self.journal, self._notices)
        except PressError:
            if self.journal.is_waiting(after=last):
                undo()
            raise
        finally:
            self._actor = None
            self._publish(self._snapshot)

    def retry_journal(self) -> None:
        """Lets the journal try again what the disk refused, and tells whether it is taken now."""
        self.journal.flush()
        if current_notices(self.journal, self._notices) != self._snapshot.notices:
            self._publish(self._snapshot)

    def _append(self, source: Source, body: Body, finding: FoundEvent | Correction | None = None) -> Entry:
        """Writes what was found durably, as the next entry."""
        return self._write(self._entry(source, body, finding, actor=self._actor))

    def _entry(
        self,
        source: Source,
        body: Body,
        finding: FoundEvent | Correction | None = None,
        *,
        actor: tuple[int, Command] | None = None,
    ) -> Entry:
        """The next entry; what people do, and what the table records of it, belongs to their act."""
        envelope = self._envelope(source, finding)
        if actor is not None and source in (Source.PRESS, Source.TABLE):
            act, command = actor
            is_act = not isinstance(body, Undone | Redone | GameOpened)
            envelope = replace(envelope, act=act if is_act else None, by=command.by, mark=command.mark)
        return Entry(number=self.journal.last + 1, envelope=envelope, body=body)

    def _write(self, entry: Entry) -> Entry:
        """Writes an entry durably, as it is."""
        written = self.journal.append(entry.envelope, entry.body)
        self._entries.append(written)
        return written

    def _open(self, entry: Entry) -> None:
        """Begins a new game; what was said of the one before is over."""
        self._entries, self._hand_start = [entry], self._folded
        self._doubts, self._named, self.announcements = (), None, []

    def _amended(self, before: Folded) -> None:
        """Says what an amendment changed, and records what it settled otherwise.

        Taking back and bringing again changes which records count, and makes none: each is its act's own.
        """
        if not isinstance(self._entries[-1].body, Undone | Redone):
            for record in missing_records(self._folded, self._entries):
                self._append(Source.TABLE, record)
        self._hand_start = before_hand(self._folded, self._entries)
        self.announcements += difference(before.announcements, self._folded.announcements, seen_since=self._seen_since)

    def _way_back(self) -> Callable[[], None]:
        """Returns what makes everything as it is now; only while nothing of what follows is on the disk."""
        folded, hand_start, doubts, named = self._folded, self._hand_start, self._doubts, self._named
        announcements, entries, last = list(self.announcements), list(self._entries), self.journal.last

        def undo() -> None:
            self.journal.withdraw(after=last)
            self._folded, self._hand_start, self._doubts, self._named = folded, hand_start, doubts, named
            self.announcements[:], self._entries[:] = announcements, entries

        return undo

    def _vote(self, press: FoulVotePress) -> None:
        """Follows a press about a foul that nobody has confirmed; what is agreed on is carried out."""
        followed = apply_press(self._named, press, self._folded.ruleset.penalties, hand=self.state.on_table)
        if isinstance(press, commands.NameFoul) and followed.named is not None:
            check_possible(if_agreed(followed.named), self.state, self._folded.ruleset)
        for command in followed.to_do:
            self._play(command)
        if followed.voices:
            known = names(self._entries)
            self.announcements.append(voices_agreed(followed.voices, known, self._folded.hand, self.journal.last))
        self._named = followed.named

    def _play(self, press: HandPress) -> None:
        undo: Callable[[], None] | None = None
        try:
            for finding in self._referee.on_press(press, lambda: self.state):
                is_declared = isinstance(finding, FoundEvent) and finding.source is Source.PRESS
                is_claim = isinstance(finding, FoundEvent) and isinstance(finding.event, WinClaimed)
                undo = None if not is_declared else self._way_back() if is_claim else undo
                self._follow(finding)
        except RulesError as error:
            if undo is not None:  # a win and the hand that is told with it are taken together
                undo()
            raise PressError(f"{press.word} is not possible now: {error}") from error

    def _correct_discard(self, command: commands.CorrectDiscard) -> None:
        """Takes people's word for a discard; whatever the camera reads there from then on, it leaves it alone."""
        self._referee.leave_alone(command.discard)
        frame = self._referee.frame if command.frame is None else command.frame
        self._correct(Correction(discard=command.discard, to=command.to, source=Source.PRESS, frame=frame))

    def camera(self, health: CameraHealth) -> None:
        """Takes in that the camera went or came back."""
        was = self._snapshot.camera
        if health is not was and CameraHealth.LOST in (health, was):
            self.announcements.append(camera_changed(health, self._folded.hand))
        self._publish(replace(self._snapshot, camera=health))

    def moment(self, moment: KeptMoment) -> None:
        """Takes in what came of a moment that somebody flagged."""
        self.announcements.append(moment_flagged(moment, self._folded.hand))
        self._publish(self._snapshot)

    def access(self, news: AccessNews) -> None:
        """Takes in that who may act changed, and tells everybody."""
        self.announcements.append(access_changed(news, self._folded.hand, self._snapshot.version))
        self._publish(self._snapshot)

    def play_as(self, mode: Mode) -> None:
        """Takes in who may hear what from now on."""
        self._publish(replace(self._snapshot, mode=mode))

    def _follow(self, finding: Finding) -> None:
        match finding:
            case FoundEvent():
                self._rule(finding)
            case Correction():
                self._correct(finding)
            case Question():
                self._ask(finding)

    def _rule(self, ruling: FoundEvent) -> None:
        """Tries the event first, writes it down durably, and only then lets anybody hear of it."""
        before = self._folded
        step = advance(before.state, ruling.event, before.ruleset)
        entry = self._append(ruling.source, ruling.event, ruling)
        self._folded = add_step(before, step, entry)
        if isinstance(ruling.event, HandStarted) and self._named is not None and self._named.hand != self._folded.hand:
            self._named = None  # it was about the hand before
        self._say_since(before)

    def _say_since(self, before: Folded) -> None:
        """Says what is new, and ends the hand where it was settled."""
        logged = self._folded.announcements[len(before.announcements) :]
        self.announcements += [seen_after(each, self._seen_since) for each in logged]
        if self._folded.hand > before.hand:
            self._end_hand(before)

    def _end_hand(self, before: Folded) -> None:
        """Records what was settled; a hand dealt over an unsettled one starts with the entry that ended that.

        The record is taken back with the entry that ended the hand, and only with that.
        """
        record, ended_by = self._folded.confirmed[-1], self._entries[-1]
        if record is not None:
            is_acts = ended_by.envelope.act is not None
            self._write(self._entry(Source.TABLE, record, actor=self._actor if is_acts else None))
        self._hand_start = self._folded if self._folded.began == self._folded.last else before
        self._doubts = ()

    def _correct(self, correction: Correction) -> None:
        """Writes the correction down, folds the hand again, and says only what changed by it."""
        entry, event = corrected_entry(correction, self._since_hand_start)
        undo = self._way_back()
        written = self._append(correction.source, Corrected(entry=entry.number, event=event), correction)
        before = self._folded
        self._folded = fold(self._hand_start, self._since_hand_start)
        refused = [unfit.message for unfit in self._folded.rejected if unfit.entry == written.number]
        if refused and correction.source is Source.PRESS:
            undo()
            raise PressError(refused[0], says="tile", tile=correction.to.text)
        self.announcements += difference(before.announcements, self._folded.announcements, seen_since=self._seen_since)
        self._doubts = tuple(doubt for doubt in self._doubts if doubt.discard != correction.discard)

    @property
    def _since_hand_start(self) -> list[Entry]:
        return [entry for entry in self._entries if entry.number > self._hand_start.last]

    def _ask(self, question: Question) -> None:
        logged = dict(enumerate(entry.number for entry, _ in discards_of(self._since_hand_start)))
        about = None if question.discard is None else logged.get(question.discard)
        self._append(Source.CAMERA, QuestionAsked(id=question.id, entry=about))
        self.announcements.append(doubted(question, self._folded.hand))
        if (doubt := doubt_of(question)) is not None:
            self._doubts = (*(each for each in self._doubts if each.discard != doubt.discard), doubt)

    def _envelope(self, source: Source, finding: FoundEvent | Correction | None = None) -> Envelope:
        utc = self._clock.utc()
        if finding is None:
            return Envelope(utc=utc, source=source)
        return Envelope(
            utc=utc,
            source=source,
            frame=finding.frame,
            confidence=finding.confidence,
            evidence=finding.evidence,
        )

    def _publish(self, snapshot: Snapshot) -> None:
        self._snapshot = self._shown(replace(snapshot, version=snapshot.version + 1))
        self.board.publish(self._snapshot)

    def _shown(self, snapshot: Snapshot) -> Snapshot:
        """A snapshot with everything that can be seen now."""
        return replace(
            snapshot,
            game=self.state,
            opened_by=self._entries[0].number,
            announcements=tuple(self.announcements[-SHOWN:]),
            doubts=self._doubts,
            suspicions=tuple(open_suspicions(self._folded)),
            ruleset=self._folded.ruleset,
            names=names(self._entries),
            changes=changes_of(self._entries),
            unfit=self._folded.rejected,
            proposal=self._named,
            notices=current_notices(self.journal, self._notices),
        )
