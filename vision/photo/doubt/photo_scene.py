"""The things in a plain photo: those read as tiles, those only found, and their neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, Floats32, Image, Mask
from vision.confidence import INDICATIVE
from vision.felt import HAKU, NOT_A_TILE
from vision.geometry.quads import areas_of, long_sides, short_sides
from vision.photo.candidates import is_sure
from vision.photo.doubt.ground_colours import are_of_one_set, are_printed_around, grounds_of
from vision.photo.doubt.tile_views import view_differences, views_of
from vision.photo.photo_things import ReadTile

Indices = npt.NDArray[np.intp]

_GROUP_LENGTHS: Final = 2.0
"""A tile this many tile lengths away from another does not belong to its group."""
_AROUND: Final = 12
"""How many of the nearest things are a thing's neighbours."""
_AROUND_SIZES: Final = 3.5
"""How far away a thing's neighbours may be, in square roots of its area."""
_LIKE: Final = 2.0
"""Things whose size differs by this factor or more are of different kinds."""
_NEAREST: Final = 4
"""How many of the nearest faces a thing is compared with."""
NEAR_SIZES: Final = 4.0
"""How far away faces may be whose view is compared with a thing's, in square roots of its area."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """The things in a photo: the tiles read there, [N], followed by the other finds, together [M]."""

    image: Image
    """The photo, in BGR."""
    names: npt.NDArray[np.str_]
    """[M], what was read; `?` for a find that is no tile."""
    found: Floats
    """[N], the locator's scores."""
    quads: Floats32
    """[M, 4, 2], in pixels."""
    middles: Floats32
    """[M, 2], in pixels."""
    sizes: Floats32
    """[M], the square roots of their areas."""
    shapes: Floats32
    """[M], length over width."""
    turns: npt.NDArray[np.complex128]
    """[M], the directions of their sides as complex numbers of length 1; a quarter turn does not change them."""
    views: Floats
    """[M, 2, 2], the size and angle at which they are seen, as of `views_of`."""
    grounds: Floats32
    """[M, 3], the colours behind their prints in CIE Lab."""
    has_same_ground: Mask
    """[M, M], which pairs may have the same ground."""
    is_face: Mask
    """[M], which are sure faces, as by `is_sure`: not blank ones."""
    is_haku: Mask
    """[M], which read surely as a haku."""
    is_framed: Mask
    """[M], which of these hakus show a print around an empty middle, as a frame does."""
    groups: Mask
    """[N, N], which pairs of tiles belong to one group."""

    @classmethod
    def of(cls, tiles: Sequence[ReadTile], finds: Floats32, image: Image) -> Self:
        """Returns the scene of the tiles, at least one, of everything found, [F, 4, 2], and of the photo, in BGR."""
        quads = np.array([tile.quad for tile in tiles], np.float32)
        quads = np.concatenate([quads, _other_finds(finds, quads)])
        other_count = len(quads) - len(tiles)
        is_haku = _padded([tile.tile == HAKU and tile.score > INDICATIVE for tile in tiles], other_count)
        is_framed = is_haku.copy()
        is_framed[is_haku] = are_printed_around(image, quads[is_haku])
        grounds, side = grounds_of(image, quads), quads[:, 1] - quads[:, 0]
        return cls(
            image=image,
            names=np.array([*(tile.tile for tile in tiles), *[NOT_A_TILE] * other_count]),
            found=np.array([tile.found for tile in tiles], np.float64),
            quads=quads,
            middles=quads.mean(axis=1),
            sizes=np.sqrt(np.maximum(areas_of(quads), 1e-6)),
            shapes=np.asarray(long_sides(quads) / np.maximum(short_sides(quads), 1e-6), np.float32),
            turns=np.exp(4j * np.arctan2(side[:, 1], side[:, 0]).astype(np.float64)),
            views=views_of(quads),
            grounds=grounds,
            has_same_ground=are_of_one_set(grounds),
            is_face=_padded([is_sure(tile) for tile in tiles], other_count),
            is_haku=is_haku,
            is_framed=is_framed,
            groups=are_grouped(tiles),
        )

    def distances_from(self, index: int | np.intp) -> Floats32:
        """Returns how far everything is from one thing, in square roots of its area, [M]."""
        distances = np.linalg.norm(self.middles - self.middles[index], axis=1)
        return np.asarray(distances / self.sizes[index], np.float32)

    def is_as_big(self, index: int | np.intp) -> Mask:
        """Returns which things are about as big as one thing, itself included, [M]."""
        ratio = self.sizes / self.sizes[index]
        return np.asarray((ratio < _LIKE) & (ratio > 1 / _LIKE), np.bool_)

    def neighbours(self, index: int) -> Indices:
        """Returns the nearest things of about a thing's size, nearest first, beginning with itself."""
        distances = self.distances_from(index)
        near_indices = np.flatnonzero((distances < _AROUND_SIZES) & self.is_as_big(index))
        return near_indices[np.argsort(distances[near_indices], kind="stable")][: _AROUND + 1]

    def nearest(self, index: int, faces: Mask) -> Indices:
        """Returns which of these tiles [N] are nearest to one thing, nearest first and without itself."""
        candidates = np.flatnonzero(faces & (np.arange(len(faces)) != index))
        return candidates[np.argsort(self.distances_from(index)[candidates], kind="stable")][:_NEAREST]

    def is_seen_otherwise(self, index: int, faces: Mask, limit: float) -> bool:
        """Whether the views of the nearest of these tiles [N] all differ from a thing's by more than `limit`.

        False if none of them is near enough.
        """
        nearest = self.nearest(index, faces)
        nearest = nearest[self.distances_from(index)[nearest] < NEAR_SIZES]
        return bool(len(nearest) and view_differences(self.views[index], self.views[nearest]).min() > limit)


def are_grouped(tiles: Sequence[ReadTile]) -> Mask:
    """Returns which pairs of tiles belong to one group, in which each lies beside another, [N, N]."""
    quads = np.array([tile.quad for tile in tiles], np.float32)
    middles, length = quads.mean(axis=1), long_sides(quads)
    distances = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    is_beside = distances < _GROUP_LENGTHS * np.minimum(length[:, None], length[None])
    group = np.arange(len(tiles))
    for index, other in np.argwhere(is_beside):
        group[group == group[other]] = group[index]
    return np.asarray(group[:, None] == group[None], np.bool_)


def _padded(values: Sequence[bool], count: int) -> Mask:
    """Returns these values, followed by `count` times False."""
    return np.array([*values, *[False] * count], np.bool_)


def _other_finds(finds: Floats32, quads: Floats32) -> Floats32:
    """Returns the finds that are neither the quad of a tile nor a part of one."""
    distances = np.linalg.norm(finds.mean(axis=1)[:, None] - quads.mean(axis=1)[None], axis=2)
    return np.asarray(finds[(distances > short_sides(finds)[:, None] / 2).all(axis=1)], np.float32)
