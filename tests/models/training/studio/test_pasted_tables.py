"""Tables pasted together: their truth lies where the picture shows it."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("PIL", reason="the training extra is not installed")

from models.training.studio.pasted_tables import pasted
from models.training.studio.scenes.scene_renderer import MUST, TILE
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.textures import own_faces
from vision.felt import BACK, FACES
from vision.reading.reader import TileReader

SIZE = 768


def test_the_shipped_reader_reads_the_named_tiles_at_their_quads() -> None:
    right, count = 0, 0
    for seed in range(6):
        appearance = Appearance.random(seed)
        scene, names = pasted(np.random.default_rng(seed), appearance, own_faces, px_per_mm=1.6, size=SIZE)
        truth = scene.truth
        assert len(names) == len(truth.quads)
        whole = (truth.duty == MUST) & ((truth.quads > 0) & (truth.quads < SIZE)).all(axis=(1, 2))
        indices = [index for index in np.flatnonzero(whole & (truth.kinds == TILE)) if names[index] in FACES]
        readings = TileReader().read(scene.image, truth.quads[indices])
        right += sum(reading.tile == names[index] for reading, index in zip(readings, indices, strict=True))
        count += len(indices)
    assert count > 60
    assert right >= 0.95 * count


def test_sticks_are_no_tiles_and_standing_tiles_are_nothing() -> None:
    scenes = [
        pasted(np.random.default_rng(k), Appearance.random(k), own_faces, px_per_mm=0.6, size=SIZE) for k in range(4)
    ]
    all_names = {name for _, names in scenes for name in names}
    assert all_names <= {*FACES, BACK, ""}
    for scene, names in scenes:
        assert [name == "" for name in names] == (scene.truth.kinds != TILE).tolist()
        assert scene.image.shape == (SIZE, SIZE, 3)


def test_the_same_seed_pastes_the_same_table() -> None:
    (one, names), (other, again) = (
        pasted(np.random.default_rng(9), Appearance.random(9), own_faces, px_per_mm=1.3, size=256) for _ in range(2)
    )
    assert np.array_equal(one.image, other.image)
    assert names == again
