from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise
from time import sleep

import cv2
import numpy as np
import pytest

from table.camera.capture.camera_thread import CameraThread
from table.camera.capture.continuous_time import GAP_NS
from table.game.input_feed import FrameWatcher, Observer
from table.game.referee.pending_findings import PATIENCE_NS
from table.game.snapshot import CameraHealth, CameraLoss
from table.game.table_loop import Message
from tests.fakes.hanging_camera import STEPS, Device, HastyCamera
from tests.fakes.inbox import Inbox
from tests.fakes.waiting import PATIENCE_S, wait_for
from tests.fakes.watchers import FakeWatcher, lying_tile
from vision.arrays import Image
from vision.cameras.guards.hang_guard import PatientCamera
from vision.errors import CalibrationError, CameraError, ModelError
from vision.felt import Felt, FeltReport
from vision.frames import Frame
from vision.geometry.calibration import calibrate


class Reel(Device):
    """A camera that gives so many frames; `hangs` makes it wait after them."""

    def __init__(self, frames: int, hangs: threading.Event | None = None) -> None:
        super().__init__(frames=frames)
        self.hangs = hangs

    def frames(self) -> Iterator[Frame]:
        yield from super().frames()
        if self.hangs is not None:
            self.hangs.wait(PATIENCE_S)


def always(watcher: FakeWatcher) -> Callable[[Frame], FakeWatcher]:
    """Lets one watcher have every frame."""
    return lambda _: watcher


def test_a_camera_that_goes_and_comes_back_is_said_once_each_and_keeps_its_watcher() -> None:
    inbox, watcher = Inbox(), FakeWatcher()
    reels = [Reel(3), Reel(0), Reel(0), Reel(2), Reel(2)]
    remaining = list(reels)

    def open_next() -> Reel:
        if not remaining:
            raise CameraError("unplugged")
        return remaining.pop(0)

    with CameraThread(open_next, always(watcher), inbox, retry_s=(0.01,)) as camera_thread:
        wait_for(lambda: not remaining and camera_thread.status.why == "unplugged")
    assert watcher.frames == list(range(7))
    assert inbox.health[:4] == [CameraHealth.OK, CameraHealth.LOST, CameraHealth.OK, CameraHealth.LOST]
    assert all(reel.is_closed for reel in reels)
    assert camera_thread.status.state is CameraHealth.LOST


def test_each_frame_with_its_report_goes_to_every_observer_in_turn() -> None:
    own_watcher, observed = FakeWatcher(), list[tuple[str, int, FeltReport | None, FrameWatcher]]()

    def observer(name: str) -> Observer:
        return lambda frame, report, watcher: observed.append((name, frame.k, report, watcher))

    reels = [Reel(2)]
    with CameraThread(reels.pop, always(own_watcher), Inbox(), observers=(observer("preview"), observer("clips"))):
        wait_for(lambda: len(observed) == 4)
    assert [(name, k) for name, k, _, _ in observed] == [("preview", 0), ("clips", 0), ("preview", 1), ("clips", 1)]
    assert all(
        report is not None and report.frame == k and watcher is own_watcher for _, k, report, watcher in observed
    )


def test_without_a_camera_the_reason_is_told_and_it_is_tried_again() -> None:
    inbox, attempts, error = Inbox(), [0], CameraError("expected a camera")

    def open_camera() -> Reel:
        attempts[0] += 1
        raise error

    with CameraThread(open_camera, always(FakeWatcher()), inbox, retry_s=(0.01,)) as camera_thread:
        wait_for(lambda: attempts[0] >= 3)
        assert (camera_thread.status.state, camera_thread.status.why) == (CameraHealth.LOST, str(error))
    assert inbox.health == [CameraHealth.LOST]


def test_a_camera_that_does_not_see_the_table_is_kept_open_and_lost_until_it_does() -> None:
    class Searching(FakeWatcher):
        def watch(self, frame: Frame) -> FeltReport | None:
            if frame.k < 3:
                raise CalibrationError("expected markers")
            return super().watch(frame)

    inbox, hangs = Inbox(), threading.Event()
    with CameraThread(lambda: Reel(4, hangs), always(Searching()), inbox) as camera_thread:
        wait_for(lambda: camera_thread.status.frames == 4)
        assert inbox.health == [CameraHealth.LOST, CameraHealth.OK]
        hangs.set()


