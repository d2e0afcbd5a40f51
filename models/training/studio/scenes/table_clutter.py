"""Point sticks, and objects on a table that are neither tiles nor sticks."""

from __future__ import annotations

import string
from collections.abc import Callable
from typing import Final

import cv2
import numpy as np

from models.training.faces.tile_skins import Colour, Skin, skin
from models.training.studio.scenes.scene_solids import FACE_UP, Box, turn_z
from vision.arrays import Image

_DOT: Final = {"red": (40, 35, 200), "black": (30, 30, 30), "green": (50, 120, 40), "white": (235, 235, 235)}
_AUTO: Final = {10000: (40, 40, 190), 5000: (40, 200, 230), 1000: (190, 90, 30), 100: (235, 235, 235)}
"""The colours of an automatic table's sticks."""
_STICK: Final = (32, 352)
"""The size of a stick's face in pixels, across and along."""


def stick_box(
    rng: np.random.Generator,
    *,
    style: int,
    value: int,
    spot: tuple[float, float],
    yaw: float,
    size: tuple[float, float],
) -> Box:
    """Returns a point stick at `spot`; each maker has its `style`; a value of 0 is not a target."""
    maker = np.random.default_rng(style)
    coloured = maker.random() < 0.35
    body = np.array(_AUTO.get(value, (60, 150, 60)) if coloured else (235, 238, 240), np.float32)
    if value == 0 and rng.random() < 0.4:
        body = np.array((25, 25, 25), np.float32)
    body = np.clip(body + maker.uniform(-25, 15, 3), 5, 252).astype(np.float32)
    depth = float(maker.uniform(2, 4))
    return Box(
        kind="stick",
        centre=np.array([*spot, depth / 2]),
        axes=turn_z(yaw) @ FACE_UP,
        size=(size[0], size[1], depth),
        face=skin(_stick_face(maker, value, body)),
        back=None,
        body=body,
        cover=body,
        value=value,
    )


def _stick_face(maker: np.random.Generator, value: int, body: Colour) -> Image:
    across, along = _STICK
    face = np.empty((along, across, 3), np.float32)
    face[:] = body
    red = _DOT["white" if body.mean() < 120 and maker.random() < 0.4 else "red"]
    dark = _DOT["green" if maker.random() < 0.2 else "black"]
    size, pitch = maker.uniform(0.75, 1.2), maker.uniform(0.8, 1.25)
    for x, y, radius, is_red in _dots(maker, value, pitch):
        centre = (round(across / 2 + x), round(along / 2 + y))
        cv2.circle(face, centre, round(radius * size), red if is_red else dark, -1, cv2.LINE_AA)
    alpha = np.full((along, across, 1), 255, np.float32)
    return np.dstack([face, alpha]).astype(np.uint8)


def _dots(maker: np.random.Generator, value: int, pitch: float) -> list[tuple[float, float, float, bool]]:
    """Returns the dots of a stick: offsets across and along in pixels, radius, and whether red."""
    if value == 1000:
        return [(0, 0, 10.5, True)]
    if value == 100:
        return [(x, (y - 1.5) * 17 * pitch, 4.5, False) for x in (-6, 6) for y in range(4)]
    if value == 5000 and maker.random() < 0.5:
        return [(0, (y - 2) * 36 * pitch, 8, True) for y in range(5)]
    if value == 5000:
        return [(x, y * 24 * pitch, 7, True) for x, y in ((-7, -1), (7, -1), (0, 0), (-7, 1), (7, 1))]
    if value == 10000 and maker.random() < 0.5:
        middle = [(0, (y - 2) * 30 * pitch, 8, True) for y in range(5)]
        return [*middle, (0, -95 * pitch, 8, False), (0, 95 * pitch, 8, False)]
    if value == 10000:
        outer = [(x, y * 24 * pitch, 6, True) for x in (-7, 7) for y in (-1, 0, 1)]
        return [(0, 0, 7, False), *outer, (0, -60 * pitch, 6, False), (0, 60 * pitch, 6, False)]
    return [(0, (y - 1.5) * 20 * pitch, 5, False) for y in range(4)] if maker.random() < 0.5 else []


def clutter_box(rng: np.random.Generator, spot: tuple[float, float], yaw: float) -> list[Box]:
    """Returns one object at `spot`, made of one or more boxes."""
    return _THINGS[rng.choice(len(_THINGS), p=_ODDS)](rng, spot, yaw)


