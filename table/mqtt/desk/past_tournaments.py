"""Keeps how a tournament stood, since a broadcast may show its standings with a delay."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from time import monotonic

from table.dashboard.broadcast.past_snapshots import MOST_DELAY_S
from table.mqtt.desk.tournament import Tournament


class PastTournaments:
    """A tournament as it stood in the last `MOST_DELAY_S`. May be used by several threads.

    What was there before the program began is as old as the program: a restart shortens no delay.
    """

    def __init__(self, first: Tournament | None, *, now: Callable[[], float] = monotonic) -> None:
        """Begins with how it stands; `now` gives seconds and never goes back."""
        self._now = now
        self._lock = threading.Lock()
        self._kept = deque([(now(), first)])

    def keep(self, tournament: Tournament | None) -> None:
        """Takes how it stands from now on."""
        with self._lock:
            now = self._now()
            self._kept.append((now, tournament))
            while len(self._kept) > 1 and self._kept[1][0] <= now - MOST_DELAY_S:
                self._kept.popleft()

    def before(self, delay_s: float) -> Tournament | None:
        """Returns how it stood so long ago; None where there was none, or it has not been followed so long."""
        due = self._now() - delay_s
        with self._lock:
            return next((tournament for at, tournament in reversed(self._kept) if at <= due), None)
