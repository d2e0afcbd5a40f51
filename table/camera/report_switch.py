"""Between the camera and the table: while people practise or lay tiles out, the table hears nothing of it.

What the table was last told is remembered. When the felt is given back, the table is told once what lies there now.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

from table.camera.camera_thread import Inbox
from table.game.input_feed import Watcher
from vision.felt import Felt, FeltReport
from vision.frames import Frame
from vision.watching.changes import changes_between

Hears = Callable[[Frame, FeltReport | None], None]
"""Gets every frame, and what it changed if it changed anything."""


class ReportSwitch:
    """Gives each report to the table, or to whoever holds the felt meanwhile."""

    def __init__(self, inbox: Inbox) -> None:
        """Takes the table's inbox."""
        self._inbox = inbox
        self._lock = threading.Lock()
        self._hears: Hears | None = None
        self._until: Callable[[Felt], bool] | None = None
        self._last_felt = Felt()
        self._latest: FeltReport | None = None

    @property
    def is_held(self) -> bool:
        """Whether the table hears nothing now."""
        return self._hears is not None

    @property
    def latest(self) -> FeltReport | None:
        """The last report, whoever got it."""
        return self._latest

    def observe(self, frame: Frame, report: FeltReport | None, _: Watcher) -> None:
        """Takes a frame that was looked at, and its report."""
        with self._lock:
            hears = self._hears
            self._latest = report or self._latest
            if hears is None:
                if report is not None:
                    self._last_felt = report.felt
                    self._inbox.send(report)
                return
        hears(frame, report)  # may itself want the felt given back
        with self._lock:
            self._give_back_if_due()

    def hold(self, hears: Hears) -> None:
        """Lets `hears` have frames and reports until they are given back; it is called in the camera's thread."""
        with self._lock:
            self._hears, self._until = hears, None

    def give_back_when(self, is_clear: Callable[[Felt], bool]) -> None:
        """Lets the table have them again as soon as the felt is so; it is then told once what changed meanwhile."""
        with self._lock:
            self._until = is_clear
            self._give_back_if_due()

    def _give_back_if_due(self) -> None:
        latest = self._latest
        if self._hears is None or self._until is None or not (latest is None or self._until(latest.felt)):
            return
        self._hears = self._until = None
        if latest is not None and latest.felt != self._last_felt:
            changes = changes_between(self._last_felt, latest.felt)
            self._last_felt = latest.felt
            self._inbox.send(replace(latest, changes=changes))
