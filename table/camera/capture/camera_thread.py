"""The camera's thread: it opens the camera, watches, and reopens it when lost; meanwhile the game continues by hand.

Each frame goes to the table's watcher and then, with its report, to every observer; while nobody is at the table, only
one frame per second does (`idle_pace`). The watcher survives the loss of the camera and keeps its beliefs about the
table.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Final, Protocol

from table.camera.capture.continuous_time import ContinuousTime
from table.camera.capture.idle_pace import IdlePace
from table.camera.capture.looks_after_loss import LooksAfterLoss
from table.game.input_feed import FrameWatcher, Observer
from table.game.snapshot import CameraHealth, CameraLoss
from table.game.table_loop import Message
from table.runtime.threads import Worker
from vision.errors import CalibrationError, VisionError, reason_and_place
from vision.frames import Camera, Frame
from vision.geometry.place_checks import UNSEEN
from vision.geometry.visibility.visibility import check_light

RETRY_S: Final = (1.0, 2.0, 5.0, 10.0)
"""Pauses before a lost camera is retried; the last one is repeated."""
ELSEWHERE_NS: Final = 2_000_000_000
"""Time after which a displaced or blurred table counts as lost; an arm over it is gone sooner."""
RECENT_FRAMES: Final = 50
"""Number of frames for measuring the frame rate and the processing time."""
_log = logging.getLogger(__name__)


class Inbox(Protocol):
    """A receiver of reports and the camera's health: `table.game.table_loop.TableLoop`."""

    def send(self, message: Message) -> object:
        """Puts a message into the inbox."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraCondition:
    """Whether the camera watches, and if not, why."""

    state: CameraHealth
    why: str = ""
    """Why the camera is lost."""
    says: str = ""
    """The key of the sentence for the host, ``health.why_SAYS``; empty if there is only `why`."""
    values: Mapping[str, str] = field(default_factory=dict)
    """The values to fill into that sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraStatus(CameraCondition):
    """The condition of the camera, with the figures of its thread."""

    frames: int = 0
    """Number of frames processed since the start."""
    fps: float = 0.0
    age_s: float | None = None
    """Seconds since the last frame; None before the first."""
    look_ms: float = 0.0
    """Average processing time of a frame."""
    look_ms_most: float = 0.0
    is_idle: bool = False
    """Whether nobody has been at the table for so long that only one frame per second is processed."""
    looking_s: float = 0.0
    """How long the current frame has been processed; 0 while waiting for the camera."""


