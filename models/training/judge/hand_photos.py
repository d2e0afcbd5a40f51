"""`python -m models.training.judge.hand_photos` counts what is read in drawn photographs of one hand.

A hand lies face up or stands, sorted or not, seen at any angle from near and far, on any ground, in any light. Each has
one to three hakus, which are the hardest to see. In a third of the hands a tile is missing from the row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from models.training.faces import art_sets
from models.training.faces.font_glyphs import Fonts
from models.training.judge.drawn_photos import SIZE, Shot, any_tiles, false_readings, read_photos, right_readings, taken
from models.training.judge.metrics import Rate
from models.training.studio.scenes.scene_layouts import Ground
from models.training.studio.scenes.scene_solids import FACE_UP, STANDING, oblique
from vision.felt import FACES, HAKU

SEED: Final = 20261201
"""The seed of the pictures, used for evaluation only."""
_PRINT: Final = 40.0
"""A haku has a frame or a sign if the lightness of its face, of 255, varies by more than this."""


def shot(index: int, *, fonts: Fonts, art: Sequence[art_sets.ArtSet], roll_degrees: float = 0.0) -> Shot:
    """Returns one picture, the same for the same index; its camera is rolled by about `roll_degrees`."""
    rng = np.random.default_rng([SEED, index])
    tiles, pose = any_tiles(rng, fonts, art), (FACE_UP, STANDING)[index % 2]
    is_framed = np.ptp(tiles.faces[FACES.index(HAKU)].levels[0][..., :3].mean(axis=2)) > _PRINT
    ground = Ground(rng, [tiles], extent=400.0)
    hand = _hand(rng)
    gap = 0.0 if rng.random() < 0.7 else float(rng.uniform(0, 3))
    for index_in_row, face in enumerate(hand):
        x = (index_in_row - len(hand) / 2) * (ground.tile[0] + gap + abs(float(rng.normal(0, 0.2))))
        box = ground.tile_box(x, float(rng.normal(0, 0.5)), float(rng.normal(0, 0.012)), pose)
        if face is not None:
            ground.put([replace(box, face=tiles.faces[FACES.index(face)])])
    low, high = (40, 72) if pose is STANDING else (0, 60)
    camera = oblique(
        scale=float(np.exp(rng.uniform(np.log(1.2), np.log(3.0)))),
        size=SIZE,
        distance=float(rng.uniform(500, 1300)),
        tilt=float(np.radians(rng.uniform(low, high))),
        roll=float(np.radians(roll_degrees) + rng.normal(0, 0.1)),
        bearing=float(rng.normal(0, 0.3)),
        squeeze=1.0,
    )
    return taken(rng, "haku with a print" if is_framed else "blank haku", ground.boxes, tiles, camera)


def _hand(rng: np.random.Generator) -> list[str | None]:
    """Returns the faces of a row from left to right; None where a tile is missing."""
    others = [face for face in FACES if face != HAKU]
    hand: list[str | None] = [others[int(face)] for face in rng.integers(0, len(others), int(rng.integers(5, 15)))]
    for _ in range(int(rng.integers(1, 4))):
        hand[int(rng.integers(len(hand)))] = HAKU
    if rng.random() < 0.6:
        hand.sort(key=lambda face: str(face)[::-1])
    removed = int(rng.integers(1, len(hand) - 1))
    if rng.random() < 0.4 and hand[removed] != HAKU:
        hand[removed] = None
    return hand


def main(arguments: list[str] | None = None) -> int:
    """Parses the command line, draws, reads, and prints a table."""
    photos = read_photos(shot, arguments, command="models.training.judge.hand_photos", description=__doc__, count=240)
    total, right, sure = Counter[str](), Counter[str](), Counter[str]()
    count = false = 0
    for picture, tiles in photos:
        are_right, are_sure = right_readings(picture, tiles)
        for quad, name, *is_read in zip(picture.faces, picture.names, are_right, are_sure, strict=True):
            if quad.min() >= 0 and quad.max() < SIZE:
                kind = picture.kind if name == HAKU else "other face"
                total[kind] += 1
                right[kind] += bool(is_read[0])
                sure[kind] += bool(is_read[1])
        count += 1
        false += len(false_readings(picture, tiles))
    print("| tile | right | surely right |\n|---|---|---|")
    for kind in total:
        print(
            f"| {kind} | {Rate(right=right[kind], total=total[kind])} | {Rate(right=sure[kind], total=total[kind])} |"
        )
    print(f"\nSure readings where no tile lies: {false} in {count} pictures.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
