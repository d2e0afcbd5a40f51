"""Doubts what reads like a tile in a plain photo where the things around it speak against it.

Tiles lie side by side, and nearly all of them can be read. A window pane, a key, a bead or a letter reads like a face
too, but those beside it read like none, or like the same few: a 1p or an honour, which are a ring or a single sign.
Faces of one set also have the same ground, the colour behind the print, and so do not vouch for an app of another.
Doubtful tiles stay in the result, in amber; nothing is left out here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats32, Image, Mask
from vision.confidence import INDICATIVE, LONE_TILE, LONE_TILE_ASKEW, MARK_BELOW
from vision.felt import BACK, NOT_A_TILE
from vision.geometry.quads import across, along, areas_of
from vision.photo.candidates import is_sure
from vision.photo.ground_colours import alike, grounds_of
from vision.photo.photo_things import ReadTile

Indices = npt.NDArray[np.intp]

_HAKU: Final = "5z"
_SIMPLE: Final = frozenset({"1p", "1z", "2z", "3z", "4z", _HAKU, "6z", "7z"})
"""Faces that rings, beads, panes, letters and single characters read as."""
_DOTS: Final = frozenset({"0p", *(f"{rank}p" for rank in range(2, 10))})
"""Faces that cards, dominoes and dice read as, if no other face lies beside them."""
_SIMPLE_COUNTS: Final = 0.4
"""What such a face counts, where another counts 1."""
_COPIES: Final = 4
"""More copies than a set has do not count; more hakus speak against all of them."""
_SUPPORT: Final = 0.45
"""The share that faces must have in what lies around a sure one."""
_CLEAR: Final = 3
"""One thing that is no face among this many different faces does not speak against them."""
_AROUND: Final = 12
"""How many of the nearest things count, and …"""
_REACH: Final = 3.5
"""… how far away they may be, in square roots of the tile's area."""
_LIKE: Final = 2.0
"""Things that are this many times as long or as short are of another kind."""
_FEWEST: Final = 3
"""This many sure faces together are tiles, if nothing around them says otherwise."""
_APART: Final = 2.0
"""A tile this many tile lengths away from another does not belong to its group."""
_BACKS: Final = 0.7
"""The least share of backs in what lies around one, where no face does."""
_FIELD: Final = 12
"""From this many backs on, without a face, …"""
_FIELD_DEEP: Final = 3.5
"""… as many lengths deep in every direction, …"""
_FIELD_DENSE: Final = 0.2
"""… covering this share of their area, it is a tiled floor, a wall of bricks or a cloth: a wall of tiles is narrow."""
_ROUND: Final = 6.0
"""Backs within as many lengths of one …"""
_ROUND_DEEP: Final = 1.8
"""… that deviate by as many lengths from their middle in every direction …"""
_LOOSE: Final = 1.25
"""… none nearer than as many lengths, as tiles of a wall or a row are, …"""
_STRAIGHT: Final = 0.5
"""… and are turned alike, 1 being all of them, are a pattern: those of a heap are turned in any way."""
_DOUBTED: Final = MARK_BELOW - 0.01
_SHAPES: Final = (1.05, 1.7)
"""Length over width of a tile that is seen neither far aslant nor squeezed."""


def with_doubts(tiles: Sequence[ReadTile], finds: Floats32, image: Image) -> list[ReadTile]:
    """Returns the tiles, those that may be something else with a score below `MARK_BELOW`.

    Args:
        tiles: what was read in a plain photo.
        finds: everything that the locator found there, [N, 4, 2], also what read as no tile.
        image: the photo, in BGR.
    """
    if not tiles:
        return []
    scene = _Scene(tiles, finds, image)
    sure = scene.are_tiles()
    return [
        replace(tile, is_doubted=False) if is_tile else replace(tile, score=min(tile.score, _DOUBTED), is_doubted=True)
        for tile, is_tile in zip(tiles, sure, strict=True)
    ]


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


