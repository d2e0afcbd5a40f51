"""Marks as doubtful what reads like a tile in a plain photo although the things around it speak against a tile.

Tiles lie side by side, and nearly all of them can be read. A window pane, a key, a bead or a letter may read like a
face too, but the things beside it read like no tile, or all like the same few faces: a 1p or an honour, which are a
ring or a single sign. All faces of a set have the same ground, the colour behind the print; faces do not vouch for a
thing with another ground, such as an app.

These may also be something else: a single face; two faces alone, or a face far from the others, unless the locator was
sure of it; a blank tile whose ground differs from that of the faces beside it; and a face that is seen at another size
or angle than those beside it, such as a field of a board or the side of a tile.

Doubtful tiles stay in the result, in amber: nothing is left out here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final

import numpy as np

from vision.arrays import Floats32, Image, Mask
from vision.confidence import DOUBTED, LONE_SIGN, LONE_TILE, LONE_TILE_ASKEW
from vision.felt import BACK, COPIES, HAKU, NOT_A_TILE
from vision.photo.candidates import SIMPLE
from vision.photo.doubt.doubted_backs import Backs
from vision.photo.doubt.ground_colours import are_one_paper, have_one_tint
from vision.photo.doubt.photo_scene import NEAR_SIZES, Indices, Scene
from vision.photo.doubt.row_places import are_own_places, places_in_rows
from vision.photo.photo_things import ReadTile
from vision.reading.blanks import is_blown_out

_DOTS: Final = frozenset({"0p", *(f"{rank}p" for rank in range(2, 10))})
"""Faces as which cards, dominoes and dice are read; doubtful if no other face lies beside them."""
_ROUND: Final = _DOTS | {"1p"}
_FEW_ROUND: Final = 5
"""Circles and dots without another face in the photo may be sockets or dice if they do not have a tile's shape; not so
those that have at least this many others beside them."""
_SIMPLE_COUNTS: Final = 0.4
"""The weight of such a simple face, where another face counts 1; copies beyond those of a set count nothing."""
_SUPPORT: Final = 0.45
"""The least weighted share of faces among the things around a sure face."""
_CLEAR: Final = 3
"""A single other thing does not speak against this many different faces."""
_FEWEST: Final = 3
"""This many sure faces together are tiles if nothing around them speaks against it."""
_TOUCHES: Final = 1.3
"""Faces touch if the distance of their middles is less than this many square roots of their area."""
_NEIGHBOURS: Final = 4
"""How many of the nearest things decide about a ring, an honour or a letter that touches no face."""
_NEARBY: Final = 3.0
"""How far away these nearest things may be, in square roots of its area."""
_READ: Final = 1 / 3
"""The least share of other tiles among these nearest things if it is a tile."""
_SEEN_ALIKE: Final = 0.25
"""How much the view of a face (`tile_views`) may differ from that of the nearest faces, as a logarithm."""
_FRAME_ALIKE: Final = 0.5
"""The same for a haku in a row of faces whose frame is seen: the locator may take what is hardly more for the tile."""
_BLANK_ALIKE: Final = 0.2
"""How much the view of a blank tile may differ from that of the nearest faces, as a logarithm."""
_SHAPES: Final = (1.05, 1.7)
"""The range of length over width of a tile that is seen neither at a low angle nor squeezed."""


def with_doubts(tiles: Sequence[ReadTile], finds: Floats32, image: Image) -> list[ReadTile]:
    """Returns the tiles; those that may be something else are marked, with a score below `MARK_BELOW`.

    Args:
        tiles: what was read in a plain photo.
        finds: everything that the locator found there, [N, 4, 2], including what read as no tile.
        image: the photo, in BGR.
    """
    if not tiles:
        return []
    sure = _Doubts(Scene.of(tiles, finds, image)).are_tiles()
    return [
        replace(tile, is_doubted=False) if is_tile else replace(tile, score=min(tile.score, DOUBTED), is_doubted=True)
        for tile, is_tile in zip(tiles, sure, strict=True)
    ]


class _Doubts:
    """Judges each thing in a photo by the things around it."""

    def __init__(self, scene: Scene) -> None:
        self._scene, self._backs = scene, Backs(scene)
        self._names = scene.names[: len(scene.found)]
        self._is_amid_faces = np.array([self._lies_amid_faces(index) for index in range(len(scene.names))], np.bool_)

    def are_tiles(self) -> Mask:
        """Returns which of the things read as tiles are surely tiles, [N]."""
        is_face = ~np.isin(self._names, [BACK, NOT_A_TILE, HAKU])
        faces = np.array([is_face[index] and self._is_face_of_tile(index) for index in range(len(is_face))], np.bool_)
        tiles = self._with_plain_ones(faces)
        while (is_stray := np.array([self._is_stray(index, faces, tiles) for index in range(len(faces))])).any():
            faces &= ~is_stray
            tiles = self._with_plain_ones(faces)
        return tiles

    def _with_plain_ones(self, faces: Mask) -> Mask:
        """Returns which things are tiles if these are faces: the faces, and hakus, backs and flowers beside them."""
        hakus = [name == HAKU and self._is_haku_of_tile(index, faces) for index, name in enumerate(self._names)]
        others = [
            name == NOT_A_TILE and self._is_beside_its_like(index, faces) for index, name in enumerate(self._names)
        ]
        return np.asarray(faces | hakus | self._backs.are_backs(faces) | others, np.bool_)

    def _is_beside_its_like(self, index: int, faces: Mask) -> bool:
        """Whether a thing read as `?` has the tint and the view of the faces near it, as a flower does."""
        if not faces.any() or self._is_far_from(index, faces):
            return False
        grounds = self._scene.grounds
        is_of_tint = have_one_tint(grounds[index], grounds[self._scene.nearest(index, faces)])
        return is_of_tint and not self._scene.is_seen_otherwise(index, faces, _SEEN_ALIKE)

    def _is_face_of_tile(self, index: int) -> bool:
        if self._is_of_the_set(index):
            return True
        neighbours = self._scene.neighbours(index)
        faces = self._faces_like(index, neighbours)
        if not self._are_faces(neighbours, faces):
            return False
        is_grouped = len(self._faces_in_group(index)) >= _FEWEST
        return (is_grouped and len(faces) > 1) or self._is_surely_there(index)

    def _is_of_the_set(self, index: int) -> bool:
        """Whether a face and enough others with its ground, anywhere in the photo, lie amid faces alone.

        Keys below a tile then say nothing about it.
        """
        is_like = self._is_amid_faces & self._scene.has_same_ground[index] & self._scene.is_as_big(index)
        faces = set(self._scene.names[is_like].tolist())
        return bool(self._is_amid_faces[index]) and len(faces) > _FEWEST and len(faces - SIMPLE) > 1

    def _lies_amid_faces(self, index: int) -> bool:
        """Whether a thing is a sure face, and everything around it with its ground is too, except for a few hakus."""
        neighbours = self._scene.neighbours(index)
        neighbours = neighbours[self._scene.has_same_ground[index, neighbours]]
        is_face, is_haku = self._scene.is_face, self._scene.is_haku[neighbours]
        return bool(is_face[index] and (is_face[neighbours] | is_haku).all() and is_haku.sum() < _FEWEST)

    def _faces_like(self, index: int, things: Indices) -> Counter[str]:
        """Counts, by name, the sure faces among these things that have the ground of one thing."""
        like = things[self._scene.is_face[things] & self._scene.has_same_ground[index, things]]
        return Counter(self._scene.names[like].tolist())

    def _faces_in_group(self, index: int) -> Indices:
        """Returns the sure faces in a tile's group that have its ground, the tile itself included."""
        count = len(self._names)
        is_like = self._scene.is_face[:count] & self._scene.has_same_ground[index, :count]
        return np.flatnonzero(self._scene.groups[index] & is_like)

    def _are_faces(self, neighbours: Indices, faces: Counter[str]) -> bool:
        """Whether sure faces outweigh the other neighbours; backs do not count, and hakus only if more than four."""
        is_haku = self._scene.is_haku[neighbours]
        hakus = int(is_haku.sum())
        is_other = ~is_haku & (self._scene.names[neighbours] != BACK)
        others = int(is_other.sum()) - faces.total() + (hakus if hakus > COPIES else 0)
        if others * _CLEAR <= len(faces) and (len(faces) > 1 or faces.total() < _FEWEST):
            return True
        worth = sum(min(count, COPIES) * (_SIMPLE_COUNTS if face in SIMPLE else 1) for face, count in faces.items())
        return worth >= _SUPPORT * (faces.total() + others)

    def _is_surely_there(self, index: int) -> bool:
        """Whether the locator was sure enough of a tile for it to count even if few tiles lie together."""
        is_usual = self._has_usual_shape(index) and self._names[index] not in SIMPLE
        if self._names[index] in _DOTS:
            is_usual &= not _DOTS.issuperset(self._names[self._faces_in_group(index)].tolist())
        return bool(self._scene.found[index] >= (LONE_TILE if is_usual else LONE_TILE_ASKEW))

    def _has_usual_shape(self, index: int) -> bool:
        return bool(_SHAPES[0] <= self._scene.shapes[index] <= _SHAPES[1])

    def _is_stray(self, index: int, faces: Mask, tiles: Mask) -> bool:
        """Whether one of these faces differs from the others, or lies apart from them and from the other tiles."""
        if not faces[index]:
            return False
        others = faces & (np.arange(len(faces)) != index)
        if not others.any():
            hakus = self._scene.is_haku & self._scene.has_same_ground[index]
            return not (hakus & (self._scene.distances_from(index) < _TOUCHES)).any()
        is_round = others.sum() < _FEW_ROUND and _ROUND.issuperset(self._names[faces].tolist())
        if is_round and not self._has_usual_shape(index):
            return True
        is_unlike = self._is_unlike(index, faces) or self._is_with_few(index, others)
        return is_unlike or self._is_sign_apart(index, others, tiles)

    def _is_with_few(self, index: int, others: Mask) -> bool:
        """Whether a face that the locator was not sure of is one of two, or far from the others.

        Nothing then shows whether its view is that of the others. Faces of the set are exempt, except simple ones.
        """
        is_clear = self._is_of_the_set(index) and self._names[index] not in SIMPLE
        if is_clear or self._scene.found[index] >= LONE_TILE_ASKEW:
            return False
        return others.sum() + 1 < _FEWEST or self._is_far_from(index, others)

    def _is_far_from(self, index: int, others: Mask) -> bool:
        """Whether none of these other tiles is near enough to be compared with."""
        return bool(self._scene.distances_from(index)[: len(others)][others].min() > NEAR_SIZES)

    def _is_unlike(self, index: int, faces: Mask) -> bool:
        """Whether a face that the locator was not sure of differs from the nearest faces in its ground or its view."""
        found, grounds = self._scene.found[index], self._scene.grounds
        if found < LONE_TILE and not have_one_tint(grounds[index], grounds[self._scene.nearest(index, faces)]):
            return True
        return bool(found < LONE_TILE_ASKEW) and self._scene.is_seen_otherwise(index, faces, _SEEN_ALIKE)

    def _is_sign_apart(self, index: int, others: Mask, tiles: Mask) -> bool:
        """Whether a ring or a single sign touches no other face, and few of the things around it are other tiles."""
        distances = self._scene.distances_from(index)
        is_clear = self._names[index] not in SIMPLE or self._scene.found[index] >= LONE_SIGN
        if is_clear or distances[: len(others)][others].min() < _TOUCHES:
            return False
        nearest = np.argsort(distances, kind="stable")[1 : _NEIGHBOURS + 1]
        nearest = nearest[distances[nearest] < _NEARBY]
        tiles_near = nearest[nearest < len(tiles)]
        other_tiles = tiles_near[
            tiles[tiles_near] & ~np.isin(self._names[tiles_near], [NOT_A_TILE, self._names[index]])
        ]
        return len(other_tiles) < _READ * len(nearest)

    def _is_haku_of_tile(self, index: int, faces: Mask) -> bool:
        limit = _FRAME_ALIKE if self._is_framed_in_row[index] else _SEEN_ALIKE
        if not faces.any() or self._scene.is_seen_otherwise(index, faces, limit):
            return False
        if not self._scene.is_framed[index] and not self._is_blank_of_the_set(index, faces):
            return False
        neighbours = self._scene.neighbours(index)
        others = Counter(self._scene.names[neighbours[self._scene.is_face[neighbours]]].tolist())
        is_beside = faces[neighbours[neighbours < len(faces)]].any()
        return self._are_faces(neighbours, others) and bool(is_beside or self._is_surely_there(index))

    @cached_property
    def _is_framed_in_row(self) -> Mask:
        """Which tiles are hakus with a frame that have a place in a row of faces, [N]."""
        quads, count = self._scene.quads, len(self._scene.found)
        are_placed = are_own_places(quads[:count], places_in_rows(quads[self._scene.is_face]))
        return np.asarray(self._scene.is_framed[:count] & are_placed, np.bool_)

    def _is_blank_of_the_set(self, index: int, faces: Mask) -> bool:
        """Whether a blank thing has the ground and the view of the faces beside it, and is one of four at most.

        It must not be overexposed, since that may hide a print.
        """
        grounds, nearest = self._scene.grounds, self._scene.nearest(index, faces)
        if not are_one_paper(grounds[index], grounds[nearest]):
            return False
        near = float(np.median(grounds[nearest][:, 0]))
        usual = float(np.median(grounds[: len(faces)][faces][:, 0]))
        if is_blown_out(float(grounds[index, 0]), paper_lightness=near, usual_lightness=usual):
            return False
        hakus = self._scene.is_haku & self._scene.has_same_ground[index] & self._scene.is_as_big(index)
        return bool(hakus.sum() <= COPIES) and not self._scene.is_seen_otherwise(index, faces, _BLANK_ALIKE)
