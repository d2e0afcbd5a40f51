"""Finds and reads everything in any photo, whatever stands or lies in it.

Of several searches (`vision.photo.plain.searches`) the one that shows tiles best is used. Candidates that the locator
doubted there or found in another size are read too (`vision.photo.candidates`), and blank tiles are compared with the
faces beside them (`vision.photo.plain.blank_hakus`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.arrays import Floats32, Image, Mask
from vision.confidence import CANDIDATE, FAINT_IN_PHOTO
from vision.felt import HAKU
from vision.geometry.quads import areas_of
from vision.photo.candidates import FEWEST, fitting_quads, is_sure, quads_of, with_candidates
from vision.photo.doubt.doubts import with_doubts
from vision.photo.doubt.ground_colours import are_one_paper, grounds_of
from vision.photo.doubt.photo_scene import NEAR_SIZES, are_grouped
from vision.photo.doubt.row_places import are_own_places
from vision.photo.doubt.tile_views import view_differences, views_of
from vision.photo.found_things import tile_of
from vision.photo.photo_things import ReadTile
from vision.photo.plain.blank_hakus import with_blank_hakus
from vision.photo.plain.framed_hakus import are_framed
from vision.photo.plain.halves import possible_wholes, with_wholes
from vision.photo.plain.rolled_photo import StraightPhoto, roll_of
from vision.photo.plain.searches import Search, Searcher
from vision.photo.tables.table_photo import Locates
from vision.reading.finds import Finds, quads_not_among
from vision.reading.locator import Located
from vision.reading.reader import FaceReader, crops

_NEARLY: Final = 0.7
"""Faces of a photo turned straight cover at least this share of what they cover in the photo as it is, unstretched:
parts of tiles, which are read there, cover hardly more than the tiles.
"""
_ROUNDS: Final = 4
"""How often more is looked for beside the tiles that were found."""
_MOST_READ: Final = 200
"""How many finds beside them are read in all: a floor of letters has thousands."""
_NEAREST: Final = 4
"""How many of the nearest faces are compared with what is found beside them."""
_SEEN_ALIKE: Final = 0.25
"""The most by which its view differs from that of one of these faces, as a logarithm."""
_HEAP: Final = 3
"""This many backs together are tiles, wherever they lie."""


def read_plainly(
    image: Image, locator: Locates, reader: FaceReader, unread_score: float
) -> tuple[Located, list[ReadTile]]:
    """Returns what is found and read in any photo; one whose tiles are rolled is turned straight for it."""
    searcher = Searcher(image, locator, reader, unread_score)
    if (degrees := roll_of(searcher.unstretched)) != 0.0:
        straight = StraightPhoto(image, degrees)
        turned_searcher = Searcher(straight.image, locator, reader, unread_score)
        search, things = _read_by(turned_searcher, straight.image, reader, may_be_squeezed=False)
        turned = straight.in_photo(search)
        tiles = with_doubts(turned.tiles, straight.quads_in_photo(things), image)
        faces = sum(is_sure(tile) and not tile.is_doubted for tile in tiles)
        if faces >= FEWEST and turned.face_area() >= _NEARLY * searcher.unstretched.face_area():
            return turned.located, tiles
    search, things = _read_by(searcher, image, reader)
    return search.located, with_doubts(search.tiles, things, image)


def _read_by(
    searcher: Searcher, image: Image, reader: FaceReader, *, may_be_squeezed: bool = True
) -> tuple[Search, Floats32]:
    """Returns the search that shows tiles best, and everything that was found, quads [N, 4, 2].

    To its tiles, the faces that only another search found, or that were found in another size, are added where they
    suit.
    """
    outcome = searcher.outcome(may_be_squeezed=may_be_squeezed)
    located, tiles, finds = outcome.best.located, outcome.best.tiles, outcome.of_any_size
    tiles = with_halves_joined(image, tiles, located.candidates, reader)
    candidates = [*_read_at(image, fitting_quads(tiles, located.candidates), reader), *outcome.others]
    tiles = with_candidates(tiles, candidates, are_framed(crops(image, quads_of(candidates))))
    tiles = _with_neighbours(tiles, finds.chosen(finds.scores > FAINT_IN_PHOTO), image, reader)
    places = np.concatenate([quads_of([*tiles, *candidates]), fitting_quads(tiles, finds.quads)])
    tiles = with_blank_hakus(_without_strays(tiles), places, image)
    return Search(located=located, tiles=tiles), outcome.things


def with_halves_joined(
    image: Image, tiles: Sequence[ReadTile], candidates: Floats32, reader: FaceReader
) -> list[ReadTile]:
    """Returns the tiles of a photo, with a 4p wherever its halves were read as 2p; `candidates` may be halves, too."""
    return with_wholes(tiles, _read_at(image, possible_wholes(tiles, candidates), reader))


def _read_at(image: Image, quads: Floats32, reader: FaceReader) -> list[ReadTile]:
    """Returns as tiles what is read at these places of a photo [N, 4, 2], of which the locator was not sure."""
    return [tile_of(quad, reading, CANDIDATE) for quad, reading in zip(quads, reader.read(image, quads), strict=True)]


def _with_neighbours(tiles: list[ReadTile], finds: Finds, image: Image, reader: FaceReader) -> list[ReadTile]:
    """Returns the tiles, with the faces that are surely read beside them where none was found.

    They are among the `finds` of any size, best first, and have the paper and the view of the faces beside them; at
    most `_MOST_READ` are read.
    """
    tried = finds.quads[:0]
    for _ in range(_ROUNDS):
        faces = quads_of([tile for tile in tiles if is_sure(tile)])
        free = finds.chosen(~are_own_places(finds.quads, faces))
        places = quads_not_among(fitting_quads(tiles, free.quads), tried)
        places = places[_are_like(image, places, faces)][: _MOST_READ - len(tried)]
        candidates = _read_at(image, places, reader)
        before, tiles = tiles, with_candidates(tiles, candidates, np.zeros(len(candidates), np.bool_))
        if tiles == before:
            break
        tried = np.concatenate([tried, places])
    return tiles


def _are_like(image: Image, quads: Floats32, faces: Floats32) -> Mask:
    """Returns which quads [N, 4, 2] have the paper and the view of the nearest of these faces [M, 4, 2], [N]."""
    grounds, face_grounds = grounds_of(image, quads), grounds_of(image, faces)
    views, face_views = views_of(quads), views_of(faces)
    distances = np.linalg.norm(quads.mean(axis=1)[:, None] - faces.mean(axis=1)[None], axis=2)
    nearest = np.argsort(distances, axis=1)[:, :_NEAREST]
    return np.array(
        [
            are_one_paper(ground, face_grounds[near]) and view_differences(view, face_views[near]).min() < _SEEN_ALIKE
            for ground, view, near in zip(grounds, views, nearest, strict=True)
        ],
        np.bool_,
    )


def _without_strays(tiles: list[ReadTile]) -> list[ReadTile]:
    """Drops small groups without a sure face if there is one elsewhere: a box beside the table looks like a back.

    Hakus near a face remain.
    """
    faces = np.array([is_sure(tile) for tile in tiles], np.bool_)
    if not faces.any():
        return tiles
    is_grouped = are_grouped(tiles)
    kept = (is_grouped.sum(axis=1) >= _HEAP) | (is_grouped & faces).any(axis=1) | _are_hakus_near(tiles, faces)
    return [tile for tile, is_kept in zip(tiles, kept, strict=True) if is_kept]


def _are_hakus_near(tiles: list[ReadTile], faces: Mask) -> Mask:
    """Returns which tiles read as hakus and lie within `NEAR_SIZES` of one of these faces, [N]."""
    quads = quads_of(tiles)
    distances = np.linalg.norm(quads.mean(axis=1)[:, None] - quads[faces].mean(axis=1)[None], axis=2).min(axis=1)
    is_haku = np.array([tile.tile == HAKU for tile in tiles], np.bool_)
    return np.asarray(is_haku & (distances < NEAR_SIZES * np.sqrt(areas_of(quads))), np.bool_)
