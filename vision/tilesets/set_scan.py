"""Finds a set's faces, laid out in order, in one picture, so that each can be learnt by its position.

The order is 1–9 of characters, circles and bamboo, east south west north, white green red, then the three red fives if
the set has them: 37 faces, or 34. The number of rows is free; all tiles have the same side up. The place decides which
face a tile is, and the shipped reader only whether that is plausible: a set is learnt even if its nine is read as a
six. One tile may lie face down beside them; its back distinguishes this set from another. If the tiles cannot be one of
each in order, that is reported, not guessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.arrays import Floats32, Image
from vision.confidence import INDICATIVE, POSSIBLE
from vision.errors import TileSetError
from vision.felt import BACK, CLASSES, FACES, NOT_A_TILE
from vision.photo.photo_reader import PhotoReading
from vision.photo.photo_things import ReadTile
from vision.photo.reading_order import reading_order
from vision.reading.reader import TileReader, crops
from vision.tilesets.tileset import FaceExample

WITHOUT_REDS: Final = 34
_UPRIGHT: Final = frozenset((*(f"{rank}m" for rank in range(10)), "1z", "2z", "3z", "4z", "6z", "7z"))
"""Faces whose upright direction is clear in any set."""
_AGREED: Final = 0.7
"""The sure faces' directions agree if the mean of their unit vectors is at least this long."""
_ABSENT: Final = 4.0
"""The cost of a face without a find, or of a find without a face; both together cost more than any misreading."""
_LEAST_CHANCE: Final = 1e-3
_TWIN: Final = 0.993
"""Two embeddings at least this similar are the same face twice; half of all pairs of one face are."""
_NARROWEST_PX: Final = 19.0
_READABLE: Final = 0.6
"""The share of places that must read as expected for the picture to be a scan at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScannedSet:
    """One example of each face of a set, and of its back if one lay there."""

    examples: tuple[FaceExample, ...]
    misread: tuple[tuple[str, str], ...]
    """What the shipped reader misreads: the face at the place, and what it reads there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """The finds in laying order, as the reader sees them."""

    quads: Floats32
    chances: Floats32
    embeddings: Floats32

    def best_face(self, index: int) -> str:
        return CLASSES[int(self.chances[index].argmax())]

    def is_possible(self, index: int, face: str) -> bool:
        return bool(self.chances[index, CLASSES.index(face)] > POSSIBLE)

    def are_twins(self, one: int, other: int) -> bool:
        a, b = self.embeddings[one], self.embeddings[other]
        return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b))) > _TWIN


@dataclass(frozen=True, slots=True)
class _Problem:
    """A problem with the faces laid out, and the faces concerned."""

    text: str
    missing: tuple[str, ...] = ()
    misplaced: tuple[str, ...] = ()


def scan(image: Image, reading: PhotoReading, reader: TileReader, *, source: str = "scan") -> ScannedSet:
    """Assigns the finds in a BGR picture to the faces of a set laid out in order.

    Raises:
        TileSetError: faces are missing, repeated, in another order, upside down or too small; the message names all
            problems.
    """
    tiles = [tile for tile in reading.tiles if tile.tile != BACK]
    backs = [tile.quad for tile in reading.tiles if tile.tile == BACK and tile.score > INDICATIVE][:1]
    if len(tiles) < WITHOUT_REDS // 2:
        raise TileSetError(f"expected {len(FACES)} or {WITHOUT_REDS} faces laid out in order, found {len(tiles)}")
    quads = _in_order(np.array([tile.quad for tile in tiles], np.float32), _common_up(tiles))
    widths = np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)
    if float(np.median(widths)) < _NARROWEST_PX:
        raise TileSetError(
            f"expected tiles of {_NARROWEST_PX:.0f} pixels or wider, got {np.median(widths):.1f}: move nearer"
        )
    tile_crops = crops(image, quads)
    chances, _, embeddings = reader.outputs(tile_crops)
    row = _Row(quads=quads, chances=chances, embeddings=embeddings)
    expected, pairs = min(
        ((order, _alignment(row.chances, order)) for order in (FACES, FACES[:WITHOUT_REDS])),
        key=lambda answer: _cost(row.chances, *answer),
    )
    problems = _problems(row, expected, pairs)
    if problems:
        raise TileSetError(
            f"expected one of each of {len(expected)} faces in order, got "
            + "; ".join(problem.text for problem in problems),
            missing=[face for problem in problems for face in problem.missing],
            misplaced=[face for problem in problems for face in problem.misplaced],
        )
    examples = [FaceExample(face=expected[place], source=source, crop=tile_crops[index]) for place, index in pairs]
    examples += [FaceExample(face=BACK, source=source, crop=crop) for crop in crops(image, backs)]
    misread = tuple((expected[p], row.best_face(i)) for p, i in pairs if row.best_face(i) != expected[p])
    return ScannedSet(examples=tuple(examples), misread=misread)


