"""The bamboo suit: sticks in many styles, and the bird of the one."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from models.training.faces.canvas import Sheet
from models.training.faces.tile_style import Colour

Stick = tuple[float, float, float, float, str]
"""The two ends on the printed area, and the role of the ink: `a`, `b` or `c` (main, second, accent)."""

_HALF: Final = 0.44
_WAISTED: Final = (
    (0.0, 1.0),
    (0.1, 1.0),
    (0.2, 0.5),
    (0.38, 0.45),
    (0.5, 0.85),
    (0.62, 0.45),
    (0.8, 0.5),
    (0.9, 1.0),
    (1.0, 1.0),
)
"""The width of a waisted stick at positions along it."""


def _column(x: float, rows: tuple[tuple[float, float], ...], role: str) -> tuple[Stick, ...]:
    return tuple((x, top, x, bottom, role) for top, bottom in rows)


_TWO: Final = ((0.02, _HALF), (1 - _HALF, 0.98))
_THREE: Final = ((0.02, 0.32), (0.35, 0.65), (0.68, 0.98))
_LAYOUTS: Final[dict[int, tuple[Stick, ...]]] = {
    2: _column(0.5, _TWO, "a"),
    3: (*_column(0.5, _TWO[:1], "a"), *_column(0.2, _TWO[1:], "b"), *_column(0.8, _TWO[1:], "b")),
    4: (*_column(0.22, _TWO, "a"), *_column(0.78, _TWO, "b")),
    5: (*_column(0.14, _TWO, "a"), *_column(0.86, _TWO, "a"), (0.5, 0.28, 0.5, 0.72, "c")),
    6: (*_column(0.16, _TWO, "a"), *_column(0.5, _TWO, "b"), *_column(0.84, _TWO, "a")),
    7: (
        (0.5, 0.02, 0.5, 0.31, "c"), *_column(0.16, _THREE[1:], "a"), *_column(0.5, _THREE[1:], "b"),
        *_column(0.84, _THREE[1:], "a"),
    ),
    9: (*_column(0.16, _THREE, "a"), *_column(0.5, _THREE, "c"), *_column(0.84, _THREE, "b")),
}  # fmt: skip
_EIGHTS: Final[dict[str, tuple[Stick, ...]]] = {
    "mw": (
        (0.08, 0.03, 0.08, 0.45, "a"), (0.1, 0.08, 0.48, 0.4, "b"), (0.9, 0.08, 0.52, 0.4, "b"),
        (0.92, 0.03, 0.92, 0.45, "a"), (0.08, 0.55, 0.08, 0.97, "a"), (0.1, 0.92, 0.48, 0.6, "b"),
        (0.9, 0.92, 0.52, 0.6, "b"), (0.92, 0.55, 0.92, 0.97, "a"),
    ),
    "wm": (
        (0.08, 0.03, 0.08, 0.45, "a"), (0.1, 0.42, 0.48, 0.08, "b"), (0.9, 0.42, 0.52, 0.08, "b"),
        (0.92, 0.03, 0.92, 0.45, "a"), (0.08, 0.55, 0.08, 0.97, "a"), (0.1, 0.58, 0.48, 0.92, "b"),
        (0.9, 0.58, 0.52, 0.92, "b"), (0.92, 0.55, 0.92, 0.97, "a"),
    ),
    "rows": (
        *((x, 0.02, x, 0.31, "a") for x in (0.16, 0.5, 0.84)), *((x, 0.35, x, 0.65, "b") for x in (0.3, 0.7)),
        *((x, 0.69, x, 0.98, "a") for x in (0.16, 0.5, 0.84)),
    ),
}  # fmt: skip


def draw(sheet: Sheet, count: int, *, red: bool) -> None:
    """Draws `count` sticks of bamboo, two or more; `red` makes the five of the red set."""
    style = sheet.style
    rng = np.random.default_rng(style.seed + 1)
    sticks = _EIGHTS[style.eight] if count == 8 else _LAYOUTS[count]
    spread, height = float(rng.uniform(0.6, 1.0)), float(rng.uniform(0.8, 1.0))
    # Between columns of three there is a gap, if a hair's breadth; rows may touch or stand apart.
    slim = 0.85 if count in {6, 7, 8, 9} else 1.0
    thickness = sheet.across(min(float(rng.uniform(0.1, 0.2)), 0.32 * spread)) * slim
    length = float(rng.uniform(0.82, 1.05))
    by_rows = rng.random() < 0.15
    inks = dict(zip("abc", style.stick_inks, strict=True))
    whole_red = red and style.red_mark != "dot"
    for x0, y0, x1, y1, role in sticks:
        offset, half_x, half_y = sheet.jitter(), (x1 - x0) / 2 * length, (y1 - y0) / 2 * length
        x, y = 0.5 + ((x0 + x1) / 2 - 0.5) * spread + offset, (y0 + y1) / 2
        start = sheet.at(x - half_x * spread, 0.5 + (y - half_y - 0.5) * height + sheet.jitter())
        end = sheet.at(x + half_x * spread, 0.5 + (y + half_y - 0.5) * height + sheet.jitter())
        ink = "red" if whole_red else inks["abc"[min(int(y * 3), 2)] if by_rows and count in {2, 4, 6, 9} else role]
        _stick(sheet, start, end, thickness, sheet.ink(ink))
    if red and style.red_mark == "dot":
        sheet.red_dot(((0.5, 0.12), (0.5, 0.9), (0.03, 0.03), (0.97, 0.03), (0.97, 0.97)))


def _stick(sheet: Sheet, start: tuple[float, float], end: tuple[float, float], thickness: float, ink: Colour) -> None:
    a, b = np.array(start), np.array(end)
    along = b - a
    length = float(np.linalg.norm(along))
    side = np.array([-along[1], along[0]]) / length * thickness / 2
    angle = float(np.rad2deg(np.arctan2(along[1], along[0])))
    base, kind = sheet.style.base, sheet.style.stick

    def quad(t0: float, t1: float, part: float) -> npt.NDArray[np.float64]:
        p, q = a + along * t0, a + along * t1
        return np.stack([p + side * part, q + side * part, q - side * part, p - side * part])

    def knob(t: float, part: float, colour: Colour) -> None:
        x, y = a + along * t
        sheet.ellipse((float(x), float(y)), (thickness * 0.22 * part, thickness * 0.5 * part), angle, colour)

    if kind == "segments":
        for t in (0.25, 0.75):
            x, y = a + along * t
            sheet.ellipse((float(x), float(y)), (length * 0.26, thickness * 0.5), angle, ink)
            sheet.ellipse((float(x), float(y)), (length * 0.16, thickness * 0.16), angle, base)
        return
    if kind == "waist":
        sides = [[a + along * t + side * part * sign for t, part in _WAISTED] for sign in (1, -1)]
        sheet.polygon(np.array(sides[0] + sides[1][::-1]), ink)
        return
    sheet.polygon(quad(0.02, 0.98, 0.7), ink)
    for t in (0.06, 0.5, 0.94):
        knob(t, 1.25, ink)
    if kind == "bone":
        sheet.polygon(quad(0.14, 0.42, 0.2), base)
        sheet.polygon(quad(0.58, 0.86, 0.2), base)
    elif kind == "outline":
        sheet.polygon(quad(0.12, 0.44, 0.42), base)
        sheet.polygon(quad(0.56, 0.88, 0.42), base)


def draw_bird(sheet: Sheet) -> None:
    """Draws a bird: perched or standing, with a fan, a train of plumes or folded wings."""
    rng = np.random.default_rng(sheet.style.seed + 2)
    facing = 1.0 if rng.random() < 0.5 else -1.0
    inks = [sheet.ink(name) for name in ("green", "blue", "red", "black")]
    body_ink = inks[int(rng.choice(4, p=[0.4, 0.35, 0.1, 0.15]))]
    tail_ink = inks[int(rng.choice(4, p=[0.5, 0.2, 0.2, 0.1]))]
    accent = inks[int(rng.choice(4, p=[0.15, 0.15, 0.6, 0.1]))]
    cx, cy = 0.5 + rng.normal(0, 0.05), rng.uniform(0.5, 0.68)
    kind = int(rng.integers(3))
    if kind == 0:
        _fan(sheet, rng, (cx, cy - 0.12), tail_ink, accent)
    else:
        _train(sheet, rng, (cx, cy), facing, [tail_ink, accent, body_ink])
    _body(sheet, rng, (cx, cy), facing, (body_ink, accent))
    _legs(sheet, rng, (cx, cy), accent if rng.random() < 0.6 else body_ink)
    if rng.random() < 0.4:
        _branch(sheet, rng, tail_ink)


def _fan(sheet: Sheet, rng: np.random.Generator, place: tuple[float, float], ink: Colour, accent: Colour) -> None:
    x, y = sheet.at(place[0], place[1] - 0.14)
    radius = sheet.across(float(rng.uniform(0.26, 0.4)))
    feathers = int(rng.integers(8, 22))
    for angle in np.linspace(-np.pi * 1.05, np.pi * 0.05, feathers):
        tip = (x + radius * float(np.cos(angle)), y + radius * 1.1 * float(np.sin(angle)))
        sheet.line((x, y), tip, ink, radius * rng.uniform(0.08, 0.2))
        sheet.disc(tip, radius * 0.12, accent if rng.random() < 0.4 else ink)
    sheet.ellipse((x, y - radius * 0.2), (radius * 0.62, radius * 0.62), 0, ink)
    for _ in range(int(rng.integers(6, 14))):
        turn, far = rng.uniform(0, 2 * np.pi), rng.uniform(0.1, 0.5) * radius
        spot = (x + far * float(np.cos(turn)), y - radius * 0.2 + far * float(np.sin(turn)))
        sheet.disc(spot, radius * 0.09, sheet.style.base if rng.random() < 0.7 else accent)


def _train(
    sheet: Sheet, rng: np.random.Generator, place: tuple[float, float], facing: float, inks: list[Colour]
) -> None:
    upward = rng.random() < 0.55
    for index in range(int(rng.integers(3, 8))):
        bend = rng.uniform(-0.25, 0.25)
        length = rng.uniform(0.3, 0.62)
        drop = -length if upward else length * rng.uniform(-0.4, 0.5)
        t = np.linspace(0, 1, 8)
        xs = place[0] - facing * (0.1 + t * length * 0.6 + bend * t * (1 - t))
        ys = place[1] + drop * t**1.3 + bend * t
        points = [sheet.at(float(x), float(y)) for x, y in zip(np.clip(xs, 0, 1), np.clip(ys, 0, 1), strict=True)]
        sheet.curve(points, inks[index % 3], sheet.across(float(rng.uniform(0.025, 0.07))))
        if rng.random() < 0.6:
            sheet.disc(points[-1], sheet.across(float(rng.uniform(0.03, 0.07))), inks[(index + 1) % 3])


def _body(
    sheet: Sheet, rng: np.random.Generator, place: tuple[float, float], facing: float, inks: tuple[Colour, Colour]
) -> None:
    ink, accent = inks
    x, y = sheet.at(*place)
    size = sheet.across(float(rng.uniform(0.15, 0.26)))
    tilt = facing * float(rng.uniform(-40, 15))
    sheet.ellipse((x, y), (size * 1.2, size * 0.75), tilt, ink)
    head = (x + facing * size * 1.1, y - size * rng.uniform(0.6, 1.5))
    sheet.line((x + facing * size * 0.5, y), head, ink, size * 0.45)
    sheet.disc(head, size * rng.uniform(0.28, 0.42), ink if rng.random() < 0.5 else accent)
    beak = (head[0] + facing * size * 0.7, head[1] + size * 0.1)
    sheet.line(head, beak, accent, size * 0.16)
    sheet.disc((head[0] + facing * size * 0.08, head[1]), size * 0.09, sheet.style.base)
    for step in range(int(rng.integers(2, 6))):
        wing = (x - facing * size * 0.2 * step, y + size * 0.1)
        colour = sheet.style.base if step % 2 else accent
        sheet.ellipse(wing, (size * 0.5, size * 0.16), tilt + facing * (20 + 12 * step), colour, size * 0.12)


def _legs(sheet: Sheet, rng: np.random.Generator, place: tuple[float, float], ink: Colour) -> None:
    x, y = sheet.at(*place)
    size = sheet.across(float(rng.uniform(0.14, 0.26)))
    for step in (-0.3, 0.35):
        foot = (x + step * size * 1.6, y + size * 1.7)
        sheet.line((x + step * size, y + size * 0.4), foot, ink, size * 0.14)
        for toe in (-0.3, 0.0, 0.3):
            sheet.line(foot, (foot[0] + toe * size, foot[1] + size * 0.25), ink, size * 0.1)


def _branch(sheet: Sheet, rng: np.random.Generator, ink: Colour) -> None:
    left, right = sheet.at(0.05, rng.uniform(0.8, 0.98)), sheet.at(0.95, rng.uniform(0.8, 0.98))
    sheet.line(left, right, ink, sheet.across(0.04))
    for _ in range(int(rng.integers(2, 9))):
        t = rng.uniform(0, 1)
        place = (left[0] + (right[0] - left[0]) * t, left[1] + (right[1] - left[1]) * t)
        sheet.ellipse(place, (sheet.across(0.07), sheet.across(0.025)), float(rng.uniform(0, 180)), ink)
