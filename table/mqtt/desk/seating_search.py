"""Searches a seating in a thread of its own, so that nobody's page waits for it."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from time import monotonic
from typing import Final

from table.mqtt.desk.seating import SEARCHED_S, Tables, seated

Done = Callable[[tuple[Tables, ...]], None]


class SeatingSearch:
    """A search for as few meetings again as are found in a minute. It begins when it is made."""

    def __init__(self, players: int, rounds: int, done: Done, *, now: Callable[[], float] = monotonic) -> None:
        """Begins.

        Args:
            players: how many there are, four a table.
            rounds: how many are wanted.
            done: takes what was found, in the thread of the search; not called once it was given up.
            now: tells seconds.
        """
        self.players: Final = players
        self.rounds: Final = rounds
        self._done = done
        self._now = now
        self._begun = now()
        self._is_enough = threading.Event()
        self._is_given_up = threading.Event()
        self._thread = threading.Thread(target=self._run, name="seating", daemon=True)
        self._thread.start()

    @property
    def seconds(self) -> int:
        """For how long it has searched."""
        return min(round(SEARCHED_S), int(self._now() - self._begun))

    def end(self) -> None:
        """Takes what is found by now; what is missing is filled in as it comes."""
        self._is_enough.set()

    def give_up(self) -> None:
        """Ends it for nothing; waits until it has."""
        self._is_given_up.set()
        self._is_enough.set()
        self._thread.join()

    def _time(self) -> float:
        return math.inf if self._is_enough.is_set() else self._now()

    def _run(self) -> None:
        found = tuple(seated(self.players, self.rounds, now=self._time))
        if not self._is_given_up.is_set():
            self._done(found)
