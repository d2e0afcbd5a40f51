"""Drawn photographs of tiles and what a reader makes of them, for commands that count errors in plain photographs."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from models.training.faces import art_sets, tile_style
from models.training.faces.face_painter import paint
from models.training.faces.font_glyphs import Fonts, find_fonts
from models.training.faces.tile_skins import TileSet, skin
from models.training.judge.locator_figures import SAME, TOUCHES, Quads, overlap_of
from models.training.studio.scenes.scene_renderer import draw
from models.training.studio.scenes.scene_solids import SURFACES, Box, Camera
from vision.arrays import Image, Mask
from vision.confidence import MARK_BELOW
from vision.felt import BACK, FACES, NOT_A_TILE
from vision.photo.photo_things import ReadTile
from vision.photo.shipped_reader import PhotoReader
from vision.reading.reader import TileReader
from vision.reading.sticks.strips import StripReader

SIZE: Final = 1000
"""Pixels across and down a picture."""
_SEEN: Final = 0.25
"""A face counts as seen if the cosine of the angle between its normal and the camera is above this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """A drawn photograph."""

    kind: str
    image: Image
    faces: Quads
    """[N, 4, 2]: the faces of tiles that are turned towards the camera, covered or not."""
    names: tuple[str, ...]
    """Their faces."""
    bodies: Quads
    """[M, 8, 2]: the corners of all tiles; a back counts as right anywhere on one, since sides look like backs."""


def taken(rng: np.random.Generator, kind: str, boxes: list[Box], tiles: TileSet, camera: Camera) -> Shot:
    """Returns a photograph of boxes with these tiles, of `SIZE` pixels."""
    visible = [box for box in boxes if box.kind == "tile" and _shows_its_face(box, camera)]
    quads = [camera.pixels(box.corners()[list(SURFACES[0])]) for box in visible]
    by_skin = dict(zip(map(id, tiles.faces), FACES, strict=True))
    return Shot(
        kind=kind,
        image=draw(rng, boxes, camera, size=SIZE, finger=30.0).image,
        faces=np.array(quads, np.float32).reshape(-1, 4, 2),
        names=tuple(by_skin[id(box.face)] for box in visible),
        bodies=np.array([camera.pixels(box.corners()) for box in boxes if box.kind == "tile"], np.float32),
    )


def any_tiles(rng: np.random.Generator, fonts: Fonts, art: Sequence[art_sets.ArtSet]) -> TileSet:
    """Returns the 37 faces of an imagined set or of an art set, in the order of `vision.felt.FACES`."""
    style = tile_style.sample(rng, fonts)
    chosen = art[int(rng.integers(len(art)))] if art and rng.random() < 0.5 else None
    pages = [
        paint(face, style, rng) if chosen is None else art_sets.printed(chosen, face, style.base, rng) for face in FACES
    ]
    opaque = np.full((*pages[0].shape[:2], 1), 255, np.uint8)
    cover = np.array([[[rng.integers(180), rng.integers(90, 256), rng.integers(70, 250)]]], np.uint8)
    back = np.zeros((128, 96, 4), np.uint8)
    back[..., :3] = colour = cv2.cvtColor(cover, cv2.COLOR_HSV2BGR)[0, 0]
    back[..., 3] = 255
    skins = tuple(skin(np.dstack([page, opaque]).astype(np.uint8)) for page in pages)
    body = np.array(style.base, np.float32)
    return TileSet(faces=skins, back=skin(back), body=body, cover=np.asarray(colour, np.float32), seam=0.4)


def _shows_its_face(box: Box, camera: Camera) -> bool:
    ray = camera.eye - box.centre
    return float(box.axes[:, 2] @ ray / np.linalg.norm(ray)) > _SEEN


def false_readings(picture: Shot, tiles: Sequence[ReadTile]) -> list[ReadTile]:
    """Returns the surely read faces where no face is, and the surely read backs where no tile is."""
    sure = [tile for tile in tiles if tile.tile != NOT_A_TILE and tile.score >= MARK_BELOW]
    return [tile for tile in sure if not _is_there(picture, tile)]


def _is_there(picture: Shot, tile: ReadTile) -> bool:
    quad = np.array(tile.quad, np.float32)
    if tile.tile == BACK:
        middle = tuple(map(float, quad.mean(axis=0)))
        return any(cv2.pointPolygonTest(cv2.convexHull(body), middle, False) >= 0 for body in picture.bodies)
    return max((overlap_of(quad, face) for face in picture.faces), default=0.0) >= TOUCHES


def right_readings(picture: Shot, tiles: Sequence[ReadTile]) -> tuple[Mask, Mask]:
    """Returns which of the faces are read correctly, and which of them with confidence, [N] each."""
    rights = []
    for quad, name in zip(picture.faces, picture.names, strict=True):
        named = [tile for tile in tiles if tile.tile == name]
        scores = [tile.score for tile in named if overlap_of(np.array(tile.quad, np.float32), quad) >= SAME]
        rights.append(max(scores, default=0.0))
    return np.array(rights) > 0, np.array(rights) >= MARK_BELOW


def read_photos(
    shot: Callable[..., Shot], arguments: list[str] | None, *, command: str, description: str | None, count: int
) -> Iterator[tuple[Shot, tuple[ReadTile, ...]]]:
    """Parses a command line, and yields the pictures that `shot` draws, by default `count`, with what is read there."""
    parser = argparse.ArgumentParser(prog=command, description=description)
    parser.add_argument("--count", type=int, default=count, help="how many pictures")
    parser.add_argument("--start", type=int, default=0, help="the first picture's number")
    parser.add_argument("--roll", type=float, default=0.0, help="by how many degrees the camera is rolled (0)")
    parser.add_argument("--shared", type=Path, default=Path("../shared"), help="the material beside the repository")
    options = parser.parse_args(arguments)
    fonts, art = find_fonts(), art_sets.find_art(options.shared)
    reader = PhotoReader(TileReader(), sticks=StripReader())
    for index in range(options.start, options.start + options.count):
        picture = shot(index, fonts=fonts, art=art, roll_degrees=options.roll)
        yield picture, reader.read(picture.image).tiles
