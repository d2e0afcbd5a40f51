"""Switches reports between the table and the set-up: the table gets none during a rehearsal or a scan.

The last report to the table is remembered; afterwards, the table gets one report with all changes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

from table.camera.capture.camera_thread import Inbox
from table.game.input_feed import FrameWatcher
from vision.felt import Felt, FeltReport
from vision.frames import Frame
from vision.watching.changes import changes_between

Receiver = Callable[[Frame, FeltReport | None], None]
"""A receiver of every frame with its report, if anything changed."""


class ReportSwitch:
    """Passes each report to the table, or to the present holder of the felt."""

    def __init__(self, inbox: Inbox) -> None:
        """Takes the table's inbox."""
        self._inbox = inbox
        self._lock = threading.Lock()
        self._receiver: Receiver | None = None
        self._is_clear: Callable[[Felt], bool] | None = None
        self._last_felt = Felt()
        self._latest: FeltReport | None = None

    @property
    def is_held(self) -> bool:
        """Whether the felt is held, so that the table gets no reports."""
        return self._receiver is not None

    @property
    def latest(self) -> FeltReport | None:
        """The last report, whoever received it."""
        return self._latest

    def observe(self, frame: Frame, report: FeltReport | None, _: FrameWatcher) -> None:
        """Handles a processed frame and its report."""
        with self._lock:
            receiver = self._receiver
            self._latest = report or self._latest
            if receiver is None:
                if report is not None:
                    self._last_felt = report.felt
                    self._inbox.send(report)
                return
        receiver(frame, report)  # the receiver may return the felt itself
        with self._lock:
            self._give_back_if_due()

    def hold(self, receiver: Receiver) -> None:
        """Passes frames and reports to `receiver`, in the camera's thread, until the felt is returned."""
        with self._lock:
            self._receiver, self._is_clear = receiver, None

    def give_back_when(self, is_clear: Callable[[Felt], bool]) -> None:
        """Returns the felt to the table as soon as the condition holds, with one report of all changes."""
        with self._lock:
            self._is_clear = is_clear
            self._give_back_if_due()

    def _give_back_if_due(self) -> None:
        latest = self._latest
        if self._receiver is None or self._is_clear is None or not (latest is None or self._is_clear(latest.felt)):
            return
        self._receiver = self._is_clear = None
        if latest is not None and latest.felt != self._last_felt:
            changes = changes_between(self._last_felt, latest.felt)
            self._last_felt = latest.felt
            self._inbox.send(replace(latest, changes=changes))
