"""The names that people enter on sitting down after a game: they are for the next game; the finished one keeps its own.

They are stored among the table's secrets, like the phones' seats, and so outlast a restart.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from typing import Final

from table.dashboard.web.access.vault import Vault
from table.rules.terms.seats import SEATS, Seat
from table.runtime.table_errors import ConfigError
from vision.json_text import read_json

_STORED_AS: Final = "next game"
"""The key of these names among the table's secrets."""
_log = logging.getLogger(__name__)


class NextNames:
    """The names of the next game, as far as they differ from those of the finished one."""

    def __init__(self, vault: Vault) -> None:
        """Restores the names from the end of the last run."""
        self._vault = vault

    def changed_names(self, game: int) -> Mapping[Seat, str]:
        """Returns the names that change after the game that the entry `game` opened; empty where nobody is named."""
        try:
            stored = read_json(self._vault.stored_texts.get(_STORED_AS, "{}").encode())
        except ValueError:
            stored = None
        if not isinstance(stored, dict) or stored.get("game") != game or not isinstance(stored.get("names"), dict):
            return {}
        names = stored["names"]
        return {seat: name for seat in SEATS if isinstance(name := names.get(str(int(seat))), str)}

    def after(self, game: int, names: Sequence[str]) -> tuple[str, ...]:
        """Returns the names by seat after the game that the entry `game` opened, which was played under `names`."""
        changes = self.changed_names(game)
        return tuple(changes.get(seat, names[seat]) for seat in SEATS)

    def store(self, game: int, names: Mapping[Seat, str]) -> None:
        """Adds names to those stored for the game after `game`; logs a warning if they cannot be stored."""
        self._replace(game, {**self.changed_names(game), **names})

    def move(self, game: int, order: Sequence[Seat]) -> None:
        """Moves the names with people who change seats in the finished game: from each seat to `order[seat]`."""
        if changes := self.changed_names(game):
            self._replace(game, {order[seat]: name for seat, name in changes.items()})

    def _replace(self, game: int, names: Mapping[Seat, str]) -> None:
        changes = {str(int(seat)): name for seat, name in names.items()}
        try:
            self._vault.store({_STORED_AS: json.dumps({"game": game, "names": changes})})
        except ConfigError as error:
            _log.warning("the names for the next game are lost when the program ends: %s", error)