class _Paced(Reel):
    """A camera of ten frames a second."""

    def frames(self) -> Iterator[Frame]:
        yield from (replace(frame, t_ns=frame.k * 100_000_000) for frame in super().frames())


class _Calm(FakeWatcher):
    """A watcher at whose table nothing changes; each frame is judged, if it `judges`."""

    judges = True

    def watch(self, frame: Frame) -> FeltReport | None:
        super().watch(frame)
        self.last_judged_frame = frame.k if self.judges else -1
        return None


@pytest.mark.parametrize(("judges", "looks"), [(True, 2), (False, 0)])
def test_a_camera_that_is_back_shows_twice_what_lies_there_though_nothing_changed(judges: bool, looks: int) -> None:
    watcher = _Calm(Felt(tiles=(lying_tile(),)))
    watcher.judges = judges
    reports: list[FeltReport] = []
    reels = [_Paced(60), _Paced(60)]

    def keep(_: Frame, report: FeltReport | None, __: FrameWatcher) -> None:
        if report is not None:
            reports.append(report)

    with CameraThread(lambda: reels.pop(0), always(watcher), Inbox(), observers=(keep,), retry_s=(0.01,)):
        wait_for(lambda: len(watcher.frames) == 120)
    assert len(reports) == 2 * looks
    assert all((report.felt, report.changes) == (watcher.felt, ()) for report in reports)
    for first, second in zip(reports[::2], reports[1::2], strict=True):
        assert second.t_ns - first.t_ns >= PATIENCE_NS


@pytest.mark.parametrize("has_gap", [True, False])
def test_a_change_is_looked_at_again_while_play_may_have_gone_unseen(has_gap: bool) -> None:
    """Two tiles that a player put back in their places are proof that nothing was missed once they are seen twice."""

    class Changed(_Calm):
        def watch(self, frame: Frame) -> FeltReport | None:
            super().watch(frame)
            return FeltReport(frame=frame.k, t_ns=frame.t_ns, changes=(), felt=self.felt) if frame.k == 40 else None

    watcher, hangs, frames = Changed(), threading.Event(), list[int]()

    def keep(frame: Frame, report: FeltReport | None, __: FrameWatcher) -> None:
        if report is not None:
            frames.append(frame.k)

    with CameraThread(lambda: _Paced(100, hangs), always(watcher), Inbox(), observers=(keep,), has_gap=lambda: has_gap):
        wait_for(lambda: len(watcher.frames) == 100)
        hangs.set()
    assert frames[2:] == ([40, 60] if has_gap else [40])


def test_time_goes_on_where_a_source_begins_anew() -> None:
    class Timed(FakeWatcher):
        def watch(self, frame: Frame) -> FeltReport | None:
            times.append(frame.t_ns)
            return super().watch(frame)

    times: list[int] = []
    remaining = [Reel(3), Reel(3)]

    def open_next() -> Reel:
        if not remaining:
            raise CameraError("unplugged")
        return remaining.pop(0)

    with CameraThread(open_next, always(Timed()), Inbox(), retry_s=(0.01,)) as camera_thread:
        wait_for(lambda: camera_thread.status.frames == 6)
    steps = [after - before for before, after in pairwise(times)]
    assert min(steps) > 0
    assert steps[2] == GAP_NS


def test_what_cannot_watch_is_tried_less_and_less_often() -> None:
    class Useless(FakeWatcher):
        def watch(self, frame: Frame) -> FeltReport | None:
            raise ModelError("expected sha256 a, got b")

    inbox, attempts = Inbox(), [0]

    def open_camera() -> Reel:
        attempts[0] += 1
        return Reel(3)

    with CameraThread(open_camera, always(Useless()), inbox, retry_s=(0.01, 0.01, 1000.0)) as camera_thread:
        wait_for(lambda: attempts[0] == 2)
        sleep(0.2)
        assert (attempts[0], camera_thread.status.why) == (2, "expected sha256 a, got b")
    assert inbox.health == [CameraHealth.LOST]


