"""A flagged moment through the keeper's own threads: what is kept, what is never kept, and what is said of it."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import cv2
import numpy as np
import pytest

from table.camera.clip_recorder import Moments
from table.camera.clips import ClipFolder
from table.game.journal.fold import Told
from table.game.snapshot import Board, Doubt, KeptMoment, Snapshot
from table.game.table_loop import Message
from table.rules.state import GameState
from table.rules.terms.announcements import Announcement, Saying, Scope
from table.rules.terms.seats import Seat
from table.runtime.table_errors import PressError
from tests.vision.privacy.test_redaction import BEHIND, calibration_of, lying, secret, size_of
from tests.vision.scenes_to_see import busy_table
from vision.arrays import Image
from vision.cameras.synthetic.appearance import Look
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.ground_truth import corners_px
from vision.cameras.synthetic.scene import Pose, Scene
from vision.felt import Felt
from vision.frames import Frame
from vision.geometry.calibration import Calibration, calibrate
from vision.recording.frame_buffer import Ring
from vision.recording.recording import Recording

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
FIRST = Snapshot(version=1, game=GameState(scores=(25000,) * 4))
STEP_NS = 250_000_000


@dataclass
class Inbox:
    messages: list[Message] = field(default_factory=list)

    def send(self, message: Message) -> None:
        self.messages.append(message)


@dataclass
class Watched:
    """A watcher that believes what a test says."""

    calibration: Calibration
    felt: Felt = field(default_factory=Felt)
    judged = -1

    def look(self, _: Frame) -> None:
        """Reports nothing."""


@dataclass
class Keeper:
    """Moments of one look, with a camera that a test plays."""

    moments: Moments
    ring: Ring
    inbox: Inbox
    watched: Watched
    shown: int = 0

    def see(self, image: Image, felt: Felt, *, frames: int = 1) -> None:
        """Shows frames, each taken in before the next."""
        for _ in range(frames):
            before = self.ring.held[-1].t_ns if self.ring.held else -1
            t_ns = self.shown * STEP_NS
            self.watched.felt = felt
            self.moments.observe(Frame(k=self.shown, t_ns=t_ns, image=image), None, self.watched)
            self.shown += 1
            wait_for(lambda before=before: bool(self.ring.held) and self.ring.held[-1].t_ns > before)

    def said(self) -> KeptMoment:
        wait_for(lambda: bool(self.inbox.messages))
        message = self.inbox.messages.pop()
        assert isinstance(message, KeptMoment)
        return message


def wait_for(condition: Any) -> None:
    until = monotonic() + 20
    while not condition():
        assert monotonic() < until, "waited in vain"
        sleep(0.005)


@contextmanager
def keeping(folder: ClipFolder, look: Look, snapshot: Snapshot = FIRST) -> Iterator[Keeper]:
    ring, inbox = Ring(seconds=60, most_bytes=10**8, fps=4), Inbox()
    moments = Moments(
        ring,
        folder,
        fps=4.0,
        tile=size_of(look),
        red={"m": 1, "p": 1, "s": 1},
        board=Board(snapshot),
        inbox=inbox,
        crop=lambda number: b"crop %d" % number if number < 500 else None,
        now=lambda: NOON,
    )
    with moments:
        yield Keeper(moments, ring, inbox, Watched(calibration_of(look)))


def clips(path: Path) -> ClipFolder:
    return ClipFolder(path / "clips", days=14, most_bytes=10**9)


def kept_with(folder: ClipFolder, look: Look, scene: Scene, seed: int) -> list[bytes]:
    """The stored frames of a moment in which the standing hands' pixels are one or another noise."""
    hands = tuple(tile for tile in scene.tiles if tile.pose is Pose.STANDING)
    picture = secret(Renderer(look).render(scene), hands, look, seed)
    with keeping(folder, look) as keeper:
        keeper.see(picture, Felt(tiles=tuple(lying(scene))), frames=3)
        keeper.moments.flag("seat 0")
        name = keeper.said().name
    return [frame.path.read_bytes() for frame in Recording.open(folder.path / name).frames]


