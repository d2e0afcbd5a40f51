"""The game on the table as an immutable value: what was played, and what was announced of it.

Whoever keeps an earlier value can put it back: that undoes everything since.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from table.game.announcement_json import (
    all_later_hands_announcements,
    with_people_moved,
    without_stale_evidence,
)
from table.game.commands.foul_vote import FoulProposal, with_seats_moved
from table.game.current_game.limit_start import LimitStart
from table.game.journal.entries import Entry
from table.game.journal.fold import FoldedGame, LoggedAnnouncement, opened_game
from table.game.journal.game_openings import is_undoable
from table.game.journal.journal import Journal
from table.game.journal.seating import Seating, SeatingHistory, may_change_seating
from table.game.new_entries.hand_entries import game_before_hand
from table.game.snapshot import Doubt
from table.rules.state import GameState
from table.runtime.clock import Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOnTable:
    """A game at one moment, computed from its entries."""

    entries: tuple[Entry, ...]
    """Its entries, from its opening up to the journal's last one."""
    folded_game: FoldedGame
    """Its state, with its announcements, suspicions and rejected entries."""
    hand_start: FoldedGame
    """The game before the hand being played."""
    limit_start: LimitStart
    has_undoable_opening: bool
    """Whether undoing its opening brings back a game before it."""
    seatings: SeatingHistory
    """Who sat where at each of its entries."""
    announcements: tuple[LoggedAnnouncement, ...] = ()
    """Its announcements of every scope, oldest first: since it is on the table; after a restart, since its opening."""
    doubts: tuple[Doubt, ...] = ()
    proposal: FoulProposal | None = None
    """A proposed foul that is not agreed on yet."""

    @property
    def opening(self) -> Entry:
        """The entry that opened it."""
        return self.entries[0]

    @property
    def last(self) -> int:
        """The number of its last entry."""
        return self.entries[-1].number

    @property
    def state(self) -> GameState:
        """The state of its rules."""
        return self.folded_game.state

    @property
    def seating(self) -> Seating:
        """Who sits where after its last entry."""
        return self.seatings.now

    @property
    def since_hand_start(self) -> list[Entry]:
        """The entries of the hand being played."""
        return [entry for entry in self.entries if entry.number > self.hand_start.last]

    def with_entry(self, entry: Entry) -> GameOnTable:
        """Returns the game with one more entry, which `folded_game` does not contain yet."""
        entries = (*self.entries, entry)
        seatings = SeatingHistory(entries) if may_change_seating(entry) else self.seatings
        return replace(self, entries=entries, seatings=seatings)

    def with_state_of(self, game: FoldedGame) -> GameOnTable:
        """Returns the game with a newer state, without doubts about discards that are no longer in the hand."""
        discard_count = 0 if game.state.live is None else game.state.live.discards
        doubts = tuple(doubt for doubt in self.doubts if doubt.discard < discard_count)
        return replace(self, folded_game=game, doubts=doubts)

    def with_announcements(self, *announcements: LoggedAnnouncement) -> GameOnTable:
        """Returns the game with further announcements."""
        return replace(self, announcements=self.announcements + announcements)

    def with_people_moved(self, before: Seating, after: Seating) -> GameOnTable:
        """Returns the game after people changed seats: announcements about them and a proposed foul move with them."""
        if before == after:
            return self
        proposal = self.proposal
        return replace(
            self,
            announcements=tuple(with_people_moved(logged, before, after) for logged in self.announcements),
            proposal=None if proposal is None else with_seats_moved(proposal, before, after),
        )

    def with_announcements_since(self, before: FoldedGame, *, run_start: int) -> GameOnTable:
        """Returns the game with the announcements that it has made since `before`.

        Those of entries up to `run_start`, which an earlier run wrote, lose their tiles (`without_stale_evidence`).
        """
        announcements = self.folded_game.announcements[len(before.announcements) :]
        return self.with_announcements(*(without_stale_evidence(logged, run_start) for logged in announcements))

    def with_announcements_of_entries(self, *, run_start: int) -> GameOnTable:
        """Returns the game with the announcements that its entries make, as after a restart, in their order."""
        game = self.with_announcements_since(opened_game(self.opening), run_start=run_start)
        announcements = (*game.announcements, *all_later_hands_announcements(self.entries))
        return replace(game, announcements=tuple(sorted(announcements, key=lambda logged: logged.cause[0])))

    def with_hand_ended(self, before: FoldedGame) -> GameOnTable:
        """Returns the game after its hand was settled; `before` is the game before the last event.

        If the next hand is dealt before this one is settled, the same entry ends this one and starts the next.
        """
        is_dealt = self.folded_game.entry_before_hand != self.folded_game.last
        return replace(self, hand_start=before if is_dealt else self.folded_game, doubts=())

    def with_hand_start_found(self) -> GameOnTable:
        """Returns the game with the start of its hand computed anew, since an amendment may have moved it."""
        return replace(self, hand_start=game_before_hand(self.folded_game, self.entries))

    def with_doubt(self, doubt: Doubt) -> GameOnTable:
        """Returns the game with a doubt, which replaces an earlier one about the same discard."""
        return replace(self, doubts=(*self.without_doubt(doubt.discard).doubts, doubt))

    def without_doubt(self, discard: int | None) -> GameOnTable:
        """Returns the game without the doubt about a discard, if there is one."""
        return replace(self, doubts=tuple(doubt for doubt in self.doubts if doubt.discard != discard))


def game_on_table(entries: Sequence[Entry], game: FoldedGame, journal: Journal, clock: Clock) -> GameOnTable:
    """Returns a game that is put on the table now, without announcements.

    Args:
        entries: its entries, from its opening.
        game: the game computed from them.
        journal: the journal with these entries, and with the games before.
        clock: the source of the time of day.

    Raises:
        JournalError: the journal cannot be read.
    """
    opening = entries[0]
    return GameOnTable(
        entries=tuple(entries),
        folded_game=game,
        limit_start=LimitStart(clock),
        hand_start=game_before_hand(game, entries),
        has_undoable_opening=is_undoable(opening) and journal.has_actions_before(opening.number),
        seatings=SeatingHistory(entries),
    )
