"""Keeps past snapshots for broadcasts, which are delayed so that players cannot profit from them."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from time import monotonic
from typing import Final

from table.game.snapshot import Board, Snapshot

MOST_DELAY_S: Final = 900
"""The longest delay, in seconds."""


class PastSnapshots:
    """Keeps the board's snapshots of the last `MOST_DELAY_S`, without what cameras see. Thread-safe.

    The first snapshot counts as new when the program starts, so that a restart does not shorten the delay.
    """

    def __init__(self, board: Board, *, now: Callable[[], float] = monotonic) -> None:
        """Starts keeping snapshots; `now` returns monotonic seconds."""
        self._board = board
        self._now = now
        self._lock = threading.Lock()
        self._snapshots: deque[tuple[float, Snapshot]] = deque()
        board.call_on_change(self._keep)
        self._keep()

    def before(self, delay_s: float) -> Snapshot | None:
        """Returns the newest snapshot that is at least `delay_s` old; None if there is none yet."""
        newest_allowed_s = self._now() - delay_s
        with self._lock:
            return next((snapshot for at, snapshot in reversed(self._snapshots) if at <= newest_allowed_s), None)

    def _keep(self) -> None:
        with self._lock:
            latest = replace(self._board.latest, felt=None, announcements=(), doubts=())
            if self._snapshots and _shows_the_same(latest, self._snapshots[-1][1]):
                return
            now = self._now()
            self._snapshots.append((now, latest))
            while len(self._snapshots) > 1 and self._snapshots[1][0] <= now - MOST_DELAY_S:
                self._snapshots.popleft()


def _shows_the_same(one: Snapshot, other: Snapshot) -> bool:
    return (
        one.game is other.game
        and one.names == other.names
        and one.mode is other.mode
        and one.ruleset is other.ruleset
        and one.opened_by == other.opened_by
    )
