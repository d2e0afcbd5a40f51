"""A stick whose dots are hidden need not be valued, but no other value may be told for it."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("PIL", reason="the training extra is not installed")

from models.training.judge.strip_figures import StickPicture, TrueStick, count_sticks
from vision.reading.sticks.spots import Stick

QUAD = np.array([[-42.0, -4.0], [-42.0, 4.0], [42.0, 4.0], [42.0, -4.0]])


def _counts(value: int, *, visible: float = 1.0, is_readable: bool = True, off_mm: float = 0.0) -> dict[str, int]:
    """Counts one answer for a table with a stick of 1000."""
    stick = TrueStick(quad=QUAD, value=1000, visible=visible, is_readable=is_readable)
    picture = StickPicture(
        name="", image=np.zeros((8, 8, 3), np.uint8), side_mm=700.0, to_pixels=np.eye(3), sticks=(stick,)
    )
    counts = count_sticks(picture, [Stick(quad=QUAD + (off_mm, 0.0), value=value, score=0.9)])
    names = ("there 1000", "right 1000", "wrong 1000", "there readable", "right readable", "false")
    return {name: counts[name] for name in names if counts[name]}


def test_a_stick_with_visible_dots_counts_twice() -> None:
    assert _counts(1000) == {"there 1000": 1, "right 1000": 1, "there readable": 1, "right readable": 1}
    assert _counts(100) == {"there 1000": 1, "wrong 1000": 1, "there readable": 1}
    assert _counts(1000, off_mm=300.0) == {"there 1000": 1, "there readable": 1, "false": 1}


def test_a_value_told_for_hidden_dots_is_false_unless_it_is_right() -> None:
    assert _counts(1000, is_readable=False) == {"there 1000": 1, "right 1000": 1}
    assert _counts(100, is_readable=False) == {"there 1000": 1, "wrong 1000": 1, "false": 1}
    assert _counts(0, is_readable=False) == {"there 1000": 1}


def test_a_stick_that_is_hardly_visible_need_not_be_found_but_its_value_not_be_guessed() -> None:
    assert _counts(1000, visible=0.5, is_readable=False) == {}
    assert _counts(100, visible=0.5, is_readable=False) == {"false": 1}
