"""Random tile skins for the locator's scenes: the face, back and body of tiles.

The locator must recognise tiles whatever is printed on them. So each set mixes real artwork, the project's own faces
and nonsense prints, on bodies and backs of any colour that makers use.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Image
from vision.art import ALL_FACES, draw_face

Colour = npt.NDArray[np.float32]

WIDTH: Final = 96
HEIGHT: Final = 128
"""The height of the largest version of a face in pixels."""
_LEVELS: Final = 4
_INKS: Final = ((30, 25, 25), (40, 30, 160), (50, 110, 30), (140, 70, 30), (20, 20, 190), (60, 60, 60))


@dataclass(frozen=True, slots=True, kw_only=True)
class Skin:
    """One printed surface in halving sizes, so that small tiles are averaged, not sampled."""

    levels: tuple[Image, ...]

    def at(self, width: float) -> Image:
        """Returns the version for a surface `width` pixels wide."""
        level = int(np.clip(np.floor(np.log2(max(self.levels[0].shape[1] / max(width, 1.0), 1.0)) + 0.25), 0, 9))
        return self.levels[min(level, len(self.levels) - 1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class TileSet:
    """A set of tiles: its faces, its back, and the two colours of its body."""

    faces: tuple[Skin, ...]
    back: Skin
    body: Colour
    cover: Colour
    """The colour of the back half."""
    seam: float
    """The fraction of the thickness that has the back's colour."""