def test_a_camera_that_watched_before_it_was_lost_is_tried_again_at_once_and_then_less_and_less_often() -> None:
    """One that is lost once an hour would be tried again ever later, or one that stays away as often as at first."""
    attempts = list[int]()

    def open_camera() -> Reel:
        attempts.append(len(attempts))
        if len(attempts) > 3:
            raise CameraError("unplugged")
        return Reel(1)

    with CameraThread(open_camera, always(FakeWatcher()), Inbox(), retry_s=(0.01, 1000.0)) as camera_thread:
        wait_for(lambda: camera_thread.status.why == "unplugged")
        sleep(0.2)
        assert len(attempts) == 4


def test_a_loss_is_logged_once_for_each_reason_however_often_the_camera_is_tried_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    reasons, attempts = ["unplugged"] * 3 + ["busy"] * 3, list[str]()

    def open_camera() -> Reel:
        attempts.append(reasons[min(len(attempts), len(reasons) - 1)])
        raise CameraError(attempts[-1])

    with CameraThread(open_camera, always(FakeWatcher()), Inbox(), retry_s=(0.01,)):
        wait_for(lambda: len(attempts) > len(reasons))
    assert [record.args for record in caplog.records] == [("unplugged",), ("busy",)]


def test_a_camera_that_hangs_is_lost_while_it_hangs() -> None:
    hangs, now = threading.Event(), [100.0]
    inbox = Inbox()
    with CameraThread(
        lambda: Reel(3, hangs), always(FakeWatcher()), inbox, lost_after_s=5, now=lambda: now[0]
    ) as camera_thread:
        wait_for(lambda: camera_thread.status.frames == 3)
        camera_thread.check()
        assert inbox.health == [CameraHealth.OK]
        now[0] += 7
        camera_thread.check()
        assert inbox.health == [CameraHealth.OK, CameraHealth.LOST]
        assert (camera_thread.status.why, camera_thread.status.age_s, camera_thread.status.looking_s) == (
            "no frame for 7 s",
            7.0,
            0.0,
        )
        hangs.set()


