"""The camera at work: one thread opens it, watches, and opens it again when it is lost; the game goes on by hand.

Each frame goes to the table's watcher, and then with its report to every observer; while nobody is at the table, one
frame a second does (`table.camera.idle_pace`). The watcher outlives a camera that is lost and comes back: what it
believed to lie on the table still does.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Final, Protocol

from table.camera.idle_pace import IdlePace
from table.game.input_feed import Observer, Watcher
from table.game.snapshot import CameraHealth
from table.game.table_loop import Message
from table.runtime.worker import Worker
from vision.errors import CalibrationError, VisionError
from vision.frames import Camera, Frame

RETRY_S: Final = (1.0, 2.0, 5.0, 10.0)
"""How long a lost camera is let be before it is tried again; the last one from then on."""
GAP_NS: Final = 1_000_000_000
"""Between the last frame and the first one of a source whose time begins anew."""
ELSEWHERE_NS: Final = 2_000_000_000
"""A table that does not lie in its place for so long counts as lost: an arm over it is gone sooner."""
RECENT: Final = 50
"""Frames that rate and looking time are measured over."""
_log = logging.getLogger(__name__)


class Inbox(Protocol):
    """What takes in reports and the camera's health: `table.game.table_loop.TableLoop`."""

    def send(self, message: Message) -> object:
        """Puts a message into the inbox."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraStatus:
    """How the camera and its thread stand."""

    state: CameraHealth
    why: str = ""
    """Why the camera is lost."""
    tells: str = ""
    """Names what a host is told of it, ``health.why_TELLS`` of the catalogue; empty where only `why` tells."""
    frames: int = 0
    """How many were looked at since the start."""
    fps: float = 0.0
    age_s: float | None = None
    """Since the last frame; None before the first."""
    look_ms: float = 0.0
    """How long looking at a frame takes, on average."""
    look_ms_most: float = 0.0
    is_idle: bool = False
    """Whether nobody has been at the table for so long that one frame a second is looked at."""
    looking_s: float = 0.0
    """How long it has been looking at the one frame; 0 while it waits for a camera, whatever that does."""


class CameraThread(Worker):
    """Watches a table with one camera. A context manager: the thread lives inside ``with``."""

    def __init__(
        self,
        open_camera: Callable[[], Camera],
        watcher_for: Callable[[Frame], Watcher],
        inbox: Inbox,
        *,
        observers: Sequence[Observer] = (),
        lost_after_s: float = 5.0,
        retry_s: tuple[float, ...] = RETRY_S,
        now: Callable[[], float] = monotonic,
    ) -> None:
        """Takes what opens the camera, and who looks at its frames.

        Args:
            open_camera: gives the camera, which is opened when it is entered at the latest; raises `VisionError` where
                there is none. It may not hang for ever (`vision.cameras.hang_guard`).
            watcher_for: gives the watcher of the table in a frame; raises `CalibrationError` while it is not in sight.
            inbox: hears when the camera is lost and when it is back.
            observers: get every frame that the watcher looked at, in this order; they may not hold the thread up.
            lost_after_s: without a frame for so long the camera counts as lost.
            retry_s: pauses before it is opened again.
            now: monotonic seconds.
        """
        super().__init__("camera", patience_s=lost_after_s + 5.0)
        self._opened = open_camera
        self._watcher_for = watcher_for
        self._inbox = inbox
        self._observers = observers
        self._lost_after_s = lost_after_s
        self._retry_s = retry_s
        self._now = now
        self._state, self._why, self._tells, self._count = CameraHealth.NONE, "", "", 0
        self._times: deque[float] = deque(maxlen=RECENT)
        self._durations_ms: deque[float] = deque(maxlen=RECENT)
        self.pace = IdlePace()
        """Which frames are looked at."""
        self._came_at: float | None = None
        """When the last frame came, looked at or not."""
        self._ahead_ns, self._last_ns = 0, -1
        self._in_place_ns: int | None = None
        self._has_seen = False
        self._looking_since: float | None = None

    @property
    def status(self) -> CameraStatus:
        """How they stand now. May be asked by any thread."""
        times, durations_ms, now, since = list(self._times), list(self._durations_ms), self._now(), self._looking_since
        came_at = self._came_at
        spent = times[-1] - times[0] if len(times) > 1 else 0.0
        return CameraStatus(
            state=self._state,
            why=self._why,
            tells=self._tells,
            frames=self._count,
            fps=(len(times) - 1) / spent if spent > 0 else 0.0,
            age_s=None if came_at is None else now - came_at,
            look_ms=1000 * sum(durations_ms) / len(durations_ms) if durations_ms else 0.0,
            look_ms_most=1000 * max(durations_ms, default=0.0),
            is_idle=self.pace.is_idle and self._state is CameraHealth.OK,
            looking_s=0.0 if since is None else now - since,
        )

    def check(self) -> None:
        """Says that the camera is lost if it hangs; called from time to time by another thread."""
        age = self.status.age_s
        if self._state is CameraHealth.OK and age is not None and age > self._lost_after_s:
            self._lose(f"no frame for {age:.0f} s", "no_frames")

    def _run(self) -> None:
        failures = 0
        while not self._stopping.is_set():
            self._has_seen = False
            try:
                self._watch()
                self._lose("the camera gives no more frames", "no_frames")
            except VisionError as error:
                self._lose(str(error), error.tells)
            except Exception as error:
                _log.exception("the camera thread stumbled")
                self._lose(repr(error), "broken")
            failures = 0 if self._has_seen else failures + 1
            self._stopping.wait(self._retry_s[min(failures, len(self._retry_s) - 1)])

    def _watch(self) -> None:
        """Watches until the camera ends."""
        with self._opened() as camera:
            for frame in camera.frames():
                if self._stopping.is_set():
                    return
                timed = replace(frame, t_ns=self._time_of(frame))
                if self.pace.wants(timed) or self._state is not CameraHealth.OK:
                    self._process(timed)
                else:
                    self._came_at = self._now()

    def _process(self, frame: Frame) -> None:
        begun = self._looking_since = self._now()
        try:
            self._hand_on(replace(frame, k=self._count))
        except CalibrationError as error:
            self._lose(str(error), error.tells or "not_found")
            return
        finally:
            self._count += 1
            self._looking_since = None
            self._came_at = self._now()
            self._times.append(self._came_at)
            self._durations_ms.append(self._came_at - begun)
        self._has_seen = True
        if self._state is not CameraHealth.OK:
            _log.info("the camera watches")
            self._state, self._why, self._tells = CameraHealth.OK, "", ""
            self._inbox.send(CameraHealth.OK)

    def _hand_on(self, frame: Frame) -> None:
        watcher = self._watcher_for(frame)
        report = watcher.watch(frame)
        for observe in self._observers:
            observe(frame, report, watcher)
        if watcher.is_in_place or self._in_place_ns is None:
            self._in_place_ns = frame.t_ns
        if frame.t_ns - self._in_place_ns >= ELSEWHERE_NS:
            raise CalibrationError(
                "expected the table where it was found, got it elsewhere or hidden: the camera or the table was moved; "
                "put it back, or find the table again in the set-up",
                tells="elsewhere",
            )

    def _time_of(self, frame: Frame) -> int:
        """The frame's time, which goes on where a source that was opened again begins anew."""
        if frame.t_ns + self._ahead_ns <= self._last_ns:
            self._ahead_ns = self._last_ns + GAP_NS - frame.t_ns
        self._last_ns = frame.t_ns + self._ahead_ns
        return self._last_ns

    def _lose(self, why: str, tells: str) -> None:
        if self._stopping.is_set():
            return
        if self._state is not CameraHealth.LOST or why != self._why:
            _log.warning("the camera is lost: %s", why)
        if self._state is not CameraHealth.LOST:
            self._inbox.send(CameraHealth.LOST)
        self._state, self._why, self._tells = CameraHealth.LOST, why, tells
