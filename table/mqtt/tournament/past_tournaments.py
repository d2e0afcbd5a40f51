"""Keeps past states of a tournament, since a broadcast may show its standings with a delay."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from time import monotonic

from table.dashboard.broadcast.past_snapshots import MOST_DELAY_S
from table.mqtt.tournament.tournament import Tournament


class PastTournaments:
    """The states of a tournament in the last `MOST_DELAY_S`. Thread-safe.

    The first state counts as new when the program starts, so that a restart does not shorten the delay.
    """

    def __init__(self, first: Tournament | None, *, now: Callable[[], float] = monotonic) -> None:
        """Starts with the present state; `now` returns monotonic seconds."""
        self._now = now
        self._lock = threading.Lock()
        self._states = deque([(now(), first)])

    def keep(self, tournament: Tournament | None) -> None:
        """Stores the state that holds from now on."""
        with self._lock:
            now = self._now()
            self._states.append((now, tournament))
            while len(self._states) > 1 and self._states[1][0] <= now - MOST_DELAY_S:
                self._states.popleft()

    def state_before(self, delay_s: float) -> Tournament | None:
        """Returns the state `delay_s` ago; None if there was no tournament, or the program did not run yet."""
        moment = self._now() - delay_s
        with self._lock:
            return next((tournament for at, tournament in reversed(self._states) if at <= moment), None)
