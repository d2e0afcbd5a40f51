"""A camera that is moved far: no picture that is sent or kept shows anything of where hands stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from time import monotonic

import cv2
import numpy as np
import pytest

from table.appliance.setup.setup_wizard import small_jpeg
from table.camera import live_camera
from table.camera.live_camera import LiveCamera
from table.camera.table_place.table_calibration import CALIBRATION as CALIBRATION_FILE
from table.config import Config, TableConfig
from table.game.snapshot import CameraHealth
from table.runtime.clock import LogicalClock
from tests.fakes.inbox import Inbox
from tests.fakes.waiting import wait_for
from tests.table.camera.clips.recorded_clips import Keeper, clip_keeper, clips
from tests.vision.privacy.moved_camera import (
    APPEARANCE,
    CALIBRATION,
    MOVES,
    STEP_NS,
    BlindWatcher,
    bright_pixels,
    frame_image,
)
from vision.arrays import Floats, Image
from vision.cameras.synthetic.ground_truth import corners_px
from vision.frames import Frame
from vision.geometry.calibration_file import StoredCalibration, save

pytestmark = pytest.mark.pictures


class Evening:
    """A table's camera with all that shows and keeps its pictures, played frame by frame."""

    def __init__(self, folder: Path, keeper: Keeper) -> None:
        calibration = StoredCalibration(
            corners_px=tuple((float(x), float(y)) for x, y in corners_px(APPEARANCE)),
            size=CALIBRATION.size,
            side_mm=CALIBRATION.side_mm,
            when="",
            by="hand",
        )
        save(calibration, folder / CALIBRATION_FILE)
        config = Config(table=TableConfig(data=str(folder)))
        config = replace(config, camera=replace(config.camera, source="usb"))
        self.inbox, self.keeper, self.k = Inbox(), keeper, -1
        observers = (keeper.moments.observe,)
        self.camera = LiveCamera(config, self.inbox, LogicalClock(), observers=observers)

    def see(self, move: Floats | None, *, frames: int = 1) -> list[Image]:
        """Plays frames; returns every picture that could be had after each."""
        images = []
        for _ in range(frames):
            self.k += 1
            image = frame_image(move, self.k)
            self.camera.camera_thread._process(Frame(k=self.k, t_ns=self.k * STEP_NS, image=image))
            wait_for(self.keeper.moments._frames.empty)
            images += [*self.live(), *self.set_up()]
        return images

    def live(self) -> list[Image]:
        return _decoded([self.camera.picture()])

    def set_up(self) -> list[Image]:
        image = self.camera.set_up_picture()
        return [] if image is None else _decoded([small_jpeg(image)])

    def kept_images(self) -> list[Image]:
        return _decoded([frame.jpeg for frame in self.keeper.buffer.frames])


def _decoded(jpegs: Sequence[bytes | None]) -> list[Image]:
    read = [cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR) for jpeg in jpegs if jpeg is not None]
    return [np.asarray(image, dtype=np.uint8) for image in read if image is not None]


@pytest.fixture
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Evening]:
    monkeypatch.setattr(live_camera, "make_watcher", lambda *_, **__: BlindWatcher().watcher)
    with clip_keeper(clips(tmp_path), APPEARANCE) as keeper:
        yield Evening(tmp_path, keeper)


def test_the_paint_would_be_seen_in_an_open_picture() -> None:
    assert bright_pixels(frame_image(None, 0)) > 3_000
    assert all(bright_pixels(frame_image(move, 0)) > 3_000 for move in MOVES.values())


def test_the_very_frame_of_a_moved_camera_is_black(evening: Evening) -> None:
    for name, move in MOVES.items():
        evening.see(None, frames=2)
        assert bright_pixels(evening.live()[0]) == 0
        assert evening.live()[0].max() > 100
        pictures = [*evening.see(move), *evening.kept_images()]
        assert evening.live()[0].max() == 0, name
        assert [bright_pixels(image) for image in pictures] == [0] * len(pictures)


def test_a_camera_that_is_turned_slowly_shows_no_hand_on_the_way(evening: Evening) -> None:
    evening.see(None, frames=3)
    for degrees in (0.3, 0.8, 1.5, 2.5, 4.0, 6.0, 8.0, 8.0, 10.0, 11.0, 12.5):
        matrix = cv2.getRotationMatrix2D((APPEARANCE.width_px / 2, APPEARANCE.height_px / 2), degrees, 1.0)
        evening.see(np.vstack([matrix, [0, 0, 1]]))
        pictures = [*evening.live(), *evening.kept_images()]
        assert [bright_pixels(image) for image in pictures] == [0] * len(pictures), degrees


def test_the_picture_comes_back_with_the_table_and_hides_the_hands_where_they_stand_now(evening: Evening) -> None:
    evening.see(None, frames=4)
    evening.see(MOVES["turned by 8 degrees"], frames=2)
    assert evening.live()[0].max() == 0
    evening.see(MOVES["turned by 8 degrees"], frames=3)
    pictures = [*evening.live(), *evening.kept_images()]
    assert len(pictures) > 1
    assert all(image.max() > 100 for image in pictures)
    assert [bright_pixels(image) for image in pictures] == [0] * len(pictures)


def test_a_table_that_is_not_found_again_is_a_lost_camera_until_it_is(evening: Evening) -> None:
    evening.see(None, frames=3)
    mostly_out = np.array([[1, 0, 0.7 * APPEARANCE.width_px], [0, 1, 0], [0, 0, 1.0]])
    evening.see(mostly_out, frames=12)
    status = evening.camera.camera_thread.status
    assert status.state is CameraHealth.LOST
    assert "the camera or the table was moved" in status.why
    assert evening.live()[0].max() == 0
    evening.see(None)
    assert evening.camera.camera_thread.status.state is CameraHealth.OK
    assert evening.inbox.messages[-2:] == [CameraHealth.LOST, CameraHealth.OK]
    assert evening.live()[0].max() > 100


def test_once_moved_the_set_up_picture_is_grey_and_too_coarse_for_a_tile(evening: Evening) -> None:
    evening.see(None, frames=3)
    assert bright_pixels(evening.set_up()[0]) > 0
    evening.see(MOVES["pushed far"])
    (image,) = evening.set_up()
    assert bright_pixels(image) == 0
    assert np.ptp(image.astype(int), axis=2).max() <= 2


def test_a_camera_that_delivers_no_more_has_no_picture_for_the_set_up(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert evening.see(None)
    now = monotonic()
    monkeypatch.setattr(evening.camera.camera_thread, "_now", lambda: now + 60)
    assert (evening.set_up(), evening.camera.has_pictures) == ([], False)
    assert evening.see(None)
    assert evening.camera.has_pictures
