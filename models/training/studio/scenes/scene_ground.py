"""The ground of the locator's scenes, and the effects of light and lens."""

from __future__ import annotations

from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.float32]
"""BGR, 0-255."""

_FELTS: Final = ((60, 110, 40), (90, 140, 60), (120, 80, 30), (140, 120, 40), (50, 50, 120), (70, 70, 70), (40, 60, 90))


def backdrop(rng: np.random.Generator, size: int) -> Picture:
    """Returns a surface [size, size, 3]: felt, wood, cloth, tiles, stone, paper, or a border of two of them."""
    ground = _surface(rng, size)
    if rng.random() < 0.3:
        other = _surface(rng, size)
        mask = _half_plane(rng, size)
        ground = ground * (1 - mask) + other * mask
    return np.asarray(ground, np.float32)


def _half_plane(rng: np.random.Generator, size: int) -> Picture:
    angle, offset = rng.uniform(0, 2 * np.pi), rng.uniform(-0.4, 0.4) * size
    y, x = np.mgrid[:size, :size].astype(np.float32) - size / 2
    return np.asarray(np.clip(np.cos(angle) * x + np.sin(angle) * y - offset, 0, 1)[..., None], np.float32)


def _surface(rng: np.random.Generator, size: int) -> Picture:
    kind = rng.choice(6, p=[0.42, 0.16, 0.14, 0.1, 0.08, 0.1])
    makers = (_felt, _wood, _cloth, _tiled, _stone, _sheet)
    return makers[int(kind)](rng, size)


def _colour(rng: np.random.Generator) -> Picture:
    if rng.random() < 0.5:
        base = np.array(_FELTS[rng.integers(len(_FELTS))], np.float32) * rng.uniform(0.6, 1.7)
        return np.asarray(np.clip(base + rng.normal(0, 15, 3), 0, 255), np.float32)
    level = rng.uniform(10, 245)
    return np.asarray(np.clip(level + rng.uniform(-70, 70, 3) * rng.random(), 0, 255), np.float32)


def noise(rng: np.random.Generator, size: int, grain: tuple[float, float]) -> Picture:
    """Returns smooth noise [size, size] of about unit strength; `grain` is the patches' width and height in pixels."""
    width, height = (max(int(size / step) + 2, 2) for step in grain)
    small = rng.standard_normal((height, width), dtype=np.float32)
    return np.asarray(cv2.resize(small, (size, size), interpolation=cv2.INTER_CUBIC), np.float32)


def _felt(rng: np.random.Generator, size: int) -> Picture:
    grain = float(rng.uniform(1.0, 3.0))
    fine = noise(rng, size, (grain, grain)) * rng.uniform(0, 7)
    broad = noise(rng, size, (size / 3, size / 3)) * rng.uniform(0, 10)
    return np.asarray(_colour(rng) + (fine + broad)[..., None], np.float32)


def _wood(rng: np.random.Generator, size: int) -> Picture:
    base = np.array([60, 110, 165], np.float32) * rng.uniform(0.35, 1.45) + rng.normal(0, 12, 3)
    streaks = noise(rng, size, (float(rng.uniform(60, 300)), float(rng.uniform(2, 9)))) * rng.uniform(4, 20)
    rings = np.sin(noise(rng, size, (150, 25)) * 6) * rng.uniform(0, 12)
    plank = base + (streaks + rings)[..., None]
    for line in rng.uniform(0, size, int(rng.integers(0, 4))):
        plank[int(line) : int(line) + 2] *= 0.5
    return _rotated(rng, np.asarray(plank, np.float32))


def _rotated(rng: np.random.Generator, picture: Picture) -> Picture:
    size = picture.shape[0]
    move = cv2.getRotationMatrix2D((size / 2, size / 2), float(rng.uniform(0, 360)), 1.45)
    return np.asarray(cv2.warpAffine(picture, move, (size, size), borderMode=cv2.BORDER_REFLECT), np.float32)


