"""The frame of a haku, and what is none: an even face, a line, a corner, a print."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.arrays import Image
from vision.photo.plain.framed_hakus import are_framed

INK = (150, 60, 40)
"""Blue, green, red."""


def paper() -> Image:
    return np.full((64, 48, 3), (215, 225, 228), np.uint8)


@pytest.mark.parametrize(("corner", "width"), [((8, 8), 2), ((11, 14), 1), ((6, 6), 5)])
def test_a_haku_with_a_frame_is_framed(corner: tuple[int, int], width: int) -> None:
    face = paper()
    x, y = corner
    cv2.rectangle(face, corner, (47 - x, 63 - y), INK, width)
    slanting = cv2.warpAffine(face, cv2.getRotationMatrix2D((24, 32), 7, 1), (48, 64), borderMode=cv2.BORDER_REPLICATE)
    assert are_framed(np.stack([face, slanting])).all()


def test_what_has_no_frame_all_around_is_not_framed() -> None:
    line, corner, border, half = paper(), paper(), paper(), paper()
    cv2.line(line, (0, 10), (47, 10), INK, 3)
    cv2.polylines(corner, [np.array([(8, 63), (8, 8), (47, 8)])], isClosed=False, color=INK, thickness=3)
    cv2.rectangle(border, (0, 0), (47, 63), INK, 2)
    half[:, 30:] = INK
    assert not are_framed(np.stack([paper(), line, corner, border, half])).any()


def test_of_no_crops_nothing_is_said() -> None:
    assert are_framed(np.zeros((0, 64, 48, 3), np.uint8)).shape == (0,)
