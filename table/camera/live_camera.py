"""Assembles a watched table from the configuration: its camera, its calibration and its watcher."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, Self

import cv2
import numpy as np

from table.camera.capture.camera_thread import CameraThread, Inbox
from table.camera.capture.configured_camera import ConfiguredCamera
from table.camera.preview import Preview
from table.camera.report_switch import ReportSwitch
from table.camera.sets_in_use import SetsInUse
from table.camera.shipped_watcher import make_watcher
from table.camera.simulation.simulated_camera import DrawnTable
from table.camera.table_place.sight_check import SightCheck
from table.camera.table_place.table_calibration import calibration_file, stored_calibration
from table.camera.table_place.table_finder import TableFinder
from table.config import Config
from table.game.input_feed import FrameWatcher, Observer
from table.runtime.clock import Clock
from vision.arrays import Image
from vision.felt import FeltReport
from vision.frames import Camera, Frame
from vision.geometry.calibration import Calibration
from vision.geometry.calibration_file import StoredCalibration, save
from vision.geometry.visibility.visibility import Visibility
from vision.watching.watcher import Watcher

COARSE_PX: Final = 160
"""Width of a picture in which no face can be recognised."""


class LiveCamera:
    """A watched table: the camera's thread, the calibration, and the receivers of reports.

    A context manager: the camera is watched inside ``with``.
    """

    def __init__(
        self,
        config: Config,
        inbox: Inbox,
        clock: Clock,
        *,
        observers: Sequence[Observer] = (),
        is_between_hands: Callable[[], bool] = lambda: False,
        has_gap: Callable[[], bool] = lambda: False,
    ) -> None:
        """Takes the configuration without opening the camera.

        Args:
            config: the configuration of the whole table.
            inbox: receives the reports.
            clock: the source of the time of day.
            observers: are called with every processed frame.
            is_between_hands: returns whether the camera may adapt to changed light now.
            has_gap: returns whether play may have gone unseen in this hand.
        """
        camera = config.camera
        self.drawn_table = DrawnTable() if camera.source == "drawn" else None
        self.report_switch = ReportSwitch(inbox)
        self._tile, self._red = config.tiles.size, config.tiles.red
        self._preview = Preview(self._tile)
        self._lens = camera.lens
        self._last_frame: tuple[Frame, bool] | None = None
        """The last processed frame, and whether the table was in its place."""
        self.configured_camera = ConfiguredCamera(camera, is_between_hands=is_between_hands)
        self._calibration_file = calibration_file(config)
        self.tile_sets = SetsInUse(config.tiles.tilesets, config.folder)
        self._watcher: Watcher | None = None
        self.table_finder = TableFinder(
            self._make_watcher,
            self._save,
            place=stored_calibration(config) if self.drawn_table is None else self.drawn_table.calibration,
            side_mm=config.table.side_mm,
            utc=clock.utc,
            asked_size=self.configured_camera.asked_size,
        )
        self._sight_check = SightCheck(
            self.table_finder,
            lens=self._lens,
            is_between_hands=is_between_hands,
            is_in_place=lambda: self._last_frame is not None and self._last_frame[1],
        )
        self.camera_thread = CameraThread(
            self.open_camera,
            self.table_finder.watcher_for,
            inbox,
            observers=(self._remember_frame, self._preview.observe, *observers, self.report_switch.observe),
            has_gap=has_gap,
            lost_after_s=camera.lost_after_s,
        )

    def __enter__(self) -> Self:
        self.camera_thread.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self.camera_thread.__exit__(*error)
        self._preview.__exit__(*error)

    def picture(self) -> bytes | None:
        """Returns the latest view as a JPEG, with standing hands painted over; None while the table is not found.

        Looking through the camera counts as being at the table.
        """
        self.camera_thread.pace.wake()
        return self._preview.picture() if self.table_finder.is_found else None

    def set_up_picture(self) -> Image | None:
        """Returns the latest picture for marking the table, in which hands are not masked.

        None before the first frame, and once the camera delivers no more. The picture is unmodified until the table is
        found, and while the table is in its place. Once the camera or the table was moved, it is grey, and too coarse
        to show anything but the table's outline.
        """
        self.camera_thread.pace.wake()
        if self.camera_thread.is_silent:
            return None
        last = self._last_frame
        if last is None or not self.table_finder.is_found:
            frame = self.table_finder.frame
            return None if frame is None else frame.image
        frame, is_in_place = last
        return frame.image if is_in_place else _coarse(frame.image)

    @property
    def has_pictures(self) -> bool:
        """Whether the camera delivers pictures now."""
        return not self.camera_thread.is_silent

    def visibility(self) -> Visibility | None:
        """Returns how well the last picture before a hand showed the table; None until a picture shows it."""
        return self._sight_check.visibility()

    def _remember_frame(self, frame: Frame, _: FeltReport | None, watcher: FrameWatcher) -> None:
        self._last_frame = frame, watcher.is_in_place

    def tile_picture(self, number: int) -> bytes | None:
        """Returns one lying tile, by its id on the felt, as a JPEG."""
        return self._preview.tile_picture(number)

    def learn(self, tileset: Path) -> None:
        """Replaces the first set by this one."""
        self.tile_sets.replace_first(tileset)
        self.table_finder.replace_watcher()

    def example(self, number: int) -> Image | None:
        """Returns the picture behind the belief in a tile, by its id on the felt; None if it is gone."""
        return None if self._watcher is None else self._watcher.examples.of(number)

    def open_camera(self) -> Camera:
        """Returns the camera, with the settings with which the table was found; entering it opens it.

        Raises:
            CameraError: too many abandoned attempts still hang.
            RecordingError: the recording cannot be read.
        """
        if self.drawn_table is not None:
            return self.drawn_table.camera()
        return self.configured_camera.open(self.table_finder.place)

    def _save(self, place: StoredCalibration) -> None:
        save(replace(place, camera=self.configured_camera.locked), self._calibration_file)

    def _make_watcher(self, calibration: Calibration) -> Watcher:
        lens_calibration = calibration.with_lens(self._lens(calibration.size))
        self._watcher = make_watcher(lens_calibration, self._tile, reds=self._red, reader=self.tile_sets.new_reader())
        return self._watcher


def _coarse(image: Image) -> Image:
    height, width = image.shape[:2]
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, (COARSE_PX, COARSE_PX * height // width), interpolation=cv2.INTER_AREA)
    large = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.cvtColor(large, cv2.COLOR_GRAY2BGR), dtype=np.uint8)
