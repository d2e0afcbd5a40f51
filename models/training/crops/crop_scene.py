"""Puts a printed face on a table and photographs it: body, neighbours, light, lens, and a locator's inexact quad.

Everything is first drawn on one plane, seen straight from above, with one tile of 96 x 128 pixels in the middle of a
larger canvas. A homography simulates the camera, and `vision.reading.reader.crops` cuts out the tile as at a real
table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from models.training.faces.tile_style import Colour
from vision.arrays import Floats32, Image
from vision.reading.reader import crops

TILE_W: Final = 96
TILE_H: Final = 128
PAD: Final = 40
CANVAS_W: Final = TILE_W + 2 * PAD
CANVAS_H: Final = TILE_H + 2 * PAD
FACE_QUAD: Final = np.array(
    [[PAD, PAD], [PAD + TILE_W, PAD], [PAD + TILE_W, PAD + TILE_H], [PAD, PAD + TILE_H]], dtype=np.float32
)
"""The tile's face on the canvas, clockwise from its top left."""
_SMALLEST: Final = 13.0
"""The width of the smallest tiles in pixels; strokes of smaller ones are no longer distinct."""
_SMALL: Final = 26.0
_SMALL_SHARE: Final = 0.35
"""The fraction of tiles that are at most `_SMALL` pixels wide."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The rest of the canvas: prints of neighbouring tiles, the colours of the bodies, and the ground."""

    neighbours: Sequence[Image]
    base: Colour
    back: Colour


class Spot(NamedTuple):
    """A tile's place: its offset from the canvas's middle, and its quarter turns counter-clockwise."""

    x: float
    y: float
    quarter: int


def lay(face: Image, surroundings: Surroundings, rng: np.random.Generator) -> Image:
    """Returns the canvas with the tile in the middle, its neighbours, sides and shadow; uint8 [208, 176, 3]."""
    canvas = ground(rng, CANVAS_H, CANVAS_W)
    tilt = rng.uniform(-1, 1, 2) * rng.choice([4, 14, 40], p=[0.5, 0.3, 0.2])
    radius = int(rng.integers(2, 15))
    middle = Spot(0.0, 0.0, 0)
    neighbours = [] if rng.random() < 0.25 else _places(rng)
    _shadows(canvas, [*neighbours, middle], rng)
    for spot in (*neighbours, middle):
        _side(canvas, spot, tilt, surroundings, radius)
    for spot in neighbours:
        print_ = surroundings.neighbours[int(rng.integers(len(surroundings.neighbours)))]
        _top(canvas, np.rot90(_sized(print_), spot.quarter), spot, radius, rng)
    _top(canvas, _sized(face), middle, radius, rng)
    return canvas


def ground(rng: np.random.Generator, height: int, width: int) -> Image:
    """Returns a piece of felt, wood, cloth or table, BGR uint8."""
    hue, kind = int(rng.choice([60, 75, 95, 110, 5, 15, 25])), rng.integers(4)
    pixel = np.array([[[(hue + rng.integers(-12, 13)) % 180, rng.integers(20, 230), rng.integers(25, 225)]]], np.uint8)
    colour = cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)
    # The texture is made at half size: finer grain than that is the sensor's noise.
    rows, columns = height // 2, width // 2
    grain = rng.standard_normal((rows, columns), np.float32) * np.float32(rng.uniform(1, 18))
    if kind == 1:
        grain = _blurred(grain, float(rng.uniform(2, 15)), 0.6) * 4
    elif kind == 2:
        sigma = float(rng.uniform(0.6, 2))
        grain = _blurred(grain, sigma, sigma) * 3
    elif kind == 3:
        slope, pitch = float(rng.uniform(-1, 1)), float(rng.uniform(0.1, 2))
        phase = np.arange(columns, dtype=np.float32) * pitch + np.arange(rows, dtype=np.float32)[:, None] * slope
        grain = grain + np.sin(phase) * np.float32(rng.uniform(3, 25))
    small = np.clip(colour + grain[..., None], 0, 255).astype(np.uint8)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), dtype=np.uint8)


def _blurred(values: Floats32, sigma_x: float, sigma_y: float) -> Floats32:
    return np.asarray(cv2.GaussianBlur(values, (0, 0), sigmaX=sigma_x, sigmaY=sigma_y), dtype=np.float32)


