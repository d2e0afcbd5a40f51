"""Labelled photographs are read as they lie; nothing held out is trained on."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.training.crops import labelled_photos
from models.training.crops.labelled_photos import Photo
from models.training.studio import locator_photos
from tests.places import SHARED


def _photo(name: str, boxes: list[list[float]]) -> Photo:
    corners = [[[x, y], [x + w, y], [x + w, y + h], [x, y + h]] for x, y, w, h in boxes]
    return Photo(path=Path(name), labels=("1m",) * len(boxes), quads=np.array(corners, np.float32))


def test_rows_along_the_axes_are_straight() -> None:
    assert _photo("a.jpg", [[0, 0, 30, 40], [31, 0, 30, 40], [62, 0, 30, 40]]).is_straight


def test_boxes_that_overlap_hold_tiles_that_lie_askew() -> None:
    assert not _photo("a.jpg", [[0, 0, 30, 40], [20, 10, 30, 40], [40, 20, 30, 40]]).is_straight


def test_boxes_of_many_shapes_hold_tiles_that_lie_askew() -> None:
    assert not _photo("a.jpg", [[0, 0, 30, 40], [50, 0, 60, 40], [120, 0, 30, 60]]).is_straight


def test_slivers_are_no_faces() -> None:
    assert not _photo("a.jpg", [[0, 0, 10, 90], [11, 0, 10, 90]]).is_straight


def test_three_of_ten_are_held_out_by_their_number_alone() -> None:
    held_out = [number for number in range(20) if _photo(f"{number:04d}.jpg", [[0, 0, 30, 40]]).is_held_out]
    assert held_out == [0, 1, 2, 10, 11, 12]


def test_labels_become_classes_and_boxes_become_quads(tmp_path: Path) -> None:
    folder = tmp_path / "photos" / "mine"
    (folder / "images").mkdir(parents=True)
    (folder / "labels").mkdir()
    cv2.imwrite(str(folder / "images" / "0001.jpg"), np.zeros((100, 200, 3), np.uint8))
    boxes = [{"tile": "9m", "box": [0.5, 0.5, 0.1, 0.4]}, {"tile": "flower", "box": [0.2, 0.5, 0.1, 0.4]}]
    (folder / "labels" / "0001.json").write_text(json.dumps(boxes), encoding="utf-8")
    (photo,) = labelled_photos.find(tmp_path, "mine")
    assert photo.labels == ("9m", "?")
    assert photo.quads[0].tolist() == pytest.approx(np.array([[90, 30], [110, 30], [110, 70], [90, 70]]))
    assert photo.image().shape == (100, 200, 3)


def test_sets_that_are_absent_are_empty(tmp_path: Path) -> None:
    assert labelled_photos.find(tmp_path, "mine") == ()


def test_variants_of_one_photographed_tile_differ() -> None:
    rng = np.random.default_rng(4)
    picture = rng.integers(0, 255, (200, 200, 3)).astype(np.uint8)
    quad = np.array([[60, 50], [120, 50], [120, 130], [60, 130]], np.float32)
    one, other = labelled_photos.jittered(picture, quad, 2, rng)
    assert one.shape == (64, 48, 3)
    assert not np.array_equal(one, other)


def test_the_photographs_beside_the_repository_are_all_there() -> None:
    if not (SHARED / "photos").is_dir():
        pytest.skip(f"photographs absent: {SHARED / 'photos'}")
    assert len(labelled_photos.find(SHARED, "chinese-and-hk")) > 200
    assert sum(len(photo.labels) for photo in labelled_photos.find(SHARED, "japanese-standing")) == 582


def test_a_wrong_label_is_put_right_for_reading_and_for_locating(tmp_path: Path) -> None:
    folder = tmp_path / "chinese-and-hk"
    (folder / "images").mkdir(parents=True)
    (folder / "labels").mkdir()
    cv2.imwrite(str(folder / "images" / "0013.jpg"), np.zeros((100, 200, 3), np.uint8))
    boxes = [{"tile": "1p", "box": [0.1 * index, 0.5, 0.1, 0.4]} for index in range(1, 10)]
    (folder / "labels" / "0013.json").write_text(json.dumps(boxes), encoding="utf-8")
    assert labelled_photos.corrected("chinese-and-hk", "0013", ["1p"] * 9) == ["1p"] * 8 + ["2m"]
    assert labelled_photos.corrected("chinese-and-hk", "0014", ["1p"]) == ["1p"]
    (photo,) = locator_photos.labelled(folder)
    assert photo.names == ("1p",) * 8 + ("2m",)
