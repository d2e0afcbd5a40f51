"""Additional looks at the felt, which show the table that it missed nothing while the camera was away.

A look is a report of everything on the felt, even if nothing has changed. Two are due once the camera is back, and one
after each change while play may have gone unseen: what lies there then, such as two tiles that a player has put back in
their places, must also be seen twice.
"""

from __future__ import annotations

from typing import Final

from table.game.input_feed import FrameWatcher
from table.game.referee.pending_findings import PATIENCE_NS
from vision.felt import FeltReport
from vision.frames import Frame

LOOK_COUNT: Final = 2
"""How many looks the referee needs, `PATIENCE_NS` apart."""


class LooksAfterLoss:
    """Counts the looks that are due since the camera started or came back."""

    def __init__(self) -> None:
        self._looks_left = 0
        self._due_ns = 0
        self._first_frame: int | None = None

    def begin(self, frame: Frame) -> None:
        """Starts counting: the first look is due with the frame after this one."""
        self._looks_left, self._due_ns, self._first_frame = LOOK_COUNT, frame.t_ns + 1, None

    def begin_after_change(self, frame: Frame) -> None:
        """Makes at least one look due `PATIENCE_NS` after the change that this frame shows."""
        self._looks_left, self._due_ns, self._first_frame = max(self._looks_left, 1), frame.t_ns + PATIENCE_NS, None

    def next(self, frame: Frame, watcher: FrameWatcher) -> FeltReport | None:
        """Returns a report without changes if a look is due and all that has lain still since is judged; else None."""
        if not self._looks_left or frame.t_ns < self._due_ns:
            return None
        if self._first_frame is None:
            self._first_frame = frame.k
        if watcher.last_judged_frame < self._first_frame:
            return None
        self._looks_left, self._due_ns, self._first_frame = self._looks_left - 1, frame.t_ns + PATIENCE_NS, None
        return FeltReport(frame=frame.k, t_ns=frame.t_ns, changes=(), felt=watcher.felt)
