"""Crops without a readable face: ground, sides, dice, sticks, fingers, text, and crops that miss their tile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np

from models.training.crops.crop_scene import (
    CANVAS_H,
    CANVAS_W,
    FACE_QUAD,
    PAD,
    TILE_H,
    TILE_W,
    Surroundings,
    ground,
    lay,
)
from models.training.faces.font_glyphs import Fonts, glyph
from vision.arrays import Floats32, Image

Draw = Callable[[np.random.Generator, Surroundings, Fonts], tuple[Image, Floats32]]


def negative(surroundings: Surroundings, fonts: Fonts, rng: np.random.Generator) -> tuple[Image, Floats32]:
    """Returns a canvas and a quad on it that contains no face of the set."""
    draws = tuple(_KINDS)
    weights = np.array([_KINDS[draw] for draw in draws])
    return draws[rng.choice(len(draws), p=weights / weights.sum())](rng, surroundings, fonts)


def _bare(rng: np.random.Generator, surroundings: Surroundings, fonts: Fonts) -> tuple[Image, Floats32]:
    del surroundings, fonts
    canvas = ground(rng, CANVAS_H, CANVAS_W)
    if rng.random() < 0.3:
        cut = int(rng.integers(PAD, CANVAS_W - PAD))
        canvas[:, cut:] = ground(rng, CANVAS_H, CANVAS_W)[:, cut:]
    return canvas, FACE_QUAD


def _astride(rng: np.random.Generator, surroundings: Surroundings, fonts: Fonts) -> tuple[Image, Floats32]:
    """Returns a crop across two tiles."""
    del fonts
    canvas = ground(rng, CANVAS_H, CANVAS_W)
    across = rng.random() < 0.5
    step = np.array([1, 0] if across else [0, 1])
    for sign in (-1, 1):
        face = surroundings.neighbours[int(rng.integers(len(surroundings.neighbours)))]
        tile = cv2.resize(face, (TILE_W, TILE_H), interpolation=cv2.INTER_AREA)
        x, y = np.array([PAD, PAD]) + sign * step * (np.array([TILE_W, TILE_H]) // 2 + int(rng.integers(0, 4)))
        x0, y0, x1, y1 = max(0, x), max(0, y), min(CANVAS_W, x + TILE_W), min(CANVAS_H, y + TILE_H)
        canvas[y0:y1, x0:x1] = tile[y0 - y : y1 - y, x0 - x : x1 - x]
    slip = rng.uniform(-0.14, 0.14, 2) * (TILE_W, TILE_H)
    return canvas, np.asarray(FACE_QUAD + slip, dtype=np.float32)


def _too_wide(rng: np.random.Generator, surroundings: Surroundings, fonts: Fonts) -> tuple[Image, Floats32]:
    del fonts
    canvas = lay(surroundings.neighbours[int(rng.integers(len(surroundings.neighbours)))], surroundings, rng)
    centre = np.array([CANVAS_W / 2, CANVAS_H / 2], np.float32)
    slip = rng.normal(0, 15, 2).astype(np.float32)
    wider = (FACE_QUAD - centre) * np.float32(rng.uniform(1.5, 1.8)) + centre + slip
    return canvas, np.asarray(wider, dtype=np.float32)


def _crosswise(rng: np.random.Generator, surroundings: Surroundings, fonts: Fonts) -> tuple[Image, Floats32]:
    """Returns a face of the set with a quad that lies crosswise or askew."""
    del fonts
    printed = surroundings.neighbours[int(rng.integers(27))]  # a suit tile: honours and blanks come later in the row
    canvas = lay(printed, surroundings, rng)
    angle = np.deg2rad(rng.choice([-1, 1]) * rng.uniform(42, 90))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]], np.float32)
    centre = np.array([CANVAS_W / 2, CANVAS_H / 2], np.float32)
    return canvas, np.asarray((FACE_QUAD - centre) @ turn.T + centre, dtype=np.float32)


def _side(rng: np.random.Generator, surroundings: Surroundings, fonts: Fonts) -> tuple[Image, Floats32]:
    """Returns the side of a standing or lying tile: ivory with a band of the back's colour."""
    del fonts
    canvas = ground(rng, CANVAS_H, CANVAS_W)
    shade = rng.uniform(0.55, 1.0)
    base, back = (np.array(colour) * shade for colour in (surroundings.base, surroundings.back))
    split = rng.uniform(0.35, 0.75)
    horizontal = rng.random() < 0.5
    x0, y0, x1, y1 = PAD, PAD, PAD + TILE_W, PAD + TILE_H
    canvas[y0:y1, x0:x1] = base
    if horizontal:
        canvas[y0 + int(TILE_H * split) : y1, x0:x1] = back
    else:
        canvas[y0:y1, x0 + int(TILE_W * split) : x1] = back
    for edge in rng.uniform(0, 1, int(rng.integers(0, 3))):
        x = int(x0 + edge * TILE_W)
        cv2.line(canvas, (x, y0), (x, y1), (90, 95, 95), int(rng.integers(1, 4)))
    return canvas, FACE_QUAD


