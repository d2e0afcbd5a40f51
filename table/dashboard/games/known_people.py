"""Which names belong to the same person, and who is a guest: stored beside the journal, which stays unchanged."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from flask import has_request_context

from table.dashboard.games.past_games import PlayerRecord
from table.dashboard.web.browser_language import request_texts
from table.game.journal.entries import Names
from table.game.journal.game_history import GameHistory
from table.game.journal.game_summary import GameSummary
from table.records.season.people import FILE, GUEST, People, read_people, write_people
from table.rules.terms.seats import four
from table.runtime.table_errors import ConfigError

_log = logging.getLogger(__name__)


class KnownPeople:
    """The known people, stored in a file; without one they end with the program. Thread-safe."""

    def __init__(self, folder: Path | None) -> None:
        """Reads the file of that folder; one that cannot be read is reported and left as it is."""
        self._path = None if folder is None else folder / FILE
        self._lock = threading.Lock()
        self.people = People()
        self._is_readable = True
        try:
            self.people = People() if self._path is None else read_people(self._path)
        except ConfigError as error:
            _log.warning("%s", error)
            self._is_readable = False

    def change(self, people: People) -> None:
        """Keeps people as the owner has them now.

        Raises:
            ConfigError: the file holds something else, or cannot be written.
        """
        with self._lock:
            if not self._is_readable:
                raise ConfigError(f"expected the people of a season in {self._path}, got something else")
            try:
                if self._path is not None:
                    write_people(self._path, people)
            except OSError as error:
                raise ConfigError(f"expected a file that can be written at {self._path}, got: {error}") from error
            self.people = people

    def names(self, names: Names) -> Names:
        """Returns how pages call who played under those names, a guest in the language of the present request."""
        guest = request_texts().text("season.guest") if has_request_context() else GUEST
        return four(self.people.shown(name, guest) for name in names)

    def game(self, game: GameHistory) -> GameHistory:
        """Returns a game with its players as pages call them; one that goes on has them as they sit there."""
        return replace(game, names=self.names(game.names)) if game.state.is_over else game

    def summary(self, game: GameSummary) -> GameSummary:
        """Returns a game in short with its players as pages call them."""
        return replace(game, names=self.names(game.names))

    def records(self, players: Iterable[PlayerRecord]) -> list[PlayerRecord]:
        """Returns what each person has reached, by points; of guests nothing."""
        found: dict[str, PlayerRecord] = {}
        for player in players:
            if (person := self.people.person(player.name)) is not None:
                own = replace(player, name=person)
                found[person] = own if person not in found else found[person] + own
        return sorted(found.values(), key=lambda each: -each.points)

    def offered(self, names: Iterable[str]) -> list[str]:
        """Returns the persons that fields offer, by name."""
        return sorted({person for name in names if (person := self.people.person(name)) is not None})
