"""Where the pages hand in what people do: the table's loop, or a fake of it."""

from __future__ import annotations

from typing import Protocol

from table.game.game_commands import Command, JournalCommand
from table.game.journal.entries import Entry
from table.game.journal.journal_reader import GameStart
from table.game.snapshot import AccessNews
from table.rules.state import GameState


class TablePort(Protocol):
    """What takes commands. Everything raises `PressError` for what cannot be done now."""

    def handle(self, command: Command) -> None:
        """Carries a command out."""

    def entries(self, after: int, upto: int | None = None) -> tuple[Entry, ...]:
        """Returns the journal's entries with a number above `after`, up to and with `upto`."""

    def games(self, after: int) -> tuple[GameStart, ...]:
        """Returns where the games begin that entries with a number above `after` open, in order."""

    def tell(self, news: AccessNews) -> None:
        """Tells everybody at the table who may act now.

        Raises:
            TimeoutError: the table did not get to it in time; it is told later.
        """

    def preview(self, command: JournalCommand) -> GameState:
        """Returns the game as the command would make it."""
