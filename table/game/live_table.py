"""The only writer: everything that changes the table's state goes through here.

`Table` is the state with its journal and referee; one thread at a time may call it (`table.game.table_loop`). Every
change is published as an immutable snapshot.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from table.game.announcement_json import (
    access_announcement,
    camera_announcement,
    camera_moved_announcement,
    clip_announcement,
    resumption_announcement,
    vote_announcement,
)
from table.game.commands import game_commands as commands
from table.game.commands.confirm_keys import check_key, check_outcome_key
from table.game.commands.foul_vote import apply_press, commands_of
from table.game.commands.game_commands import Command, FoulVotePress, HandPress, JournalCommand
from table.game.commands.shown_hands import winning_hand_events
from table.game.commands.unseen_draw import check_tenpai_known
from table.game.current_game.entry_writer import EntryWriter
from table.game.current_game.foreseen_entry import ForeseenEntry, foreseen_entry
from table.game.current_game.game_on_table import GameOnTable, game_on_table
from table.game.current_game.game_writer import GameWriter
from table.game.current_game.table_snapshot import table_snapshot
from table.game.journal.entries import Entry, GameOpened, Source
from table.game.journal.fold import FoldedGame, LoggedAnnouncement, fold, opened_game
from table.game.journal.history.played_round import announced_round
from table.game.journal.journal import Journal
from table.game.journal.recovery.journal_notice import JournalNotice, NoticeKind
from table.game.new_entries.hand_entries import Request, requests_in, was_carried_out
from table.game.referee import Correction, Finding, FoundEvent, Question, Referee, check_possible
from table.game.snapshot import AccessNews, Board, CameraHealth, DeskClock, Mode, SavedClip, Snapshot
from table.rules.events import SightLost
from table.rules.ruleset import Ruleset
from table.rules.state import GameState, Phase
from table.rules.terms.rule_errors import RulesError
from table.runtime.clock import Clock
from table.runtime.table_errors import JournalError, PressError
from vision.errors import reason_and_place
from vision.felt import FeltReport

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
        self._referee, self._clock = referee, clock
        self._entry_writer = EntryWriter(journal, clock, notices)
        self.start_trouble = ""
        """Why the journal's last game could not be continued; empty if it was."""
        run_start = journal.last
        self._earlier_requests: frozenset[Request] = frozenset()
        """The requests of games that were on the table before: phones may send them again in this one."""
        try:
            game = self._resumed_game(journal.last_game() or (self._entry_writer.open_game(ruleset),), run_start)
            self._snapshot = self._snapshot_of(game, Snapshot(version=1, game=game.state, mode=mode))
        except Exception as error:  # whatever the error, people must be able to see their table and continue
            self.start_trouble = (
                f"the last game of the journal cannot be followed, so a new game was started: {reason_and_place(error)}"
            )
            _log.debug("the error of the journal's last game", exc_info=True)
            self._entry_writer.add_notice(JournalNotice(kind=NoticeKind.UNFOLLOWED))
            game = self._resumed_game((self._entry_writer.open_game(ruleset),), run_start)
            self._snapshot = self._snapshot_of(game, Snapshot(version=1, game=game.state, mode=mode))
        with suppress(JournalError):  # a game that cannot be read is shown as such where it is listed
            opening = game.opening.number
            self._earlier_requests = requests_in(journal.game_before(opening, opening - 1))
        self._game_writer = GameWriter(self._entry_writer, game, run_start=run_start)
        self._lose_sight()  # whatever was played while the program did not run
        self._snapshot = self._snapshot_of(self._game_writer.game, self._snapshot)
        self.board = Board(self._snapshot)

    def _resumed_game(self, entries: Sequence[Entry], run_start: int) -> GameOnTable:
        """Returns a game to continue, and takes up the round that the desk announced."""
        self._entry_writer.round = announced_round(entries)
        game = self._put_on_table(entries, fold(opened_game(entries[0]), entries[1:]))
        return game.with_announcements_of_entries(run_start=run_start)

    def _put_on_table(self, entries: Sequence[Entry], game: FoldedGame) -> GameOnTable:
        """Returns the game with these entries, by whose rules the referee plays from now on."""
        self._referee.set_game(entries[0].number, game.ruleset)
        return game_on_table(entries, game, self.journal, self._clock)

    @property
    def state(self) -> GameState:
        """The current state of the game."""
        return self.folded_game.state

    @property
    def folded_game(self) -> FoldedGame:
        """The game with its announcements, suspicions and rejected entries."""
        return self._game_writer.game.folded_game

    @property
    def announcements(self) -> list[LoggedAnnouncement]:
        """Every announcement of the game, of every scope, oldest first.

        After a restart, only those that follow from the game's entries; if an amendment put the game on the table, only
        those since then.
        """
        return list(self._game_writer.game.announcements)

    def report(self, report: FeltReport) -> None:
        """Handles the changes of a judged frame."""
        with self.journal.transaction():
            for finding in self._referee.on_report(report, lambda: self.state):
                self._follow_if_possible(finding)
        if report.moved_mm:
            self._game_writer.announce(camera_moved_announcement(report, self.folded_game.hand))
        self._publish(replace(self._snapshot, felt=report.felt, camera=CameraHealth.OK, is_blind=False))

    def handle(self, command: Command) -> None:
        """Carries out a command.

        Raises:
            PressError: it is not possible now, or the disk cannot store it; the message says why. Nothing of the
                command remains; what the camera saw until then stays.
        """
        before = self._game_writer.game
        if was_carried_out(command, before.entries, self._earlier_requests):
            return
        if self.journal.trouble:
            self.retry_journal()
            self._entry_writer.check_writable()
        memory = self._referee.memory()
        try:
            with self._entry_writer.as_one_action(command):
                self._carry_out(command)
        except PressError:
            if self.journal.has_waiting(after=before.last):
                self._game_writer.restore(before)
                self._referee.restore(memory)
            raise
        else:
            if self._snapshot.is_blind or self._snapshot.camera is CameraHealth.NONE:
                self._lose_sight()
        finally:
            self._publish(self._snapshot)

    def _carry_out(self, command: Command) -> None:
        game = self._game_writer.game
        opened_by, seating = game.opening.number, game.seating
        check_key(command, game.state, game.proposal, game.folded_game.ruleset, opened_by=opened_by, seating=seating)
        if isinstance(command, FoulVotePress):
            self._vote(command)
        elif isinstance(command, commands.CorrectDiscard):
            self._correct_discard(command)
        elif isinstance(command, JournalCommand):
            self._amend(command)
        else:
            self._play(command)

    def retry_journal(self) -> None:
        """Lets the journal retry failed writes, and publishes whether the disk works again."""
        self.journal.flush()
        if self._entry_writer.notices != self._snapshot.notices:
            self._publish(self._snapshot)

    def preview(self, command: JournalCommand) -> FoldedGame:
        """Returns the game after a command, without writing anything.

        Raises:
            PressError: as for the command itself.
        """
        return self._foreseen_entry(command).folded_game

    def _foreseen_entry(self, command: JournalCommand) -> ForeseenEntry:
        return foreseen_entry(command, self._game_writer.game, self._entry_writer)

    def _amend(self, command: JournalCommand) -> None:
        game, next_entry = self._game_writer.game, self._foreseen_entry(command)
        before, after, opened_by = game.folded_game, next_entry.folded_game.state, game.opening.number
        check_outcome_key(command, before.state, after, opened_by=opened_by, seating=game.seating)
        if isinstance(command, commands.DeclareResult) and (hand_events := winning_hand_events(command, before)):
            self._game_writer.write_shown_hands(hand_events)
            next_entry = self._foreseen_entry(command)
        if next_entry.entries[0].number == opened_by:
            self._game_writer.amend(next_entry, before)
        else:
            self._change_game(next_entry)

    def _change_game(self, next_entry: ForeseenEntry) -> None:
        """Writes an entry that puts another game on the table; announcements of this one are dropped."""
        requests = requests_in(self._game_writer.game.entries)  # without this one, which the disk may still refuse
        entry = self._game_writer.write(next_entry.entry)
        self._earlier_requests |= requests
        self._game_writer.game = self._put_on_table(next_entry.entries, next_entry.folded_game)
        if not isinstance(entry.body, GameOpened):
            self._game_writer.announce(resumption_announcement(entry, next_entry.folded_game.hand))
            self._lose_sight()

    def _vote(self, press: FoulVotePress) -> None:
        """Applies a press about a proposed foul, and carries out what is agreed on."""
        game = self._game_writer.game
        press = _with_hand_of_foul(press, game.state)
        step = apply_press(game.proposal, press, game.folded_game.ruleset.penalties, hand=game.state.on_table)
        if isinstance(press, commands.NameFoul) and step.proposal is not None:
            check_possible(commands_of(step.proposal), game.state, game.folded_game.ruleset)
        for command in step.commands:
            self._play(command)
        if step.voters:
            self._game_writer.announce(vote_announcement(step.voters, self.folded_game.hand, self.journal.last))
        self._game_writer.propose(step.proposal)

    def _play(self, press: HandPress) -> None:
        check_tenpai_known(press, self.state, self.folded_game.ruleset, is_blind=self._snapshot.is_blind)
        before: GameOnTable | None = None
        """The game before what people say by it; what the camera saw until then stays."""
        try:
            for finding in self._referee.on_press(press, lambda: self.state):
                if _is_from_felt(finding):
                    self._follow_if_possible(finding)
                    continue
                before = before or self._game_writer.game
                self._game_writer.follow(finding)
        except (RulesError, PressError) as error:
            if before is not None:
                self._game_writer.restore(before)
            if isinstance(error, PressError):
                raise
            raise PressError(f"{press.word} is not possible now: {error}") from error

    def _follow_if_possible(self, finding: Finding) -> None:
        """Follows what the camera found, unless the rules refuse it: it must not keep anybody from pressing."""
        try:
            self._game_writer.follow(finding)
        except (RulesError, PressError) as error:
            _log.warning("frame %s: %r does not fit: %s", self._referee.frame, finding, error)

    def _correct_discard(self, command: commands.CorrectDiscard) -> None:
        """Corrects a discard by hand, and lets no later reading correct it again."""
        frame = self._referee.frame if command.frame is None else command.frame
        self._game_writer.follow(Correction(discard=command.discard, to=command.to, source=Source.PRESS, frame=frame))
        self._referee.stop_correcting(command.discard)

    def set_camera_health(self, health: CameraHealth, *, reason: str = "") -> None:
        """Handles the loss or return of the camera; `reason` is that of a `CameraLoss`.

        After the end of a recording the table is not blind: the recording has shown everything that was played.
        """
        before = self._snapshot.camera
        if health is not before and CameraHealth.LOST in (health, before):
            self._game_writer.announce(camera_announcement(health, self.folded_game.hand, reason=reason))
        is_played_out = self._referee.is_complete and not reason
        is_blind = health is CameraHealth.LOST and not is_played_out
        if is_blind or health is CameraHealth.NONE:
            self._lose_sight()
        self._publish(replace(self._snapshot, camera=health, is_blind=is_blind))

    def _lose_sight(self) -> None:
        """Records that from here discards may go unseen, if a hand is being played of which something was seen."""
        self._referee.lose_sight()
        hand = self.state.live
        if hand is not None and hand.phase is Phase.PLAY and hand.was_seen and not hand.is_behind:
            self._game_writer.follow(FoundEvent(event=SightLost(), source=Source.TABLE))

    def announce_clip(self, clip: SavedClip) -> None:
        """Handles the result of saving a clip."""
        self._game_writer.announce(clip_announcement(clip, self.folded_game.hand))
        self._publish(self._snapshot)

    def announce_access(self, news: AccessNews) -> None:
        """Handles a change of roles, and announces it."""
        self._game_writer.announce(access_announcement(news, self.folded_game.hand, self._snapshot.version))
        self._publish(self._snapshot)

    def set_mode(self, mode: Mode) -> None:
        """Sets the mode, which determines who may hear what."""
        self._publish(replace(self._snapshot, mode=mode))

    def set_desk_clock(self, clock: DeskClock) -> None:
        """Handles the clock of a tournament's desk; later entries have its round."""
        self._entry_writer.round = clock.round
        self._publish(replace(self._snapshot, desk=clock))

    def _publish(self, snapshot: Snapshot) -> None:
        game = self._game_writer.game
        if game.state.is_over or len(game.entries) == 1:  # this game is over, or those before it are
            self.journal.merge()
        self._snapshot = self._snapshot_of(game, replace(snapshot, version=snapshot.version + 1))
        self.board.publish(self._snapshot)

    def _snapshot_of(self, game: GameOnTable, base: Snapshot) -> Snapshot:
        return table_snapshot(game, base, self._entry_writer.notices)


def _with_hand_of_foul(press: FoulVotePress, state: GameState) -> FoulVotePress:
    """Returns a press that corrects a foul with the number of that foul's hand, which may be over before all agree."""
    if not isinstance(press, commands.NameFoul) or press.foul is None or press.hand is not None:
        return press
    return replace(press, hand=len(state.history) - (state.live is None))


def _is_from_felt(finding: Finding) -> bool:
    """Whether a finding comes from the felt or repeats an earlier statement, and not from the press in progress."""
    is_repeated = isinstance(finding, FoundEvent) and finding.is_repeated
    return is_repeated or isinstance(finding, Question) or finding.source in (Source.CAMERA, Source.INFERRED)