def _common_up(tiles: list[ReadTile]) -> Floats32:
    """Returns the direction of the glyphs' tops, a unit vector in pixels."""
    ups = [
        _up_of(np.array(tile.quad, np.float32)) for tile in tiles if tile.tile in _UPRIGHT and tile.score > INDICATIVE
    ]
    mean = np.mean(ups, axis=0) if ups else np.zeros(2)
    if float(np.linalg.norm(mean)) < _AGREED:
        raise TileSetError("expected all tiles the same way up and clearly visible, got characters in many directions")
    return np.asarray(mean / np.linalg.norm(mean), np.float32)


def _up_of(quad: Floats32) -> Floats32:
    up = quad[0] + quad[1] - quad[2] - quad[3]
    return np.asarray(up / max(float(np.linalg.norm(up)), 1e-6), np.float32)


def _in_order(quads: Floats32, up: Floats32) -> Floats32:
    """Returns the quads row by row, each starting at its glyph's top left."""
    upright = np.array([quad if _up_of(quad) @ up >= 0 else np.roll(quad, 2, axis=0) for quad in quads])
    middles = upright.mean(axis=1)
    across, down = middles @ np.array([-up[1], up[0]]), middles @ -up
    height = float(np.median(np.linalg.norm(upright[:, 3] - upright[:, 0], axis=1)))
    return upright[reading_order(across, down, height / 2)]


def _alignment(chances: Floats32, expected: tuple[str, ...]) -> list[tuple[int, int]]:
    """Returns the pairs of place and find that match best, in order; places and finds may be left over."""
    price = -np.log(np.maximum(chances[:, [CLASSES.index(face) for face in expected]], _LEAST_CHANCE)).T
    places, finds = price.shape
    cost = np.zeros((places + 1, finds + 1))
    cost[:, 0], cost[0] = np.arange(places + 1) * _ABSENT, np.arange(finds + 1) * _ABSENT
    for place in range(places):
        for find in range(finds):
            skipped = min(cost[place, find + 1], cost[place + 1, find]) + _ABSENT
            cost[place + 1, find + 1] = min(cost[place, find] + price[place, find], skipped)
    pairs, place, find = [], places, finds
    while place and find:
        if cost[place, find] == cost[place - 1, find - 1] + price[place - 1, find - 1]:
            place, find = place - 1, find - 1
            pairs.append((place, find))
        elif cost[place, find] == cost[place - 1, find] + _ABSENT:
            place -= 1
        else:
            find -= 1
    return pairs[::-1]


def _cost(chances: Floats32, expected: tuple[str, ...], pairs: list[tuple[int, int]]) -> float:
    read = [max(float(chances[find, CLASSES.index(expected[place])]), _LEAST_CHANCE) for place, find in pairs]
    return float(-np.log(read).sum()) + _ABSENT * (len(expected) + len(chances) - 2 * len(pairs))


def _problems(row: _Row, expected: tuple[str, ...], pairs: list[tuple[int, int]]) -> list[_Problem]:
    """Returns everything that keeps these finds from being one of each in order, in words for people."""
    find_of = {expected[place]: find for place, find in pairs}
    agreeing = sum(row.best_face(find) == expected[place] for place, find in pairs)
    if agreeing < _READABLE * len(expected):
        return [
            _Problem(f"only {agreeing} that read as expected: another order, or a dark, blurred or covered picture")
        ]
    missing = [face for face in expected if face not in find_of]
    spare = {find: row.best_face(find) for find in sorted(set(range(len(row.quads))) - set(find_of.values()))}
    problems = [_Problem(f"{face} out of order", misplaced=(face,)) for face in spare.values() if face in missing]
    absent = tuple(face for face in missing if face not in spare.values())
    if absent:
        problems.append(_Problem("no " + ", ".join(absent), missing=absent))
    problems += _problems_of_pairs(row, find_of)
    for find, name in spare.items():
        if name not in {*missing, NOT_A_TILE}:
            x, y = row.quads[find].mean(axis=0)
            problems.append(_Problem(f"{name} once too often, at pixel {x:.0f}, {y:.0f}", misplaced=(name,)))
    return problems


def _problems_of_pairs(row: _Row, find_of: Mapping[str, int]) -> Iterator[_Problem]:
    """Yields what is wrong with finds that have a place: two are exchanged, or one face lies in two places."""
    for face, find in find_of.items():
        other = row.best_face(find)
        if other == face or other not in find_of:
            continue
        if row.is_possible(find_of[other], face):
            yield _Problem(f"{other} where {face} belongs", misplaced=(other,))
        elif row.are_twins(find, find_of[other]):
            yield _Problem(f"{other} twice and no {face}", missing=(face,))
