"""Where sticks are looked for without being found first."""

from __future__ import annotations

import numpy as np
import pytest

from vision.geometry.sides import SIDES
from vision.watching.tracking.stick_looks import riichi_places


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("distance_mm", [33.0, 40.0, 48.0, 51.0, 54.0, 60.0, 65.0])
def test_a_riichi_stick_is_looked_for_in_the_slot_on_the_unit_over_its_edge_and_before_the_river(
    side: int, distance_mm: float
) -> None:
    turn = np.radians(90.0 * side)
    across, out = np.array([np.cos(turn), np.sin(turn)]), np.array([np.sin(turn), -np.cos(turn)])
    points = distance_mm * out + np.array([[-40.0], [0.0], [40.0]]) * across
    assert any(place.holds(points).all() for place in riichi_places())