class _Scene:
    """The tiles in a photo, and the finds that are none of them."""

    def __init__(self, tiles: Sequence[ReadTile], finds: Floats32, image: Image) -> None:
        self._tiles = tiles
        quads = np.array([tile.quad for tile in tiles], np.float32)
        quads = np.concatenate([quads, _beside(finds, quads)])
        self._middles, self._size = quads.mean(axis=1), np.sqrt(np.maximum(areas_of(quads), 1e-6))
        self._shape = along(quads) / np.maximum(across(quads), 1e-6)
        unread = [NOT_A_TILE] * (len(quads) - len(tiles))
        self._names = np.array([*(tile.tile for tile in tiles), *unread])
        self._is_face = np.array([*map(is_sure, tiles), *(False for _ in unread)], np.bool_)
        haku = [tile.tile == _HAKU and tile.score > INDICATIVE for tile in tiles]
        self._is_haku = np.array([*haku, *(False for _ in unread)], np.bool_)
        self._group = together(tiles)
        self._is_alike = alike(grounds_of(image, quads))
        side = quads[:, 1] - quads[:, 0]
        self._turn = np.exp(4j * np.arctan2(side[:, 1], side[:, 0]))
        self._is_pattern = self._patterns()
        self._is_amid_faces = np.array([self._lies_amid_faces(index) for index in range(len(quads))], np.bool_)

    def are_tiles(self) -> Mask:
        """Returns which tiles the things around them leave as they were read, [N]."""
        sure = np.array([tile.tile == NOT_A_TILE for tile in self._tiles], np.bool_)
        faces = np.zeros(len(sure), np.bool_)
        for index, tile in enumerate(self._tiles):
            faces[index] = tile.tile not in (BACK, NOT_A_TILE, _HAKU) and self._is_face_of_tile(index)
        for index, tile in enumerate(self._tiles):
            if tile.tile == _HAKU:
                sure[index] = self._is_haku_of_tile(index, faces)
            elif tile.tile == BACK:
                sure[index] = self._is_back(index, faces)
        return sure | faces

    def _is_face_of_tile(self, index: int) -> bool:
        if self._is_of_the_set(index):
            return True
        around = self._around(index)
        faces = self._faces_like(index, around)
        if not self._are_faces(around, faces):
            return False
        is_grouped = len(self._faces_in_group(index)) >= _FEWEST
        return (is_grouped and len(faces) > 1) or self._is_surely_there(index)

    def _is_of_the_set(self, index: int) -> bool:
        """Whether it lies among faces of its ground alone, as other faces with this ground do elsewhere in the photo.

        Keys below a tile then say nothing about it.
        """
        like_it = self._is_amid_faces & self._is_alike[index] & self._is_as_big(index)
        faces = set(self._names[like_it].tolist())
        return bool(self._is_amid_faces[index]) and len(faces) > _FEWEST and len(faces - _SIMPLE) > 1

    def _lies_amid_faces(self, index: int) -> bool:
        """Whether it is a sure face, and so is everything around it that has its ground, but for a few hakus."""
        around = self._around(index)
        around = around[self._is_alike[index, around]]
        hakus = self._is_haku[around]
        return bool(self._is_face[index] and (self._is_face[around] | hakus).all() and hakus.sum() < _FEWEST)

    def _faces_like(self, index: int, things: Indices) -> Counter[str]:
        """Counts the sure faces with its ground among these things."""
        return Counter(self._names[things[self._is_face[things] & self._is_alike[index, things]]].tolist())

    def _faces_in_group(self, index: int) -> Indices:
        """Returns the sure faces with its ground in its group, itself included."""
        count = len(self._tiles)
        return np.flatnonzero(self._group[index] & self._is_face[:count] & self._is_alike[index, :count])

    def _are_faces(self, around: Indices, faces: Counter[str]) -> bool:
        """Whether the sure faces among the things around outweigh the others; backs do not count."""
        hakus = int(self._is_haku[around].sum())
        is_other = ~self._is_haku[around] & (self._names[around] != BACK)
        others = int(is_other.sum()) - faces.total() + (hakus if hakus > _COPIES else 0)
        if others * _CLEAR <= len(faces) and (len(faces) > 1 or faces.total() < _FEWEST):
            return True
        worth = sum(min(count, _COPIES) * (_SIMPLE_COUNTS if face in _SIMPLE else 1) for face, count in faces.items())
        return worth >= _SUPPORT * (faces.total() + others)

    def _around(self, index: int) -> Indices:
        """Returns the indices of the nearest things of about its size, itself included."""
        away = np.linalg.norm(self._middles - self._middles[index], axis=1)
        near = np.flatnonzero((away < _REACH * self._size[index]) & self._is_as_big(index))
        return near[np.argsort(away[near], kind="stable")][: _AROUND + 1]

    def _is_as_big(self, index: int | np.intp) -> Mask:
        ratio = self._size / self._size[index]
        return np.asarray((ratio < _LIKE) & (ratio > 1 / _LIKE), np.bool_)

    def _is_surely_there(self, index: int) -> bool:
        """Whether the locator was sure of a tile, even if it were alone."""
        is_usual = _SHAPES[0] <= self._shape[index] <= _SHAPES[1] and self._names[index] not in _SIMPLE
        if self._names[index] in _DOTS:
            is_usual &= not _DOTS.issuperset(self._names[self._faces_in_group(index)].tolist())
        return self._tiles[index].found >= (LONE_TILE if is_usual else LONE_TILE_ASKEW)

    def _is_haku_of_tile(self, index: int, faces: Mask) -> bool:
        around = self._around(index)
        others = Counter(self._names[around[self._is_face[around]]].tolist())
        is_beside = faces[around[around < len(self._tiles)]].any()
        return self._are_faces(around, others) and bool(is_beside or self._is_surely_there(index))

    def _is_back(self, index: int, faces: Mask) -> bool:
        """Whether a back lies beside such faces, or is one of a row or a wall."""
        if self._is_pattern[index]:
            return False
        around = self._around(index)
        own = around[around < len(self._tiles)]
        if faces[own].any() and self._are_mostly_backs(np.flatnonzero(self._is_alike[index] & self._is_as_big(index))):
            return True
        backs = int((self._names[around] == BACK).sum())
        if backs < _BACKS * len(around):
            return False
        group = np.flatnonzero(self._group[index])
        if len(group) < _FEWEST:
            return self._tiles[index].found >= LONE_TILE
        return not self._is_field(group)

    def _are_mostly_backs(self, things: Indices) -> bool:
        """Whether at least half of these are backs, faces left aside: of the keys beside a tile few read as one."""
        backs = self._names[things] == BACK
        return bool(backs.sum() * 2 >= (~self._is_face[things] & ~self._is_haku[things]).sum())

    def _patterns(self) -> Mask:
        """Returns which backs look like those of a pattern: a chequered cloth, a floor, a board, [N]."""
        is_pattern = np.zeros(len(self._tiles), np.bool_)
        backs = np.flatnonzero(self._names[: len(self._tiles)] == BACK)
        alike = self._is_alike[np.ix_(backs, backs)]
        is_deep = np.array([self._is_amid(index, backs[alike[row]]) for row, index in enumerate(backs)], np.bool_)
        share = (alike & is_deep).sum(axis=1) / alike.sum(axis=1)
        is_pattern[backs] = (alike.sum(axis=1) >= _FIELD) & (share >= 0.5)
        return is_pattern

    def _is_amid(self, index: np.intp, backs: Indices) -> bool:
        """Whether these backs go on from one in every direction, all turned alike."""
        away = np.linalg.norm(self._middles[backs] - self._middles[index], axis=1)
        near = backs[(away < _ROUND * self._size[index]) & self._is_as_big(index)[backs]]
        if len(near) < _FIELD // 2 or np.sort(away)[1] < _LOOSE * self._size[index]:
            return False
        least = float(np.linalg.eigvalsh(np.cov(self._middles[near].T.astype(np.float64)))[0])
        return np.sqrt(least) > _ROUND_DEEP * self._size[index] and self._is_straight(near)

    def _is_straight(self, things: Indices) -> bool:
        return bool(abs(self._turn[things].mean()) > _STRAIGHT)

    def _is_field(self, group: Indices) -> bool:
        """Whether a group covers an area, as no wall and no row does."""
        if len(group) < _FIELD or not self._is_straight(group):
            return False
        middles, sizes = self._middles[group].astype(np.float32), self._size[group]
        _, (width, height), _ = cv2.minAreaRect(middles)
        share = float((sizes**2).sum()) / max(float(cv2.contourArea(cv2.convexHull(middles))), 1.0)
        return min(width, height) > _FIELD_DEEP * float(np.median(sizes)) and share > _FIELD_DENSE


def _beside(finds: Floats32, quads: Floats32) -> Floats32:
    """Returns the finds that are none of the tiles' quads, nor parts of them."""
    away = np.linalg.norm(finds.mean(axis=1)[:, None] - quads.mean(axis=1)[None], axis=2)
    return np.asarray(finds[(away > across(finds)[:, None] / 2).all(axis=1)], np.float32)
