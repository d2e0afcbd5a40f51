"""A table that is looked for by a camera of which a test gives the pictures."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from table.camera.table_place.table_finder import TableFinder
from tests.fakes.watchers import FakeWatcher, lying_tile
from vision.arrays import Image
from vision.errors import CalibrationError
from vision.felt import Felt, FeltReport, LyingTile
from vision.frames import Frame
from vision.geometry.calibration import Calibration
from vision.geometry.calibration_file import StoredCalibration
from vision.geometry.markers import RAIL
from vision.watching.changes import changes_between

CORNERS = ((50.0, 50.0), (350.0, 50.0), (350.0, 350.0), (50.0, 350.0))
HALF = ((50.0, 50.0), (250.0, 50.0), (250.0, 250.0), (50.0, 250.0))
"""Other corners, for a person to confirm."""
STORED_PLACE = StoredCalibration(corners_px=CORNERS, size=(400, 400), side_mm=720.0, when="", by="hand")
NOISE = np.random.default_rng(1).integers(0, 255, (400, 400, 3), np.uint8)

GREEN = np.full((400, 400, 3), (62, 96, 24), np.uint8)
GREEN[:50] = GREEN[350:] = GREEN[:, :50] = GREEN[:, 350:] = (36, 44, 60)
"""A felt without markers."""


def half_marked() -> Image:
    """The felt, with markers on the rail at the far left and the near left corner alone."""
    picture, marker_px, paper_px = GREEN.copy(), 30, 5
    for corner, y in ((0, 50 - marker_px), (3, 350)):
        black = cv2.aruco.generateImageMarker(
            cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), RAIL.first + corner, marker_px
        )
        picture[y - paper_px : y + marker_px + paper_px, 50 - marker_px - paper_px : 50 + paper_px] = 255
        picture[y : y + marker_px, 50 - marker_px : 50] = black[..., None]
    return picture


def tile(number: int, x_mm: float = 0.0, face: str = "5p") -> LyingTile:
    return lying_tile(number, face, x_mm=x_mm, y_mm=-90.0)


class FakeCameraWatcher(FakeWatcher):
    """Believes one tile to lie there."""

    def __init__(self, calibration: Calibration) -> None:
        super().__init__(calibration=calibration)
        self.reported, self.next_id = self.felt, 1

    def take_over(self, reported: Felt, next_id: int) -> None:
        self.reported, self.next_id = reported, next_id

    def watch(self, frame: Frame) -> FeltReport | None:
        before, self.felt = self.reported, Felt(tiles=(tile(self.next_id),))
        self.reported, self.next_id = self.felt, self.next_id + 1
        return FeltReport(frame=frame.k, t_ns=frame.t_ns, changes=changes_between(before, self.felt), felt=self.felt)


class Place:
    """A table that is looked for."""

    def __init__(self, place: StoredCalibration | None = None, *, asked_size: tuple[int, int] | None = None) -> None:
        self.stored_places: list[StoredCalibration] = []
        self.can_write = True
        self.utc: Callable[[], str] = lambda: "now"
        self.while_watcher_is_made: Callable[[], None] = lambda: None
        self.table_finder = TableFinder(
            self.make_watcher,
            self.keep,
            place=place,
            side_mm=720.0,
            utc=self.now,
            asked_size=lambda: asked_size,
        )
        self.k = 0

    def now(self) -> str:
        return self.utc()

    def make_watcher(self, calibration: Calibration) -> FakeCameraWatcher:
        self.while_watcher_is_made()
        return FakeCameraWatcher(calibration)

    def keep(self, place: StoredCalibration) -> None:
        if not self.can_write:
            raise CalibrationError("the disk is full")
        self.stored_places.append(place)

    def watch(self, image: Image = NOISE) -> FeltReport | None:
        self.k += 1
        frame = Frame(k=self.k, t_ns=self.k, image=image)
        self.watcher = self.table_finder.watcher_for(frame)
        return self.watcher.watch(frame)
