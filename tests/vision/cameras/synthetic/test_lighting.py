"""The light of a drawn table, kept small."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.lighting import light_of
from vision.cameras.synthetic.drawing.optics import lens_of

SMALL = replace(Appearance.default(), width_px=320, height_px=240, warmth=0.5)


@pytest.mark.parametrize("appearance", [SMALL, replace(SMALL, warmth=0.0), replace(SMALL, width_px=318, height_px=236)])
def test_the_gain_of_a_region_is_that_of_the_whole_picture(appearance: Appearance) -> None:
    light, width, height = (light_of(appearance, lens_of(appearance)), appearance.width_px, appearance.height_px)
    whole = light.gain(0, 0, width, height)
    assert whole.shape == (height, width, 3 if appearance.warmth else 1)
    for left, top, right, bottom in ((0, 0, 1, 1), (7, 9, 200, 17), (8, 16, 64, 40), (width - 3, 5, width, height)):
        assert np.array_equal(light.gain(left, top, right, bottom), whole[top:bottom, left:right])


def test_what_is_kept_of_the_gain_is_a_fraction_of_the_picture() -> None:
    light = light_of(SMALL, lens_of(SMALL))
    assert light.coarse_gain.size * 32 < light.gain(0, 0, 320, 240).size
