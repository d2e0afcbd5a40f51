"""`python -m models.training.judge.false_faces` counts sure faces read where there are none, on drawn photographs.

Each picture shows one kind of thing that looks like tiles, or rows of tiles whose faces are hidden. Every third picture
also shows faces of a set, to check that the protection from false faces costs no true ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np

from models.training.faces import art_sets
from models.training.faces.font_glyphs import Fonts
from models.training.judge.drawn_photos import SIZE, Shot, any_tiles, false_readings, read_photos, right_readings, taken
from models.training.judge.metrics import Rate
from models.training.studio.scenes.lookalikes import THINGS
from models.training.studio.scenes.scene_layouts import Ground
from models.training.studio.scenes.scene_solids import FACE_DOWN, FACE_UP, STANDING, Box, oblique

SEED: Final = 20261123
"""The seed of the pictures, used for evaluation only."""
ROWS: Final = ("rows standing, seen from behind", "rows face down")


def kinds() -> list[str]:
    """Returns what the pictures show, in the order in which they alternate."""
    return [*THINGS, *ROWS]


def shot(index: int, *, fonts: Fonts, art: Sequence[art_sets.ArtSet], roll_degrees: float = 0.0) -> Shot:
    """Returns one picture, the same for the same index; its camera is rolled by about `roll_degrees`."""
    rng, kind = np.random.default_rng([SEED, index]), kinds()[index % len(kinds())]
    tiles = any_tiles(rng, fonts, art)
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
        size=SIZE,
        distance=float(rng.uniform(500, 1300)),
        tilt=float(np.radians(rng.uniform(low, high))),
        roll=float(np.radians(roll_degrees) + rng.normal(0, 0.1)),
        bearing=float(rng.normal(0, 0.3)),
        squeeze=1.0,
    )
    return taken(rng, kind, boxes, tiles, camera)


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


def main(arguments: list[str] | None = None) -> int:
    """Parses the command line, draws, reads, and prints a table."""
    photos = read_photos(shot, arguments, command="models.training.judge.false_faces", description=__doc__, count=308)
    pictures, affected, false = Counter[str](), Counter[str](), Counter[str]()
    face_count = right = sure = 0
    for picture, tiles in photos:
        wrong = false_readings(picture, tiles)
        pictures[picture.kind] += 1
        affected[picture.kind] += bool(wrong)
        false[picture.kind] += len(wrong)
        face_count += len(picture.faces)
        are_right, are_sure = right_readings(picture, tiles)
        right, sure = right + int(are_right.sum()), sure + int(are_sure.sum())
    print("| kind | pictures with a sure false face | such faces |\n|---|---|---|")
    for kind in kinds():
        print(f"| {kind} | {Rate(right=affected[kind], total=pictures[kind])} | {false[kind]} |")
    print(f"| **all** | {Rate(right=affected.total(), total=pictures.total())} | {false.total()} |")
    print(f"\nTrue faces: {Rate(right=right, total=face_count)} right, {Rate(right=sure, total=face_count)} surely.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
