"""Returns where sticks may be: what the locator found, and what it missed; and drops the sides of rows of tiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats, Floats32, Image
from vision.confidence import FAINT, STICK_ON_TILES, TILE_AMONG_STICKS
from vision.geometry.rectify import TopView
from vision.geometry.roi import whole
from vision.reading.locator import Located
from vision.reading.sticks.bundles import COARSER, bundles, other_than_ground
from vision.reading.sticks.spots import Spot, Stick, is_riichi, riichi_spots, spot_of
from vision.reading.tile_bodies import bodies

_ON_TILES: Final = 0.6
"""A find with more than this share of its area on tiles and their sides is hardly a stick."""
_ON_SIDES: Final = 0.5
"""A stick with more than this share of its area on the sides of tiles …"""
_ON_FACES: Final = 0.15
"""… and less than this on their faces is the side of a row …"""
_ROW: Final = 3
"""… of at least so many tiles …"""
_TOUCHED: Final = 0.03
"""… each under more than this share of the stick …"""
_ALONG_ROW_DEGREES: Final = 10.0
"""… and with edges askew from the stick by less than this."""
_ON_ROW: Final = 0.9
"""A stick with more than this share of its area on such a row is part of it …"""
_BESIDE_MM: Final = 14.0
_ALONG_DEGREES: Final = 10.0
"""… unless another stick lies beside it, askew by less than this."""

_BARE: Final = 0.55
"""Where no stick lies, more than this share of its length shows the ground alone."""
_STEPS: Final = np.linspace(0.06, 0.94, 23)[:, None]
"""The places along a stick that are looked at."""
_AROUND_MM: Final = 110.0
"""How far around the sticks the ground is looked at."""


def stick_spots(picture: Image, found: Located, view: TopView) -> list[Spot]:
    """Returns the strips of a table to read, from the view's picture, and from what the locator found in it.

    These are at the locator's finds and doubts, where riichi sticks would lie, and at bundles that it does not know.
    """
    clear, on_tiles = faint_sticks(found, view)
    unknown = np.concatenate([on_tiles, bundles(picture, found, whole(view.side_px), view)])
    doubtful = [spot._replace(least=STICK_ON_TILES) for spot in _spots(unknown, view)]
    return [*_spots(found.sticks, view), *_spots(clear, view), *riichi_spots(), *doubtful]


def _spots(quads: Floats32, view: TopView) -> list[Spot]:
    """Returns the strips about quads [N, 4, 2] in pixels of the view."""
    felt = view.calibration.to_felt(view.to_frame(quads), height_mm=0.0)
    return [spot_of(quad) for quad in felt.reshape(-1, 4, 2)]


def faint_sticks(found: Located, view: TopView) -> tuple[Floats32, Floats32]:
    """Returns what may be sticks on the play surface, quads [N, 4, 2] in pixels of the view.

    The second ones lie between a tile's face and its foot on the felt. The side of a row of tiles is as long and as
    narrow as a stick, but sticks side by side also look like a tile.
    """
    quads = found.stick_candidates
    middles = view.to_felt(quads.mean(axis=1)) if len(quads) else np.zeros((0, 2))
    quads = quads[np.abs(middles).max(axis=1, initial=0.0) < view.calibration.side_mm / 2]
    outlines = bodies(found.tiles[found.tile_scores >= FAINT], view)
    on_tiles = np.array([_on_bodies(quad, outlines) > _ON_TILES for quad in quads], np.bool_)
    return np.asarray(quads[~on_tiles], np.float32), np.asarray(quads[on_tiles], np.float32)


def without_sides(sticks: Sequence[Stick], found: Located, view: TopView) -> list[Stick]:
    """Returns the sticks without those that are a row of tiles: its side, white and as narrow as a stick, or its faces.

    A riichi stick stays: it lies along the first row of a river. On the faces of a row, a stick beside another one
    stays: sticks side by side also look like tiles.
    """
    tiles = found.tiles[found.tile_scores >= TILE_AMONG_STICKS]
    outlines = bodies(tiles, view)

    def is_row(stick: Stick) -> bool:
        quad = np.asarray(_seen(stick.quad, view), np.float32)
        under = [n for n, body in enumerate(outlines) if _on_bodies(quad, [body]) > _TOUCHED]
        touched = [n for n in under if _lean(quad, tiles[n]) < _ALONG_ROW_DEGREES]
        if len(touched) < _ROW:
            return False
        on_row = _on_bodies(quad, [outlines[n] for n in touched])
        on_faces = _on_bodies(quad, [np.asarray(tiles[n], np.float32) for n in touched])
        is_side = on_row - on_faces > _ON_SIDES and on_faces < _ON_FACES
        return is_side or (on_row > _ON_ROW and not _is_beside_others(stick, sticks))

    return [stick for stick in sticks if is_riichi(stick) or not is_row(stick)]


def without_bare(sticks: Sequence[Stick], picture: Image, view: TopView) -> list[Stick]:
    """Returns the sticks without those along most of which the view's picture shows the ground alone.

    The strips also show some where a shadow or the foot of a wall ends in bare felt, or on felt as red as a stick. A
    riichi stick stays. What the picture does not show, black, counts as something else than the ground.
    """
    doubted = [stick for stick in sticks if not is_riichi(stick)]
    if not doubted:
        return list(sticks)
    ends = _seen(np.concatenate([stick.quad for stick in doubted]), view).reshape(-1, 2, 2, 2).mean(axis=2)
    start = np.maximum(ends.min(axis=(0, 1)) - _AROUND_MM * view.px_per_mm, 0).astype(np.intp)
    stop = np.ceil(ends.max(axis=(0, 1)) + _AROUND_MM * view.px_per_mm).astype(np.intp)
    differs = other_than_ground(picture[start[1] : stop[1], start[0] : stop[0]])
    near = cv2.dilate(differs.astype(np.uint8), np.ones((3, 3), np.uint8))
    places = np.rint((ends[:, :1] * (1 - _STEPS) + ends[:, 1:] * _STEPS - start) / COARSER).astype(np.intp)
    columns, rows = np.clip(places, 0, np.array(near.shape[::-1]) - 1).transpose(2, 0, 1)
    shares = zip(doubted, near[rows, columns].mean(axis=1), strict=True)
    bare = {id(stick) for stick, share in shares if share < 1 - _BARE}
    return [stick for stick in sticks if id(stick) not in bare]


def _seen(points: Floats, view: TopView) -> Floats:
    """Returns where the view shows points [N, 2] of the felt's plane, in its pixels."""
    pixels = view.calibration.to_pixels(points, height_mm=0.0)
    return view.from_felt(view.calibration.to_felt(pixels, height_mm=view.height_mm)).reshape(-1, 2)


def _lean(quad: Floats32, other: Floats32) -> float:
    """Returns how far two rectangles lie askew, in degrees, 0-45."""
    ways = [np.arctan2(*(one[1] - one[0])[::-1]) for one in (quad, other)]
    return float(abs((np.degrees(ways[0] - ways[1]) + 45) % 90 - 45))


def _is_beside_others(stick: Stick, sticks: Sequence[Stick]) -> bool:
    """Returns whether another stick lies along this one."""
    place, others = spot_of(stick.quad), [spot_of(other.quad) for other in sticks if other is not stick]
    return any(
        np.hypot(place.x - other.x, place.y - other.y) < _BESIDE_MM
        and abs((place.degrees - other.degrees + 90) % 180 - 90) < _ALONG_DEGREES
        for other in others
    )


def _on_bodies(quad: Floats32, outlines: list[Floats32]) -> float:
    """Returns the share of a quad that lies on bodies; overlapping bodies count several times."""
    low, high = quad.min(axis=0), quad.max(axis=0)
    near = [body for body in outlines if (body.max(axis=0) > low).all() and (body.min(axis=0) < high).all()]
    return sum(float(cv2.intersectConvexConvex(quad, body)[0]) for body in near) / float(cv2.contourArea(quad))