@pytest.mark.parametrize("look", [Look.default(), BEHIND, Look.random(3)])
def test_standing_faces_cannot_be_told_from_a_clip(tmp_path: Path, look: Look) -> None:
    """Law 14: whatever stood in the hands, the files are the same, byte for byte."""
    scene = busy_table(look)
    one, other = (kept_with(clips(tmp_path / str(seed)), look, scene, seed) for seed in (1, 2))
    assert len(one) == 3
    assert one == other


def spoken(saying: str, scope: str, tile: int) -> Told:
    said = Announcement(saying=Saying(saying), scope=Scope(scope), seat=Seat.NEAR)
    return Told(key=saying, announcement=said, cause=(2,), frame=3, evidence=(tile,))


def test_a_clip_shows_the_rivers_and_says_what_was_believed_and_doubted(tmp_path: Path) -> None:
    look, folder = Look.default(), clips(tmp_path)
    scene, felt = busy_table(look), Felt(tiles=tuple(lying(busy_table(look))))
    said, whispered = spoken("riichi_declared", "public", 300), spoken("furiten", "private", 301)
    doubt = Doubt(seat=Seat.NEAR, discard=4, tile="5p", alternatives=(("6p", 0.2),), lying=400)
    snapshot = replace(FIRST, felt=felt, said=(said, whispered), doubts=(doubt,))
    picture = Renderer(look).render(scene)
    with keeping(folder, look, snapshot) as keeper:
        keeper.see(picture, felt, frames=9)
        assert keeper.moments.flag("owner") == 2.0
        assert keeper.said() == KeptMoment(name="20261121-120000", at="12:00", seconds=2)
    recording = Recording.open(folder.path / "20261121-120000")
    stored = np.asarray(cv2.imread(str(recording.frames[0].path)), np.uint8)
    middle = np.s_[700:900, 700:900]
    assert np.abs(stored[middle].astype(int) - picture[middle]).mean() < 8
    assert np.allclose(recording.settings.table.corners_px or (), corners_px(look), atol=0.5)
    told = json.loads((recording.path / "moment.json").read_text("utf-8"))
    assert [each["id"] for each in told["felt"]] == [tile.id for tile in felt.tiles]
    assert told["doubts"][0]["alternatives"] == [["6p", 0.2]]
    assert [each["id"] for each in told["said"]] == ["riichi_declared"]
    crops = {int(path.stem) for path in (recording.path / "crops").iterdir()}
    assert crops >= {300, 400, *(tile.id for tile in felt.tiles)}


def test_frames_from_before_a_push_was_noticed_are_let_go(tmp_path: Path) -> None:
    look = Look.default()
    picture = np.zeros((look.height_px, look.width_px, 3), np.uint8)
    with keeping(clips(tmp_path), look) as keeper:
        keeper.see(picture, Felt(), frames=20)
        moved = calibrate(corners_px(look) + 30, size=(look.width_px, look.height_px), side_mm=look.felt_mm)
        keeper.watched.calibration = moved
        keeper.see(picture, Felt())
        held = keeper.ring.held
    assert [frame.t_ns // STEP_NS for frame in held] == [*range(8), 20]
    assert held[-1].calibration is moved


def test_before_anything_was_seen_there_is_nothing_to_keep(tmp_path: Path) -> None:
    with keeping(clips(tmp_path), Look.default()) as keeper, pytest.raises(PressError, match="nothing to keep yet"):
        keeper.moments.flag("seat 1")


def test_a_disk_that_takes_nothing_is_said_and_the_keeping_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    look, folder = Look.default(), clips(tmp_path)
    picture = np.zeros((look.height_px, look.width_px, 3), np.uint8)
    (tmp_path / "clips").write_text("in the way")
    with caplog.at_level(logging.ERROR), keeping(folder, look) as keeper:
        keeper.see(picture, Felt(), frames=3)
        keeper.moments.flag("seat 1")
        assert not keeper.said().is_kept
        assert caplog.text.count("expected a disk that takes the clip") == 1
        (tmp_path / "clips").unlink()
        keeper.see(picture, Felt(), frames=3)
        keeper.moments.flag("seat 1")
        assert keeper.said().is_kept
    assert len(folder.listed()) == 1