def skin(picture: Image) -> Skin:
    """Returns the skin of a picture, with its halving sizes."""
    levels = [picture]
    for _ in range(_LEVELS - 1):
        height, width = levels[-1].shape[:2]
        size = (max(width // 2, 2), max(height // 2, 2))
        levels.append(np.asarray(cv2.resize(levels[-1], size, interpolation=cv2.INTER_AREA), dtype=np.uint8))
    return Skin(levels=tuple(levels))


def load_art(folder: Path | None) -> list[list[Image]]:
    """Returns the BGRA inks of every art set under `folder` (unless None) and of the project's own, a list per set."""
    sets = []
    for place in [] if folder is None else sorted(path for path in folder.iterdir() if path.is_dir()):
        files = [path for path in sorted(place.glob("*.png")) if path.stem != "back"]
        inks = [cv2.imread(str(path), cv2.IMREAD_UNCHANGED) for path in files]
        sets.append([_sized(ink) for ink in inks if ink is not None and ink.ndim == 3 and ink.shape[2] == 4])
    sets.append([draw_face(face, WIDTH, HEIGHT) for face in ALL_FACES])
    return [inks for inks in sets if inks]


def _sized(art: npt.NDArray[np.generic]) -> Image:
    """Returns only the ink, since some sets also draw a white body with an outline."""
    small = cv2.resize(np.asarray(art, np.uint8), (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA).astype(np.float32)
    alpha = small[..., 3:] / 255.0
    colour = small[..., :3] * alpha + 255.0 * (1 - alpha)
    ink = np.clip((255.0 - colour.min(axis=2)) * 1.4 - 30.0, 0, 255)
    inner_ink = np.zeros_like(ink)
    rim = WIDTH // 10
    inner_ink[rim : HEIGHT - rim, rim : WIDTH - rim] = ink[rim : HEIGHT - rim, rim : WIDTH - rim]
    return np.dstack([colour, inner_ink]).astype(np.uint8)


def make_set(rng: np.random.Generator, art: list[list[Image]]) -> TileSet:
    """Returns a random set: body, back, and forty faces."""
    body = _body_colour(rng)
    cover = _cover_colour(rng, body)
    inks = art[rng.integers(len(art))]
    printed_inks = [_ink(rng, inks) for _ in range(40)]
    shrink = rng.uniform(0.78, 1.0)
    gain, tint = rng.uniform(0.75, 1.0), rng.uniform(-25, 25, 3).astype(np.float32)
    faces = tuple(skin(_print(rng, body, ink, shrink=shrink, gain=gain, tint=tint)) for ink in printed_inks)
    blank = np.zeros((HEIGHT, WIDTH, 4), np.uint8)
    back = skin(_print(rng, cover, blank, shrink=1.0, gain=1.0, tint=tint))
    return TileSet(faces=faces, back=back, body=body, cover=cover, seam=float(rng.uniform(0.25, 0.6)))


def _body_colour(rng: np.random.Generator) -> Colour:
    if rng.random() < 0.015:
        return rng.uniform(15, 60, 3).astype(np.float32)
    level, yellow = rng.uniform(205, 252), rng.uniform(0, 38) * rng.random()
    return np.array([level - yellow, level - yellow * 0.25, level], np.float32)


def _cover_colour(rng: np.random.Generator, body: Colour) -> Colour:
    if rng.random() < 0.08:
        return body
    # hue of the usual plastics: yellow-orange, green, blue, red, black, bamboo
    hue = int(
        rng.choice(
            [24, 20, 15, 60, 75, 105, 112, 118, 0, 175, 18],
            p=[0.2, 0.1, 0.08, 0.12, 0.08, 0.12, 0.1, 0.08, 0.04, 0.04, 0.04],
        )
    )
    hsv = np.array([[[hue, rng.integers(90, 256), rng.integers(70, 250)]]], np.uint8)
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0], np.float32)


def _ink(rng: np.random.Generator, inks: list[Image]) -> Image:
    draw = rng.random()
    if draw < 0.72:
        return inks[rng.integers(len(inks))]
    if draw < 0.8:
        return np.zeros((HEIGHT, WIDTH, 4), np.uint8)
    return _nonsense(rng)


def _nonsense(rng: np.random.Generator) -> Image:
    """Returns a nonsense print: frame, dots, bars or brush strokes, perhaps with an index in a corner."""
    ink = np.zeros((HEIGHT, WIDTH, 4), np.uint8)
    kind = rng.integers(4)
    if kind == 0:
        inset = int(rng.integers(8, 22))
        cv2.rectangle(ink, (inset, inset), (WIDTH - inset, HEIGHT - inset), _paint(rng), int(rng.integers(2, 7)))
    elif kind == 1:
        _dots(rng, ink)
    elif kind == 2:
        _bars(rng, ink)
    else:
        _strokes(rng, ink)
    if rng.random() < 0.3:
        text = str(rng.integers(1, 10)) if rng.random() < 0.7 else str(rng.choice(list("ESWNCFPB")))
        for corner in ((6, 24), (WIDTH - 24, HEIGHT - 8))[: int(rng.integers(1, 3))]:
            cv2.putText(ink, text, corner, cv2.FONT_HERSHEY_SIMPLEX, 0.7, _paint(rng), 2, cv2.LINE_AA)
    return ink


def _paint(rng: np.random.Generator) -> tuple[int, int, int, int]:
    blue, green, red = _INKS[rng.integers(len(_INKS))]
    return (blue, green, red, 255)


def _dots(rng: np.random.Generator, ink: Image) -> None:
    columns, rows = int(rng.integers(1, 4)), int(rng.integers(1, 5))
    radius = int(min(WIDTH / columns, HEIGHT / rows) * rng.uniform(0.25, 0.42))
    for column in range(columns):
        for row in range(rows):
            centre = (int(WIDTH * (column + 0.5) / columns), int(HEIGHT * (row + 0.5) / rows))
            cv2.circle(ink, centre, radius, _paint(rng), int(rng.choice([-1, 3, 5])), cv2.LINE_AA)
            cv2.circle(ink, centre, max(radius // 3, 2), _paint(rng), -1, cv2.LINE_AA)


def _bars(rng: np.random.Generator, ink: Image) -> None:
    columns, rows = int(rng.integers(1, 4)), int(rng.integers(1, 4))
    for column in range(columns):
        for row in range(rows):
            x, top = int(WIDTH * (column + 0.5) / columns), HEIGHT * (row + 0.1) / rows
            cv2.line(ink, (x, int(top)), (x, int(top + 0.8 * HEIGHT / rows)), _paint(rng), int(rng.integers(4, 12)))


def _strokes(rng: np.random.Generator, ink: Image) -> None:
    paint = _paint(rng)
    for _ in range(int(rng.integers(3, 10))):
        start = rng.uniform((12, 12), (WIDTH - 12, HEIGHT - 12))
        turn = start + rng.normal(0, 24, 2)
        points = np.array([start, turn, turn + rng.normal(0, 18, 2)], np.int32).reshape(-1, 1, 2)
        cv2.polylines(ink, [points], False, paint, int(rng.integers(3, 10)), cv2.LINE_AA)


def _print(rng: np.random.Generator, body: Colour, ink: Image, *, shrink: float, gain: float, tint: Colour) -> Image:
    """Returns ink printed on a body with the light and dark rims of its bevel."""
    move = np.array([[shrink, 0, WIDTH * (1 - shrink) / 2], [0, shrink, HEIGHT * (1 - shrink) / 2]], np.float32)
    move[:, 2] += rng.normal(0, 1.5, 2)
    shifted = cv2.warpAffine(ink, move, (WIDTH, HEIGHT), flags=cv2.INTER_LINEAR).astype(np.float32)
    alpha = shifted[..., 3:] * (gain / 255.0)
    colour = np.clip(shifted[..., :3] + tint, 0, 255)
    face = body * (1 - alpha) + colour * alpha
    face = face * _bevel(rng)[..., None] + rng.normal(0, 1.5, (HEIGHT, WIDTH, 1))
    return np.dstack([np.clip(face, 0, 255), _rounded(int(rng.integers(4, 13)))]).astype(np.uint8)


def _rounded(radius: int) -> npt.NDArray[np.float32]:
    """Returns the opacity of a surface with rounded corners."""
    alpha = np.zeros((HEIGHT, WIDTH), np.uint8)
    cv2.rectangle(alpha, (radius, 0), (WIDTH - 1 - radius, HEIGHT - 1), 255, -1)
    cv2.rectangle(alpha, (0, radius), (WIDTH - 1, HEIGHT - 1 - radius), 255, -1)
    for x in (radius, WIDTH - 1 - radius):
        for y in (radius, HEIGHT - 1 - radius):
            cv2.circle(alpha, (x, y), radius, 255, -1, cv2.LINE_AA)
    return alpha.astype(np.float32)


def _bevel(rng: np.random.Generator) -> npt.NDArray[np.float32]:
    rim = int(rng.integers(3, 12))
    inner = np.zeros((HEIGHT, WIDTH), np.float32)
    inner[rim : HEIGHT - rim, rim : WIDTH - rim] = 1.0
    inner = np.asarray(cv2.GaussianBlur(inner, (0, 0), rim / 2), np.float32)
    across = np.linspace(-1, 1, WIDTH, dtype=np.float32)[None] * rng.uniform(-0.25, 0.25)
    down = np.linspace(-1, 1, HEIGHT, dtype=np.float32)[:, None] * rng.uniform(-0.25, 0.25)
    light = 1 + (1 - inner) * (across + down + rng.uniform(-0.22, 0.06))
    return np.asarray(light, np.float32)
