"""The names that belong to the same person, and the guests: stored beside the journal, which stays unchanged."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from zlib import crc32

from flask import has_request_context

from table.dashboard.games.archive.past_games import PlayerRecord
from table.dashboard.web.browser_language import request_texts
from table.game.journal.authors import with_names
from table.game.journal.entries import Names
from table.game.journal.history.game_history import GameHistory
from table.game.journal.history.game_summary import GameSummary
from table.records.season.people import FILE, GUEST, People, read_people, write_people
from table.rules.terms.seats import four
from table.runtime.person_name import normalised_name
from table.runtime.table_errors import ConfigError, PressError
from vision.errors import reason

_log = logging.getLogger(__name__)


class KnownPeople:
    """The known people, stored in a file; without one, they last until the program ends. Thread-safe."""

    def __init__(self, folder: Path | None) -> None:
        """Reads the file in that folder; an unreadable one is reported and left unchanged."""
        self._path = None if folder is None else folder / FILE
        self._lock = threading.Lock()
        self.people = People()
        self._is_readable = True
        try:
            self.people = People() if self._path is None else read_people(self._path)
        except ConfigError as error:
            _log.warning("%s", error)
            self._is_readable = False

    @property
    def mark(self) -> str:
        """A short mark of the known people, which changes whenever the owner changes them."""
        return f"{crc32(repr((sorted(self.people.persons.items()), sorted(self.people.guests))).encode()):08x}"

    def change(self, people: People, *, before: People | None = None, seen_mark: str = "") -> None:
        """Stores the people as changed by the owner.

        Args:
            people: the changed people.
            before: the people on which the change is based; None if it does not matter.
            seen_mark: the `mark` of the page on which the change was chosen; empty for any.

        Raises:
            PressError: somebody else changed the people since.
            ConfigError: the file contains something else, or cannot be written.
        """
        with self._lock:
            if before not in (None, self.people) or seen_mark not in ("", self.mark):
                raise PressError("expected the people as they are, got a change of earlier ones", says="done_since")
            if not self._is_readable:
                raise ConfigError(f"expected the people of a season in {self._path}, got something else")
            try:
                if self._path is not None:
                    write_people(self._path, people)
            except OSError as error:
                raise ConfigError(f"expected a writable file at {self._path}, got: {reason(error)}") from error
            self.people = people

    def names(self, names: Names) -> Names:
        """Returns the displayed names for these names; a guest is named in the language of the present request."""
        return four(map(self._displayed_name, names))

    def _displayed_name(self, name: str) -> str:
        return self.people.shown_name(name, request_texts().text("season.guest") if has_request_context() else GUEST)

    def person(self, name: str) -> str:
        """Returns the person who plays under a name, also for a guest; empty for an empty name."""
        name = normalised_name(name)
        return self.people.persons.get(name, name)

    def game(self, game: GameHistory) -> GameHistory:
        """Returns a game with the displayed names of its players; a game in progress keeps the names as entered."""
        if not game.state.is_over:
            return game
        adjustments = (
            replace(
                adjustment, event=replace(adjustment.event, by=with_names(adjustment.event.by, self._displayed_name))
            )
            for adjustment in game.state.adjustments
        )
        return replace(
            game,
            names=self.names(game.names),
            hand_names=tuple(map(self.names, game.hand_names)),
            adjustment_names=tuple(map(self.names, game.adjustment_names)),
            state=replace(game.state, adjustments=tuple(adjustments)),
        )

    def summary(self, game: GameSummary) -> GameSummary:
        """Returns a game's summary with the displayed names of its players."""
        return replace(game, names=self.names(game.names))

    def records(self, players: Iterable[PlayerRecord]) -> list[PlayerRecord]:
        """Returns each person's results, by points, without guests."""
        found: dict[str, PlayerRecord] = {}
        for player in players:
            if (person := self.people.person(player.name)) is not None:
                record = replace(player, name=person)
                found[person] = record if person not in found else found[person] + record
        return sorted(found.values(), key=lambda place: -place.points)

    def offered_names(self, names: Iterable[str]) -> list[str]:
        """Returns the names of persons offered in fields, sorted."""
        return sorted({person for name in names if (person := self.people.person(name)) is not None})
