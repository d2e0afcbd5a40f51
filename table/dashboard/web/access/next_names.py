"""Names that people gave on sitting down after a game was over: the next game's, so the finished one keeps its own.

They are among the table's secrets, with the phones' seats, and outlast a restart as those do.
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

_KEPT: Final = "next game"
"""The name under which they are stored."""
_log = logging.getLogger(__name__)


class NextNames:
    """Who sits where from the next game on, as far as that differs from the finished one."""

    def __init__(self, vault: Vault) -> None:
        """Restores the names from the end of the last run."""
        self._vault = vault

    def changed(self, game: int) -> Mapping[Seat, str]:
        """Returns the names that differ once the game is over that the entry `game` opened; empty for nobody."""
        try:
            kept = read_json(self._vault.kept.get(_KEPT, "{}").encode())
        except ValueError:
            kept = None
        if not isinstance(kept, dict) or kept.get("game") != game or not isinstance(kept.get("names"), dict):
            return {}
        names = kept["names"]
        return {seat: name for seat in SEATS if isinstance(name := names.get(str(int(seat))), str)}

    def after(self, game: int, names: Sequence[str]) -> tuple[str, ...]:
        """Returns the names by seat in the game after one with these names."""
        changed = self.changed(game)
        return tuple(changed.get(seat, names[seat]) for seat in SEATS)

    def store(self, game: int, names: Mapping[Seat, str]) -> None:
        """Stores names for the game after `game`, beside those given before."""
        changed = {str(int(seat)): name for seat, name in {**self.changed(game), **names}.items()}
        try:
            self._vault.store({_KEPT: json.dumps({"game": game, "names": changed})})
        except ConfigError as error:
            _log.warning("the names for the next game are lost when the program ends: %s", error)

    def move(self, game: int, order: Sequence[Seat]) -> None:
        """Moves the names with people who change seats in the finished game: from each seat to `order[seat]`."""
        if changed := self.changed(game):
            self._vault.store({_KEPT: None})
            self.store(game, {order[seat]: name for seat, name in changed.items()})
