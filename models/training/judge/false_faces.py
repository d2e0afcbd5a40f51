"""`python -m models.training.judge.false_faces` counts sure faces read where there are none, on drawn photographs.

Each picture shows one kind of thing that looks like tiles, or rows of tiles whose faces are hidden. Every third picture
also shows faces of a set, to check that the protection from false faces costs no true ones.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from models.training.faces import art_sets, tile_style
from models.training.faces.face_painter import paint
from models.training.faces.font_glyphs import Fonts, find_fonts
from models.training.faces.tile_skins import TileSet, skin
from models.training.judge.locator_figures import TOUCHES, Quads, overlap_of
from models.training.judge.metrics import Rate
from models.training.studio.scenes.lookalikes import THINGS
from models.training.studio.scenes.scene_layouts import Ground
from models.training.studio.scenes.scene_renderer import draw
from models.training.studio.scenes.scene_solids import FACE_DOWN, FACE_UP, STANDING, SURFACES, Box, Camera, oblique
from vision.arrays import Image
from vision.confidence import MARK_BELOW
from vision.felt import BACK, FACES, NOT_A_TILE
from vision.photo.photo_things import ReadTile
from vision.photo.shipped_reader import PhotoReader
from vision.reading.reader import TileReader
from vision.reading.sticks.strips import StripReader

SEED: Final = 20261123
"""The seed of the pictures, used for evaluation only."""
ROWS: Final = ("rows standing, seen from behind", "rows face down")
_SIZE: Final = 1000
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


def kinds() -> list[str]:
    """Returns what the pictures show, in the order in which they alternate."""
    return [*THINGS, *ROWS]


def shot(index: int, *, fonts: Fonts, art: Sequence[art_sets.ArtSet]) -> Shot:
    """Returns one picture, the same for the same index."""
    rng, kind = np.random.default_rng([SEED, index]), kinds()[index % len(kinds())]
    tiles, names = _set_of(rng, fonts, art)
    ground = Ground(rng, [tiles], extent=400.0)
    if kind in ROWS:
        _hidden_row(ground, is_standing=kind == ROWS[0])
    boxes = [*ground.boxes, *(THINGS[kind](rng, fonts) if kind in THINGS else ())]
    if index // len(kinds()) % 3 == 2:
        boxes += _row_in_front(ground)
    is_upright = any(box.axes[2, 1] < -0.5 for box in boxes)
    low, high = (40, 72) if is_upright and kind in THINGS else (0, 62)
    camera = oblique(
        scale=float(np.exp(rng.uniform(np.log(1.2), np.log(4.0)))),
        size=_SIZE,
        distance=float(rng.uniform(500, 1300)),
        tilt=float(np.radians(rng.uniform(low, high))),
        roll=float(rng.normal(0, 0.1)),
        bearing=float(rng.normal(0, 0.3)),
        squeeze=1.0,
    )
    image = draw(rng, boxes, camera, size=_SIZE, finger=30.0).image
    visible = [box for box in boxes if box.kind == "tile" and _shows_its_face(box, camera)]
    quads = [camera.pixels(box.corners()[list(SURFACES[0])]) for box in visible]
    by_skin = dict(zip(map(id, tiles.faces), names, strict=True))
    return Shot(
        kind=kind,
        image=image,
        faces=np.array(quads, np.float32).reshape(-1, 4, 2),
        names=tuple(by_skin[id(box.face)] for box in visible),
        bodies=np.array([camera.pixels(box.corners()) for box in boxes if box.kind == "tile"], np.float32),
    )


def _set_of(rng: np.random.Generator, fonts: Fonts, art: Sequence[art_sets.ArtSet]) -> tuple[TileSet, list[str]]:
    """Returns the 37 faces of an imagined set or of an art set, and their names."""
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
    tiles = TileSet(faces=skins, back=skin(back), body=body, cover=np.asarray(colour, np.float32), seam=0.4)
    return tiles, list(FACES)


def _hidden_row(ground: Ground, *, is_standing: bool) -> None:
    """Lays out one to three rows: standing with the backs to the viewer, or face down."""
    rng, width = ground.rng, ground.tile[0]
    for row in range(int(rng.integers(1, 4))):
        yaw = float(rng.normal(0, 0.15)) + (np.pi if is_standing else 0.0)
        count, pose = int(rng.integers(5, 15)), STANDING if is_standing else FACE_DOWN
        for index in range(count):
            u = (index - count / 2) * (width + abs(float(rng.normal(0, 0.3))))
            place = (u * float(np.cos(yaw)), u * float(np.sin(yaw)) + (row - 1) * 90.0)
            ground.put([ground.tile_box(*place, yaw + float(rng.normal(0, 0.01)), pose)])


def _row_in_front(ground: Ground) -> list[Box]:
    """Returns a row or two of tiles that lie face up in front."""
    rng, (width, height, _) = ground.rng, ground.tile
    count, boxes = int(rng.integers(5, 14)), []
    for index in range(count):
        place = ((index % 7 - 3) * (width + float(abs(rng.normal(0, 0.5)))), 120.0 + (index // 7) * (height + 1.0))
        boxes.append(ground.tile_box(*place, float(rng.normal(0, 0.02)), FACE_UP))
    return boxes


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


def right_readings(picture: Shot, tiles: Sequence[ReadTile]) -> tuple[int, int]:
    """Returns how many of the faces are read correctly, and how many correctly with confidence."""
    right = sure = 0
    for quad, name in zip(picture.faces, picture.names, strict=True):
        overlapping = [tile for tile in tiles if overlap_of(np.array(tile.quad, np.float32), quad) >= 0.5]
        right += any(tile.tile == name for tile in overlapping)
        sure += any(tile.tile == name and tile.score >= MARK_BELOW for tile in overlapping)
    return right, sure


def main(arguments: list[str] | None = None) -> int:
    """Parses the command line, draws, reads, and prints a table."""
    parser = argparse.ArgumentParser(prog="models.training.judge.false_faces", description=__doc__)
    parser.add_argument("--count", type=int, default=308, help="how many pictures")
    parser.add_argument("--start", type=int, default=0, help="the first picture's number")
    parser.add_argument("--shared", type=Path, default=Path("../shared"), help="the material beside the repository")
    options = parser.parse_args(arguments)
    fonts, art = find_fonts(), art_sets.find_art(options.shared)
    reader = PhotoReader(TileReader(), sticks=StripReader())
    pictures, affected, false = Counter[str](), Counter[str](), Counter[str]()
    face_count = right = sure = 0
    for index in range(options.start, options.start + options.count):
        picture = shot(index, fonts=fonts, art=art)
        read = reader.read(picture.image)
        wrong = false_readings(picture, read.tiles)
        pictures[picture.kind] += 1
        affected[picture.kind] += bool(wrong)
        false[picture.kind] += len(wrong)
        face_count += len(picture.faces)
        right, sure = (
            total + more for total, more in zip((right, sure), right_readings(picture, read.tiles), strict=True)
        )
    print("| kind | pictures with a sure false face | such faces |\n|---|---|---|")
    for kind in kinds():
        print(f"| {kind} | {Rate(right=affected[kind], total=pictures[kind])} | {false[kind]} |")
    print(f"| **all** | {Rate(right=affected.total(), total=pictures.total())} | {false.total()} |")
    print(f"\nTrue faces: {Rate(right=right, total=face_count)} right, {Rate(right=sure, total=face_count)} surely.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
