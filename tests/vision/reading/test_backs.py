"""Backs that look like no other back of the table."""

from __future__ import annotations

import cv2
import numpy as np

from vision.reading.backs import odd_ones

PICTURE = np.full((120, 300, 3), (60, 110, 20), np.uint8)
"""A green cloth with three yellow backs on it, the last in shadow, and bare cloth to their right."""
for _x, _shade in ((20, 1.0), (70, 1.0), (120, 0.85)):
    cv2.rectangle(PICTURE, (_x, 40), (_x + 30, 80), (30 * _shade, 170 * _shade, 220 * _shade), -1)
QUADS = np.array([[[x, 40], [x + 30, 40], [x + 30, 80], [x, 80]] for x in (20, 70, 120, 220)], np.float32)


def test_cloth_that_was_faintly_found_is_odd_and_a_back_in_shadow_is_not() -> None:
    odd = odd_ones(PICTURE, QUADS, np.array([0.9, 0.8, 0.5, 0.5], np.float32))
    assert odd.tolist() == [False, False, False, True]


def test_what_was_surely_found_is_never_odd() -> None:
    assert not odd_ones(PICTURE, QUADS, np.array([0.9, 0.8, 0.5, 0.7], np.float32)).any()


def test_with_no_sure_back_to_compare_with_none_is_odd() -> None:
    assert not odd_ones(PICTURE, QUADS, np.array([0.5, 0.5, 0.5, 0.5], np.float32)).any()
    assert odd_ones(PICTURE, QUADS[:0], np.zeros(0, np.float32)).shape == (0,)
