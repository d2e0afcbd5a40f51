"""Strips that are cut where the reader looks, and the tables with crowds of sticks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

pytest.importorskip("PIL", reason="the training extra is not installed")

from models.training.studio.likely_strips import CrowdedTable, likely_spots, read_first
from models.training.studio.stick_strips import FIELDS, UNTOLD, KnownTable, strips_of, taught_sticks
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.scene import Arm, Scene, SceneStick
from vision.geometry.plane_geometry import square
from vision.reading.locator import Locator
from vision.reading.strips import HEIGHT, ROWS, WIDTH, Spot, riichi_spots

Rows = npt.NDArray[np.float32]


def _target(value: int) -> Rows:
    """The targets of a strip with one stick along its middle."""
    quad = np.array([[-40.0, -4.0], [40, -4], [40, 4], [-40, 4]])
    table = KnownTable(
        np.zeros((8, 8, 3), np.uint8),
        corners=square(700.0),
        side_mm=700.0,
        sticks=[(quad, 1.0, value)],
        rng=np.random.default_rng(1),
    )
    return table.target(Spot(0.0, -1.0, 0.0))


def test_a_stick_with_hidden_dots_teaches_its_place_and_no_value() -> None:
    appearance = Appearance.random(5)
    stick = SceneStick(value=1000, x_mm=0.0, y_mm=100.0)
    scene = Scene(tiles=(), sticks=(stick,), arms=())
    assert [value for *_, value in taught_sticks(scene, appearance)] == [1000]
    hidden = replace(scene, arms=(Arm(side=0, x_mm=0.0, y_mm=104.0),))
    assert [value for *_, value in taught_sticks(hidden, appearance)] == [0]
    target = _target(0)
    assert target[:, 0].sum() == 1
    assert target[target[:, 0] > 0, 1] == UNTOLD


def test_strips_are_cut_also_where_the_reader_looks_first_and_along_tiles() -> None:
    table = CrowdedTable(19)
    table.tiles = [square(20.0) + (100.0, 40.0)]
    first = read_first(table, Locator())
    assert all(spot in first for spot in riichi_spots())
    spots = likely_spots(table, first)
    assert sum(np.hypot(spot.x - 100, spot.y - 40) < 25 for spot in spots) >= 10
    strips, targets = strips_of(table, spots)
    assert strips.shape == (len(spots), HEIGHT, WIDTH, 3)
    assert targets.shape == (len(spots), ROWS, FIELDS)
