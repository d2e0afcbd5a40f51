"""Follows where a watched table lies in the frames: pushed a little, moved far, or out of sight."""

from __future__ import annotations

import logging
from typing import Final

from vision.arrays import Image, Mask
from vision.frames import Frame
from vision.geometry.calibration import Calibration
from vision.geometry.rectify import PX_PER_MM, STEP, TopView
from vision.geometry.visibility.blur import is_out_of_focus
from vision.geometry.visibility.table_cut import cut_out
from vision.watching.motion.motion_gate import MotionGate
from vision.watching.place.refinding import away_mm, find_table_again
from vision.watching.place.shift import ShiftDetector
from vision.watching.place.table_in_sight import TableInSight

_PUSHED_SHARE: Final = 0.005
"""The table may have been pushed if at least this share of it has changed and is at rest again."""
_RETRY_NS: Final = 1_000_000_000
"""Time between two searches for a table that left its place."""
_FIRST_TRY_NS: Final = 400_000_000
"""Time from the moment it left to the first search."""
_CALM_SHARE: Final = 0.9
"""Share of the table that must be at rest in a picture that later ones are compared with."""
_CALM_NS: Final = 2_000_000_000
"""Time between two such pictures."""

_log = logging.getLogger(__name__)


class TablePlace:
    """The place of one table: its calibration, and the views made with it, which change with each move."""

    def __init__(self, calibration: Calibration, *, height_mm: float) -> None:
        """Takes the table's first place.

        Args:
            calibration: where the table lies.
            height_mm: the height of the watched plane above the felt: that of a tile's face.
        """
        self._height_mm = height_mm
        self._use_calibration(calibration)
        self._sight = TableInSight(self.gate.table_px)
        self.is_in_place = True
        """Whether the table lies where `calibration` says in the last frame."""
        self._begins_blurred = False
        """Whether no picture was sharp yet."""
        self._last_search_ns = 0
        self.moved_mm = 0.0
        """How far the table's corners have moved, on average, since the last report."""

    def _use_calibration(self, calibration: Calibration) -> None:
        self.calibration = calibration
        """Where the table lies."""
        self.view = TopView(calibration, height_mm=self._height_mm)
        """The large top view, in which tiles and sticks are located."""
        self.coarse_view = TopView(calibration, height_mm=self._height_mm, px_per_mm=PX_PER_MM / 2, step=STEP // 2)
        """The same view with pixels twice as wide, for the colours of the table."""
        self.gate = MotionGate(calibration, height_mm=self._height_mm)
        """What moves and what has changed."""
        self._shift_detector = ShiftDetector()
        self._calm_ns = -_CALM_NS

    def see(self, frame: Frame) -> bool:
        """Takes the next frame; returns whether the table lies in its place in it, or was found in a new one.

        The frame must have the calibration's size: for any other, the caller calls `miss` instead.
        """
        self.gate.see(frame.image, frame.t_ns)
        if not self._sight.knows_table:
            self._begins_blurred = is_out_of_focus(cut_out(frame.image, self.calibration), self.calibration)
            if self._begins_blurred:
                self.is_in_place = True
                return True
        was_in_place = self.is_in_place
        self.is_in_place = self._sight.follow(self.gate.picture, frame.t_ns)
        if self.is_in_place:
            return True
        if was_in_place:
            _log.info("frame %d shows no table in its place: no pictures until it is found again", frame.k)
            self._last_search_ns = frame.t_ns + _FIRST_TRY_NS - _RETRY_NS
        elif frame.t_ns - self._last_search_ns >= _RETRY_NS:
            self._last_search_ns = frame.t_ns
            self.is_in_place = self._is_found_again(frame.image, frame.t_ns)
        return self.is_in_place

    @property
    def is_blurred(self) -> bool:
        """Whether the last frame, which shows the table in its place, is out of focus: nothing can be read in it."""
        return self.is_in_place and (self._begins_blurred or self._sight.is_blurred)

    def miss(self) -> None:
        """Notes that a frame could not be used, so that the table's place in it is unknown."""
        self.is_in_place = False

    def _is_found_again(self, image: Image, t_ns: int) -> bool:
        """Searches this frame for the table, and continues from the place where it is found."""
        place = find_table_again(image, self.calibration, height_mm=self._height_mm, sight=self._sight)
        if place is None:
            return False
        if place is self.calibration:
            self._sight.remember(self.gate.picture, t_ns)
            return True
        moved_mm = away_mm(place, self.calibration)
        self.moved_mm += moved_mm
        _log.info("the camera or the table was moved by %.0f mm: found again", moved_mm)
        self._use_calibration(place)
        self.gate.see(image, t_ns)
        return True

    def follow_push(self, frame: Frame, settled: Mask) -> bool:
        """Returns whether the table has been pushed since it was last calm; continues from its new place if so.

        Args:
            frame: the frame last seen.
            settled: the gate's cells that have changed and are at rest again.
        """
        if settled.mean() < _PUSHED_SHARE:
            return False
        plane = self._shift_detector.motion_to(self.gate.picture)
        if plane is None:
            return False
        pushed, moved_mm = self.gate.after_push(plane)
        self.moved_mm += moved_mm
        _log.info("the camera or the table was pushed by %.0f mm: realigned", moved_mm)
        self._use_calibration(pushed)
        self.gate.see(frame.image, frame.t_ns)
        return True

    def remember(self, still: Mask, now_ns: int) -> None:
        """Keeps the last frame to detect pushes by, if enough cells are `still` and the one kept before is old."""
        if still.mean() > _CALM_SHARE and now_ns - self._calm_ns > _CALM_NS:
            self._shift_detector.remember(self.gate.picture)
            self._calm_ns = now_ns
