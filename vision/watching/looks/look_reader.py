"""Reads faces on the felt in one frame: the watcher's only way to the reader, which checks what may be read.

Everything passes `vision.privacy.hand_privacy` here: where a hand may stand, the locator's finds are dropped, and any
other place is reported as no tile without being read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, Image, Mask
from vision.felt import NOT_A_TILE, Reading
from vision.geometry.plane_geometry import TileSize
from vision.geometry.rectify import TopView
from vision.privacy.hand_privacy import lean_of, may_be_read
from vision.reading.locator import Located
from vision.reading.reader import FaceReader
from vision.watching.detection import Detection, detection_of
from vision.watching.looks.tile_looks import TileLooks
from vision.zones.table_zones import Zones

_WHOLE: Final = 0.88
"""A quad is a whole tile if its long side measures at least this share of a tile's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceReading:
    """What a place on the felt reads as."""

    place: Detection
    quad: Floats
    """Corners in the frame, [4, 2]."""
    reading: Reading


class LookReader:
    """Reads one frame wherever no hand may stand."""

    def __init__(self, reader: FaceReader, image: Image, view: TopView, *, zones: Zones) -> None:
        """Takes the reader, the raw frame, the top view that tiles are found in, and the parts of the table."""
        self.view, self.zones = view, zones
        self._reader, self._image = reader, image

    @property
    def size(self) -> TileSize:
        """The size of the table's tiles."""
        return self.zones.size

    def located_tiles(self, found: Located) -> TileLooks:
        """Returns the whole tiles among what was found in the view, without those that may stand."""
        quads = found.tiles.astype(np.float64)
        quads_mm = self.view.to_felt(quads).reshape(-1, 4, 2)
        reversed_ = _are_reversed(quads_mm)
        for corners in (quads, quads_mm):
            corners[reversed_] = np.roll(corners[reversed_], 2, axis=1)
        allowed = self._allows(quads_mm) & _are_whole(quads_mm, self.size)
        return TileLooks(
            quads=quads[allowed],
            scores=found.tile_scores[allowed],
            detections=[detection_of(quad) for quad in quads_mm[allowed]],
        )

    def read_found(self, looks: TileLooks, chosen: Sequence[int]) -> tuple[list[Reading], Floats]:
        """Reads those of the looks with the indexes `chosen`; also returns their corners in the frame, [N, 4, 2]."""
        quads = self.view.to_frame(looks.quads[chosen]).reshape(-1, 4, 2)
        return self._reader.read(self._image, quads), quads

    def allows(self, places: Sequence[Detection]) -> Mask:
        """Returns at which places no hand may stand."""
        return self._allows([place.corners() for place in places])

    def read(self, places: Sequence[Detection]) -> list[PlaceReading]:
        """Returns what is seen at each place; no tile where a hand may stand, which is not read."""
        quads = self.view.to_frame(self.view.from_felt([place.corners() for place in places])).reshape(-1, 4, 2)
        allowed = self.allows(places)
        readings = iter(self._reader.read(self._image, quads[allowed]) if allowed.any() else [])
        no_tile = Reading(tile=NOT_A_TILE, score=1.0)
        return [
            PlaceReading(place=place, quad=quad, reading=next(readings) if is_allowed else no_tile)
            for place, quad, is_allowed in zip(places, quads, allowed, strict=True)
        ]

    def read_at(self, place: Detection) -> PlaceReading:
        """Returns what is seen at one place; no tile where a hand may stand, which is not read."""
        (seen,) = self.read([place])
        return seen

    def _allows(self, quads_mm: npt.ArrayLike) -> Mask:
        return may_be_read(quads_mm, camera_mm=self.view.calibration.camera_mm, zones=self.zones)


def _are_reversed(quads_mm: Floats) -> Mask:
    """Returns which quads [N, 4, 2] begin at the opposite short side."""
    leans = np.array([lean_of(quad) for quad in quads_mm])
    return np.asarray((leans <= -45) | (leans > 135), dtype=np.bool_)


def _are_whole(quads_mm: Floats, tile: TileSize) -> Mask:
    """Returns which quads [N, 4, 2] are long enough for a tile: half a 4p looks like a 2p."""
    long = np.linalg.norm(quads_mm[:, 3] + quads_mm[:, 2] - quads_mm[:, 0] - quads_mm[:, 1], axis=1) / 2
    return np.asarray(long > _WHOLE * tile.height_mm, dtype=np.bool_)
