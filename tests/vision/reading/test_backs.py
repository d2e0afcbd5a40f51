"""Backs by the other backs of the table: their colour, and their rows."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.reading.backs import continuing_rows, odd_backs

PICTURE = np.full((120, 300, 3), (60, 110, 20), np.uint8)
"""A green cloth with three yellow backs on it, the last in shadow, and bare cloth to their right."""
for _x, _shade in ((20, 1.0), (70, 1.0), (120, 0.85)):
    cv2.rectangle(PICTURE, (_x, 40), (_x + 30, 80), (30 * _shade, 170 * _shade, 220 * _shade), -1)
QUADS = np.array([[[x, 40], [x + 30, 40], [x + 30, 80], [x, 80]] for x in (20, 70, 120, 220)], np.float32)


def test_cloth_that_was_faintly_found_is_odd_and_a_back_in_shadow_is_not() -> None:
    odd = odd_backs(PICTURE, QUADS, np.array([0.9, 0.8, 0.5, 0.5], np.float32))
    assert odd.tolist() == [False, False, False, True]


def test_what_was_surely_found_is_never_odd() -> None:
    assert not odd_backs(PICTURE, QUADS, np.array([0.9, 0.8, 0.5, 0.7], np.float32)).any()


def test_with_no_sure_back_to_compare_with_none_is_odd() -> None:
    assert not odd_backs(PICTURE, QUADS, np.array([0.5, 0.5, 0.5, 0.5], np.float32)).any()
    assert odd_backs(PICTURE, QUADS[:0], np.zeros(0, np.float32)).shape == (0,)


def upright(*middles: tuple[float, float]) -> npt.NDArray[np.float32]:
    """Quads of tiles 20 wide and 28 long."""
    outline = np.array([[-10, -14], [10, -14], [10, 14], [-10, 14]])
    return np.array([outline + middle for middle in middles], np.float32)


def test_faint_backs_that_continue_a_row_of_backs_are_of_it() -> None:
    row, every = upright(*((21.0 * n, 50.0) for n in range(5))), np.ones(5, np.bool_)
    is_back = np.array([True, False, False, False, False])
    assert continuing_rows(row, is_back, every, every).tolist() == [False, True, True, True, True]
    gap = np.array([True, True, False, True, True])
    assert continuing_rows(row, is_back, gap, every).tolist() == [False, True, False, False, False]


def test_an_unlikely_back_lies_between_others_and_never_ends_their_row() -> None:
    row, every = upright(*((21.0 * n, 50.0) for n in range(5))), np.ones(5, np.bool_)
    row[3] = np.roll(row[3], 2, axis=0)
    none = np.zeros(5, np.bool_)
    assert continuing_rows(row, np.array([True, False, False, False, True]), every, none).tolist() == [
        *(False, True, True, True, False)
    ]
    assert not continuing_rows(row, np.array([True, True, True, False, False]), every, none).any()


def test_what_lies_below_a_row_or_apart_from_it_is_not_of_it() -> None:
    quads, every = upright((0.0, 50.0), (0.0, 78.0), (21.0, 66.0), (50.0, 50.0)), np.ones(4, np.bool_)
    assert not continuing_rows(quads, np.array([True, False, False, False]), every, every).any()
    none = np.zeros(0, np.bool_)
    assert continuing_rows(quads[:0], none, none, none).shape == (0,)