def _places(rng: np.random.Generator) -> list[Spot]:
    gap = float(rng.choice([0, 1, 3, 8])) + rng.uniform(0, 2)
    places: list[Spot] = []
    for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        if rng.random() < 0.45:
            continue
        quarter = int(rng.choice([0, 2, 1, 3], p=[0.65, 0.15, 0.1, 0.1]))
        half_w, half_h = (TILE_H / 2, TILE_W / 2) if quarter % 2 else (TILE_W / 2, TILE_H / 2)
        slip = rng.normal(0, 6, 2)
        x = dx * (TILE_W / 2 + half_w + gap) + (slip[0] if dx == 0 else 0)
        y = dy * (TILE_H / 2 + half_h + gap) + (slip[1] if dy == 0 else 0)
        places.append(Spot(float(x), float(y), quarter))
    return places


def _rectangle(spot: Spot) -> tuple[int, int, int, int]:
    width, height = (TILE_H, TILE_W) if spot.quarter % 2 else (TILE_W, TILE_H)
    left, top = CANVAS_W / 2 + spot.x - width / 2, CANVAS_H / 2 + spot.y - height / 2
    return round(left), round(top), width, height


def _rounded(height: int, width: int, radius: int) -> Image:
    mask = np.zeros((height, width), np.uint8)
    cv2.rectangle(mask, (radius, 0), (width - 1 - radius, height - 1), 255, -1)
    cv2.rectangle(mask, (0, radius), (width - 1, height - 1 - radius), 255, -1)
    for x in (radius, width - 1 - radius):
        for y in (radius, height - 1 - radius):
            cv2.circle(mask, (x, y), radius, 255, -1, cv2.LINE_AA)
    return mask


