"""The things in a plain photo: what was read as a tile, what was only found, and what lies beside what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, Floats32, Image, Mask
from vision.confidence import INDICATIVE
from vision.felt import HAKU, NOT_A_TILE
from vision.geometry.quads import across, along, areas_of
from vision.photo.candidates import is_sure
from vision.photo.doubt.ground_colours import alike, are_printed_around, grounds_of
from vision.photo.doubt.tile_views import apart, views_of
from vision.photo.photo_things import ReadTile

Indices = npt.NDArray[np.intp]

_APART: Final = 2.0
"""A tile this many tile lengths away from another does not belong to its group."""
_AROUND: Final = 12
"""How many of the nearest things lie around one, and …"""
_REACH: Final = 3.5
"""… how far away they may be, in square roots of its area."""
_LIKE: Final = 2.0
"""Things that are this many times as long or as short are of another kind."""
_NEAREST: Final = 4
"""How many of the nearest faces one is compared with, and …"""
NEAR: Final = 4.0
"""… how far away they may be to be seen alike, in square roots of its area."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """The tiles in a photo, [N], followed by the finds that are none of them, together [M]."""

    image: Image
    """The photo, in BGR."""
    names: npt.NDArray[np.str_]
    """[M], the faces read; `?` for a find that is no tile."""
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
    """[M], the directions of their sides: numbers of length 1, the same after a quarter turn."""
    views: Floats
    """[M, 2, 2], how the photo shows them."""
    grounds: Floats32
    """[M, 3], the colours behind their prints in CIE Lab."""
    is_alike: Mask
    """[M, M], which two may have one ground."""
    is_face: Mask
    """[M], which read surely as a face, and none that other things resemble."""
    is_haku: Mask
    """[M], which read surely as a haku."""
    is_framed: Mask
    """[M], which of these show a print around an empty middle, as a frame is."""
    groups: Mask
    """[N, N], which two tiles belong to one group."""

    @classmethod
    def of(cls, tiles: Sequence[ReadTile], finds: Floats32, image: Image) -> Self:
        """Returns the scene of at least one tile, of everything found, [F, 4, 2], and of the photo, in BGR."""
        quads = np.array([tile.quad for tile in tiles], np.float32)
        quads = np.concatenate([quads, _beside(finds, quads)])
        rest = len(quads) - len(tiles)
        is_haku = _filled([tile.tile == HAKU and tile.score > INDICATIVE for tile in tiles], rest)
        is_framed = is_haku.copy()
        is_framed[is_haku] = are_printed_around(image, quads[is_haku])
        grounds, side = grounds_of(image, quads), quads[:, 1] - quads[:, 0]
        return cls(
            image=image,
            names=np.array([*(tile.tile for tile in tiles), *[NOT_A_TILE] * rest]),
            found=np.array([tile.found for tile in tiles], np.float64),
            quads=quads,
            middles=quads.mean(axis=1),
            sizes=np.sqrt(np.maximum(areas_of(quads), 1e-6)),
            shapes=np.asarray(along(quads) / np.maximum(across(quads), 1e-6), np.float32),
            turns=np.exp(4j * np.arctan2(side[:, 1], side[:, 0]).astype(np.float64)),
            views=views_of(quads),
            grounds=grounds,
            is_alike=alike(grounds),
            is_face=_filled([is_sure(tile) for tile in tiles], rest),
            is_haku=is_haku,
            is_framed=is_framed,
            groups=together(tiles),
        )

    def away(self, index: int | np.intp) -> Floats32:
        """Returns how far everything is from one thing, in square roots of its area, [M]."""
        apart = np.linalg.norm(self.middles - self.middles[index], axis=1)
        return np.asarray(apart / self.sizes[index], np.float32)

    def as_big(self, index: int | np.intp) -> Mask:
        """Returns what is about as big as one thing, itself included, [M]."""
        ratio = self.sizes / self.sizes[index]
        return np.asarray((ratio < _LIKE) & (ratio > 1 / _LIKE), np.bool_)

    def around(self, index: int) -> Indices:
        """Returns the nearest things of about its size, itself first."""
        away = self.away(index)
        near = np.flatnonzero((away < _REACH) & self.as_big(index))
        return near[np.argsort(away[near], kind="stable")][: _AROUND + 1]

    def nearest(self, index: int, faces: Mask) -> Indices:
        """Returns the nearest of these tiles [N] to one thing, without itself."""
        own = np.flatnonzero(faces & (np.arange(len(faces)) != index))
        return own[np.argsort(self.away(index)[own], kind="stable")][:_NEAREST]

    def is_seen_otherwise(self, index: int, faces: Mask, limit: float) -> bool:
        """Whether the nearest of these tiles [N], if any are near, all show lengths that differ by more than this."""
        near = self.nearest(index, faces)
        near = near[self.away(index)[near] < NEAR]
        return bool(len(near) and apart(self.views[index], self.views[near]).min() > limit)


def together(tiles: Sequence[ReadTile]) -> Mask:
    """Which two belong to one group, each lying beside another of it, [N, N]."""
    quads = np.array([tile.quad for tile in tiles], np.float32)
    middles, length = quads.mean(axis=1), along(quads)
    away = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    beside = away < _APART * np.minimum(length[:, None], length[None])
    group = np.arange(len(tiles))
    for index, other in np.argwhere(beside):
        group[group == group[other]] = group[index]
    return np.asarray(group[:, None] == group[None], np.bool_)


def _filled(values: Sequence[bool], rest: int) -> Mask:
    """Returns these values, and as many more that are not so."""
    return np.array([*values, *[False] * rest], np.bool_)


def _beside(finds: Floats32, quads: Floats32) -> Floats32:
    """Returns the finds that are none of the tiles' quads, nor parts of them."""
    away = np.linalg.norm(finds.mean(axis=1)[:, None] - quads.mean(axis=1)[None], axis=2)
    return np.asarray(finds[(away > across(finds)[:, None] / 2).all(axis=1)], np.float32)