def _box(
    rng: np.random.Generator, spot: tuple[float, float], yaw: float, size: tuple[float, float, float], face: Image
) -> Box:
    body = face[..., :3].reshape(-1, 3).mean(axis=0) * rng.uniform(0.5, 1.0)
    return Box(
        kind="clutter",
        centre=np.array([*spot, size[2] / 2]),
        axes=turn_z(yaw) @ FACE_UP,
        size=size,
        face=_opaque(face),
        back=None,
        body=body.astype(np.float32),
        cover=body.astype(np.float32),
    )


def _opaque(face: Image) -> Skin:
    alpha = np.full((*face.shape[:2], 1), 255, np.uint8)
    return skin(np.dstack([face[..., :3], alpha]).astype(np.uint8))


def _plain_face(rng: np.random.Generator, width: int, height: int, *, dark: bool | None = None) -> Image:
    low, high = (5, 70) if dark else (30, 250)
    colour = rng.uniform(low, high) + rng.uniform(-40, 40, 3) * (0.2 if dark else 1.0)
    face = np.empty((height, width, 3), np.float32)
    face[:] = np.clip(colour, 0, 255)
    face += np.linspace(-1, 1, height, dtype=np.float32)[:, None, None] * rng.uniform(-20, 20)
    return np.clip(face, 0, 255).astype(np.uint8)


def _dice(rng: np.random.Generator, spot: tuple[float, float], yaw: float) -> list[Box]:
    boxes = []
    side = float(rng.uniform(9, 18))
    for index in range(int(rng.integers(1, 4))):
        face = _plain_face(rng, 64, 64)
        if rng.random() < 0.75:
            face[:] = np.clip(rng.normal(238, 8, 3), 0, 255).astype(np.uint8)
        ink = (30, 30, 190) if rng.random() < 0.4 else (20, 20, 20)
        for x, y in _pips(int(rng.integers(1, 7))):
            cv2.circle(face, (32 + 18 * x, 32 + 18 * y), int(rng.integers(5, 9)), ink, -1, cv2.LINE_AA)
        place = (spot[0] + index * side * 1.2, spot[1] + float(rng.normal(0, side)))
        boxes.append(_box(rng, place, yaw + float(rng.uniform(0, 3)), (side, side, side), face))
    return boxes


def _pips(count: int) -> list[tuple[int, int]]:
    corners = [(-1, -1), (1, 1), (1, -1), (-1, 1), (-1, 0), (1, 0)]
    return ([(0, 0)] if count % 2 else []) + corners[: count - count % 2]


def _text(rng: np.random.Generator, face: Image, lines: int) -> None:
    height, width = face.shape[:2]
    ink = tuple(int(v) for v in rng.integers(0, 255, 3))
    for line in range(lines):
        text = "".join(rng.choice(list(string.ascii_letters + string.digits), int(rng.integers(2, 12))))
        y = int(height * (line + 0.8) / lines)
        cv2.putText(
            face, text, (int(rng.integers(2, 20)), y), int(rng.integers(0, 8)), width / 160, ink, 2, cv2.LINE_AA
        )


def _card(rng: np.random.Generator, spot: tuple[float, float], yaw: float) -> list[Box]:
    face = _plain_face(rng, 160, 120)
    if rng.random() < 0.5:
        face[:] = 245
    _text(rng, face, int(rng.integers(1, 6)))
    size = (float(rng.uniform(55, 180)), float(rng.uniform(45, 130)), 0.6)
    return [_box(rng, spot, yaw, size, face)]


def _phone(rng: np.random.Generator, spot: tuple[float, float], yaw: float) -> list[Box]:
    face = _plain_face(rng, 96, 200, dark=True)
    if rng.random() < 0.6:
        for row in range(6):
            for column in range(4):
                corner = (10 + column * 20, 14 + row * 24)
                ink = tuple(int(v) for v in rng.integers(20, 255, 3))
                cv2.rectangle(face, corner, (corner[0] + 14, corner[1] + 14), ink, -1)
    return [_box(rng, spot, yaw, (72.0, 150.0, 8.0), face)]


def _book(rng: np.random.Generator, spot: tuple[float, float], yaw: float) -> list[Box]:
    boxes = []
    for index in range(int(rng.integers(1, 8))):
        face = _plain_face(rng, 40, 256)
        flat = np.ascontiguousarray(np.rot90(face))
        _text(rng, flat, 1)
        thick = float(rng.uniform(8, 40))
        u = index * 32.0
        place = (spot[0] + float(np.cos(yaw)) * u, spot[1] + float(np.sin(yaw)) * u)
        boxes.append(_box(rng, place, yaw, (thick, 210.0, 30.0), np.ascontiguousarray(np.rot90(flat, -1))))
    return boxes


