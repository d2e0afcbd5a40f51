"""Detects cheaply in each frame where something moves, and what has changed since it was last judged.

It uses a small grey top view with cells of a few millimetres. Each cell stores its value when it came to rest (so that
a slow hand is not missed frame by frame) and when the table was last judged. A lamp that flickers or is switched off,
and a camera that adapts its exposure, change all cells by one factor, which is taken out first.
"""

from __future__ import annotations

from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, Image, Mask
from vision.geometry.calibration import Calibration, calibrate
from vision.geometry.plane_geometry import apply, square
from vision.geometry.rectify import TopView
from vision.watching.motion.stabiliser import Stabiliser

CELL_MM: Final = 4.0
_SAMPLES: Final = 2
"""Sampled points of a cell in each direction; their mean reduces the sensor's noise."""
_LEAST_STEP: Final = 7.0
"""The least change, in grey levels, by which a cell counts as moved."""
_NOISE_FACTOR: Final = 6.0
"""A cell counts as moved if it changes by more than the noise times this."""
_OF_CONTRAST: Final = 0.2
"""Share of an edge's contrast that may change at rest, by a trembling camera or a stream's compression."""
_SPREAD_CELLS: Final = 2
"""Cells this near to something moving are not at rest either: a hand's shadow, the tile it holds."""
_LIT: Final = (12, 244)
"""Grey levels between which a cell shows the light; darker and lighter ones are cut off."""
_LIGHT_STEP: Final = 6
"""The light is measured by one cell in this many, in each direction."""
_FEWEST_LIT: Final = 25
"""The light is not followed if fewer of these cells show it."""
_SAME_LIGHT: Final = 0.1
"""Cells whose light differs from the others' by more than this share show something else."""
_FOLLOWED_SHARE: Final = 0.3
"""The least share of the cells that agree with the light so far; if fewer do, it may have changed."""
_OTHER_LIGHT_SHARE: Final = 0.5
"""The least share of the cells that must agree on another light."""
_FACTORS: Final = (0.5, 2.0)
"""Light changes by a factor between these; otherwise something covers the table."""
_STEADY: Final = 0.01
"""A light that differs from the first by a smaller share is not taken out: it moves no cell."""
_UNKNOWN: Final = -1e3
"""Grey level of a cell that was never judged: unlike every other."""
_SMALLEST_BLOCK: Final = np.ones((2, 2), dtype=np.uint8)
"""The block of cells that must change together, if they are not in line."""
_FEWEST_IN_LINE: Final = 3
"""The least number of cells side by side that must change, each by more than an edge may at rest."""
_FEWEST_MOVED: Final = 2
"""The least number of cells that must move together."""
_NEIGHBOURS: Final = np.ones((3, 3), dtype=np.uint8)

Greys = npt.NDArray[np.float32]
_Cells = npt.NDArray[np.uint8]
"""The grey level of each cell."""


