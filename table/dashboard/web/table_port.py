"""The interface of the pages to the table: its loop, or a fake."""

from __future__ import annotations

from typing import Protocol

from table.game.commands.game_commands import Command, JournalCommand
from table.game.journal.entries import Entry
from table.game.journal.fold import FoldedGame
from table.game.journal.journal_reader import GameStart
from table.game.snapshot import AccessNews, Snapshot


class TablePort(Protocol):
    """Takes commands, and reads the journal.

    A command raises `PressError` if it is not possible now, and `TimeoutError` if the table does not answer in time.
    """

    def handle(self, command: Command) -> None:
        """Carries out a command."""

    def entries(self, after: int, upto: int | None = None) -> tuple[Entry, ...]:
        """Returns the journal's entries with numbers above `after`, up to and including `upto`.

        Raises:
            JournalError: they cannot be read now.
        """

    def games(self, after: int) -> tuple[GameStart, ...]:
        """Returns the starts of the games opened by entries with numbers above `after`, in order.

        Raises:
            JournalError: the journal cannot be read now.
        """

    def tell(self, news: AccessNews) -> None:
        """Informs everybody at the table who may act now.

        Raises:
            TimeoutError: the table did not answer in time, and informs them later.
        """

    def preview(self, command: JournalCommand) -> tuple[Snapshot, FoldedGame]:
        """Returns the table as it is, and the game as it would be after the command, of the same moment."""
