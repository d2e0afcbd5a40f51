"""Finds hakus without a frame in a photo: blank tiles with the colour of the paper of the faces beside them.

Alone, such a tile may be a haku, a back, the side of a tile or bare ground; the reader takes many for backs, and the
locator misses some. It is a haku if it is as even and as light as the paper of the faces beside it, has their size and
angle, and differs from the ground beyond two of its sides: surely in a row with faces, and doubtfully elsewhere, where
the side of a tile may look like that, too. If a photo shows more than four, they are something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats, Floats32, Image, Mask
from vision.confidence import BY_COLOUR, CANDIDATE, DOUBTED
from vision.felt import BACK, COPIES, HAKU, NOT_A_TILE
from vision.geometry.quads import areas_of, covers
from vision.photo.candidates import is_sure, quads_of
from vision.photo.doubt.ground_colours import grounds_of
from vision.photo.doubt.tile_views import view_differences, views_of
from vision.photo.photo_things import ReadTile
from vision.photo.plain.row_places import places_in_rows, turned_as
from vision.reading.known_tiles import samples_of
from vision.reading.reader import crops

_NAMELESS: Final = frozenset({BACK, NOT_A_TILE})
_FEWEST: Final = 2
"""How many sure faces show what paper and which view the tiles have."""
_NEAREST: Final = 4
"""How many of the nearest faces a blank tile is compared with."""
_LIGHTER: Final = 10.0
"""The most by which it differs from their paper in lightness, in CIE Lab."""
_TINT: Final = 4.0
"""The most by which it differs from their paper in chroma."""
_EVEN: Final = 5.0
"""The most by which its colours deviate from their mean, in CIE Lab."""
_SEEN_ALIKE: Final = 0.2
"""The most by which its view differs from that of one of these faces, as a logarithm."""
_EDGES: Final = (12.0, 5.0)
"""How much two opposite sides must at least stand out from what lies beyond, in CIE Lab: the clearer and the other."""
_DEPTHS: Final = (0.1, 0.15, 0.2)
"""How far from a side colours are compared, inside and outside, as shares of the tile's length in that direction."""
_SAME_PLACE: Final = 0.25
"""A haku's place in a row is one whose middle is at most this far from its own, in square roots of its area."""


def with_blank_hakus(tiles: Sequence[ReadTile], candidates: Floats32, image: Image) -> list[ReadTile]:
    """Returns the tiles of a photo, with its blank hakus named and added: sure ones in rows, doubtful ones elsewhere.

    Args:
        tiles: what was read.
        candidates: quads [N, 4, 2] that may be tiles.
        image: the photo, in BGR.
    """
    faces = [tile for tile in tiles if is_sure(tile)]
    if len(faces) < _FEWEST:
        return list(tiles)
    paper = _Paper(faces, image)
    in_rows = _with_hakus_of_rows(_shaped_in_rows(tiles), paper)
    named = [_named(tile, paper, in_row=False) for tile in in_rows]
    everywhere = _with_added(named, candidates, paper, in_row=False)
    possible = [all_tiles for all_tiles in (everywhere, in_rows) if _haku_count(all_tiles) <= COPIES]
    return possible[0] if possible else list(tiles)


def _haku_count(tiles: Sequence[ReadTile]) -> int:
    return sum(tile.tile == HAKU for tile in tiles)


def _with_hakus_of_rows(tiles: list[ReadTile], paper: _Paper) -> list[ReadTile]:
    """Returns the tiles, with the hakus named and added that lie in rows with faces.

    Each round finds the next ones of a row, so that one too many is found, too.
    """
    for _ in range(COPIES + 1):
        hakus = [tile for tile in tiles if tile.tile == HAKU and tile.score >= DOUBTED]
        places = places_in_rows(quads_of([*filter(is_sure, tiles), *hakus]))
        named = [_named(tile, paper, in_row=True) if _own_place(tile, places) is not None else tile for tile in tiles]
        named = _with_added(named, places, paper, in_row=True)
        if named == tiles:
            break
        tiles = named
    return tiles


def _shaped_in_rows(tiles: Sequence[ReadTile]) -> list[ReadTile]:
    """Returns the tiles, with each haku in a row of faces as broad and as high as these.

    The locator often takes the frame of a haku for its edge.
    """
    places = places_in_rows(quads_of([tile for tile in tiles if is_sure(tile)]))
    return [_shaped(tile, places) if tile.tile == HAKU else tile for tile in tiles]


def _shaped(tile: ReadTile, places: Floats32) -> ReadTile:
    """Returns a tile with the shape of that of the places [N, 4, 2] which is its own; as it is if none is."""
    own = _own_place(tile, places)
    if own is None:
        return tile
    quad = quads_of([tile])[0]
    place = turned_as(own, quad)
    return replace(tile, quad=tuple(map(tuple, (place - place.mean(axis=0) + quad.mean(axis=0)).tolist())))


def _own_place(tile: ReadTile, places: Floats32) -> Floats32 | None:
    """Returns which of the places [N, 4, 2] is that of a tile; None if none is."""
    quad = quads_of([tile])
    distances = np.linalg.norm(places.mean(axis=1) - quad.mean(axis=1), axis=1)
    is_own = distances.min(initial=np.inf) <= _SAME_PLACE * np.sqrt(areas_of(quad)[0])
    return places[int(distances.argmin())] if is_own else None


