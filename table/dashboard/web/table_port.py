"""Where the pages hand in what people do: the table's loop, or a fake of it."""

from __future__ import annotations

from typing import Protocol

from table.game.game_commands import Act
from table.game.journal.entries import Entry
from table.game.presses import Press
from table.rules.state import GameState


class Desk(Protocol):
    """What takes presses and acts. Everything raises `PressError` for what cannot be done now."""

    def press(self, press: Press) -> None:
        """Takes a press in."""

    def act(self, act: Act) -> None:
        """Takes an act in."""

    def entries(self, after: int) -> tuple[Entry, ...]:
        """Returns the journal's entries with a number above `after`."""

    def preview(self, act: Act) -> GameState:
        """Returns the game as the act would make it."""
