"""Crowds of sticks: what they are, and that they lie in pictures to learn from, never in those for evaluation."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("PIL", reason="the training extra is not installed")

from models.training.arrangement.stick_crowds import with_stick_crowds
from models.training.traced import prints
from models.training.traced.positions import Records
from models.training.traced.shots import JUDGE_SEED, PictureSources, shot
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.scene import Scene
from vision.reading.locator import STICK_VALUES


def test_crowds_cross_and_touch_on_the_sticks_below_them() -> None:
    appearance, rng = Appearance.random(5), np.random.default_rng(5)
    scenes = [with_stick_crowds(appearance, Scene(tiles=(), sticks=(), arms=()), rng) for _ in range(12)]
    sticks = [stick for scene in scenes for stick in scene.sticks]
    assert {stick.value for stick in sticks} == set(STICK_VALUES)
    assert any(stick.z_mm > 0 for stick in sticks)
    assert any(scene.arms for scene in scenes)
    assert with_stick_crowds(appearance, scenes[0], np.random.default_rng(7)) == with_stick_crowds(
        appearance, scenes[0], np.random.default_rng(7)
    )


def test_most_pictures_to_learn_from_have_crowds_and_none_for_evaluation() -> None:
    made_of = PictureSources(records=Records(None), faces=prints.sources(None))
    counts = {seed: [len(shot(seed, number, made_of).scene.sticks) for number in range(9)] for seed in (3, JUDGE_SEED)}
    assert np.median(counts[3]) > max(counts[JUDGE_SEED])


def test_crowds_lie_clear_of_the_unit() -> None:
    made_of = PictureSources(records=Records(None), faces=prints.sources(None))
    shots = [each for number in range(12) if (each := shot(3, number, made_of)).appearance.unit_mm]
    assert shots
    for each in shots:
        near_middle = [
            stick for stick in each.scene.sticks if not stick.z_mm and max(abs(stick.x_mm), abs(stick.y_mm)) < 60
        ]
        assert all(abs(stick.angle_deg % 90) < 8 or abs(stick.angle_deg % 90 - 90) < 8 for stick in near_middle)
