"""Selects, from what the locator found, the tiles that may be read, and compares how places of tiles look."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.arrays import Floats, Floats32, Mask
from vision.confidence import SURE
from vision.felt import Reading
from vision.geometry.plane_geometry import TileSize
from vision.geometry.rectify import TopView
from vision.privacy.hand_privacy import lean_of, may_be_read
from vision.reading.locator import Located
from vision.watching.belief.beliefs import ALIKE, Picture
from vision.watching.detection import Detection, detection_of
from vision.zones.table_zones import Zones

_WHOLE: Final = 0.88
"""A quad is a whole tile if its long side measures at least this share of a tile's."""
_BLANK: Final = 10.0
"""If a place deviates from its mean grey by less than this, chance decides how its grain correlates: …"""
_OTHER_LIGHT: Final = 1.25
"""… then it has changed if it is as many times as light or as dark as it was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TileLooks:
    """The lying tiles that the locator found, in its order."""

    quads: Floats
    """Corners in pixels of the top view, [N, 4, 2]; all begin at the same short side."""
    scores: Floats32
    """The locator's scores, [N]."""
    sightings: list[Detection]
    """Where they lie on the felt."""

    def with_joined(self, joined: Mapping[int, Detection], parts: Iterable[int], view: TopView) -> TileLooks:
        """Returns the looks with some at other places in `view`, and without those that are only `parts` of them."""
        quads, sightings = self.quads.copy(), list(self.sightings)
        for index, place in joined.items():
            quads[index], sightings[index] = view.from_felt(place.corners()).reshape(4, 2), place
        return TileLooks(quads=quads, scores=self.scores, sightings=sightings)._without(parts)

    def with_others(
        self, places: Sequence[Detection], scores: Sequence[float], view: TopView, *, without: Iterable[int]
    ) -> TileLooks:
        """Returns the looks with tiles at more places in `view`, of these scores, and without some found ones."""
        on_felt = np.array([place.corners() for place in places]).reshape(-1, 2)
        quads = np.concatenate([self.quads, view.from_felt(on_felt).reshape(-1, 4, 2)])
        all_scores = np.concatenate([self.scores, np.array(scores, np.float32)])
        return TileLooks(quads=quads, scores=all_scores, sightings=[*self.sightings, *places])._without(without)

    def _without(self, left_out: Iterable[int]) -> TileLooks:
        kept = np.delete(np.arange(len(self.sightings)), list(left_out))
        sightings = [self.sightings[index] for index in kept]
        return TileLooks(quads=self.quads[kept], scores=self.scores[kept], sightings=sightings)


def located_tiles(found: Located, view: TopView, *, eye_mm: Floats, zones: Zones, tile: TileSize) -> TileLooks:
    """Returns the whole tiles among what was found in `view`, without those that may stand (`vision.privacy`).

    Args:
        found: what the locator found.
        view: the top view that it was found in.
        eye_mm: the camera's position, shape [3].
        zones: the parts of the table.
        tile: the size of the tiles.
    """
    quads = found.tiles.astype(np.float64)
    on_felt = view.to_felt(quads).reshape(-1, 4, 2)
    reversed_ = _are_reversed(on_felt)
    quads[reversed_], on_felt[reversed_] = np.roll(quads[reversed_], 2, axis=1), np.roll(on_felt[reversed_], 2, axis=1)
    allowed = may_be_read(on_felt, eye_mm=eye_mm, zones=zones) & _are_whole(on_felt, tile)
    return TileLooks(
        quads=quads[allowed],
        scores=found.tile_scores[allowed],
        sightings=[detection_of(quad) for quad in on_felt[allowed]],
    )


def is_sure_face(reading: Reading) -> bool:
    """Returns whether a look alone tells the face."""
    return reading.is_face and reading.score >= SURE


def are_alike(one: Picture, other: Picture) -> bool:
    """Returns whether the first patch shows the same as the second, a print in whatever light."""
    return likeness(one, other) > ALIKE


def likeness(one: Picture, other: Picture) -> float:
    """Returns how far the first patch shows the same as the second, a print in whatever light: at most 1."""
    lighter = max(float(one.mean()), 1.0) / max(float(other.mean()), 1.0)
    if one.std() < _BLANK and not 1 / _OTHER_LIGHT < lighter < _OTHER_LIGHT:
        return 0.0
    first, second = one - one.mean(), other - other.mean()
    size = float(np.linalg.norm(first) * np.linalg.norm(second))
    return float(first @ second) / size if size else 1.0


def _are_reversed(quads_mm: Floats) -> Mask:
    """Returns which quads [N, 4, 2] begin at the opposite short side."""
    leans = np.array([lean_of(quad) for quad in quads_mm])
    return np.asarray((leans <= -45) | (leans > 135), dtype=np.bool_)


def _are_whole(quads_mm: Floats, tile: TileSize) -> Mask:
    """Returns which quads [N, 4, 2] are long enough for a tile: half a face of four circles looks like one of two."""
    long = np.linalg.norm(quads_mm[:, 3] + quads_mm[:, 2] - quads_mm[:, 0] - quads_mm[:, 1], axis=1) / 2
    return np.asarray(long > _WHOLE * tile.height_mm, dtype=np.bool_)