def _shadows(canvas: Image, spots: list[Spot], rng: np.random.Generator) -> None:
    shade = np.zeros((CANVAS_H // 4, CANVAS_W // 4), np.float32)
    dx, dy = (float(value) for value in rng.uniform(-16, 16, 2))
    for spot in spots:
        shadow_spot = Spot(spot.x + dx, spot.y + dy, spot.quarter)
        left, top, width, height = (value // 4 for value in _rectangle(shadow_spot))
        dark = float(rng.uniform(0.1, 0.7))
        cv2.rectangle(shade, (left - 1, top - 1), (left + width + 1, top + height + 1), dark, -1)
    sigma = float(rng.uniform(0.5, 2.5))
    soft = cv2.resize(_blurred(shade, sigma, sigma), (CANVAS_W, CANVAS_H), interpolation=cv2.INTER_LINEAR)
    canvas[:] = (canvas * (1 - soft[..., None])).astype(np.uint8)


def _side(canvas: Image, spot: Spot, tilt: npt.NDArray[np.float64], surroundings: Surroundings, radius: int) -> None:
    """Draws the visible side of a tile's body below its face: ivory, then the colour of the back."""
    left, top, width, height = _rectangle(spot)
    for part, colour in ((1.0, surroundings.back), (0.62, surroundings.base)):
        for step in np.linspace(part, 0, 4):
            shade = 0.55 + 0.3 * (1 - step)
            x, y = round(left + tilt[0] * step), round(top + tilt[1] * step)
            paint = tuple(float(channel * shade) for channel in colour)
            cv2.rectangle(canvas, (x, y + radius // 2), (x + width - 1, y + height - 1 - radius // 2), paint, -1)
            cv2.rectangle(canvas, (x + radius // 2, y), (x + width - 1 - radius // 2, y + height - 1), paint, -1)


def _sized(face: Image) -> Image:
    return np.asarray(cv2.resize(face, (TILE_W, TILE_H), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _top(canvas: Image, face: Image, spot: Spot, radius: int, rng: np.random.Generator) -> None:
    height, width = face.shape[:2]
    left, top, _, _ = _rectangle(spot)
    engraved = _engraved(face, rng)
    mask = _rounded(height, width, radius)
    bevel = cv2.GaussianBlur(mask, (0, 0), sigmaX=float(rng.uniform(1, 4))).astype(np.float32) / 255
    engraved *= 1 - (1 - bevel[..., None]) * np.float32(rng.uniform(-0.15, 0.6))
    x0, y0, x1, y1 = max(0, left), max(0, top), min(CANVAS_W, left + width), min(CANVAS_H, top + height)
    if x1 <= x0 or y1 <= y0:
        return
    inside = (slice(y0 - top, y1 - top), slice(x0 - left, x1 - left))
    cover = mask[inside][..., None].astype(np.float32) / 255
    under = canvas[y0:y1, x0:x1].astype(np.float32)
    canvas[y0:y1, x0:x1] = np.clip(under + (engraved[inside] - under) * cover, 0, 255).astype(np.uint8)


def _engraved(face: Image, rng: np.random.Generator) -> Floats32:
    """Returns the face with the light and dark rims of a carved glyph, and worn ink."""
    carved = face.astype(np.float32)
    if rng.random() < 0.5:
        return carved
    depth = cv2.cvtColor(face, cv2.COLOR_BGR2GRAY).astype(np.float32)
    angle = rng.uniform(0, 2 * np.pi)
    rim_px = rng.uniform(0.5, 1.8)
    shift = np.array([[1, 0, np.cos(angle) * rim_px], [0, 1, np.sin(angle) * rim_px]], np.float32)
    shifted = cv2.warpAffine(depth, shift, (face.shape[1], face.shape[0]), borderMode=cv2.BORDER_REPLICATE)
    carved += ((depth - shifted) * rng.uniform(0.05, 0.45))[..., None]
    if rng.random() < 0.15:
        blotches = cv2.resize(rng.random((9, 7)).astype(np.float32), (face.shape[1], face.shape[0]))
        worn = blotches > rng.uniform(0.6, 0.95)
        carved[worn] = carved[worn] * 0.4 + np.median(carved, axis=(0, 1)) * 0.6
    return carved


def light(canvas: Image, rng: np.random.Generator) -> Image:
    """Returns the canvas under a lamp: falloff, a soft shadow's edge, a gloss."""
    height, width = canvas.shape[:2]
    lit = canvas.astype(np.float32)
    if rng.random() < 0.6:
        corners = rng.uniform(0.7, 1.15, (2, 2)).astype(np.float32)
        lit *= cv2.resize(corners, (width, height), interpolation=cv2.INTER_LINEAR)[..., None]
    if rng.random() < 0.35:
        lit *= _shadow_edge(rng, height, width)[..., None]
    if rng.random() < 0.2:
        lit += _gloss(rng, height, width)[..., None]
    return np.clip(lit, 0, 255).astype(np.uint8)


def _shadow_edge(rng: np.random.Generator, height: int, width: int) -> Floats32:
    angle, offset = rng.uniform(0, 2 * np.pi), float(rng.uniform(-50, 50))
    across = np.arange(width, dtype=np.float32) - width / 2
    down = np.arange(height, dtype=np.float32) - height / 2
    far = across * float(np.cos(angle)) + down[:, None] * float(np.sin(angle)) - offset
    edge = 1 / (1 + np.exp(np.clip(-far / float(rng.uniform(0.5, 12)), -50, 50)))
    return np.asarray(1 - edge * float(rng.uniform(0.2, 0.7)), dtype=np.float32)


def _gloss(rng: np.random.Generator, height: int, width: int) -> Floats32:
    spot = np.zeros((height // 4, width // 4), np.float32)
    centre = (int(rng.uniform(0.2, 0.8) * width / 4), int(rng.uniform(0.2, 0.8) * height / 4))
    axes = (int(rng.integers(2, 12)), int(rng.integers(1, 7)))
    cv2.ellipse(spot, centre, axes, float(rng.uniform(0, 180)), 0, 360, float(rng.uniform(60, 220)), -1)
    sigma = float(rng.uniform(0.5, 3.5))
    soft = _blurred(spot, sigma, sigma)
    return np.asarray(cv2.resize(soft, (width, height), interpolation=cv2.INTER_LINEAR), dtype=np.float32)


def cover(canvas: Image, rng: np.random.Generator) -> None:
    """Covers an edge of the tile with a fingertip or a stick, at most a fifth of the tile."""
    skin = (float(rng.uniform(80, 170)), float(rng.uniform(110, 190)), float(rng.uniform(150, 245)))
    side, along = int(rng.integers(4)), rng.uniform(-0.4, 0.4)
    depth = rng.uniform(2, 18)
    half_length = 40
    x = along * TILE_W if side < 2 else (1 if side == 2 else -1) * (TILE_W / 2 + half_length - depth)
    y = (1 if side == 0 else -1) * (TILE_H / 2 + half_length - depth) if side < 2 else along * TILE_H
    axes = (int(rng.integers(12, 26)), half_length) if side < 2 else (half_length, int(rng.integers(12, 26)))
    centre = (round(CANVAS_W / 2 + x), round(CANVAS_H / 2 + y))
    cv2.ellipse(canvas, centre, axes, float(rng.uniform(-20, 20)), 0, 360, skin, -1, cv2.LINE_AA)
    cv2.ellipse(canvas, centre, axes, 0, 0, 360, tuple(channel * 0.7 for channel in skin), 2, cv2.LINE_AA)


def random_width(rng: np.random.Generator, largest: float) -> float:
    """Returns a random width of a tile in pixels; a third of them are as small as in the smallest pictures."""
    low, high = (_SMALLEST, _SMALL) if rng.random() < _SMALL_SHARE else (19.0, largest)
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def photograph(canvas: Image, quad: Floats32, rng: np.random.Generator, *, slip: float) -> Image:
    """Photographs the canvas from a random place and cuts out `quad` (on the canvas) with a locator's errors.

    Returns uint8 [64, 48, 3]. `slip` is the largest error of a corner, as a fraction of the tile's sides.
    """
    width = random_width(rng, 80)
    camera, size = _camera(width, rng)
    scale = width / TILE_W
    soft = cv2.GaussianBlur(canvas, (0, 0), sigmaX=max(0.3, 0.4 / scale))
    photo = cv2.warpPerspective(soft, camera, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    photo = _developed(np.asarray(photo, dtype=np.uint8), scale, rng)
    spread = rng.uniform(-slip, slip, (4, 2)) * rng.choice([0.25, 0.6, 1.0])
    drift = rng.uniform(-slip, slip, 2) * 0.5
    middle = quad.mean(axis=0)
    crooked = middle + (quad - middle) * rng.uniform(0.94, 1.1) + (spread + drift) * (TILE_W, TILE_H)
    photo_quad = cv2.perspectiveTransform(crooked.reshape(1, 4, 2).astype(np.float32), camera)
    return np.asarray(crops(photo, photo_quad)[0], dtype=np.uint8)


def _camera(width: float, rng: np.random.Generator) -> tuple[npt.NDArray[np.float64], tuple[int, int]]:
    scale = width / TILE_W
    angle = 0.0 if rng.random() < 0.3 else rng.uniform(-np.pi, np.pi)
    lean = rng.uniform(0.55, 1.0) if rng.random() < 0.5 else 1.0
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    squeeze = np.diag([1.0, lean]) @ turn * scale
    corners = np.array([[0, 0], [CANVAS_W, 0], [CANVAS_W, CANVAS_H], [0, CANVAS_H]], np.float64)
    flat = (corners - (CANVAS_W / 2, CANVAS_H / 2)) @ squeeze.T
    vanish = 1 + flat @ (rng.normal(0, 0.05, 2) / (CANVAS_W * scale))
    flat /= np.clip(vanish, 0.5, 2)[:, None]
    flat -= flat.min(axis=0) - rng.uniform(0, 1, 2)
    size = np.ceil(flat.max(axis=0)).astype(int) + 1
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), flat.astype(np.float32))
    return np.asarray(matrix, dtype=np.float64), (int(size[0]), int(size[1]))


def _developed(photo: Image, scale: float, rng: np.random.Generator) -> Image:
    """Returns the photo with effects of lens, sensor and file: blur, motion, colour, exposure, noise, compression."""
    out = photo
    tile = TILE_W * scale
    if rng.random() < 0.5:
        out = _as_bytes(cv2.GaussianBlur(out, (0, 0), sigmaX=float(rng.uniform(0.2, max(0.35, tile / 36)))))
    if rng.random() < 0.15:
        out = _motion_blurred(out, tile, rng)
    lit = out.astype(np.float32)
    lit *= rng.uniform(0.86, 1.1, 3).astype(np.float32) if rng.random() < 0.6 else np.float32(1)
    grey = lit.mean(axis=2, keepdims=True)
    lit = grey + (lit - grey) * np.float32(rng.uniform(0.5, 1.3))
    lit = 255 * np.clip(lit / 255, 0, 1) ** np.float32(rng.uniform(0.65, 1.6))
    lit = lit * np.float32(rng.uniform(0.5, 1.15)) + np.float32(rng.uniform(-12, 25))
    lit += rng.standard_normal(lit.shape, np.float32) * np.float32(rng.uniform(0.5, 9))
    out = np.clip(lit, 0, 255).astype(np.uint8)
    if rng.random() < 0.6:
        _, data = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 96))])
        out = _as_bytes(cv2.imdecode(data, cv2.IMREAD_COLOR))
    return out


def _as_bytes(values: npt.ArrayLike | None) -> Image:
    return np.asarray(values, dtype=np.uint8)


def _motion_blurred(photo: Image, tile: float, rng: np.random.Generator) -> Image:
    length = max(2, int(rng.uniform(0.02, 0.1) * tile))
    kernel = np.zeros((length, length), np.float32)
    cv2.line(kernel, (0, int(rng.integers(length))), (length - 1, int(rng.integers(length))), 1.0, 1)
    return np.asarray(cv2.filter2D(photo, -1, kernel / kernel.sum()), dtype=np.uint8)
