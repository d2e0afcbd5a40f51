"""Photographs of one hand."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("PIL", reason="the training extra is not installed")

from models.training.faces import font_glyphs
from models.training.judge.hand_photos import shot


def test_a_hand_with_hakus_is_drawn_the_same_for_the_same_number() -> None:
    try:
        fonts = font_glyphs.find_fonts()
    except LookupError as absent:
        pytest.skip(f"fonts to render with are absent: {absent}")
    first, again = (shot(3, fonts=fonts, art=()) for _ in range(2))
    np.testing.assert_array_equal(first.image, again.image)
    assert 1 <= first.names.count("5z") <= 3