def _standing(rng: np.random.Generator, surroundings: Surroundings, fonts: Fonts) -> tuple[Image, Floats32]:
    """Returns the ivory top of a standing tile, between its face and the colour of its back, which is no blank face."""
    del fonts
    canvas = ground(rng, CANVAS_H, CANVAS_W)
    depth = int(rng.uniform(0.5, 1.0) * TILE_H)
    rim = int(rng.uniform(0.08, 0.45) * depth)
    start = int(rng.integers(-1, 2)) * TILE_W
    row = [index for index in range(-1, 3) if index == 0 or rng.random() < 0.6]
    for index in row:
        x = PAD + start + index * (TILE_W + int(rng.integers(0, 4)))
        x0, x1 = max(x, 0), min(x + TILE_W, CANVAS_W)
        if x1 <= x0:
            continue
        face = surroundings.neighbours[int(rng.integers(len(surroundings.neighbours)))]
        printed = cv2.resize(face, (TILE_W, TILE_H), interpolation=cv2.INTER_AREA)[:, x0 - x : x1 - x]
        foot = PAD + depth
        canvas[PAD:foot, x0:x1] = np.array(surroundings.base) * rng.uniform(0.8, 1.0)
        canvas[PAD : PAD + rim, x0:x1] = np.array(surroundings.back) * rng.uniform(0.6, 1.0)
        below = (printed * rng.uniform(0.55, 0.95)).astype(np.uint8)[: CANVAS_H - foot]
        canvas[foot : foot + len(below), x0:x1] = below
    low, high = rng.uniform(0.0, rim * 1.2), depth + rng.uniform(-0.05, 0.2) * TILE_H
    quad = FACE_QUAD + np.array([[0, low], [0, low], [0, high - TILE_H], [0, high - TILE_H]])
    return canvas, np.asarray(np.roll(quad, int(rng.integers(4)), axis=0), dtype=np.float32)


def _half(rng: np.random.Generator, surroundings: Surroundings, fonts: Fonts) -> tuple[Image, Floats32]:
    """Returns half of a face, as cut by a locator that takes a tall face for two."""
    del fonts
    # Circles and sticks are left out: half an eight may look like a whole four.
    canvas = lay(surroundings.neighbours[int(rng.choice([*range(9), *range(27, 31), 32, 33]))], surroundings, rng)
    part = np.array([0.0, rng.uniform(0.4, 0.6)] if rng.random() < 0.5 else [rng.uniform(0.4, 0.6), 1.0])
    top, bottom = (PAD + part * TILE_H).tolist()
    left, right = PAD, PAD + TILE_W
    return canvas, np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)


