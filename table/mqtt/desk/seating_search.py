"""Searches for a seating in a separate thread, so that no page waits for it."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from time import monotonic
from typing import Final

from table.mqtt.tournament.round_seating import SEARCH_S, Tables, find_seating
from table.runtime.threads import wait_until_ended

OnFound = Callable[[tuple[Tables, ...]], None]


class SeatingSearch:
    """A search for a seating with few repeated meetings, at most a minute long. It starts at once."""

    def __init__(self, players: int, rounds: int, on_found: OnFound) -> None:
        """Starts the search.

        Args:
            players: the number of players, four per table.
            rounds: the number of rounds.
            on_found: called with the seating, in the search's thread, unless the search was aborted.
        """
        self.players: Final = players
        self.rounds: Final = rounds
        self._on_found = on_found
        self._started_at = monotonic()
        self._is_enough = threading.Event()
        self._is_given_up = threading.Event()
        self._thread = threading.Thread(target=self._run, name="seating", daemon=True)
        self._thread.start()

    @property
    def seconds(self) -> int:
        """The duration of the search so far."""
        return min(round(SEARCH_S), int(monotonic() - self._started_at))

    def end(self) -> None:
        """Ends the search with the best seating so far; missing rounds are filled without optimising."""
        self._is_enough.set()

    def give_up(self) -> None:
        """Aborts the search, and waits until it has ended, but not for long."""
        self._is_given_up.set()
        self._is_enough.set()
        wait_until_ended(self._thread)

    def _time(self) -> float:
        return math.inf if self._is_enough.is_set() else monotonic()

    def _run(self) -> None:
        found = tuple(find_seating(self.players, self.rounds, now=self._time))
        if not self._is_given_up.is_set():
            self._on_found(found)