def test_a_camera_that_two_threads_find_lost_at_once_is_lost_once() -> None:
    now = [100.0]

    class Checking(Inbox):
        """Lets another thread check the camera while this one reports it as lost."""

        def send(self, message: Message) -> None:
            super().send(message)
            if message is CameraHealth.LOST:
                now[0] += 7
                checks.append(threading.Thread(target=camera_thread.check))
                checks[-1].start()
                checks[-1].join(0.2)
                is_told.set()

    is_told = threading.Event()
    inbox, checks, reels = Checking(), list[threading.Thread](), [Reel(3)]
    camera_thread = CameraThread(reels.pop, always(FakeWatcher()), inbox, retry_s=(1000.0,), now=lambda: now[0])
    with camera_thread:
        assert is_told.wait(PATIENCE_S)
        checks[0].join(PATIENCE_S)
    assert inbox.health == [CameraHealth.OK, CameraHealth.LOST]


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (ZeroDivisionError("a fault"), "ZeroDivisionError: a fault"),
        (MemoryError(), "MemoryError"),
        (PermissionError(13, "Permission denied", "a"), "Permission denied, at a"),
        (TimeoutError(), "TimeoutError"),
    ],
)
def test_a_fault_of_the_program_is_logged_and_the_camera_tried_again(
    error: Exception, why: str, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken(FakeWatcher):
        def watch(self, frame: Frame) -> FeltReport | None:
            super().watch(frame)
            raise error

    broken = Broken()
    with CameraThread(lambda: Reel(1), always(broken), Inbox(), retry_s=(0.01,)) as camera_thread:
        wait_for(lambda: len(broken.frames) >= 2)
        wait_for(lambda: camera_thread.status.why == why)
    assert "unexpected error in the camera thread" in caplog.text


def test_rate_and_looking_time_are_measured_over_the_last_frames() -> None:
    now = [0.0]

    class Slow(FakeWatcher):
        def watch(self, frame: Frame) -> FeltReport | None:
            now[0] += 0.1
            return super().watch(frame)

    hangs = threading.Event()
    with CameraThread(lambda: Reel(11, hangs), always(Slow()), Inbox(), now=lambda: now[0]) as camera_thread:
        wait_for(lambda: camera_thread.status.frames == 11)
        assert (round(camera_thread.status.fps, 3), round(camera_thread.status.look_ms, 3)) == (10.0, 100.0)
        hangs.set()


@pytest.mark.parametrize("step", STEPS)
def test_a_camera_that_hangs_in_any_step_is_given_up_and_tried_again(step: str) -> None:
    """The first camera hangs; the second one works."""
    devices: list[Device] = []

    def open_camera() -> PatientCamera:
        if devices:
            return PatientCamera(partial(Device, cameras=devices))
        return HastyCamera(partial(Device, step, frames=3, cameras=devices), devices=devices)

    inbox = Inbox()
    with CameraThread(open_camera, always(FakeWatcher()), inbox, retry_s=(0.01,)) as camera_thread:
        wait_for(
            lambda: (
                len(devices) == 2 and camera_thread.status.state is CameraHealth.OK and camera_thread.status.frames > 3
            )
        )
        assert camera_thread.status.looking_s < 5
        assert CameraHealth.LOST in inbox.health
        assert inbox.health[-1] is CameraHealth.OK
        devices[0].on.set()


COARSE = np.random.default_rng(1).integers(0, 255, (40, 40, 3), np.uint8)
NOISE = COARSE.repeat(10, 0).repeat(10, 1)
GLOW = np.asarray(cv2.resize(cv2.GaussianBlur(COARSE, (0, 0), 6), (400, 400), interpolation=cv2.INTER_CUBIC), np.uint8)
"""What a hand on the lens lets through."""


@pytest.mark.parametrize(
    ("image", "tells"),
    [
        (NOISE, "elsewhere"),
        (NOISE // 25, "dark"),
        (np.where(np.arange(400)[:, None, None] < 40, NOISE, NOISE // 10), "dark"),  # a window beside the table
        (NOISE * 0, "dark"),
        (NOISE * 0 + 90, "even"),
        (GLOW, "even"),
    ],
    ids=["moved", "light off", "light off by day", "black", "film", "hand on the lens"],
)
def test_a_table_that_nothing_can_be_seen_of_is_not_said_to_be_moved(image: Image, tells: str) -> None:
    class Away(FakeWatcher):
        """Sees the table in its place in the first picture alone."""

        def watch(self, frame: Frame) -> FeltReport | None:
            self.is_in_place = frame.k == 0
            return super().watch(frame)

    class Dimmed(Device):
        def frames(self) -> Iterator[Frame]:
            for k in range(4):
                yield Frame(k=k, t_ns=k * 1_000_000_000, image=image if k else NOISE)
            hangs.wait(PATIENCE_S)

    corners = [(50, 50), (350, 50), (350, 350), (50, 350)]
    away = Away(calibration=calibrate(corners, size=(400, 400), side_mm=720.0))
    inbox, hangs = Inbox(), threading.Event()
    with CameraThread(Dimmed, always(away), inbox) as camera_thread:
        wait_for(lambda: camera_thread.status.frames == 4)
        status = camera_thread.status
        hangs.set()
    assert (status.state, status.says) == (CameraHealth.LOST, tells)
    assert inbox.health == [CameraHealth.OK, CameraHealth.LOST]
    assert inbox.messages[-1] == (CameraHealth.LOST if tells == "elsewhere" else CameraLoss(reason=tells))


def test_a_table_seen_out_of_focus_is_lost_after_a_while_with_the_reason_and_back_as_soon_as_it_is_sharp() -> None:
    class Blurred(FakeWatcher):
        def watch(self, frame: Frame) -> FeltReport | None:
            self.is_blurred = 2 <= frame.k < 6
            return None if self.is_blurred else super().watch(frame)

    class Steady(Device):
        def frames(self) -> Iterator[Frame]:
            for k in range(8):
                yield Frame(k=k, t_ns=k * 1_000_000_000, image=NOISE)
            hangs.wait(PATIENCE_S)

    inbox, hangs = Inbox(), threading.Event()
    with CameraThread(Steady, always(Blurred()), inbox) as camera_thread:
        wait_for(lambda: camera_thread.status.frames == 8)
        assert camera_thread.status.state is CameraHealth.OK
        hangs.set()
    states = [message for message in inbox.messages if not isinstance(message, FeltReport)]
    assert states[:3] == [CameraHealth.OK, CameraLoss(reason="blurred"), CameraHealth.OK]
