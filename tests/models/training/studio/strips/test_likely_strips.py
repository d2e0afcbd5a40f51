"""Strips where a stick is likely, or something that looks like one."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("PIL", reason="the training extra is not installed")

from models.training.studio.strips.likely_strips import likely_spots, read_first
from models.training.studio.strips.mined_strips import CrowdedTable
from models.training.studio.strips.stick_strips import FIELDS, strips_at
from vision.geometry.plane_geometry import square
from vision.reading.locator import Locator
from vision.reading.sticks.spots import riichi_spots
from vision.reading.sticks.strips import HEIGHT, ROWS, WIDTH


def test_strips_are_cut_also_where_the_reader_looks_first_and_about_tiles() -> None:
    table = CrowdedTable(19)
    assert len(table.tiles) > 20
    table.tiles = [square(20.0) + (100.0, 40.0)]
    first = read_first(table, Locator())
    assert all(spot in first for spot in riichi_spots())
    spots = likely_spots(table, first)
    assert sum(np.hypot(spot.x - 100, spot.y - 40) < 80 for spot in spots) >= 50
    strips, targets = strips_at(table, spots)
    assert strips.shape == (len(spots), HEIGHT, WIDTH, 3)
    assert targets.shape == (len(spots), ROWS, FIELDS)
