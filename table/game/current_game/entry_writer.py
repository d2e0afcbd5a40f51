"""Writes the entries of the game on the table: gives each its envelope, and refuses actions while the disk fails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from table.game.commands.game_commands import Command
from table.game.current_game.game_on_table import GameOnTable
from table.game.journal.entries import Body, Entry, GameOpened, Source
from table.game.journal.history.played_round import opening_round
from table.game.journal.journal import Journal
from table.game.journal.recovery.journal_notice import JournalNotice, check_writable, current_notices
from table.game.new_entries.entry_envelope import entry_envelope, with_action, with_repeated_action
from table.game.referee import Correction, FoundEvent
from table.rules.ruleset import Ruleset
from table.runtime.clock import Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """A command that is being carried out: everything written meanwhile is undone as a whole."""

    number: int
    """The number of its first entry."""
    command: Command


class EntryWriter:
    """The journal as the game on the table writes it. Not thread-safe."""

    def __init__(self, journal: Journal, clock: Clock, notices: Sequence[JournalNotice]) -> None:
        """Takes the journal, the source of the entries' times, and the journal's repairs."""
        self.journal = journal
        self._clock = clock
        self._notices = tuple(notices)
        self.action: Action | None = None
        """The action in progress."""
        self.round = ""
        """The round that the desk of a tournament announced last."""

    @property
    def notices(self) -> tuple[JournalNotice, ...]:
        """What is wrong with the journal now."""
        return current_notices(self.journal, self._notices)

    def add_notice(self, notice: JournalNotice) -> None:
        """Adds a notice that stays until the program ends."""
        self._notices += (notice,)

    def check_writable(self) -> None:
        """Refuses people's actions if the journal cannot be written to.

        Raises:
            PressError: the journal cannot be written to.
        """
        check_writable(self.journal, self._notices)

    @contextmanager
    def as_one_action(self, command: Command) -> Iterator[None]:
        """Makes everything written during the context one action, which is written as a whole.

        Raises:
            PressError: the disk cannot store the action; its entries wait in memory.
        """
        self.action = Action(number=self.journal.last + 1, command=command)
        try:
            with self.journal.transaction():
                yield
            self.check_writable()
        finally:
            self.action = None

    def action_of(self, command: Command) -> Action:
        """Returns the action in progress; without one, the action that the command would begin now."""
        return self.action or Action(number=self.journal.last + 1, command=command)

    def next_entry(
        self,
        game: GameOnTable,
        source: Source,
        body: Body,
        finding: FoundEvent | Correction | None = None,
        *,
        action: Action | None,
    ) -> Entry:
        """Returns the next entry of a game; people's commands and the resulting records belong to their action."""
        round_ = self.round
        if isinstance(body, GameOpened):
            round_ = opening_round(round_, game.entries, is_over=game.state.is_over)
        envelope = replace(entry_envelope(source, self._clock.utc(), finding), round=round_)
        if action is not None:
            envelope = with_action(envelope, body, action.number, action.command)
        elif source is Source.PRESS:
            envelope = with_repeated_action(envelope, body, game.entries)
        return Entry(number=self.journal.last + 1, envelope=envelope, body=body)

    def write(self, entry: Entry) -> Entry:
        """Writes an entry durably, unchanged."""
        return self.journal.append(entry.envelope, entry.body)

    def open_game(self, ruleset: Ruleset) -> Entry:
        """Opens a game that nobody asked for, and returns its entry."""
        opening = GameOpened(ruleset=ruleset, asks_for_sticks_in_play=False)
        return self.journal.append(entry_envelope(Source.TABLE, self._clock.utc()), opening)