def _keys(rng: np.random.Generator, spot: tuple[float, float], yaw: float) -> list[Box]:
    boxes = []
    dark = rng.random() < 0.7
    side = float(rng.uniform(12, 17))
    c, s = float(np.cos(yaw)), float(np.sin(yaw))
    for row in range(4):
        for column in range(int(rng.integers(5, 11))):
            face = _plain_face(rng, 64, 64, dark=dark)
            face[:] = (30, 30, 30) if dark else (225, 225, 225)
            letter = string.ascii_uppercase[int(rng.integers(26))]
            cv2.putText(face, letter, (18, 42), 0, 1.0, (220, 220, 220) if dark else (40, 40, 40), 2, cv2.LINE_AA)
            u, v = column * side * 1.2 + row * 4, row * side * 1.2
            boxes.append(_box(rng, (spot[0] + c * u - s * v, spot[1] + s * u + c * v), yaw, (side, side, 3.0), face))
    return boxes


def _console(rng: np.random.Generator, spot: tuple[float, float], yaw: float) -> list[Box]:
    face = _plain_face(rng, 192, 192, dark=rng.random() < 0.8)
    glow = tuple(int(v) for v in rng.integers(60, 255, 3))
    for turn in range(4):
        digits = f"{int(rng.integers(0, 600)) * 100}"
        cv2.putText(face, digits, (60, 176), 0, 0.6, glow, 2, cv2.LINE_AA)
        cv2.circle(face, (40, 168), int(rng.integers(4, 12)), glow, -1, cv2.LINE_AA)
        face = np.ascontiguousarray(np.rot90(face, turn % 2 + 1))
    if rng.random() < 0.5:
        cv2.circle(face, (96, 96), int(rng.integers(25, 55)), tuple(int(v) for v in rng.integers(0, 255, 3)), -1)
    side = float(rng.uniform(100, 180))
    return [_box(rng, spot, yaw, (side, side, float(rng.uniform(1, 14))), face)]


def _slab(rng: np.random.Generator, spot: tuple[float, float], yaw: float) -> list[Box]:
    """Returns a rail, drawer, ruler, wallet or box: plain, and not of a tile's shape."""
    width = float(rng.uniform(8, 60))
    size = (width, float(width * rng.uniform(2.8, 12)), float(rng.uniform(1, 25)))
    return [_box(rng, spot, yaw, size, _plain_face(rng, 48, 160, dark=rng.random() < 0.3))]


def _marker(rng: np.random.Generator, spot: tuple[float, float], yaw: float) -> list[Box]:
    bits = (rng.random((6, 6)) < 0.5).astype(np.uint8) * 255
    bits[[0, -1]] = 0
    bits[:, [0, -1]] = 0
    face = cv2.copyMakeBorder(
        cv2.resize(bits, (96, 96), interpolation=cv2.INTER_NEAREST), 12, 12, 12, 12, 0, value=(255,)
    )
    side = float(rng.uniform(30, 55))
    return [_box(rng, spot, yaw, (side, side, 0.4), np.dstack([face] * 3).astype(np.uint8))]


def _round(rng: np.random.Generator, spot: tuple[float, float], yaw: float) -> list[Box]:
    """Returns a cup, coin, chip or coaster."""
    face = _plain_face(rng, 128, 128)
    rings = [int(v) for v in sorted(rng.uniform(10, 62, int(rng.integers(1, 5))), reverse=True)]
    for radius in rings:
        cv2.circle(face, (64, 64), radius, tuple(int(v) for v in rng.integers(0, 255, 3)), -1, cv2.LINE_AA)
    alpha = np.zeros((128, 128), np.uint8)
    cv2.circle(alpha, (64, 64), 63, 255, -1, cv2.LINE_AA)
    side = float(rng.choice([rng.uniform(18, 30), rng.uniform(30, 50), rng.uniform(60, 100)]))
    box = _box(rng, spot, yaw, (side, side, 0.5), face)
    round_skin = skin(np.dstack([face, alpha]).astype(np.uint8))
    return [
        Box(kind="clutter", centre=box.centre, axes=box.axes, size=box.size, face=round_skin, back=None,
            body=box.body, cover=box.cover, tags=frozenset({"flat"})),
    ]  # fmt: skip


_THINGS: Final[tuple[Callable[[np.random.Generator, tuple[float, float], float], list[Box]], ...]] = (
    _dice, _card, _phone, _book, _keys, _console, _slab, _marker, _round,
)  # fmt: skip
_ODDS: Final = np.array([0.2, 0.12, 0.08, 0.1, 0.1, 0.1, 0.12, 0.05, 0.13])
