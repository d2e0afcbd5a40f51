"""Strips that are cut where the reader looks: the tables with crowds of sticks, and which strips are hard."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

pytest.importorskip("PIL", reason="the training extra is not installed")

from models.training.studio.strips.mined_strips import CrowdedTable, Miner, errors_of
from models.training.studio.strips.stick_strips import FIELDS, UNTOLD, KnownTable, taught_sticks
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.scene import Arm, Scene, SceneStick
from vision.geometry.plane_geometry import square
from vision.reading.locator import STICK_VALUES
from vision.reading.sticks.spots import Spot
from vision.reading.sticks.strips import HEIGHT, ROWS, WIDTH
from vision.reading.weights import load

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


def _answers(target: Rows) -> Rows:
    """What a perfect reader would answer."""
    rows = np.zeros((ROWS, 10), np.float32)
    rows[:, 0] = np.where(target[:, 0] > 0, 8, -8)
    rows[np.arange(ROWS), 1 + target[:, 1].astype(int)] = 8
    return rows


def _error(answers: Rows, target: Rows) -> float:
    return float(errors_of(answers[None], target[None])[0])


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


def test_a_strip_is_hard_where_a_stick_or_its_value_or_a_gap_is_told_wrongly() -> None:
    target = _target(5000)
    right = _answers(target)
    assert _error(right, target) < 0.01
    row = int(target[:, 0].argmax())
    missed, elsewhere, other = right.copy(), right.copy(), right.copy()
    missed[row, 0] = -8
    elsewhere[2, 0] = 8
    other[row, 1 + STICK_VALUES.index(10000)] = 16
    assert min(_error(answers, target) for answers in (missed, elsewhere, other)) > 0.9
    assert _error(other, _target(0)) < 0.01


def test_a_stick_on_the_border_of_two_rows_is_no_error() -> None:
    target = _target(5000)
    answers, row = _answers(target), int(target[:, 0].argmax())
    answers[row - 1 : row + 1, 0] = 0
    assert _error(answers, target) < 0.01


def test_strips_are_mined_where_the_reader_looks() -> None:
    table = CrowdedTable(19)
    strips, targets = Miner(load("strips").path.parent).strips_of(table)
    assert strips.shape[1:] == (HEIGHT, WIDTH, 3)
    assert targets.shape == (len(strips), ROWS, FIELDS)
    assert len(strips) > 5