def _cloth(rng: np.random.Generator, size: int) -> Picture:
    y, x = np.mgrid[:size, :size].astype(np.float32)
    bend = noise(rng, size, (size / 3, size / 3)) * rng.uniform(0, 15)
    wave = np.sin((x + bend) * 2 * np.pi / rng.uniform(4, 60)) > rng.uniform(-0.8, 0.8)
    other = np.sin((y + bend) * 2 * np.pi / rng.uniform(4, 60)) > 0 if rng.random() < 0.4 else wave
    first, second = _colour(rng), _colour(rng)
    mask = (wave ^ other if rng.random() < 0.5 else wave & other)[..., None].astype(np.float32)
    mask *= rng.uniform(0.2, 1.0)
    folds = noise(rng, size, (size / 5, size / 2)) * rng.uniform(0, 25)
    return _rotated(rng, np.asarray(first * (1 - mask) + second * mask + folds[..., None], np.float32))


def _tiled(rng: np.random.Generator, size: int) -> Picture:
    """Returns floor tiles, a keyboard or a bamboo mat: a grid of equal patches, some as large as a mahjong tile."""
    across, down = rng.uniform(8, 90), rng.uniform(8, 90)
    y, x = np.mgrid[:size, :size].astype(np.float32)
    stagger = (y // down) % 2 * across / 2 * (rng.random() < 0.5)
    gap = rng.uniform(0.03, 0.15)
    grout = (((x + stagger) / across % 1) < gap) | ((y / down % 1) < gap)
    patch = rng.normal(0, 1, (64, 64)).astype(np.float32)
    shade = patch[(y // down).astype(int) % 64, ((x + stagger) // across).astype(int) % 64] * rng.uniform(0, 14)
    ground = np.where(grout[..., None], _colour(rng), _colour(rng) + shade[..., None])
    return _rotated(rng, np.asarray(ground, np.float32))


def _stone(rng: np.random.Generator, size: int) -> Picture:
    ground = np.zeros((size, size, 3), np.float32) + _colour(rng)
    for _ in range(3):
        grain = float(rng.uniform(2, 9))
        mask = (noise(rng, size, (grain, grain)) > rng.uniform(0, 1.2))[..., None]
        ground = np.where(mask, _colour(rng), ground)
    return np.asarray(ground, np.float32)


def _sheet(rng: np.random.Generator, size: int) -> Picture:
    """Returns a plain surface with a few lines, blocks and discs of other colours."""
    ground = np.zeros((size, size, 3), np.float32) + _colour(rng)
    for _ in range(int(rng.integers(0, 12))):
        ink = tuple(float(v) for v in _colour(rng))
        first, second = (tuple(int(v) for v in rng.uniform(-50, size + 50, 2)) for _ in range(2))
        if rng.random() < 0.4:
            cv2.line(ground, first, second, ink, int(rng.integers(1, 30)), cv2.LINE_AA)
        elif rng.random() < 0.5:
            cv2.rectangle(ground, first, second, ink, -1)
        else:
            cv2.circle(ground, first, int(rng.uniform(4, size / 3)), ink, int(rng.choice([-1, 2, 6])), cv2.LINE_AA)
    return ground


def limbs(rng: np.random.Generator, picture: Picture, ids: npt.NDArray[np.int32], *, width: float) -> None:
    """Draws an arm, a hand or fingers over the scene; `width` is a finger's width in pixels."""
    size = picture.shape[0]
    skin = np.array([105, 140, 205], np.float32) * rng.uniform(0.35, 1.2) + rng.normal(0, 10, 3)
    edge = rng.uniform(0, 2 * np.pi)
    start = size / 2 + np.array([np.cos(edge), np.sin(edge)]) * size * 0.75
    goal = size / 2 + rng.normal(0, size * 0.22, 2)
    arm = rng.random() < 0.4
    if arm:
        sleeve = rng.uniform(10, 245) + rng.normal(0, 40, 3) if rng.random() < 0.6 else skin
        reach = rng.uniform(0.5, 0.85)
        _limb(picture, ids, start, start + (goal - start) * reach, width=width * rng.uniform(3.5, 6), colour=sleeve)
        _limb(picture, ids, start + (goal - start) * 0.6, goal, width=width * 3.2, colour=skin)
    along = (goal - start) / max(float(np.linalg.norm(goal - start)), 1.0)
    across = np.array([-along[1], along[0]])
    for index in range(int(rng.integers(1, 6))):
        tip = goal + across * (index - 2) * width * 1.15 + along * rng.uniform(1.5, 4) * width
        root = goal + across * (index - 2) * width * 0.9 - (along * 2 * width if arm else (goal - start))
        _limb(picture, ids, root, tip, width=width, colour=np.clip(skin * rng.uniform(0.92, 1.05), 0, 255))


def _limb(
    picture: Picture,
    ids: npt.NDArray[np.int32],
    start: npt.NDArray[np.float64],
    end: npt.NDArray[np.float64],
    *,
    width: float,
    colour: npt.NDArray[Any],
) -> None:
    first, second = ((int(p[0]), int(p[1])) for p in (start, end))
    for inset, shade in ((1.0, 0.78), (0.75, 0.93), (0.4, 1.0)):
        ink = tuple(float(v) for v in np.clip(colour * shade, 0, 255))
        cv2.line(picture, first, second, ink, max(int(width * inset), 1), cv2.LINE_AA)
    cv2.line(ids, first, second, -2, max(int(width), 1))


def photograph(rng: np.random.Generator, scene: Picture) -> npt.NDArray[np.uint8]:
    """Returns a scene with the effects of light, lens, sensor and compression, as BGR bytes."""
    size = scene.shape[0]
    picture: npt.NDArray[Any] = scene
    light = 1 + noise(rng, size, (size * 0.7, size * 0.7)) * rng.uniform(0, 0.16)
    picture = picture * light[..., None] * (rng.uniform(0.86, 1.14, 3) if rng.random() < 0.7 else 1.0)
    if rng.random() < 0.25:
        picture = picture + _glare(rng, size)
    mid = rng.uniform(0.85, 1.2)
    picture = 255 * np.clip(picture / 255 * rng.uniform(0.45, 1.15), 0, 1) ** mid
    picture = picture * rng.uniform(0.75, 1.0) + rng.uniform(0, 25)
    if rng.random() < 0.7:
        picture = cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.3, 1.25)))
    if rng.random() < 0.12:
        picture = _smear(rng, picture)
    if rng.random() < 0.2:
        small = float(rng.uniform(0.55, 0.95))
        picture = cv2.resize(cv2.resize(picture, None, fx=small, fy=small, interpolation=cv2.INTER_AREA), (size, size))
    if rng.random() < 0.2:
        picture = picture + (picture - cv2.GaussianBlur(picture, (0, 0), 1.5)) * rng.uniform(0.3, 1.2)
    picture = picture + rng.standard_normal(picture.shape, dtype=np.float32) * rng.uniform(0, 7)
    pixels = np.clip(picture, 0, 255).astype(np.uint8)
    if rng.random() < 0.4:
        _, packed = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 95))])
        pixels = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return np.asarray(pixels, np.uint8)


def _glare(rng: np.random.Generator, size: int) -> Picture:
    glow = np.zeros((size, size), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        centre = tuple(int(v) for v in rng.uniform(0, size, 2))
        axes = tuple(int(v) for v in rng.uniform(4, size / 4, 2))
        cv2.ellipse(glow, centre, axes, float(rng.uniform(0, 180)), 0, 360, float(rng.uniform(20, 160)), -1)
    return np.asarray(cv2.GaussianBlur(glow, (0, 0), float(rng.uniform(3, 25)))[..., None], np.float32)


def _smear(rng: np.random.Generator, picture: npt.NDArray[Any]) -> Picture:
    length = int(rng.integers(3, 7))
    kernel = np.zeros((length, length), np.float32)
    angle = rng.uniform(0, np.pi)
    middle, half = (length - 1) / 2, np.array([np.cos(angle), np.sin(angle)]) * (length - 1) / 2
    ends = [tuple(int(v) for v in np.rint(middle + sign * half)) for sign in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1)
    return np.asarray(cv2.filter2D(picture, -1, kernel / max(float(kernel.sum()), 1.0)), np.float32)
