"""Faces of art sets: those beside the repository, and the project's own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from models.training.faces.canvas import HEIGHT, WIDTH
from vision.arrays import Image
from vision.art import draw_face
from vision.felt import FACES


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtSet:
    """One art set: for each face a BGRA picture of 192 x 256."""

    name: str
    faces: dict[str, Image]
    extras: tuple[Image, ...]
    """Flowers and seasons, if the set has them."""


def find_art(shared: Path) -> tuple[ArtSet, ...]:
    """Reads the sets under `shared`/art; none if there is no such folder."""
    folders = sorted(path for path in (shared / "art").glob("*") if path.is_dir())
    return tuple(_read(folder) for folder in folders)


def _read(folder: Path) -> ArtSet:
    pictures = {path.stem: _picture(path) for path in sorted(folder.glob("*.png"))}
    extras = tuple(pictures[name] for name in ("spring", "summer", "autumn", "winter") if name in pictures)
    return ArtSet(name=folder.name, faces={face: pictures[face] for face in FACES if face in pictures}, extras=extras)


def _picture(path: Path) -> Image:
    picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if picture is None or picture.ndim != 3 or picture.shape[2] != 4:
        raise ValueError(f"expected a PNG with alpha, got another picture, at {path}")
    # Borders and rounded edges of the art are removed, since the scene draws its own.
    edge_y, edge_x = picture.shape[0] // 25, picture.shape[1] // 18
    inner = picture[edge_y:-edge_y, edge_x:-edge_x]
    return np.asarray(cv2.resize(inner, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def printed(art: ArtSet, face: str, base: tuple[float, float, float], rng: np.random.Generator) -> Image:
    """Returns one face of an art set on a tile of colour `base`, slightly bent and shrunk, with changed inks.

    If the set lacks a red five, its five is printed in red.
    """
    source = art.faces.get(face)
    if source is None and face[0] == "0":
        source = _reddened(art.faces["5" + face[1]])
    if source is None:
        raise LookupError(f"expected the face {face!r}, got none, in art set {art.name}")
    return _print(source, base, rng)


def flower(art: ArtSet, base: tuple[float, float, float], rng: np.random.Generator) -> Image:
    """Returns one of the set's flowers on a tile of colour `base`."""
    return _print(art.extras[int(rng.integers(len(art.extras)))], base, rng)


def _print(source: Image, base: tuple[float, float, float], rng: np.random.Generator) -> Image:
    alpha = source[..., 3:].astype(np.float32) / 255
    ink = source[..., :3].astype(np.float32)
    # Multiplied with the tile's own colour, a drawn ivory becomes this tile's ivory.
    paper = np.array(base, np.float32)
    whiteness = ink.min(axis=2, keepdims=True) / 255
    blended = np.where(whiteness > 0.8, paper, ink)
    sheet = paper + (blended - paper) * alpha
    angle, scale = rng.normal(0, 1.5), rng.uniform(0.78, 1.06)
    turn = cv2.getRotationMatrix2D((WIDTH / 2, HEIGHT / 2), angle, scale)
    turn = turn + np.array([[0, 0, rng.normal(0, 3)], [0, 0, rng.normal(0, 3)]])
    turn[0, 0] *= rng.uniform(0.92, 1.08)
    warped = cv2.warpAffine(sheet, turn, (WIDTH, HEIGHT), borderMode=cv2.BORDER_CONSTANT, borderValue=base)
    return bent(np.clip(warped, 0, 255).astype(np.uint8), rng, base)


def _reddened(picture: Image) -> Image:
    red = picture.copy()
    dark = picture[..., :3].min(axis=2) < 160
    red[dark, :3] = (40, 20, 200)
    return red


def bent(image: Image, rng: np.random.Generator, base: tuple[float, float, float]) -> Image:
    """Returns the print with its lines slightly bent, and thickened or thinned."""
    ys, xs = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
    strength = rng.uniform(0, 3.5)
    knots = rng.normal(0, strength, (2, 4, 3)).astype(np.float32)
    bend_x, bend_y = (cv2.resize(knot, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC) for knot in knots)
    out = cv2.remap(image, xs + bend_x, ys + bend_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=base)
    weight = int(rng.integers(-1, 3))
    if weight:
        kernel = np.ones((abs(weight) + 1,) * 2, np.uint8)
        out = cv2.erode(out, kernel) if weight > 0 else cv2.dilate(out, kernel)
    return np.asarray(out, dtype=np.uint8)


def own_art() -> ArtSet:
    """Returns the faces that the project draws itself."""
    return ArtSet(name="tachiai", faces={face: draw_face(face, WIDTH, HEIGHT) for face in FACES}, extras=())