class MotionGate:
    """Follows where the table is at rest."""

    def __init__(self, calibration: Calibration, *, height_mm: float) -> None:
        """Takes the calibration and the height of the watched plane above the felt."""
        self._view = TopView(
            calibration, height_mm=height_mm, px_per_mm=_SAMPLES / CELL_MM, margin_mm=24.0, step=2 * _SAMPLES
        )
        self._stabiliser = Stabiliser(self._view)
        self.cells = self._view.side_px // _SAMPLES
        """Cells along a side of the watched square."""
        self.side_mm = self._view.side_px * CELL_MM / _SAMPLES
        """Side of the watched square."""
        self.table_px = calibration.side_mm * self._view.px_per_mm
        """Side of the play surface in `picture`."""
        self._previous: _Cells | None = None
        self._anchor: _Cells = np.zeros((self.cells, self.cells), dtype=np.uint8)
        self._since_ns = np.zeros((self.cells, self.cells), dtype=np.int64)
        self._judged_grey: Greys = np.full((self.cells, self.cells), _UNKNOWN, dtype=np.float32)
        self.picture = np.zeros((self._view.side_px, self._view.side_px), dtype=np.uint8)
        """The last frame's small grey top view."""
        self._now_ns = 0
        self._noise = 0.0
        self._light = 1.0
        """The light as a multiple of the first frame's, in which cells are compared."""
        self._grey = self._anchor

    def see(self, image: Image, t_ns: int) -> None:
        """Takes the next raw frame."""
        self.picture = self._stabiliser.picture(image)
        small = cv2.resize(self.picture, (self.cells, self.cells), interpolation=cv2.INTER_AREA)
        self._take(self._in_first_light(np.asarray(small, dtype=np.uint8)), t_ns)

    def _in_first_light(self, grey: _Cells) -> _Cells:
        """Returns the cells as they would be in the light of the first frame."""
        if self._previous is not None:
            self._light = _followed_light(self._light, grey, self._anchor)
        if abs(self._light - 1) <= _STEADY:
            return grey
        return np.asarray(cv2.convertScaleAbs(grey, alpha=1 / self._light), dtype=np.uint8)

    def _take(self, grey: _Cells, t_ns: int) -> None:
        self._grey, self._now_ns = grey, t_ns
        if self._previous is None:
            self._anchor = grey.copy()
            self._since_ns[:] = t_ns
        else:
            self._noise = _followed_noise(self._noise, cv2.absdiff(grey, self._previous))
            differences = cv2.absdiff(grey, self._anchor)
            if differences.max() > self.threshold:
                moved_cells = self._moved_cells(grey, differences)
                self._anchor[moved_cells] = grey[moved_cells]
                self._since_ns[moved_cells] = t_ns
        self._previous = grey

    def _moved_cells(self, grey: _Cells, differences: npt.NDArray[Any]) -> Mask:
        """Returns which cells no longer look as they did when they came to rest, with their neighbours.

        One cell alone is noise. Neighbours count as moved too: at a tile's edge a cell may change by just about the
        threshold. `differences` are the changes of each cell since it came to rest.
        """
        differs = differences > self._limits(grey)
        moved = np.asarray(differs & (_differing_around(differs) >= _FEWEST_MOVED), dtype=np.uint8)
        return np.asarray(cv2.dilate(moved, _NEIGHBOURS), dtype=np.bool_)

    def _limits(self, grey: _Cells) -> Greys:
        """Returns by how many grey levels each cell may change at rest, more at an edge than in an even place."""
        contrast = (cv2.dilate(grey, _NEIGHBOURS) - cv2.erode(grey, _NEIGHBOURS)).astype(np.float32)
        return np.asarray(np.maximum(self.threshold, _OF_CONTRAST * contrast), np.float32)

    @property
    def threshold(self) -> float:
        """The change in grey levels beyond which a cell counts as changed."""
        return max(_LEAST_STEP, _NOISE_FACTOR * self._noise)

    def rest_ns(self) -> npt.NDArray[np.int64]:
        """Returns how long each cell and its neighbours have been at rest, shape [cells, cells]."""
        since = self._since_ns.astype(np.float64)
        kernel = np.ones((2 * _SPREAD_CELLS + 1,) * 2, dtype=np.uint8)
        latest = cv2.dilate(since, kernel, borderType=cv2.BORDER_REPLICATE)
        return self._now_ns - latest.astype(np.int64)

    def changed_cells(self) -> Mask:
        """Returns which cells have changed since they were last judged, in blocks or in lines; single ones are noise.

        A tile that is turned over may change in its rim alone: its back may be as light as the print.
        """
        differences = cv2.absdiff(self._grey.astype(np.float32), self._judged_grey)
        differs = np.asarray(differences > self.threshold)
        if not differs.any():
            return differs
        blocks = cv2.morphologyEx(differs.view(np.uint8), cv2.MORPH_OPEN, _SMALLEST_BLOCK)
        beyond_limits = differences > self._limits(self._grey)
        lines = beyond_limits & (_differing_around(beyond_limits) >= _FEWEST_IN_LINE)
        return np.asarray(blocks.astype(np.bool_) | lines, dtype=np.bool_)

    def moving_share(self) -> float:
        """Returns the share of cells that moved in the last frame."""
        return float((self._since_ns == self._now_ns).mean())

    def forget(self, cells: Mask) -> None:
        """Makes these cells count as changed until they are judged again."""
        self._judged_grey[cells] = _UNKNOWN

    def judge(self, cells: Mask) -> None:
        """Stores the present picture of these cells as judged."""
        self._judged_grey[cells] = self._grey[cells]

    def cells_of(self, points_mm: Floats) -> npt.NDArray[np.intp]:
        """Returns row and column, [N, 2], of the cell at each point [N, 2], or of the nearest cell."""
        pixels = self._view.from_felt(points_mm)
        index = np.clip(np.floor((pixels[:, ::-1] + 0.5) / _SAMPLES), 0, self.cells - 1)
        return index.astype(np.intp)

    def picture_of(self, points_mm: Floats) -> Floats:
        """Returns the pixels in `picture` of points [N, 2] of the watched plane."""
        return self._view.from_felt(points_mm)

    def after_push(self, plane: Floats) -> tuple[Calibration, float]:
        """Returns the calibration after a push, and how far the table's corners moved on average, in millimetres.

        `plane` is the homography [3, 3] from pixels of `picture` before the push to those after it.
        """
        before = self._view.calibration
        corners = square(before.side_mm)
        corners_after = self._view.to_felt(apply(plane, self._view.from_felt(corners)))
        # The view's plane is above the felt; a push moves both alike.
        pixels = before.to_pixels(corners_after, height_mm=0.0)
        after = calibrate(pixels, size=before.size, side_mm=before.side_mm, lens=before.lens)
        return after, float(np.linalg.norm(corners_after - corners, axis=1).mean())

    def middles_mm(self) -> Floats:
        """Returns the middle of every cell in felt millimetres, shape [cells, cells, 2]."""
        rows, columns = np.mgrid[0 : self.cells, 0 : self.cells]
        pixels = np.stack([columns.ravel(), rows.ravel()], axis=1) * _SAMPLES + (_SAMPLES - 1) / 2
        return self._view.to_felt(pixels).reshape(self.cells, self.cells, 2)


