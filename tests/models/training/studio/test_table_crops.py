"""Crops of whole tables carry the truth of the scene they were cut from."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("PIL", reason="the training extra is not installed")

from models.training.faces import font_glyphs
from models.training.studio import table_crops
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.textures import own_faces
from vision.felt import BACK, CLASSES, FACES, NOT_A_TILE
from vision.reading.reader import TileReader, crops


def test_the_shipped_reader_reads_whole_tables_of_the_projects_own_tiles() -> None:
    appearance = Appearance(seed=3, width_px=1300, height_px=1300)
    picture, quads, names = table_crops.table(appearance, own_faces, np.random.default_rng(3))
    readings = TileReader().read_crops(crops(picture, quads))
    faces = [(name, reading.tile) for name, reading in zip(names, readings, strict=True) if name in FACES]
    assert len(faces) > 20
    assert sum(name == read for name, read in faces) >= 0.97 * len(faces)


def test_a_table_shows_faces_backs_and_places_with_neither() -> None:
    _, quads, names = table_crops.table(
        Appearance(seed=4, width_px=600, height_px=600), own_faces, np.random.default_rng(4)
    )
    assert quads.shape == (len(names), 4, 2)
    assert {BACK, NOT_A_TILE} < set(names) <= set(CLASSES)


def test_the_same_seed_cuts_the_same_crops() -> None:
    try:
        fonts = font_glyphs.find_fonts()
    except LookupError as absent:
        pytest.skip(f"fonts to render with are absent: {absent}")
    one, again = (table_crops.make(30, seed=6, fonts=fonts, art=()) for _ in range(2))
    assert np.array_equal(one.crops, again.crops)
    assert np.array_equal(one.labels, again.labels)
