from __future__ import annotations

import numpy as np
import pytest

from vision.geometry.roi import Roi, window_about

SIDE = 1056


def test_a_window_lies_around_what_is_to_be_seen_with_room_on_every_side() -> None:
    window = window_about(np.array([[500.0, 600.0], [540.0, 640.0]]), side_px=SIDE)
    assert window.columns.start <= 420
    assert window.columns.stop >= 620
    assert (window.rows.start % 32, window.rows.stop % 32) == (0, 0)
    assert window.start.tolist() == [window.columns.start, window.rows.start]


@pytest.mark.parametrize("points", [np.zeros((0, 2)), np.array([[50.0, 60.0], [1000.0, 990.0]])])
def test_nothing_or_almost_everything_is_the_whole_view(points: np.ndarray) -> None:
    assert window_about(points, side_px=SIDE) == Roi(rows=slice(0, SIDE), columns=slice(0, SIDE), side_px=SIDE)


def test_a_window_reaches_no_further_than_the_view() -> None:
    window = window_about(np.array([[3.0, 1050.0]]), side_px=SIDE)
    assert (window.columns.start, window.rows.stop) == (0, SIDE)


def test_what_an_edge_cuts_is_not_held_but_the_views_own_edge_cuts_nothing() -> None:
    roi = Roi(rows=slice(0, 320), columns=slice(320, 640), side_px=SIDE)
    are_held = roi.holds(np.array([[480.0, 2.0], [324.0, 100.0], [480.0, 310.0], [480.0, 100.0], [700.0, 100.0]]))
    assert are_held.tolist() == [True, False, False, True, False]
