"""The only writer: everything that changes the table's state goes through here.

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
from table.game.amendments import check_declared, check_events, entry_body, missing_records, preview_state, shown_hands
from table.game.announcement_json import (
    access_changed,
    camera_changed,
    camera_moved,
    difference,
    doubted,
    game_resumed,
    moment_flagged,
    seats_swapped,
    seen_after,
    voices_agreed,
)
from table.game.confirm_keys import check_outcome_seen, check_seen
from table.game.entry_envelope import entry_envelope, in_action, repeated
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
from table.game.journal.effective_events import is_event, names
from table.game.journal.entries import (
    Body,
    Corrected,
    Entry,
    GameOpened,
    QuestionAsked,
    Redone,
    Source,
    Undone,
)
from table.game.journal.fold import Folded, LoggedAnnouncement, add_step, fold, opened_game
from table.game.journal.game_openings import is_undoable
from table.game.journal.history.change_history import changes_of
from table.game.journal.history.played_round import round_heard, round_of, round_opened
from table.game.journal.journal import Journal
from table.game.journal.recovery.journal_notice import JournalNotice, NoticeKind, check_writable, current_notices
from table.game.limit_start import LimitStart
from table.game.referee import Correction, Finding, FoundEvent, Question, Referee, check_possible
from table.game.snapshot import AccessNews, Board, CameraHealth, DeskClock, Doubt, KeptMoment, Mode, Snapshot
from table.rules.advance import advance
from table.rules.events import Event, HandStarted, WinClaimed
from table.rules.ruleset import Ruleset
from table.rules.state import GameState
from table.rules.terms.rule_errors import RulesError
from table.runtime.clock import Clock
from table.runtime.table_errors import JournalError, PressError
from vision.felt import FeltReport

SHOWN: Final = 50
"""Number of announcements in a snapshot."""
_log = logging.getLogger(__name__)


class Table:
    """A table's state, computed from its journal, with its announcements. Not thread-safe."""

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
        """Continues the journal's last game, or opens one with `ruleset` in an empty journal.

        `notices` are the journal's repairs.
        """
        self.journal = journal
        self._notices = tuple(notices)
        self.announcements: list[LoggedAnnouncement] = []
        """Every announcement since the start, of every scope, oldest first."""
        self._referee = referee
        self._clock = clock
        self._round = ""
        """The round that the desk of a tournament announced last."""
        self._seen_since = journal.last
        self._has_undoable_opening = False
        """Whether undoing the game's opening brings back a game before it."""
        self._doubts: tuple[Doubt, ...] = ()
        self._named: FoulProposal | None = None
        self._actor: tuple[int, Command] | None = None
        """The action in progress: its number and its command."""
        self.start_trouble = ""
        """Why the journal's last game could not be continued; empty if it was."""
        try:
            self._snapshot = self._taken_up(journal.last_game() or self._new_game(ruleset), mode)
        except Exception as error:  # whatever the error, people must be able to see their table and continue
            self.start_trouble = f"the last game of the journal cannot be followed, so a new game was started: {error}"
            _log.debug("the error of the journal's last game", exc_info=True)
            self._notices += (JournalNotice(kind=NoticeKind.UNFOLLOWED),)
            self._snapshot = self._taken_up(self._new_game(ruleset), mode)
        self.board = Board(self._snapshot)

    def _new_game(self, ruleset: Ruleset) -> tuple[Entry, ...]:
        opening = GameOpened(ruleset=ruleset, asks_for_sticks_in_play=False)
        return (self.journal.append(entry_envelope(Source.TABLE, self._clock.utc()), opening),)

    def _taken_up(self, entries: Sequence[Entry], mode: Mode) -> Snapshot:
        """Continues a game; returns its snapshot."""
        self._round = round_heard(entries)
        self._put_on_table(entries, fold(opened_game(entries[0]), entries[1:]))
        return self._shown(Snapshot(version=1, game=self._folded.state, mode=mode))

    def _put_on_table(self, entries: Sequence[Entry], folded: Folded) -> None:
        """Makes a game with these entries the one that is played; announcements of the game before are dropped."""
        opening = entries[0]
        self._entries, self._folded, self._limit_start = list(entries), folded, LimitStart(self._clock)
        self._hand_start = before_hand(folded, self._entries)
        self._referee.play_by(folded.ruleset)
        self._doubts, self._named, self.announcements = (), None, []
        self._has_undoable_opening = is_undoable(opening) and self.journal.has_actions_before(opening.number)

    @property
    def state(self) -> GameState:
        """The current state of the game."""
        return self._folded.state

    @property
    def folded(self) -> Folded:
        """The game with its announcements, suspicions and rejected entries."""
        return self._folded

    def report(self, report: FeltReport) -> None:
        """Handles the changes of a judged frame."""
        with self.journal.together():
            for finding in self._referee.on_report(report, lambda: self.state):
                self._follow_if_possible(finding)
        if report.moved_mm:
            self.announcements.append(camera_moved(report, self._folded.hand))
        self._publish(replace(self._snapshot, felt=report.felt, camera=CameraHealth.OK))

    def handle(self, command: Command) -> None:
        """Carries out a command.

        Raises:
            PressError: it is not possible now; the message says why, and nothing was changed.
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
        """Returns the game after a command, without writing anything.

        Raises:
            PressError: as for the command itself.
        """
        _, after, _ = self._foreseen(command)
        return after.state

    def _amend(self, command: JournalCommand) -> None:
        entry, after, entries = self._foreseen(command)
        check_outcome_seen(command, self._folded.state, after.state, opened_by=self._entries[0].number)
        before = self._folded
        if isinstance(command, commands.DeclareResult) and (shown := shown_hands(command, self._folded)):
            self._show(shown)
            entry, after, entries = self._foreseen(command)
        self._write(entry)
        self._folded = after
        if entries[0] is not self._entries[0]:
            self._put_on_table(entries, after)
            if not isinstance(entry.body, GameOpened):
                self.announcements.append(game_resumed(entry, after.hand))
        elif is_event(entry.body):
            self._say_since(before)
        else:
            self._amended(before, entry)

    def _show(self, events: Sequence[Event]) -> None:
        """Writes what is shown of a hand together with its result, with which it is announced.

        Raises:
            PressError: the hands cannot be; nothing was written.
        """
        check_events(events, self.state, self._folded.ruleset)
        for event in events:
            step = advance(self.state, event, self._folded.ruleset)
            self._folded = add_step(self._folded, step, self._append(Source.PRESS, event))

    def _foreseen(self, command: JournalCommand) -> tuple[Entry, Folded, Sequence[Entry]]:
        """Returns the entry of a command, the game with it and its entries, without writing anything."""
        has_undoable_opening = self._has_undoable_opening
        body = entry_body(command, self._folded, self._entries, has_undoable_opening=has_undoable_opening)
        entry = self._entry(Source.PRESS, body, actor=self._actor or (self.journal.last + 1, command))
        with self._reading_game_before(body):
            entries = self._entries_before(body)
            after = preview_state(entry, self._folded, entries)
        if isinstance(command, commands.DeclareResult):
            check_declared(self._folded, after)
        return entry, after, (*entries, entry)

    def _entries_before(self, body: Body) -> Sequence[Entry]:
        """Returns the entries so far of the game that is on the table after an entry."""
        match body:
            case GameOpened():
                return ()
            case Undone(act=act) if act == self._entries[0].number:
                return self.journal.game_before(act)
            case Redone(act=act):
                at = next((at for at, each in enumerate(self._entries) if each.number == act and is_undoable(each)), 0)
                return self._entries[at:]
        return self._entries

    @contextmanager
    def _reading_game_before(self, body: Body) -> Iterator[None]:
        """Turns whatever keeps the game before from being read into a refusal, if this entry brings it back.

        Raises:
            PressError: the game before cannot be read.
        """
        try:
            yield
        except PressError:
            raise
        except Exception as error:
            if not isinstance(body, Undone) or body.act != self._entries[0].number:
                raise
            is_of_the_journal = isinstance(error, JournalError)
            _log.warning("the game before cannot be read: %s", error, exc_info=not is_of_the_journal)
            raise PressError(f"the game before cannot be read: {error}", says="game_before") from error

    @contextmanager
    def _acting(self, command: Command) -> Iterator[None]:
        """Makes everything written during the context one action, and publishes the result.

        Raises:
            PressError: the disk cannot store the action; nothing was changed.
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
        """Lets the journal retry failed writes, and publishes whether the disk works again."""
        self.journal.flush()
        if current_notices(self.journal, self._notices) != self._snapshot.notices:
            self._publish(self._snapshot)

    def _append(self, source: Source, body: Body, finding: FoundEvent | Correction | None = None) -> Entry:
        """Writes a finding durably, as the next entry."""
        return self._write(self._entry(source, body, finding, actor=self._actor))

    def _entry(
        self,
        source: Source,
        body: Body,
        finding: FoundEvent | Correction | None = None,
        *,
        actor: tuple[int, Command] | None = None,
    ) -> Entry:
        """Returns the next entry; people's commands and the resulting records belong to their action."""
        round_ = self._round
        if isinstance(body, GameOpened):
            round_ = round_opened(round_, self._entries, is_over=self.state.is_over)
        envelope = replace(entry_envelope(source, self._clock.utc(), finding), round=round_)
        if actor is not None:
            envelope = in_action(envelope, body, *actor)
        elif source is Source.PRESS:
            envelope = repeated(envelope, body, self._entries)
        return Entry(number=self.journal.last + 1, envelope=envelope, body=body)

    def _write(self, entry: Entry) -> Entry:
        """Writes an entry durably, unchanged."""
        written = self.journal.append(entry.envelope, entry.body)
        self._entries.append(written)
        return written

    def _amended(self, before: Folded, entry: Entry) -> None:
        """Announces an amendment and what it changed, and records changed settlements.

        Undo and redo change which records count, but write none: each record belongs to its action.
        """
        if not isinstance(entry.body, Undone | Redone):
            for record in missing_records(self._folded, self._entries):
                self._append(Source.TABLE, record)
        self._hand_start = before_hand(self._folded, self._entries)
        self.announcements += difference(before.announcements, self._folded.announcements, seen_since=self._seen_since)
        if (swapped := seats_swapped(entry, self._entries, self._folded.hand)) is not None:
            self.announcements.append(swapped)

    def _way_back(self) -> Callable[[], None]:
        """Returns a function that restores the present state; valid only until the next write reaches the disk."""
        folded, hand_start, doubts, named = self._folded, self._hand_start, self._doubts, self._named
        announcements, entries, last = list(self.announcements), list(self._entries), self.journal.last
        has_undoable_opening, limit_start = self._has_undoable_opening, self._limit_start

        def undo() -> None:
            self.journal.withdraw(after=last)
            self._has_undoable_opening, self._limit_start = has_undoable_opening, limit_start
            self._referee.play_by(folded.ruleset)
            self._folded, self._hand_start, self._doubts, self._named = folded, hand_start, doubts, named
            self.announcements[:], self._entries[:] = announcements, entries

        return undo

    def _vote(self, press: FoulVotePress) -> None:
        """Applies a press about a proposed foul, and carries out what is agreed on."""
        followed = apply_press(self._named, press, self._folded.ruleset.penalties, hand=self.state.on_table)
        if isinstance(press, commands.NameFoul) and followed.named is not None:
            check_possible(if_agreed(followed.named), self.state, self._folded.ruleset)
        for command in followed.to_do:
            self._play(command)
        if followed.voices:
            self.announcements.append(voices_agreed(followed.voices, self._folded.hand, self.journal.last))
        self._named = followed.named

    def _play(self, press: HandPress) -> None:
        undo: Callable[[], None] | None = None
        try:
            for finding in self._referee.on_press(press, lambda: self.state):
                is_declared = isinstance(finding, FoundEvent) and finding.source is Source.PRESS
                is_claim = isinstance(finding, FoundEvent) and isinstance(finding.event, WinClaimed)
                undo = None if not is_declared else self._way_back() if is_claim else undo
                follow = self._follow_if_possible if _is_seen(finding) else self._follow
                follow(finding)
        except RulesError as error:
            if undo is not None:  # a win and the hand stated with it are one action
                undo()
            raise PressError(f"{press.word} is not possible now: {error}") from error

    def _follow_if_possible(self, finding: Finding) -> None:
        """Follows what the camera found, unless the rules refuse it: it must keep nobody from pressing."""
        try:
            self._follow(finding)
        except RulesError as error:
            _log.warning("frame %s: %r does not fit: %s", self._referee.frame, finding, error)

    def _correct_discard(self, command: commands.CorrectDiscard) -> None:
        """Corrects a discard by hand; later readings of the camera no longer change it."""
        frame = self._referee.frame if command.frame is None else command.frame
        self._correct(Correction(discard=command.discard, to=command.to, source=Source.PRESS, frame=frame))
        self._referee.leave_alone(command.discard)

    def camera(self, health: CameraHealth, *, why: str = "") -> None:
        """Handles the loss or return of the camera; `why` is that of a `CameraLoss`."""
        was = self._snapshot.camera
        if health is not was and CameraHealth.LOST in (health, was):
            self.announcements.append(camera_changed(health, self._folded.hand, why=why))
        self._publish(replace(self._snapshot, camera=health))

    def moment(self, moment: KeptMoment) -> None:
        """Handles the result of saving a clip."""
        self.announcements.append(moment_flagged(moment, self._folded.hand))
        self._publish(self._snapshot)

    def access(self, news: AccessNews) -> None:
        """Handles a change of roles, and announces it."""
        self.announcements.append(access_changed(news, self._folded.hand, self._snapshot.version))
        self._publish(self._snapshot)

    def play_as(self, mode: Mode) -> None:
        """Sets the mode, which determines who may hear what."""
        self._publish(replace(self._snapshot, mode=mode))

    def desk(self, clock: DeskClock) -> None:
        """Handles the clock of a tournament's desk; later entries have its round."""
        self._round = clock.round
        self._publish(replace(self._snapshot, desk=clock))

    def _follow(self, finding: Finding) -> None:
        match finding:
            case FoundEvent():
                self._rule(finding)
            case Correction():
                self._correct(finding)
            case Question():
                self._ask(finding)

    def _rule(self, ruling: FoundEvent) -> None:
        """Tries the event, writes it durably, and only then announces it."""
        before = self._folded
        step = advance(before.state, ruling.event, before.ruleset)
        entry = self._append(ruling.source, ruling.event, ruling)
        self._folded = add_step(before, step, entry)
        if isinstance(ruling.event, HandStarted) and self._named is not None and self._named.hand != self._folded.hand:
            self._named = None  # it was about the previous hand
        self._say_since(before)

    def _say_since(self, before: Folded) -> None:
        """Announces what is new, and ends the hand if it was settled."""
        logged = self._folded.announcements[len(before.announcements) :]
        self.announcements += [seen_after(each, self._seen_since) for each in logged]
        if self._folded.hand > before.hand:
            self._end_hand(before)

    def _end_hand(self, before: Folded) -> None:
        """Records the settlement; a hand dealt after an unsettled one starts with the entry that ended that one.

        The record is undone only together with the entry that ended the hand.
        """
        record, ended_by = self._folded.confirmed[-1], self._entries[-1]
        if record is not None:
            is_acts = ended_by.envelope.act is not None
            self._write(self._entry(Source.TABLE, record, actor=self._actor if is_acts else None))
        self._hand_start = self._folded if self._folded.began == self._folded.last else before
        self._doubts = ()

    def _correct(self, correction: Correction) -> None:
        """Writes the correction, computes the hand again, and announces only what changed."""
        entry, event = corrected_entry(correction, self._since_hand_start)
        undo = self._way_back()
        self._append(correction.source, Corrected(entry=entry.number, event=event), correction)
        before = self._folded
        self._folded = fold(self._hand_start, self._since_hand_start)
        known = {unfit.entry for unfit in before.rejected}
        refused = [unfit.message for unfit in self._folded.rejected if unfit.entry not in known]
        if refused:  # it cannot be, or something else that lies there could not
            undo()
            if correction.source is Source.PRESS:
                raise PressError(refused[0], says="tile", tile=correction.to.text)
            _log.warning("frame %s: %r does not fit: %s", self._referee.frame, correction, refused[0])
            return
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

    def _publish(self, snapshot: Snapshot) -> None:
        if self.state.is_over or len(self._entries) == 1:  # the games before this one are over, or it is
            self.journal.merge()
        self._snapshot = self._shown(replace(snapshot, version=snapshot.version + 1))
        self.board.publish(self._snapshot)

    def _shown(self, snapshot: Snapshot) -> Snapshot:
        """Returns a snapshot of the present state."""
        return replace(
            snapshot,
            game=self.state,
            opened_by=self._entries[0].number,
            opened_at=self._entries[0].envelope.utc,
            limit_from=self._limit_start.at(self._entries[0].envelope.utc),
            round=round_of(self._entries),
            announcements=tuple(self.announcements[-SHOWN:]),
            doubts=self._doubts,
            suspicions=tuple(open_suspicions(self._folded)),
            ruleset=self._folded.ruleset,
            names=names(self._entries),
            changes=changes_of(self._entries, self._folded.ended_by, has_undoable_opening=self._has_undoable_opening),
            unfit=self._folded.rejected,
            proposal=self._named,
            notices=current_notices(self.journal, self._notices),
        )


def _is_seen(finding: Finding) -> bool:
    """Returns whether a finding is what the camera saw, not what people or the program said."""
    return isinstance(finding, Question) or finding.source in (Source.CAMERA, Source.INFERRED)
