"""Decides which supposed backs in a plain photo are backs, and not panes, keys, floors, boards or bare ground.

Anything of one colour reads as a back. Real backs have the colour of their set, are found as surely as tiles are, have
the size and angle of the faces beside them, and lie beside faces, in walls, in rows or in heaps. A single back among
faces may be anything, and one with their paper the side of a tile; where a back lies apart from others, bare cloth does
not go on beyond its sides.
"""

from __future__ import annotations

from functools import cached_property
from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats32, Mask
from vision.confidence import BACKS_ALONE, BACKS_BESIDE
from vision.felt import BACK
from vision.photo.doubt.ground_colours import are_of_one_set, grounds_of
from vision.photo.doubt.photo_scene import Indices, Scene
from vision.photo.doubt.tile_edges import edges_of
from vision.reading.backs import NEXT, row_alignment

_BACKS: Final = 0.7
"""The least share of backs among the things around a back that has no face near it."""
_ROW: Final = 3
"""The fewest backs side by side, of one colour and size, that form a row."""
_IN_ROWS_SHARE: Final = 0.5
"""Backs that are alike and lie together are tiles even without a face near them if this share of them is in rows."""
_EQUAL: Final = 1.2
"""The largest factor between the sizes, as square roots of areas, of two backs side by side in a row."""
_MOSTLY: Final = 1 / 3
"""A back is kept only if at least this share of the backs like it is kept: some fields of a floor lie beside tiles."""
_SEEN_ALIKE: Final = 0.28
"""How much a back's view (`tile_views`) may differ from faces', as a logarithm: walls lie higher and far away."""
_FIELD: Final = 12
"""The fewest backs that may form a field: a tiled floor, a wall of bricks or a cloth."""
_FIELD_DEEP: Final = 3.5
"""The least extent of a field in every direction, in sizes of a back: a wall of tiles is narrow."""
_FIELD_DENSE: Final = 0.2
"""The least share of its area that the backs of a field cover."""
_ROUND: Final = 6.0
"""How far from a back, in its sizes, the backs may lie that form a pattern with it."""
_ROUND_DEEP: Final = 1.8
"""The least standard deviation of a pattern's backs from their middle in every direction, in sizes of a back."""
_LOOSE: Final = 1.25
"""The least distance between two backs of a pattern, in sizes of a back; tiles of a wall or a row are nearer."""
_APART: Final = 1.7
"""A back without another of its colour within this many of its sizes lies apart."""
_EDGE: Final = 6.0
"""A back that lies apart differs by at least this much, in CIE Lab, from what is seen beyond all its sides but one, and
beyond two at least."""
_STRAIGHT: Final = 0.5
"""The backs of a field or pattern are turned alike: the mean of their `turns` is longer than this; a heap's is not."""


