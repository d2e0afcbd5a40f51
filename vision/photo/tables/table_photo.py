"""Reads a photo of a table with given corners: rectifies the felt, and finds only what lies open on it.

Standing hands are never read. Their faces look outward and can be seen only from their owner's side. If the camera is
on that side of a hand, the whole strip along that rail between the corners is left out, including hands laid open,
since a single photo cannot distinguish the two. Elsewhere a standing tile shows at most its top and back. Therefore
everything that does not measure like a lying tile is left out, and so are backs along a rail.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, Protocol, Self

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, Floats32, Image, Mask
from vision.errors import CalibrationError
from vision.felt import Zone
from vision.geometry.calibration import Calibration, calibrate
from vision.geometry.plane_geometry import TileSize, as_points
from vision.geometry.rectify import TopView
from vision.geometry.sides import SIDES, beyond
from vision.geometry.size_limits import SIDES_MM
from vision.photo.photo_things import scaled
from vision.reading.locator import Located
from vision.reading.sticks.stick_places import stick_spots
from vision.reading.sticks.strips import ReadsSticks
from vision.zones.table_zones import Zones

PX_PER_MM: Final = 1.4
_MARGIN_MM: Final = 20.0
_GRAZING: Final = -0.12
"""Cosine of the angle between a standing face and the line of sight below which the face is surely hidden."""
_UNLIKE: Final = 1.3
"""Largest factor by which a lying tile's sides may differ from the usual ones."""


