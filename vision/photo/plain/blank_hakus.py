"""Finds hakus without a frame in a photo: blank tiles with the colour of the paper of the faces beside them.

Alone, such a tile may be a haku, a back, the side of a tile or bare ground; the reader takes many for backs, and the
locator misses some. It is a haku if it is as even and as light as the paper of the faces beside it, has their size and
angle, and differs from the ground beyond two of its sides. A sure one was found in a row with faces or sure hakus, and
does not surely read as a back: where nothing was found, a strip of paper may look like that, and elsewhere the side of
a tile. If a photo shows more than four, or one with a frame, the blank ones are something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from vision.arrays import Floats32, Image, Mask
from vision.confidence import BY_COLOUR, CANDIDATE, DOUBTED, INDICATIVE
from vision.felt import BACK, COPIES, HAKU, NOT_A_TILE, Reading
from vision.geometry.quads import areas_of, covers
from vision.photo.candidates import is_sure, quads_of
from vision.photo.doubt.ground_colours import grounds_of
from vision.photo.doubt.row_places import are_own_places, places_in_rows
from vision.photo.doubt.tile_edges import edges_of
from vision.photo.doubt.tile_views import view_differences, views_of
from vision.photo.found_things import tile_of
from vision.photo.photo_things import ReadTile
from vision.photo.plain.framed_hakus import are_framed
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
_ROUGHLY: Final = 2.0
"""Its colour along its sides, which is compared first, may differ by this many times as much."""
_EVEN: Final = 5.0
"""The most by which its colours deviate from their mean, in CIE Lab."""
_SEEN_ALIKE: Final = 0.2
"""The most by which its view differs from that of one of these faces, as a logarithm."""
_EDGES: Final = (12.0, 5.0)
"""How much two opposite sides must at least stand out from what lies beyond, in CIE Lab: the clearer and the other."""


def with_blank_hakus(tiles: Sequence[ReadTile], candidates: Floats32, image: Image) -> list[ReadTile]:
    """Returns the tiles of a photo, with its blank hakus named and added.

    Args:
        tiles: what was read.
        candidates: quads [N, 4, 2] that may be tiles.
        image: the photo, in BGR.
    """
    faces = [tile for tile in tiles if is_sure(tile)]
    framed = [tile for tile in tiles if tile.tile == HAKU and tile.score > INDICATIVE]
    if len(faces) < _FEWEST or are_framed(crops(image, quads_of(framed))).any():
        return list(tiles)
    paper = _Paper(faces, image)
    in_rows = _named_in_rows(tiles, paper, BY_COLOUR)
    also_doubtful = _named_in_rows(in_rows, paper, DOUBTED)
    everywhere = [_named(tile, paper, DOUBTED, in_row=False) for tile in also_doubtful]
    everywhere = _with_added(everywhere, candidates, paper)
    for named in (everywhere, also_doubtful, in_rows):
        if sum(tile.tile == HAKU for tile in named) <= COPIES:
            return named
    return list(tiles)


def _named_in_rows(tiles: Sequence[ReadTile], paper: _Paper, score: float) -> list[ReadTile]:
    """Returns the tiles, with the hakus in rows of faces and of other hakus with at least this score.

    Those that were found are named; doubtful ones are also added where nothing was found. Each round continues the
    rows, so that one haku too many is found, too.
    """
    named = list(tiles)
    for _ in range(COPIES + 1):
        row = [tile for tile in named if is_sure(tile) or (tile.tile == HAKU and tile.score >= score)]
        places = places_in_rows(quads_of(row))
        are_in_row = are_own_places(quads_of(named), places)
        before = named
        named = [
            _named(tile, paper, score, in_row=True) if is_in_row else tile
            for tile, is_in_row in zip(named, are_in_row, strict=True)
        ]
        if score < BY_COLOUR:
            named = _with_added(named, places, paper, in_row=True)
        if named == before:
            break
    return named


def _named(tile: ReadTile, paper: _Paper, score: float, *, in_row: bool) -> ReadTile:
    """Returns a tile that was read as blank as a haku with this score if it is one by its colour.

    What surely reads as a back may only be a doubtful haku, and only in a row.
    """
    is_sure_back = tile.tile in _NAMELESS and tile.score >= BY_COLOUR
    is_possible = tile.score < DOUBTED if tile.tile == HAKU else tile.tile in _NAMELESS
    if not is_possible or (is_sure_back and (score > DOUBTED or not in_row)):
        return tile
    if not paper.is_haku(quads_of([tile])[0], in_row=in_row):
        return tile
    others = [(name, chance) for name, chance in ((tile.tile, tile.score), *tile.alternatives) if name != HAKU]
    share = (1 - score) / max(sum(chance for _, chance in others), 1 - score)
    return replace(tile, tile=HAKU, score=score, alternatives=tuple((name, chance * share) for name, chance in others))


class _Paper:
    """The paper of the sure faces in a photo."""

    def __init__(self, faces: Sequence[ReadTile], image: Image) -> None:
        self._image, quads = image, quads_of(faces)
        self._middles, self._views, self._colours = quads.mean(axis=1), views_of(quads), grounds_of(image, quads)

    def have_its_colour(self, quads: Floats32) -> Mask:
        """Returns which quads [N, 4, 2] have roughly the colour of a face's paper along their sides."""
        differences = np.abs(grounds_of(self._image, quads)[:, None] - self._colours[None])
        is_light = differences[..., 0] < _ROUGHLY * _LIGHTER
        is_of_tint = np.hypot(differences[..., 1], differences[..., 2]) < _ROUGHLY * _TINT
        return np.asarray((is_light & is_of_tint).any(axis=1), np.bool_)

    def is_haku(self, quad: Floats32, *, in_row: bool) -> bool:
        """Returns whether a quad [4, 2] is a blank tile with the paper of the faces beside it, or in a row with it."""
        if quad.min() < 0 or (quad >= self._image.shape[1::-1]).any():
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
        """Returns whether a quad [4, 2] differs from what lies beyond two opposite sides: in a row, the short ones.

        At a side where the photo ends it does not.
        """
        edges = np.nan_to_num(edges_of(self._image, quad)).tolist()
        pairs = (edges[::2],) if in_row else (edges[::2], edges[1::2])
        return any(max(pair) >= _EDGES[0] and min(pair) >= _EDGES[1] for pair in pairs)