class CameraThread(Worker):
    """Watches a table with one camera. A context manager: its thread runs inside ``with``."""

    def __init__(
        self,
        open_camera: Callable[[], Camera],
        watcher_for: Callable[[Frame], FrameWatcher],
        inbox: Inbox,
        *,
        observers: Sequence[Observer] = (),
        has_gap: Callable[[], bool] = lambda: False,
        lost_after_s: float = 5.0,
        retry_s: tuple[float, ...] = RETRY_S,
        now: Callable[[], float] = monotonic,
    ) -> None:
        """Takes the function that opens the camera, and the users of its frames.

        Args:
            open_camera: returns the camera, which is opened at the latest when entered; raises `VisionError` if there
                is none. It must not hang for ever (`vision.cameras.guards.hang_guard`).
            watcher_for: returns the watcher of the table in a frame; raises `CalibrationError` while none is in sight.
            inbox: is informed when the camera is lost and when it is back.
            observers: are called in order with every frame that the watcher processed; they must not block.
            has_gap: returns whether play may have gone unseen in this hand, so that each change is looked at again.
            lost_after_s: time without a frame after which the camera counts as lost.
            retry_s: pauses between attempts to reopen it.
            now: returns monotonic seconds.
        """
        super().__init__("camera", patience_s=lost_after_s + 5.0)
        self._open_camera = open_camera
        self._watcher_for = watcher_for
        self._inbox = inbox
        self._observers = observers
        self._has_gap = has_gap
        self._lost_after_s = lost_after_s
        self._retry_s = retry_s
        self._now = now
        self._condition = CameraCondition(state=CameraHealth.NONE)
        self._condition_lock = threading.Lock()
        """Held while the condition changes, by this thread or by `check`."""
        self._count = 0
        self._times: deque[float] = deque(maxlen=RECENT_FRAMES)
        self._durations_s: deque[float] = deque(maxlen=RECENT_FRAMES)
        self.pace = IdlePace()
        """Decides which frames are processed."""
        self._last_frame_at: float | None = None
        """When the last frame arrived, processed or not."""
        self._time = ContinuousTime()
        self._looks_after_loss = LooksAfterLoss()
        self._readable_ns: int | None = None
        """When the table was last seen in its place, and sharp."""
        self._has_seen = False
        self._looking_since: float | None = None

    @property
    def status(self) -> CameraStatus:
        """Returns the present state. Thread-safe."""
        times, durations_s, now, since = list(self._times), list(self._durations_s), self._now(), self._looking_since
        last_frame_at, condition = self._last_frame_at, self._condition
        span_s = times[-1] - times[0] if len(times) > 1 else 0.0
        return CameraStatus(
            state=condition.state,
            why=condition.why,
            says=condition.says,
            values=condition.values,
            frames=self._count,
            fps=(len(times) - 1) / span_s if span_s > 0 else 0.0,
            age_s=None if last_frame_at is None else now - last_frame_at,
            look_ms=1000 * sum(durations_s) / len(durations_s) if durations_s else 0.0,
            look_ms_most=1000 * max(durations_s, default=0.0),
            is_idle=self.pace.is_idle and condition.state is CameraHealth.OK,
            looking_s=0.0 if since is None else now - since,
        )

    @property
    def is_silent(self) -> bool:
        """Whether no frame has come for as long as a camera may take; False while one is being processed."""
        last_frame_at = self._last_frame_at
        is_late = last_frame_at is None or self._now() - last_frame_at > self._lost_after_s
        return is_late and self._looking_since is None

    def check(self) -> None:
        """Reports the camera as lost if it hangs; called from time to time by another thread."""
        status = self.status
        if status.state is CameraHealth.OK and status.age_s is not None and status.age_s > self._lost_after_s:
            self._lose(f"no frame for {status.age_s:.0f} s", "no_frames")

    def _run(self) -> None:
        failures = 0
        while not self._stopping.is_set():
            self._has_seen = False
            try:
                self._watch()
                self._lose("the camera delivers no more frames", "no_frames")
            except VisionError as error:
                self._lose(str(error), error.says, error.values)
            except Exception as error:
                _log.exception("unexpected error in the camera thread")
                kind, text = type(error).__name__, reason_and_place(error)
                self._lose(text if isinstance(error, OSError) or text == kind else f"{kind}: {text}", "broken")
            failures = 0 if self._has_seen else failures + 1
            self._stopping.wait(self._retry_s[min(failures, len(self._retry_s) - 1)])

    def _watch(self) -> None:
        """Watches until the camera ends."""
        with self._open_camera() as camera:
            for frame in camera.frames():
                if self._stopping.is_set():
                    return
                timed = replace(frame, t_ns=self._time.of(frame))
                if self.pace.wants(timed) or self._condition.state is not CameraHealth.OK:
                    self._process(timed)
                else:
                    self._last_frame_at = self._now()

    def _process(self, frame: Frame) -> None:
        try:
            self._look_at(frame)
            self._has_seen = True
            if self._condition.state is not CameraHealth.OK:
                _log.info("the camera watches")
                self._change_to(CameraCondition(state=CameraHealth.OK))
        except CalibrationError as error:
            self._lose(str(error), error.says or "not_found", error.values)
        finally:
            self._count += 1  # last: a frame counts once all that it changes is in the status

    def _look_at(self, frame: Frame) -> None:
        start = self._looking_since = self._now()
        try:
            self._hand_on(replace(frame, k=self._count))
        finally:
            self._looking_since = None
            self._last_frame_at = self._now()
            self._times.append(self._last_frame_at)
            self._durations_s.append(self._last_frame_at - start)

    def _hand_on(self, frame: Frame) -> None:
        watcher = self._watcher_for(frame)
        if self._condition.state is not CameraHealth.OK:
            self._looks_after_loss.begin(frame)
        report = watcher.watch(frame)
        if report is None:
            report = self._looks_after_loss.next(frame, watcher)
        elif self._has_gap():
            self._looks_after_loss.begin_after_change(frame)
        for observe in self._observers:
            observe(frame, report, watcher)
        if (watcher.is_in_place and not watcher.is_blurred) or self._readable_ns is None:
            self._readable_ns = frame.t_ns
        if frame.t_ns - self._readable_ns >= ELSEWHERE_NS:
            raise _loss_of_sight(frame, watcher)

    def _lose(self, why: str, says: str, values: Mapping[str, str] | None = None) -> None:
        if self._stopping.is_set():
            return
        if why != self._condition.why:
            _log.warning("the camera is lost: %s", why)
        self._change_to(CameraCondition(state=CameraHealth.LOST, why=why, says=says, values=values or {}))

    def _change_to(self, condition: CameraCondition) -> None:
        with self._condition_lock:
            before, self._condition = self._condition, condition  # set before the table announces it
            if condition.state is not before.state:
                is_unseen = condition.state is CameraHealth.LOST and condition.says in UNSEEN
                self._inbox.send(CameraLoss(reason=condition.says) if is_unseen else condition.state)


def _loss_of_sight(frame: Frame, watcher: FrameWatcher) -> CalibrationError:
    """Returns why the table has been out of place or blurred for too long.

    Raises:
        CalibrationError: the frame is dark, or something covers the lens.
    """
    if watcher.is_blurred:
        return CalibrationError(
            "expected a sharp picture, got one in which no tile can be read: focus the lens, and wipe it",
            says="blurred",
        )
    check_light(frame.image, watcher.calibration)
    return CalibrationError(
        "expected the table where it was found, got it elsewhere or hidden: the camera or the table was moved; "
        "put it back, or find the table again in the set-up",
        says="elsewhere",
    )