class Backs:
    """The things in a photo that read as backs."""

    def __init__(self, scene: Scene) -> None:
        """Compares the backs of a scene with each other."""
        self._scene = scene
        self._backs = np.flatnonzero(scene.names[: len(scene.found)] == BACK)
        grid = np.ix_(self._backs, self._backs)
        self._has_colour = scene.has_same_ground[grid]
        is_as_big = np.array([scene.is_as_big(back)[self._backs] for back in self._backs], np.bool_)
        self._is_like = self._has_colour & is_as_big.reshape(self._has_colour.shape)
        self._is_pattern = self._patterns()

    def are_backs(self, faces: Mask) -> Mask:
        """Returns which tiles [N] are backs, given which of them are faces [N]."""
        is_kept = np.array([self._is_back(row, int(back), faces) for row, back in enumerate(self._backs)], np.bool_)
        is_kept &= (self._is_like & is_kept).sum(axis=1) >= _MOSTLY * self._is_like.sum(axis=1)
        is_back = np.zeros(len(faces), np.bool_)
        is_back[self._backs] = is_kept
        return is_back

    def _is_back(self, row: int, index: int, faces: Mask) -> bool:
        """Whether a supposed back lies beside one of these faces, or among backs in rows or in a heap."""
        usual_score = np.median(self._scene.found[self._backs[self._is_like[row]]])
        if self._is_pattern[row] or usual_score < (BACKS_BESIDE if faces.any() else BACKS_ALONE):
            return False
        if self._may_be_ground(row, index) or self._may_be_side(index, faces):
            return False
        if self._scene.is_seen_otherwise(index, faces, _SEEN_ALIKE):
            return False
        neighbours = self._scene.neighbours(index)
        if faces[neighbours[neighbours < len(faces)]].any() and self._are_mostly_backs(index):
            return True
        group = np.flatnonzero(self._scene.groups[index])
        is_among_backs = (self._scene.names[neighbours] == BACK).sum() >= _BACKS * len(neighbours)
        like_backs = np.intersect1d(group, self._backs[self._is_like[row]])
        is_laid = self._is_in_row[np.isin(self._backs, like_backs)].mean() >= _IN_ROWS_SHARE or self._is_heap(
            like_backs
        )
        return bool(is_among_backs and is_laid) and not self._is_field(like_backs)

    def _may_be_ground(self, row: int, index: int) -> bool:
        """Whether a back outside of rows is the only one like it, or lies apart and may be bare ground by its edges."""
        if self._is_in_row[row]:
            return False
        like_backs = self._backs[self._is_like[row] & (self._backs != index)]
        if not len(like_backs):
            return True
        if self._scene.distances_from(index)[like_backs].min() <= _APART:
            return False
        edges = edges_of(self._scene.image, self._scene.quads[index])
        return bool((edges >= _EDGE).sum() < max((~np.isnan(edges)).sum() - 1, 2))

    def _may_be_side(self, index: int, faces: Mask) -> bool:
        """Whether a back's colour may be the paper of one of the nearest of these faces, as that of tiles' sides is.

        A side may lie in shadow, so backs that are nearly as light as the faces are doubtful, too.
        """
        return bool(self._scene.has_same_ground[index, self._scene.nearest(index, faces)].any())

    @cached_property
    def _is_in_row(self) -> Mask:
        """Which backs lie in a row with others of their colour and size, as in a wall."""
        quads, sizes = self._scene.quads[self._backs], self._scene.sizes[self._backs]
        is_aligned, right = row_alignment(quads)
        ratio = sizes / sizes[:, None]
        is_equal = is_aligned & is_aligned.T & self._has_colour & (ratio < _EQUAL) & (ratio > 1 / _EQUAL)
        is_near = (np.abs(right) > NEXT[0]) & (np.abs(right) < 2 * NEXT[1])
        row = np.arange(len(self._backs))
        for one, other in np.argwhere(np.triu(is_equal & is_near)):
            gap = abs(float(right[one, other])) - 1
            if gap < NEXT[1] - 1 or self._is_back_between(quads[one], quads[other], min(gap, 1.0)):
                row[row == row[other]] = row[one]
        return np.asarray(np.bincount(row, minlength=len(row))[row] >= _ROW, np.bool_)

    def _is_back_between(self, one: Floats32, other: Floats32, share: float) -> bool:
        """Whether the gap between two backs [4, 2], `share` of a tile's width wide, has their colour."""
        between = (one + other) / 2
        middle = between.mean(axis=0)
        places = np.stack([middle + (between - middle) * share, one, other]).astype(np.float32)
        return bool(are_of_one_set(grounds_of(self._scene.image, places))[0].all())

    def _is_heap(self, group: Indices) -> bool:
        """Whether a group is a heap of tiles being mixed: many backs, turned in all directions."""
        return len(group) >= _FIELD and not self._is_straight(group)

    def _are_mostly_backs(self, index: int) -> bool:
        """Whether at least half of the things like one back, except faces, read as backs; few keys of a keyboard do."""
        scene = self._scene
        like = scene.has_same_ground[index] & scene.is_as_big(index) & ~scene.is_face & ~scene.is_haku
        return bool((scene.names[like] == BACK).sum() * 2 >= like.sum())

    def _patterns(self) -> Mask:
        """Returns which supposed backs belong to a pattern: a chequered cloth, a floor, a board."""
        is_deep = np.array(
            [
                self._is_amid(back, self._backs[has_colour])
                for has_colour, back in zip(self._has_colour, self._backs, strict=True)
            ],
            np.bool_,
        )
        count = self._has_colour.sum(axis=1)
        share = (self._has_colour & is_deep).sum(axis=1) / count
        return np.asarray((count >= _FIELD) & (share >= 0.5), np.bool_)

    def _is_amid(self, index: np.intp, backs: Indices) -> bool:
        """Whether one of these backs is surrounded by the others in every direction, all turned alike."""
        distances = self._scene.distances_from(index)[backs]
        close_backs = backs[(distances < _ROUND) & self._scene.is_as_big(index)[backs]]
        if len(close_backs) < _FIELD // 2 or np.sort(distances)[1] < _LOOSE:
            return False
        least_spread = float(np.linalg.eigvalsh(np.cov(self._scene.middles[close_backs].T.astype(np.float64)))[0])
        return np.sqrt(least_spread) > _ROUND_DEEP * self._scene.sizes[index] and self._is_straight(close_backs)

    def _is_straight(self, things: Indices) -> bool:
        return bool(abs(self._scene.turns[things].mean()) > _STRAIGHT)

    def _is_field(self, group: Indices) -> bool:
        """Whether a group covers an area with backs turned alike, as neither a wall nor a row does."""
        if len(group) < _FIELD or not self._is_straight(group):
            return False
        middles, sizes = self._scene.middles[group].astype(np.float32), self._scene.sizes[group]
        _, (width, height), _ = cv2.minAreaRect(middles)
        share = float((sizes**2).sum()) / max(float(cv2.contourArea(cv2.convexHull(middles))), 1.0)
        return min(width, height) > _FIELD_DEEP * float(np.median(sizes)) and share > _FIELD_DENSE