def _die(rng: np.random.Generator, surroundings: Surroundings, fonts: Fonts) -> tuple[Image, Floats32]:
    del surroundings, fonts
    canvas = ground(rng, CANVAS_H, CANVAS_W)
    side = int(rng.integers(45, 100))
    paper = tuple(float(value) for value in rng.uniform((200, 210, 215), (255, 255, 255)))
    x, y = CANVAS_W // 2 - side // 2, CANVAS_H // 2 - side // 2
    cv2.rectangle(canvas, (x, y), (x + side, y + side), paper, -1)
    grid = [(dx, dy) for dx in (0.22, 0.5, 0.78) for dy in (0.22, 0.5, 0.78)]
    count = int(rng.integers(1, 7))
    ink = (20.0, 20.0, 200.0) if count == 1 else (20.0, 20.0, 20.0)
    for index in rng.choice(9, count, replace=False):
        dx, dy = grid[int(index)]
        cv2.circle(canvas, (int(x + dx * side), int(y + dy * side)), side // 10, ink, -1, cv2.LINE_AA)
    return canvas, FACE_QUAD


def _stick(rng: np.random.Generator, surroundings: Surroundings, fonts: Fonts) -> tuple[Image, Floats32]:
    del surroundings, fonts
    canvas = ground(rng, CANVAS_H, CANVAS_W)
    width = int(rng.integers(20, 60))
    paper = tuple(float(value) for value in rng.uniform((170, 180, 185), (255, 255, 255)))
    x = CANVAS_W // 2 - width // 2 + int(rng.integers(-25, 25))
    cv2.rectangle(canvas, (x, 0), (x + width, CANVAS_H), paper, -1)
    ink = (20.0, 20.0, 200.0) if rng.random() < 0.6 else (20.0, 20.0, 20.0)
    for y in np.arange(rng.integers(0, 60), CANVAS_H, rng.integers(14, 90)):
        cv2.circle(canvas, (x + width // 2, int(y)), int(width * rng.uniform(0.08, 0.3)), ink, -1, cv2.LINE_AA)
    return (np.rot90(canvas, 2) if rng.random() < 0.5 else canvas).copy(), FACE_QUAD


def _hand(rng: np.random.Generator, surroundings: Surroundings, fonts: Fonts) -> tuple[Image, Floats32]:
    """Returns fingers over most of the crop, with a tile or the ground below."""
    del fonts
    if rng.random() < 0.5:
        canvas = lay(surroundings.neighbours[int(rng.integers(len(surroundings.neighbours)))], surroundings, rng)
    else:
        canvas = ground(rng, CANVAS_H, CANVAS_W)
    tone = rng.uniform((60, 90, 130), (185, 205, 250))
    angle = float(rng.uniform(0, 180))
    for step in range(int(rng.integers(2, 5))):
        centre = (int(CANVAS_W / 2 + (step - 1.2) * rng.uniform(22, 38)), int(CANVAS_H / 2 + rng.normal(0, 12)))
        shade = tuple(float(value) for value in tone * rng.uniform(0.8, 1.1))
        axes = (int(rng.integers(20, 34)), int(rng.integers(80, 140)))
        cv2.ellipse(canvas, centre, axes, angle * 0.2, 0, 360, shade, -1, cv2.LINE_AA)
        cv2.ellipse(canvas, centre, axes, angle * 0.2, 0, 360, tuple(value * 0.65 for value in shade), 2, cv2.LINE_AA)
    return cv2.GaussianBlur(canvas, (0, 0), sigmaX=1.5).astype(np.uint8), FACE_QUAD


def _text(rng: np.random.Generator, surroundings: Surroundings, fonts: Fonts) -> tuple[Image, Floats32]:
    """Returns lines of writing on paper, a screen or a label: characters that are not a tile."""
    del surroundings
    canvas = ground(rng, CANVAS_H, CANVAS_W)
    if rng.random() < 0.5:
        canvas[:] = rng.uniform(180, 255, 3).astype(np.uint8)
    size = int(rng.integers(16, 44))
    font = fonts.latin[int(rng.integers(len(fonts.latin)))]
    ink = rng.uniform(0, 120, 3)
    for y in range(int(rng.integers(0, size)), CANVAS_H - size, int(size * 1.4)):
        for x in range(0, CANVAS_W - size, int(size * 0.8)):
            letter = glyph(font, "ABDEGKMRSTaegkmnrst2345789"[int(rng.integers(26))])
            small = cv2.resize(letter, (max(3, int(size * 0.6)), size), interpolation=cv2.INTER_AREA)
            spot = canvas[y : y + size, x : x + small.shape[1]]
            spot[small > 128] = ink.astype(np.uint8)
    return canvas, FACE_QUAD


def _objects(rng: np.random.Generator, surroundings: Surroundings, fonts: Fonts) -> tuple[Image, Floats32]:
    """Returns cups, phones or cables: a few large shapes of any colour."""
    del surroundings, fonts
    canvas = ground(rng, CANVAS_H, CANVAS_W)
    for _ in range(int(rng.integers(1, 5))):
        colour = tuple(float(value) for value in rng.uniform(0, 255, 3))
        centre = (int(rng.integers(CANVAS_W)), int(rng.integers(CANVAS_H)))
        axes = (int(rng.integers(8, 120)), int(rng.integers(8, 120)))
        line = -1 if rng.random() < 0.6 else int(rng.integers(2, 12))
        cv2.ellipse(canvas, centre, axes, float(rng.uniform(0, 180)), 0, 360, colour, line, cv2.LINE_AA)
    return canvas, FACE_QUAD


_KINDS: Final[dict[Draw, float]] = {
    _bare: 0.16, _astride: 0.17, _too_wide: 0.07, _crosswise: 0.09, _side: 0.1, _standing: 0.12, _half: 0.08,
    _die: 0.05, _stick: 0.05, _hand: 0.06, _text: 0.05, _objects: 0.05,
}  # fmt: skip
