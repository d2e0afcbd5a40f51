"""Finds the play surface by its colour, if no markers show where it is.

The felt has the most frequent colour around the picture's middle. Things on it make holes and notches in its outline,
so the convex hull shows roughly where its edges are, and each edge is fitted to the points of the outline nearest to
it. Melds may hide a corner: the edges are therefore the four sides along which the outline is straight for longest, and
the corners are where these cross.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, Image
from vision.errors import CalibrationError
from vision.geometry.place_checks import check_picture, check_within
from vision.geometry.plane_geometry import as_float64, as_points

_LONGER: Final = 800
"""Longer side of the searched picture, in pixels."""
_COLOUR_TOLERANCE: Final = 14.0
_LIGHT_TOLERANCE: Final = 70.0
_NARROWEST: Final = 5
"""Shorter side of the searched picture, in pixels, below which it cannot show a felt with four sides."""
_LEAST_SHARE: Final = 0.08
"""The least share of the picture that a felt fills."""
_NEAR_EDGE_PX: Final = 6.0
_STRAIGHT_PX: Final = 1.5
"""How near to a side of its hull the outline must lie to count as straight there."""
_FINE: Final = 0.004
"""How far the hull's simplified sides may deviate from it, as a share of its length."""
_SAME_DIRECTION: Final = 0.2
"""The largest sine of the angle between two sides of the hull that lie along one edge."""
_SAME_LINE: Final = 0.1
"""How near to the line of one side another side along the same edge must lie, as a share of the felt's size."""
_MOST_BEYOND: Final = 0.12
"""The largest share of its area by which a felt may differ from its four straight edges; a round patch differs more."""


def find_felt(image: Image, *, tolerance: float = 1.0) -> Floats:
    """Returns the felt's corners [4, 2] in raw pixels: far left, far right, near right, near left.

    Args:
        image: the picture, BGR.
        tolerance: how far the felt's colour may vary, as a share of the usual; smaller ones suit dim light, in which
            rail and floor look like the felt.

    Raises:
        CalibrationError: no four-sided area of one colour fills the picture's middle, it reaches the picture's border,
            or the picture shows nothing.
    """
    check_picture(image)
    height, width = image.shape[:2]
    scale = _LONGER / max(height, width)
    if scale * min(height, width) < _NARROWEST:
        raise CalibrationError(f"expected a picture wide and high enough to show a felt, got {width} x {height}")
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    outline = _outline(_felt_mask(np.asarray(small, dtype=np.uint8), tolerance))
    corners = _corners(outline)
    _check_shape(outline, corners)
    found = as_float64((_from_far_left(corners) + 0.5) / scale - 0.5)
    check_within(found, (width, height))
    return found


def _check_shape(outline: Floats, corners: Floats) -> None:
    hull, quad = (cv2.convexHull(points.astype(np.float32).reshape(-1, 1, 2)) for points in (outline, corners))
    share = cv2.contourArea(hull) / max(cv2.contourArea(quad), 1.0)
    if abs(share - 1) > _MOST_BEYOND:
        raise CalibrationError("expected a felt with four straight edges, got another shape")