def _named(tile: ReadTile, paper: _Paper, *, in_row: bool) -> ReadTile:
    """Returns a tile that was read as blank as a haku if it is one by its colour.

    What surely reads as a back is a doubtful haku in a row, and stays a back elsewhere.
    """
    is_sure_back = tile.tile in _NAMELESS and tile.score >= BY_COLOUR
    score = _score(in_row=in_row and not is_sure_back)
    is_possible = tile.score < DOUBTED if tile.tile == HAKU else tile.tile in _NAMELESS
    if not is_possible or (is_sure_back and not in_row) or not paper.is_haku(quads_of([tile])[0], in_row=in_row):
        return tile
    other = ((tile.tile, (1 - score) * tile.score),) if tile.tile != HAKU else tile.alternatives
    return replace(tile, tile=HAKU, score=score, alternatives=other)


class _Paper:
    """The paper of the sure faces in a photo."""

    def __init__(self, faces: Sequence[ReadTile], image: Image) -> None:
        self._image, quads = image, quads_of(faces)
        self._middles, self._views, self._colours = quads.mean(axis=1), views_of(quads), grounds_of(image, quads)

    def is_haku(self, quad: Floats32, *, in_row: bool) -> bool:
        """Returns whether a quad [4, 2] is a blank tile with the paper of the faces beside it, or in a row with it."""
        if quad.min() < 0 or (quad.max(axis=0) >= self._image.shape[1::-1]).any():
            return False
        nearest = np.argsort(np.linalg.norm(self._middles - quad.mean(axis=0), axis=1))[:_NEAREST]
        if view_differences(views_of(quad[None])[0], self._views[nearest]).min() > _SEEN_ALIKE:
            return False
        colours = samples_of(crops(self._image, quad[None]))[0]
        lightness, *tint = np.median(colours, axis=0) - np.median(self._colours[nearest], axis=0)
        is_paper = abs(lightness) <= _LIGHTER and np.hypot(*tint) <= _TINT
        is_even = np.linalg.norm(colours.std(axis=0)) <= _EVEN
        return bool(is_paper and is_even) and self._stands_out(quad, in_row=in_row)

    def _stands_out(self, quad: Floats32, *, in_row: bool) -> bool:
        """Returns whether a quad [4, 2] differs from what lies beyond two opposite sides: in a row, the short ones."""
        edges = [self._edge(np.roll(quad, -side, axis=0)) for side in range(4)]
        pairs = (edges[::2],) if in_row else (edges[::2], edges[1::2])
        return any(max(pair) >= _EDGES[0] and min(pair) >= _EDGES[1] for pair in pairs)

    def _edge(self, quad: Floats32) -> float:
        """Returns how much the colours on both sides of a quad's first side [4, 2] differ, in CIE Lab."""
        start, end = quad[0], quad[1]
        inwards = (quad[2] + quad[3] - start - end) / 2
        line = start + (end - start) * np.linspace(0.15, 0.85, 15)[:, None]
        inside, outside = (
            self._colour(np.concatenate([line + sign * depth * inwards for depth in _DEPTHS])) for sign in (1, -1)
        )
        return float(np.linalg.norm(inside - outside))

    def _colour(self, points: Floats) -> Floats:
        """Returns the median colour of these points [N, 2] of the photo, [3] in CIE Lab."""
        height, width = self._image.shape[:2]
        column, row = np.rint(points).astype(np.intp).clip(0, (width - 1, height - 1)).T
        lab = cv2.cvtColor(self._image[row, column][None].astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
        return np.asarray(np.median(lab[0], axis=0), np.float64)


def _score(*, in_row: bool) -> float:
    """Returns the score of a haku: the side of a tile may look like one, but not in a row with faces."""
    return BY_COLOUR if in_row else DOUBTED


def _with_added(tiles: list[ReadTile], quads: Floats32, paper: _Paper, *, in_row: bool) -> list[ReadTile]:
    """Returns the tiles, with a haku added wherever one of these quads [N, 4, 2] shows one and no named tile lies."""
    for quad in quads[_are_free(quads, tiles)]:
        if not paper.is_haku(quad, in_row=in_row):
            continue
        hidden = _hidden_by(quad, tiles)
        if all(tiles[index].tile in _NAMELESS and tiles[index].score < BY_COLOUR for index in hidden):
            corners = tuple(map(tuple, quad.tolist()))
            haku = ReadTile(tile=HAKU, quad=corners, score=_score(in_row=in_row), found=CANDIDATE)
            tiles = [*(tile for index, tile in enumerate(tiles) if index not in hidden), haku]
    return tiles


def _are_free(quads: Floats32, tiles: Sequence[ReadTile]) -> Mask:
    """Returns which quads [N, 4, 2] do not lie on a tile with a face: that saves comparing their colours."""
    named = quads_of([tile for tile in tiles if tile.tile not in _NAMELESS])
    distances = np.linalg.norm(quads.mean(axis=1)[:, None] - named.mean(axis=1)[None], axis=2)
    return np.asarray(distances.min(axis=1, initial=np.inf) > _SAME_PLACE * np.sqrt(areas_of(quads)), np.bool_)


def _hidden_by(quad: Floats32, tiles: Sequence[ReadTile]) -> set[int]:
    """Returns the indexes of the tiles that cannot lie there if a tile lies at this quad [4, 2]."""
    quads = np.concatenate([quad[None], quads_of(tiles)])
    areas = areas_of(quads)
    return {index for index in range(len(tiles)) if covers(quads, areas, 0, index + 1)}
