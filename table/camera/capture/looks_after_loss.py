"""Looks at the table, changed or not, by which it learns that it missed nothing while the camera was away.

Two are due once the camera is back, and one after each change while play may have gone unseen: what lies there then,
such as two tiles that a player has put back in their places, is to be seen twice as well.
"""

from __future__ import annotations

from typing import Final

from table.game.input_feed import FrameWatcher
from table.game.referee.pending_findings import PATIENCE_NS
from vision.felt import FeltReport
from vision.frames import Frame

LOOK_COUNT: Final = 2
"""How many looks the referee wants, `PATIENCE_NS` apart."""


class LooksAfterLoss:
    """The looks that are due since the camera is back, or began."""

    def __init__(self) -> None:
        self._looks_left = 0
        self._due_ns = 0
        self._first_frame: int | None = None

    def begin(self, frame: Frame) -> None:
        """Makes the looks due after the first frame since the camera is back."""
        self._looks_left, self._due_ns, self._first_frame = LOOK_COUNT, frame.t_ns + 1, None

    def begin_after_change(self, frame: Frame) -> None:
        """Makes at least one look due `PATIENCE_NS` after the change that this frame shows."""
        self._looks_left, self._due_ns, self._first_frame = max(self._looks_left, 1), frame.t_ns + PATIENCE_NS, None

    def next(self, frame: Frame, watcher: FrameWatcher) -> FeltReport | None:
        """Returns what lies on the felt if a look is due, once all that has been at rest since then has been judged."""
        if not self._looks_left or frame.t_ns < self._due_ns:
            return None
        if self._first_frame is None:
            self._first_frame = frame.k
        if watcher.last_judged_frame < self._first_frame:
            return None
        self._looks_left, self._due_ns, self._first_frame = self._looks_left - 1, frame.t_ns + PATIENCE_NS, None
        return FeltReport(frame=frame.k, t_ns=frame.t_ns, changes=(), felt=watcher.felt)