def _with_added(tiles: list[ReadTile], quads: Floats32, paper: _Paper, *, in_row: bool = False) -> list[ReadTile]:
    """Returns the tiles, with a doubtful haku added where a quad of [N, 4, 2] shows one and no named tile lies."""
    quads = quads[_are_free(quads, tiles)]
    for quad in quads[paper.have_its_colour(quads)]:
        if not paper.is_haku(quad, in_row=in_row):
            continue
        hidden = _hidden_by(quad, tiles)
        if all(tiles[index].tile in _NAMELESS and tiles[index].score < BY_COLOUR for index in hidden):
            reading = Reading(tile=HAKU, score=DOUBTED, alternatives=((NOT_A_TILE, 1 - DOUBTED),))
            others = (tile for index, tile in enumerate(tiles) if index not in hidden)
            tiles = [*others, tile_of(quad, reading, CANDIDATE)]
    return tiles


def _are_free(quads: Floats32, tiles: Sequence[ReadTile]) -> Mask:
    """Returns which quads [N, 4, 2] are not the place of a face or a haku: that saves comparing their colours."""
    named = quads_of([tile for tile in tiles if tile.tile not in _NAMELESS])
    return ~are_own_places(quads, named)


def _hidden_by(quad: Floats32, tiles: Sequence[ReadTile]) -> set[int]:
    """Returns the indexes of the tiles that cannot lie there if a tile lies at this quad [4, 2]."""
    quads = np.concatenate([quad[None], quads_of(tiles)])
    areas = areas_of(quads)
    return {index for index in range(len(tiles)) if covers(quads, areas, 0, index + 1)}
