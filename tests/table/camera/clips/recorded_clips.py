"""A clip recorder with a camera that a test plays."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from table.camera.clips.clip_folder import ClipFolder, Moment
from table.camera.clips.clip_recorder import ClipRecorder
from table.game.snapshot import Board, SavedClip, Snapshot
from table.rules.state import GameState
from tests.fakes.inbox import Inbox
from tests.fakes.waiting import wait_for
from tests.fakes.watchers import FakeWatcher
from tests.vision.drawn import calibration
from tests.vision.true_calibration import calibration_of
from vision.arrays import Image
from vision.cameras.synthetic.appearance import Appearance
from vision.felt import Felt
from vision.frames import Frame
from vision.recording.frame_buffer import BufferedFrame, FrameBuffer
from vision.recording.recording_settings import Settings

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
FIRST = Snapshot(version=1, game=GameState(scores=(25000,) * 4))
STEP_NS = 250_000_000


@dataclass
class Keeper:
    """A clip recorder, whose camera and time a test plays."""

    moments: ClipRecorder
    buffer: FrameBuffer
    inbox: Inbox
    watcher: FakeWatcher
    time: list[float]
    shown_frames: int = 0

    def passes(self, seconds: float) -> None:
        self.time[0] += seconds

    def see(self, image: Image, felt: Felt, *, frames: int = 1) -> None:
        """Shows frames, each taken in before the next."""
        for _ in range(frames):
            before = self._newest_ns()
            t_ns = self.shown_frames * STEP_NS
            self.watcher.felt = felt
            self.moments.observe(Frame(k=self.shown_frames, t_ns=t_ns, image=image), None, self.watcher)
            self.shown_frames += 1
            wait_for(partial(self._holds_newer_than, before))

    def _newest_ns(self) -> int:
        return self.buffer.frames[-1].t_ns if self.buffer.frames else -1

    def _holds_newer_than(self, t_ns: int) -> bool:
        return self._newest_ns() > t_ns

    def kept_moment(self) -> SavedClip:
        wait_for(lambda: bool(self.inbox.messages))
        message = self.inbox.messages.pop()
        assert isinstance(message, SavedClip)
        return message


@contextmanager
def clip_keeper(folder: ClipFolder, appearance: Appearance, snapshot: Snapshot = FIRST) -> Iterator[Keeper]:
    buffer, inbox, time = FrameBuffer(seconds=60, most_bytes=10**8, fps=4), Inbox(), [0.0]
    recorder = ClipRecorder(
        buffer,
        folder,
        fps=4.0,
        tile=appearance.tile_size,
        red={"m": 1, "p": 1, "s": 1},
        board=Board(snapshot),
        inbox=inbox,
        crop=lambda number: b"crop %d" % number if number < 500 else None,
        now=lambda: NOON,
        clock=lambda: time[0],
    )
    with recorder:
        yield Keeper(recorder, buffer, inbox, FakeWatcher(calibration=calibration_of(appearance)), time)


def clips(path: Path) -> ClipFolder:
    return ClipFolder(path / "clips", days=14, most_bytes=10**9)


CALIBRATED = calibration()
FRAMES = tuple(
    BufferedFrame(t_ns=7_000_000_000 + k * 250_000_000, jpeg=b"\xff\xd8" + bytes([k]) * 500, calibration=CALIBRATED)
    for k in range(9)
)


def moment(when: datetime = NOON) -> Moment:
    details = {"felt": [], "doubts": [{"lying": 4}], "said": []}
    return Moment(
        when=when, by="seat 2", frames=FRAMES, settings=Settings(fps=4.0), details=details, crops={4: b"tile"}
    )