def _differing_around(differs: Mask) -> npt.NDArray[np.uint8]:
    """Returns, for each cell, how many of it and its eight neighbours differ."""
    counts = cv2.boxFilter(differs.view(np.uint8), -1, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(counts, np.uint8)


def _followed_light(light: float, grey: _Cells, rest_grey: _Cells) -> float:
    """Returns by what factor cells differ from `rest_grey`, when they came to rest; in the last frame, by `light`."""
    levels, rest_levels = grey[::_LIGHT_STEP, ::_LIGHT_STEP], rest_grey[::_LIGHT_STEP, ::_LIGHT_STEP]
    is_lit = (np.minimum(levels, rest_levels) > _LIT[0]) & (np.maximum(levels, rest_levels) < _LIT[1])
    factors = np.divide(levels[is_lit], rest_levels[is_lit], dtype=np.float32)
    if len(factors) < _FEWEST_LIT:
        return light
    agreeing = _factors_near(factors, light)
    if len(agreeing) < _FOLLOWED_SHARE * len(factors):
        agreeing = _factors_near(factors, float(np.median(factors)))
        if (
            len(agreeing) < _OTHER_LIGHT_SHARE * len(factors)
            or not _FACTORS[0] < np.median(agreeing) / light < _FACTORS[1]
        ):
            return light
    return float(np.median(agreeing))


def _factors_near(factors: Greys, light: float) -> Greys:
    return np.asarray(factors[np.abs(factors - light) < _SAME_LIGHT * light], np.float32)


def _followed_noise(noise: float, step: npt.NDArray[Any]) -> float:
    """Returns the noise: the spread of the changes from frame to frame where nothing moves, smoothed over frames.

    `noise` is its last value, 0 if unknown; `step` is by how many grey levels each cell has changed.
    """
    counts = np.cumsum(cv2.calcHist([step], [0], None, [256], [0, 256]), dtype=np.int64)
    low, high = np.searchsorted(counts, ((step.size + 1) // 2, step.size // 2 + 1))
    spread = 1.48 * float(low + high) / 2
    return 0.9 * noise + 0.1 * spread if noise else spread
