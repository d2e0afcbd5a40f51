"""Whether a place looks as it did."""

from __future__ import annotations

import numpy as np
import pytest

from vision.arrays import Floats32
from vision.watching.looks.tile_looks import are_alike

SHADE = np.linspace(-6, 6, 81, dtype=np.float32)
PRINT = np.where(np.arange(81) % 9 < 4, 60, -60).astype(np.float32)


@pytest.mark.parametrize(("light", "is_alike"), [(1.1, True), (0.9, True), (1.45, False), (0.7, False)])
def test_a_blank_place_has_changed_if_it_is_much_lighter_or_darker(light: float, is_alike: bool) -> None:
    back: Floats32 = 156 + SHADE
    assert are_alike(back, light * back) is is_alike


@pytest.mark.parametrize("light", [0.5, 1.0, 1.4])
def test_a_print_is_the_same_in_any_light(light: float) -> None:
    face: Floats32 = 150 + PRINT
    assert are_alike(face, light * face)
    assert not are_alike(face, light * face[::-1])