def _felt_mask(small: Image, tolerance: float) -> npt.NDArray[np.uint8]:
    blurred = cv2.GaussianBlur(small, (0, 0), 2.0)
    lab = np.asarray(cv2.cvtColor(blurred, cv2.COLOR_BGR2LAB), dtype=np.float32)
    height, width = lab.shape[:2]
    inner = lab[height // 5 : -height // 5, width // 5 : -width // 5].reshape(-1, 3)
    bins = (inner // (48, 8, 8)).astype(np.int64) @ (1024, 32, 1)
    felt = np.median(inner[bins == np.bincount(bins).argmax()], axis=0)
    colour = np.hypot(lab[..., 1] - felt[1], lab[..., 2] - felt[2])
    light = tolerance * min(_LIGHT_TOLERANCE, 0.5 * felt[0] + 8)
    is_felt = (colour < tolerance * _COLOUR_TOLERANCE) & (np.abs(lab[..., 0] - felt[0]) < light)
    return cv2.morphologyEx(is_felt.astype(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)).astype(np.uint8)


def _outline(mask: npt.NDArray[np.uint8]) -> Floats:
    """Returns the outline [N, 2] of the largest area with the felt's colour.

    Raises:
        CalibrationError: there is no area large enough.
    """
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        raise CalibrationError("expected a felt of one colour in the picture's middle, got none")
    biggest = max(contours, key=cv2.contourArea)
    if cv2.contourArea(cv2.convexHull(biggest)) < _LEAST_SHARE * mask.size:
        raise CalibrationError("expected a felt that fills the picture's middle, got only patches of colour")
    return as_points(biggest)


def _corners(outline: Floats) -> Floats:
    """Returns the corners between which more of the outline is straight: of its straightest sides, or of its hull.

    Raises:
        CalibrationError: neither has four.
    """
    straight = _straightest(outline)
    try:
        simple = _fitted(outline, _four_corners(outline))
    except CalibrationError:
        if straight is None:
            raise
        return straight
    return simple if straight is None else max(straight, simple, key=lambda corners: _length_between(outline, corners))


def _fitted(outline: Floats, rough: Floats) -> Floats:
    """Returns the crossings of the lines that are fitted to the outline between rough corners."""
    edges = [_edge(outline, start, end) for start, end in pairwise([*rough, rough[0]])]
    return np.stack([_crossing(edges[index - 1], edges[index]) for index in range(4)])


def _length_between(outline: Floats, corners: Floats) -> int:
    return sum(_straightness(outline, start, end) for start, end in pairwise([*corners, corners[0]]))


def _straightest(outline: Floats) -> Floats | None:
    """Returns where the four straightest sides of the outline's hull cross, clockwise; None if there are no four."""
    hull = cv2.convexHull(outline.astype(np.float32).reshape(-1, 1, 2))
    sides = as_points(cv2.approxPolyDP(hull, _FINE * cv2.arcLength(hull, True), True))
    if cv2.contourArea(sides.astype(np.float32).reshape(-1, 1, 2), True) < 0:
        sides = sides[::-1].copy()
    ends = list(pairwise([*sides, sides[0]]))
    chosen: list[int] = []
    for index in sorted(range(len(ends)), key=lambda side: -_straightness(outline, *ends[side])):
        if not any(_is_one_edge(ends[index], ends[other], np.sqrt(cv2.contourArea(hull))) for other in chosen):
            chosen.append(index)
    lines = [_line(*ends[index]) for index in sorted(chosen[:4])]
    if len(lines) < 4:
        return None
    try:
        corners = _fitted(outline, np.stack([_crossing(lines[index - 1], lines[index]) for index in range(4)]))
        _check_shape(outline, corners)
    except CalibrationError:
        return None
    return corners


def _straightness(outline: Floats, start: Floats, end: Floats) -> int:
    """Returns how many of the outline's points lie on the straight line from one corner of its hull to the next."""
    share, away = _along_line(outline, start, end)
    return int(((np.abs(away) < _STRAIGHT_PX) & (share > 0) & (share < 1)).sum())


def _is_one_edge(side: tuple[Floats, Floats], other: tuple[Floats, Floats], size: float) -> bool:
    direction, other_direction = (_direction(*each) for each in (side, other))
    if (
        direction @ other_direction < 0
        or abs(direction[0] * other_direction[1] - direction[1] * other_direction[0]) > _SAME_DIRECTION
    ):
        return False
    _, away = _along_line((side[0] + side[1])[None] / 2, *other)
    return bool(abs(away[0]) < _SAME_LINE * size)


def _direction(start: Floats, end: Floats) -> Floats:
    return as_float64((end - start) / max(float(np.linalg.norm(end - start)), 1e-9))


def _line(start: Floats, end: Floats) -> Floats:
    """Returns the line (a, b, c) with a x + b y = c through two points."""
    direction = _direction(start, end)
    normal = np.array([-direction[1], direction[0]])
    return as_float64([*normal, normal @ start])


def _along_line(points: Floats, start: Floats, end: Floats) -> tuple[Floats, Floats]:
    """Returns where points lie along the line from start to end, as shares of its length, and how far beside it."""
    along = _direction(start, end)
    share = (points - start) @ along / max(float(np.linalg.norm(end - start)), 1e-9)
    return as_float64(share), as_float64((points - start) @ np.array([-along[1], along[0]]))


def _four_corners(outline: Floats) -> Floats:
    """Returns the corners of an outline's hull, simplified until four are left, clockwise in the picture.

    Raises:
        CalibrationError: it never has four.
    """
    hull = cv2.convexHull(outline.astype(np.float32).reshape(-1, 1, 2))
    length = cv2.arcLength(hull, True)
    for share in np.linspace(0.005, 0.12, 40):
        corners = as_points(cv2.approxPolyDP(hull, float(share) * length, True))
        if len(corners) == 4:
            flat = corners.astype(np.float32).reshape(-1, 1, 2)
            return corners if cv2.contourArea(flat, True) > 0 else corners[::-1].copy()
        if len(corners) < 4:
            break
    raise CalibrationError("expected a felt with four corners, got another shape")


def _edge(outline: Floats, start: Floats, end: Floats) -> Floats:
    """Returns the line (a, b, c) with a x + b y = c along one edge, through the outline's points near it."""
    share, away = _along_line(outline, start, end)
    edge_points = outline[(np.abs(away) < _NEAR_EDGE_PX) & (share > 0.04) & (share < 0.96)]
    if len(edge_points) < 20:
        return _line(start, end)
    x_direction, y_direction, x, y = cv2.fitLine(edge_points.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
    return _line(np.array([x, y], np.float64), np.array([x + x_direction, y + y_direction], np.float64))


def _crossing(first: Floats, second: Floats) -> Floats:
    try:
        return np.linalg.solve(np.stack([first[:2], second[:2]]), np.array([first[2], second[2]]))
    except np.linalg.LinAlgError as error:
        raise CalibrationError("expected a felt with four corners, got parallel edges") from error


def _from_far_left(corners: Floats) -> Floats:
    """Returns clockwise corners, starting with the one nearest the picture's top left."""
    return np.roll(corners, -int(np.argmin(corners.sum(axis=1))), axis=0)
