"""Pictures of things that look like tiles."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("PIL", reason="the training extra is not installed")

from models.training.faces import font_glyphs
from models.training.judge.false_faces import kinds, shot


@pytest.mark.parametrize("kind", kinds())
def test_each_kind_of_thing_is_drawn_the_same_for_the_same_number(kind: str) -> None:
    try:
        fonts = font_glyphs.find_fonts()
    except LookupError as absent:
        pytest.skip(f"fonts to render with are absent: {absent}")
    first, again = (shot(kinds().index(kind), fonts=fonts, art=()) for _ in range(2))
    assert first.kind == kind
    np.testing.assert_array_equal(first.image, again.image)
    assert len(first.faces) == len(first.names)
