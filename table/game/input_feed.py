"""Feeds a table with what a camera sees and what people press, in the order in which both happened.

A press made at frame k waits until what lay on the felt at frame k has been judged: people see faster than a camera
that wants several agreeing looks.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Protocol

from table.game.game_commands import Press
from table.runtime.table_errors import PressError
from vision.felt import Felt, FeltReport
from vision.frames import Frame
from vision.geometry.calibration import Calibration

PATIENCE: Final = 50
"""Frames that a press waits at most for a place that does not come to rest: an arm may lie there for a minute."""
_log = logging.getLogger(__name__)


class Watcher(Protocol):
    """What looks at frames: `vision.watching.watcher.Watcher`."""

    def watch(self, frame: Frame) -> FeltReport | None:
        """Looks at the next frame; returns what it changed."""

    @property
    def last_judged_frame(self) -> int:
        """The last frame of which all that lay at rest has been judged; -1 before the first."""

    @property
    def felt(self) -> Felt:
        """What is believed to lie there."""

    @property
    def calibration(self) -> Calibration:
        """Where the table lies in the frames."""

    @property
    def is_in_place(self) -> bool:
        """Whether it lies there in the last frame: if not, no picture of that may be shown or kept."""


Observer = Callable[[Frame, FeltReport | None, Watcher], None]
"""Gets every frame after the watcher looked at it, what that reported, and the watcher."""


class Sink(Protocol):
    """What takes reports and presses: a table, or the loop that owns one."""

    def report(self, report: FeltReport) -> None:
        """Takes a report in."""

    def handle(self, command: Press) -> None:
        """Takes a press in.

        Raises:
            PressError: it is refused.
        """


def feed(
    frames: Iterable[Frame],
    watcher: Watcher,
    sink: Sink,
    presses: Iterable[Press] = (),
    *,
    observers: Sequence[Observer] = (),
) -> None:
    """Runs the frames through; each press waits for its own frame, and those still waiting at the end are made then.

    A press that is refused is logged and costs only itself.
    """
    waiting = deque(sorted(presses, key=_made_at))
    for frame in frames:
        report = watcher.watch(frame)
        for observe in observers:
            observe(frame, report, watcher)
        if report is not None:
            sink.report(report)
        while waiting and _is_due(_made_at(waiting[0]), watcher, frame):
            _press(sink, waiting.popleft())
    for press in waiting:
        _press(sink, press)


def _press(sink: Sink, press: Press) -> None:
    try:
        sink.handle(press)
    except PressError as error:
        _log.warning("the press at frame %s was refused: %s", press.frame, error)


def _made_at(press: Press) -> int:
    return press.frame or 0


def _is_due(made_at: int, watcher: Watcher, frame: Frame) -> bool:
    return made_at <= watcher.last_judged_frame or made_at + PATIENCE <= frame.k
