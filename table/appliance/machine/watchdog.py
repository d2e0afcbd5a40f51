"""Checks that the appliance is alive and notifies the watchdog; systemd restarts a program that hangs.

The loop must complete a turn, and the page must answer a request: a table that nobody can reach is useless. A camera
that hangs or is missing is no reason for a restart: the table is kept by hand, and the camera is retried.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from time import monotonic
from typing import Final, Protocol

from table.camera.capture.camera_thread import CameraThread
from table.health.systemd import Notifier
from table.runtime.threads import Worker
from vision.errors import reason_and_place

DAY_S: Final = 24 * 3600.0
BEAT_S: Final = 5.0
"""Interval of the checks, unless the watchdog requires a shorter one."""
HANGS_S: Final = 60.0
"""Time after which processing a frame is considered hung, a fault that only a restart repairs."""
_log = logging.getLogger(__name__)


class TurningLoop(Protocol):
    """A loop that completes turns while alive: `table.game.table_loop.TableLoop`."""

    def turn(self, timeout: float) -> None:
        """Waits for one complete turn; raises `TimeoutError` if there is none in time."""


class Watchdog(Worker):
    """Checks loop, page and camera thread, feeds the watchdog while they are alive, and runs daily tasks.

    A context manager.
    """

    def __init__(
        self,
        loop: TurningLoop,
        camera_thread: CameraThread | None,
        notifier: Notifier,
        daily: Callable[[], None],
        *,
        check_page: Callable[[float], None] = lambda _: None,
    ) -> None:
        """Takes what to check; `check_page` raises `OSError` if the page does not answer within the given seconds."""
        super().__init__("watchdog")
        self._loop = loop
        self._camera_thread = camera_thread
        self._notifier = notifier
        self._check_page = check_page
        self._daily = daily
        self._beat_s = min(BEAT_S, (notifier.watchdog_s or BEAT_S) / 3)
        self._daily_at: float | None = None

    def ping_watchdog(self) -> bool:
        """Checks everything once; returns whether all is well."""
        try:
            self._loop.turn(self._beat_s * 2)
        except TimeoutError:
            _log.error("the loop is stuck")
            return False
        except Exception:  # the loop is alive; it tries the journal again in its next turn
            _log.exception("the loop is alive, but the journal could not be written")
        try:
            self._check_page(self._beat_s * 2)
        except OSError as error:
            _log.error("the page does not answer: %s", reason_and_place(error))
            return False
        if self._camera_thread is not None:
            self._camera_thread.check()
            if self._camera_thread.status.looking_s > HANGS_S:
                _log.error("processing a frame does not end")
                return False
        self._notifier.notify("WATCHDOG=1")
        return True

    def _run(self) -> None:
        while not self._stopping.wait(self._beat_s):
            self.ping_watchdog()
            if self._daily_at is None or monotonic() - self._daily_at >= DAY_S:
                self._daily_at = monotonic()
                # In a thread of its own: on a slow card a long journal's backup takes longer than systemd waits.
                threading.Thread(target=self._do_daily, name="daily tasks", daemon=True).start()

    def _do_daily(self) -> None:
        try:
            self._daily()
        except Exception:
            _log.exception("the daily tasks failed")
