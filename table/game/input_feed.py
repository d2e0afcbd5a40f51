"""Feeds frames and presses to a table in chronological order.

A press at frame k waits until the watcher has judged the felt at frame k, since people see faster than a camera that
needs several agreeing frames.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Protocol

from table.game.commands.game_commands import Press
from table.runtime.table_errors import PressError
from vision.felt import Felt, FeltReport
from vision.frames import Frame
from vision.geometry.calibration import Calibration

PATIENCE: Final = 50
"""The most frames that a press waits for motion to end, since an arm may rest on the table for a minute."""
_log = logging.getLogger(__name__)


class FrameWatcher(Protocol):
    """A watcher of frames: `vision.watching.watcher.Watcher`."""

    def watch(self, frame: Frame) -> FeltReport | None:
        """Processes the next frame; returns the changes."""

    @property
    def last_judged_frame(self) -> int:
        """The last frame whose resting objects have all been judged; -1 before the first."""

    @property
    def felt(self) -> Felt:
        """The felt as it is currently read."""

    @property
    def calibration(self) -> Calibration:
        """The place of the table in the frames."""

    @property
    def is_in_place(self) -> bool:
        """Whether the table is in its place in the last frame; if not, that frame must not be shown or stored."""

    @property
    def is_blurred(self) -> bool:
        """Whether the table is in its place in the last frame, but out of focus, so that nothing was read."""


Observer = Callable[[Frame, FeltReport | None, FrameWatcher], None]
"""An observer, called after each frame with the frame, the watcher's report, and the watcher."""


class Sink(Protocol):
    """A receiver of reports and presses: a table, or the loop that owns one."""

    def report(self, report: FeltReport) -> None:
        """Handles a report."""

    def handle(self, command: Press) -> None:
        """Handles a press.

        Raises:
            PressError: it is refused.
        """


def feed(
    frames: Iterable[Frame],
    watcher: FrameWatcher,
    sink: Sink,
    presses: Iterable[Press] = (),
    *,
    observers: Sequence[Observer] = (),
) -> None:
    """Feeds all frames; each press waits for its frame, and presses still waiting are fed at the end.

    A refused press is logged and skipped.
    """
    waiting = deque(sorted(presses, key=_press_frame))
    for frame in frames:
        report = watcher.watch(frame)
        for observe in observers:
            observe(frame, report, watcher)
        if report is not None:
            sink.report(report)
        while waiting and _is_due(_press_frame(waiting[0]), watcher, frame):
            _press(sink, waiting.popleft())
    for press in waiting:
        _press(sink, press)


def _press(sink: Sink, press: Press) -> None:
    try:
        sink.handle(press)
    except PressError as error:
        _log.warning("the press at frame %s was refused: %s", press.frame, error)


def _press_frame(press: Press) -> int:
    return press.frame or 0


def _is_due(press_frame: int, watcher: FrameWatcher, frame: Frame) -> bool:
    return press_frame <= watcher.last_judged_frame or press_frame + PATIENCE <= frame.k
