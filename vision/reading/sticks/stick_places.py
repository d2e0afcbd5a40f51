"""Finds the places where sticks may lie: what the locator found, and what it may have missed."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats32, Image
from vision.confidence import FAINT, STICK_ON_TILES
from vision.geometry.rectify import TopView
from vision.geometry.roi import whole_view
from vision.reading.locator import Located
from vision.reading.sticks.bundles import bundles
from vision.reading.sticks.spots import Spot, riichi_spots, spot_of
from vision.reading.tile_bodies import bodies

_ON_TILES: Final = 0.6
"""A find with more than this share of its area on tiles and their sides is hardly a stick."""


def stick_spots(picture: Image, found: Located, view: TopView) -> list[Spot]:
    """Returns the strips of a table to read, from the view's picture, and from what the locator found in it.

    They lie at the locator's finds and weak candidates, at the places of riichi sticks, and at bundles.
    """
    clear, on_tiles = faint_sticks(found, view)
    unknown = np.concatenate([on_tiles, bundles(picture, found, whole_view(view.side_px), view)])
    doubtful = [spot._replace(least_score=STICK_ON_TILES) for spot in _spots(unknown, view)]
    return [*_spots(found.sticks, view), *_spots(clear, view), *riichi_spots(), *doubtful]


def _spots(quads: Floats32, view: TopView) -> list[Spot]:
    """Returns the strips about quads [N, 4, 2] in pixels of the view."""
    felt = view.calibration.to_felt(view.to_frame(quads), height_mm=0.0)
    return [spot_of(quad) for quad in felt.reshape(-1, 4, 2)]


def faint_sticks(found: Located, view: TopView) -> tuple[Floats32, Floats32]:
    """Returns weak candidates for sticks on the play surface: those on the felt, and those on tiles.

    Both are quads [N, 4, 2] in pixels of the view. A candidate on a tile lies between its face and its foot: the side
    of a row of tiles is as long and as narrow as a stick, but sticks side by side also look like a tile.
    """
    quads = found.stick_candidates
    middles = view.to_felt(quads.mean(axis=1)) if len(quads) else np.zeros((0, 2))
    quads = quads[np.abs(middles).max(axis=1, initial=0.0) < view.calibration.side_mm / 2]
    outlines = bodies(found.tiles[found.tile_scores >= FAINT], view)
    on_tiles = np.array([_on_bodies(quad, outlines) > _ON_TILES for quad in quads], np.bool_)
    return np.asarray(quads[~on_tiles], np.float32), np.asarray(quads[on_tiles], np.float32)


def _on_bodies(quad: Floats32, outlines: list[Floats32]) -> float:
    """Returns the share of a quad that lies on bodies; overlapping bodies count several times."""
    low, high = quad.min(axis=0), quad.max(axis=0)
    near = [body for body in outlines if (body.max(axis=0) > low).all() and (body.min(axis=0) < high).all()]
    return sum(float(cv2.intersectConvexConvex(quad, body)[0]) for body in near) / float(cv2.contourArea(quad))
