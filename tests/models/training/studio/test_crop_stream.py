"""Crops come without an end, of every kind that there is material for."""

from __future__ import annotations

import itertools
from pathlib import Path

import cv2
import numpy as np
import pytest

pytest.importorskip("PIL", reason="the training extra is not installed")

from models.training.faces.font_glyphs import FONT_ROOT, find_fonts
from models.training.studio.crop_stream import Material, UprightPhoto, crops_without_end, load_photos, save_photos
from vision.felt import CLASSES
from vision.reading.reader import HEIGHT, WIDTH


def test_photographs_are_among_the_crops_with_their_labels(tmp_path: Path) -> None:
    try:
        find_fonts()
    except LookupError:
        pytest.skip("SKIPPED: no brush or kai fonts are installed")
    picture = np.full((200, 200, 3), 250, np.uint8)
    cv2.imwrite(str(tmp_path / "one.png"), picture)
    quad = np.array([[[40, 30], [88, 30], [88, 94], [40, 94]]], np.float32)
    save_photos([UprightPhoto(path=tmp_path / "one.png", quads=quad, labels=np.array([3]))], tmp_path / "photos.json")
    (photo,) = load_photos(tmp_path / "photos.json")
    assert (photo.path, photo.labels.tolist()) == (tmp_path / "one.png", [3])
    assert np.array_equal(photo.quads, quad)
    material = Material(shared=tmp_path, fonts=FONT_ROOT, photos=tmp_path / "photos.json", traced=[])
    drawn = list(itertools.islice(crops_without_end(10, material=material), 2))
    assert all(crops.shape[1:] == (HEIGHT, WIDTH, 3) for crops, _ in drawn)
    assert all(0 <= label < len(CLASSES) for _, labels in drawn for label in labels)
    assert any(set(labels) == {3} and crops.mean() > 100 for crops, labels in drawn)
    again = next(crops_without_end(10, material=material))
    assert np.array_equal(again[0], drawn[0][0])
