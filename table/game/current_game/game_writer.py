"""Writes what happens in the game on the table, and what follows from it.

Every event is tried first, then written, and only then announced.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

from table.game.announcement_json import (
    changed_announcements,
    doubt_announcement,
    later_hands_announcements,
    swap_announcement,
)
from table.game.commands.foul_vote import FoulProposal
from table.game.commands.shown_hands import check_events
from table.game.current_game.entry_writer import EntryWriter
from table.game.current_game.foreseen_entry import ForeseenEntry
from table.game.current_game.game_on_table import GameOnTable
from table.game.journal.effective_events import is_event
from table.game.journal.entries import Body, Corrected, Entry, QuestionAsked, Redone, Source, Undone
from table.game.journal.fold import FoldedGame, LoggedAnnouncement, adapted_event, add_step, fold
from table.game.new_entries.amendments import missing_records
from table.game.new_entries.hand_entries import corrected_entry, discards_of, doubt_of
from table.game.referee import Correction, Finding, FoundEvent, Question
from table.rules.advance import advance
from table.rules.events import Event, HandStarted
from table.runtime.table_errors import PressError

_log = logging.getLogger(__name__)


class GameWriter:
    """The game on the table, and everything that changes it. Not thread-safe."""

    def __init__(self, entry_writer: EntryWriter, game: GameOnTable, *, run_start: int) -> None:
        """Takes the writer of the entries, and the game.

        `run_start` is the last entry that an earlier run wrote: ids of tiles in entries up to it mean nothing now.
        """
        self._entry_writer, self._run_start = entry_writer, run_start
        self.game = game
        """The game now."""

    def restore(self, game: GameOnTable) -> None:
        """Puts an earlier value of the game back; the entries since are withdrawn, so none may be on the disk yet."""
        self._entry_writer.journal.withdraw(after=game.last)
        self.game = game

    def announce(self, announcement: LoggedAnnouncement) -> None:
        """Announces something that is not in the journal."""
        self.game = self.game.with_announcements(announcement)

    def propose(self, proposal: FoulProposal | None) -> None:
        """Makes a foul the proposed one; None drops the proposal."""
        self.game = replace(self.game, proposal=proposal)

    def write(self, entry: Entry) -> Entry:
        """Writes an entry durably, unchanged."""
        entry = self._entry_writer.write(entry)
        self.game = self.game.with_entry(entry)
        return entry

    def follow(self, finding: Finding) -> None:
        """Follows a finding of the referee.

        Raises:
            RulesError: it is impossible; nothing was written.
            PressError: likewise, for a correction by people.
        """
        match finding:
            case FoundEvent():
                self._follow_event(finding)
            case Correction():
                self._correct(finding)
            case Question():
                self._ask(finding)

    def write_shown_hands(self, events: Sequence[Event]) -> None:
        """Writes hands that people show together with a result, and the start of their hand if it was not dealt yet.

        They are announced together with the result. The start follows from the hand before, so the program is its
        source: an edit of that hand then changes it.

        Raises:
            PressError: a hand is impossible; nothing was written.
        """
        check_events(events, self.game.state, self.game.folded_game.ruleset)
        for event in events:
            before = self.game.folded_game
            step = advance(before.state, event, before.ruleset)
            source = Source.TABLE if isinstance(event, HandStarted) else Source.PRESS
            self._advance_to(add_step(before, step, self._append(source, event)))

    def amend(self, foreseen_entry: ForeseenEntry, before: FoldedGame) -> None:
        """Writes an entry of the game, and announces what changed since `before`."""
        seating = self.game.seating
        entry = self.write(foreseen_entry.entry)
        self._advance_to(foreseen_entry.folded_game)
        self.game = self.game.with_people_moved(seating, self.game.seating)
        if is_event(entry.body):
            self._announce_since(before)
        else:
            self._announce_amendment(before, entry)

    def _append(self, source: Source, body: Body, finding: FoundEvent | Correction | None = None) -> Entry:
        """Writes a finding durably, as the next entry of the action in progress."""
        is_repeated = isinstance(finding, FoundEvent) and finding.is_repeated
        action = None if is_repeated else self._entry_writer.action
        return self.write(self._entry_writer.next_entry(self.game, source, body, finding, action=action))

    def _advance_to(self, game: FoldedGame) -> None:
        self.game = self.game.with_state_of(game)

    def _follow_event(self, found: FoundEvent) -> None:
        """Tries the event, writes it durably, and only then announces it."""
        before, number = self.game.folded_game, self._entry_writer.journal.last + 1
        event = adapted_event(before, found.event, found.source, number)
        step = advance(before.state, event, before.ruleset)
        entry = self._append(found.source, found.event, found)
        self._advance_to(add_step(before, step, entry))
        proposal, hand = self.game.proposal, self.game.folded_game.hand
        if isinstance(found.event, HandStarted) and proposal is not None and proposal.hand != hand:
            self.propose(None)  # it was about the previous hand
        self._announce_since(before)

    def _announce_since(self, before: FoldedGame) -> None:
        """Announces what is new, and ends the hand if it was settled."""
        self.game = self.game.with_announcements_since(before, run_start=self._run_start)
        if self.game.folded_game.hand > before.hand:
            self._record_settlement()
            self.game = self.game.with_hand_ended(before)

    def _record_settlement(self) -> None:
        """Records the settlement of a hand; it is undone only together with the entry that ended the hand."""
        record, last_entry = self.game.folded_game.settlement_records[-1], self.game.entries[-1]
        if record is not None:
            action = None if last_entry.envelope.act is None else self._entry_writer.action
            self.write(self._entry_writer.next_entry(self.game, Source.TABLE, record, action=action))

    def _announce_amendment(self, before: FoldedGame, entry: Entry) -> None:
        """Announces an amendment and what it changed, and records changed settlements.

        Undo and redo change which records count, but write none: each record belongs to its action.
        """
        if not isinstance(entry.body, Undone | Redone):
            for record in missing_records(self.game.folded_game, self.game.entries):
                self._append(Source.TABLE, record)
        self.game = self.game.with_hand_start_found()
        self._announce_difference(before)
        announcement = swap_announcement(entry, self.game.entries, self.game.folded_game.hand)
        if announcement is not None:
            self.announce(announcement)
        entries = [each for each in self.game.entries if each.number <= entry.number]
        self.game = self.game.with_announcements(*later_hands_announcements(before, self.game.folded_game, entries))

    def _announce_difference(self, before: FoldedGame) -> None:
        """Announces only what a correction changed."""
        after = self.game.folded_game.announcements
        changed = changed_announcements(before.announcements, after, run_start=self._run_start)
        self.game = self.game.with_announcements(*changed)

    def _correct(self, correction: Correction) -> None:
        """Writes the correction, computes the hand again, and announces only what changed."""
        game = self.game
        entry, event = corrected_entry(correction, game.hand_start, game.since_hand_start)
        self._append(correction.source, Corrected(entry=entry.number, event=event), correction)
        self._advance_to(fold(game.hand_start, self.game.since_hand_start))
        earlier_rejections = {rejection.entry for rejection in game.folded_game.rejected_entries}
        refusals = [
            rejection.message
            for rejection in self.game.folded_game.rejected_entries
            if rejection.entry not in earlier_rejections
        ]
        if refusals:  # with that tile here, this event or a later one would be impossible
            self.restore(game)
            if correction.source is Source.PRESS:
                raise PressError(refusals[0], says="tile", tile=correction.to.text)
            _log.warning("frame %s: %r does not fit: %s", correction.frame, correction, refusals[0])
            return
        self._announce_difference(game.folded_game)
        self.game = self.game.without_doubt(correction.discard)

    def _ask(self, question: Question) -> None:
        discards = discards_of(self.game.hand_start, self.game.since_hand_start)
        entry_numbers = dict(enumerate(entry.number for entry, _ in discards))
        entry_number = None if question.discard is None else entry_numbers.get(question.discard)
        self._append(Source.CAMERA, QuestionAsked(id=question.id, entry=entry_number))
        self.announce(doubt_announcement(question, self.game.folded_game.hand))
        if (doubt := doubt_of(question)) is not None:
            self.game = self.game.with_doubt(doubt)
