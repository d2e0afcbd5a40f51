"""Draws faces laid out in rows and seen from above, as in a person's scan of a set; also used by benchmarks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from vision.arrays import Image
from vision.art import draw_face

FELT = (70, 105, 45)
IVORY = (228, 240, 244)
_GAP = 8


def in_rows(faces: Sequence[str], row: int = 9) -> list[Sequence[str]]:
    """Returns the faces row by row."""
    return [faces[start : start + row] for start in range(0, len(faces), row)]


def picture(
    rows: Sequence[Sequence[str]],
    *,
    tile: tuple[int, int] = (48, 64),
    turn_deg: float = 0.0,
    seed: int = 0,
    other_prints: Mapping[str, Image] | None = None,
) -> Image:
    """Returns a picture of the faces laid out on felt; `other_prints` holds those (BGRA) of some faces."""
    width, height = tile
    rng = np.random.default_rng(seed)
    side = max(max(len(row) for row in rows) * (width + _GAP), len(rows) * (height + 2 * _GAP)) + 160
    page = np.empty((side, side, 3), np.float32)
    page[:] = FELT
    for line, row in enumerate(rows):
        for place, face in enumerate(row):
            x, y = 80 + place * (width + _GAP), 80 + line * (height + 2 * _GAP)
            page[y + 3 : y + height + 3, x + 3 : x + width + 3] *= 0.6
            print_ = (
                draw_face(face, width, height)
                if other_prints is None or face not in other_prints
                else other_prints[face]
            )
            cover = print_[..., 3:] / 255.0
            spot = page[y : y + height, x : x + width]
            spot[:] = IVORY
            spot[:] = spot + (print_[..., :3] - spot) * cover
    turn = cv2.getRotationMatrix2D((side / 2, side / 2), turn_deg, 1.0)
    rotated = cv2.warpAffine(page, turn, (side, side), borderValue=FELT)
    return np.asarray(np.clip(rotated + rng.normal(0, 3, rotated.shape), 0, 255), np.uint8)