class Locates(Protocol):
    """Finds tiles and sticks: `vision.reading.locator.Locator`."""

    def locate(self, image: Image, *, tile_px: float | None) -> Located:
        """Returns what it finds in a BGR picture; a lying tile is `tile_px` wide there."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """The table's place in a photo."""

    corners_px: tuple[tuple[float, float], ...]
    """Far left, far right, near right, near left of the play surface, in pixels."""
    side_mm: float
    tile: TileSize = field(default_factory=TileSize)
    """The approximate size of tiles: a set may be some 30 % bigger or smaller."""
    is_whole: bool = True
    """Whether the corners are those of the whole play surface. A part of the felt around tiles has no rails with hands
    at its edges, and no strips are read there, since its ground may be anything."""

    def __post_init__(self) -> None:
        if not SIDES_MM[0] < self.side_mm <= SIDES_MM[1]:
            raise CalibrationError(f"expected a side of 200 to 2000 mm, got {self.side_mm!r}")

    def scaled(self, factor: float) -> Self:
        """Returns the same place in the pixels of a picture that is `factor` times as wide and high."""
        return replace(self, corners_px=scaled(self.corners_px, factor))

    def locate(self, image: Image, locator: Locates, strips: ReadsSticks | None = None) -> Located:
        """Finds what lies open on the felt, as quads in pixels of the photo; `strips` reads the sticks if given.

        Raises:
            CalibrationError: the corners are not those of a table in this picture.
        """
        calibration = calibrate(self.corners_px, size=(image.shape[1], image.shape[0]), side_mm=self.side_mm)
        depth = self.tile.depth_mm
        view = TopView(calibration, height_mm=depth, px_per_mm=PX_PER_MM, margin_mm=_MARGIN_MM)
        picture = _top(image, view)
        located = locator.locate(picture, tile_px=self.tile.width_mm * PX_PER_MM)
        tiles, sticks = (_to_felt(view, quads) for quads in (located.tiles, located.sticks))
        is_lying = self._on_felt(tiles) & _are_of_one_size(tiles) & ~self._may_stand(tiles, calibration)
        is_on_felt = self._on_felt(sticks)
        found = Located(
            tiles=_to_photo(calibration, tiles[is_lying], depth),
            tile_scores=located.tile_scores[is_lying],
            sticks=_to_photo(calibration, sticks[is_on_felt], depth),
            stick_scores=located.stick_scores[is_on_felt],
            stick_values=tuple(np.array(located.stick_values, np.int64)[is_on_felt].tolist()),
        )
        if strips is None or not self.is_whole:
            return found
        flat = partial(calibration.to_pixels, height_mm=0.0)
        read_sticks = strips.sticks(image, flat, stick_spots(picture, located, view))
        return replace(
            found,
            sticks=np.array([flat(stick.quad) for stick in read_sticks], np.float32).reshape(-1, 4, 2),
            stick_scores=np.array([stick.score for stick in read_sticks], np.float32),
            stick_values=tuple(stick.value for stick in read_sticks),
        )

    def are_by_hands(self, image: Image, quads: Floats32) -> Mask:
        """Returns which quads [N, 4, 2] of the photo lie along a rail, where a back is that of a standing tile."""
        return np.array([zone is Zone.HAND for zone in self.zones(image, quads)], np.bool_)

    def zones(self, image: Image, quads: Floats32) -> tuple[Zone | None, ...]:
        """Returns the zone in which each quad [N, 4, 2] of the photo lies; None for all if the table is not whole."""
        if not self.is_whole:
            return (None,) * len(quads)
        calibration = calibrate(self.corners_px, size=(image.shape[1], image.shape[0]), side_mm=self.side_mm)
        felt = calibration.to_felt(as_points(quads), height_mm=self.tile.depth_mm).reshape(-1, 4, 2)
        return tuple(zone for _, zone in self._rough(felt))

    def _rough(self, quads: Floats) -> list[tuple[int, Zone]]:
        zones = Zones(side_mm=self.side_mm, size=self.tile)
        return [zones.side_and_zone(float(x), float(y)) for x, y in quads.mean(axis=1)]

    def _on_felt(self, quads: Floats) -> Mask:
        half = self.side_mm / 2
        return np.asarray((np.abs(quads.mean(axis=1)) < half).all(axis=1), np.bool_)

    def _may_stand(self, quads: Floats, calibration: Calibration) -> Mask:
        """Returns which quads lie where a standing hand could show its faces to the camera."""
        exposed = {side for side in SIDES if self.is_whole and self._may_show_faces(side, calibration.camera_mm)}
        return np.array([zone is Zone.HAND and side in exposed for side, zone in self._rough(quads)], np.bool_)

    def _may_show_faces(self, side: int, camera_mm: Floats) -> bool:
        """Returns whether standing faces of a side may be visible; stricter than `sides.shows_faces`.

        A single photo with roughly given corners says less about where the camera is.
        """
        out = beyond(self.side_mm / 2 - 2 * self.tile.height_mm, side, camera_mm)
        return bool(out / np.hypot(out, camera_mm[2]) > _GRAZING)


def _top(image: Image, view: TopView) -> Image:
    """Returns the top view; a picture much finer than the view is averaged down first."""
    px_per_view_px = np.linalg.norm(np.diff(view.to_frame([[0, 0], [view.side_px, 0]]), axis=0)) / view.side_px
    if px_per_view_px > 1.6:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.35 * float(px_per_view_px)), np.uint8)
    return view.picture(image)


def _to_felt(view: TopView, quads: npt.ArrayLike) -> Floats:
    """Maps quads [N, 4, 2] in a top view's pixels to felt millimetres."""
    return view.to_felt(as_points(quads)).reshape(-1, 4, 2)


def _to_photo(calibration: Calibration, quads: Floats, depth: float) -> Floats32:
    pixels = calibration.to_pixels(as_points(quads), height_mm=depth).reshape(-1, 4, 2)
    return pixels.astype(np.float32)


def _are_of_one_size(quads: Floats) -> Mask:
    """Returns which quads are about as wide and as long as the median; a standing tile, seen at an angle, is not."""
    if not len(quads):
        return np.zeros(0, np.bool_)
    sides = np.stack(
        [np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1), np.linalg.norm(quads[:, 3] - quads[:, 0], axis=1)]
    )
    ratio = sides / np.median(sides, axis=1, keepdims=True)
    return np.asarray(((ratio < _UNLIKE) & (ratio > 1 / _UNLIKE)).all(axis=0), np.bool_)
