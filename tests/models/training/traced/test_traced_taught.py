"""What is learnt from path-traced pictures: never what they are judged by, and what their truth says."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

pytest.importorskip("PIL", reason="the training extra is not installed")

from models.training.crops.samples import Batch
from models.training.faces import font_glyphs
from models.training.studio.scenes.scene_renderer import MUST, STICK, TILE
from models.training.studio.strips.stick_strips import TracedTable, strips_of
from models.training.studio.table_pictures import traced_frame
from models.training.studio.traced_crops import crops_of
from models.training.traced import prints
from models.training.traced.pictures import DOTS, read_picture, training_truths
from models.training.traced.positions import Records
from models.training.traced.shots import JUDGE_SEED, PictureSources, Shot, shot, truth_of
from tests.places import SHARED
from vision.felt import BACK, CLASSES, FACES, NOT_A_TILE
from vision.geometry.rectify import PX_PER_MM
from vision.reading.locator import STICK_VALUES
from vision.reading.sticks.spots import spot_of

LOOKED_AT = 4
"""A shot with sticks and open faces, seen from above."""


def _write_example(folder: Path, example: Shot, *, seed: int) -> Path:
    """A shot's truth beside a picture in which every stick and every tile's middle is marked."""
    truth = truth_of(example) | {"picture": f"{seed}-00000.png"}
    image = np.zeros((example.appearance.height_px, example.appearance.width_px, 3), np.uint8)
    for stick in truth["sticks"]:
        cv2.fillConvexPoly(image, np.array(stick["quad"]).round().astype(np.int32), (255, 255, 255))
    cv2.imwrite(str(folder / truth["picture"]), image)
    path = folder / f"{seed}-00000.json"
    path.write_text(json.dumps(truth), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def each() -> Shot:
    return shot(3, LOOKED_AT, PictureSources(records=Records(None), faces=prints.sources(None)))


@pytest.fixture(scope="module")
def truth(each: Shot, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _write_example(tmp_path_factory.mktemp("traced"), each, seed=3)


def test_pictures_for_judging_are_never_learnt_from(each: Shot, tmp_path: Path) -> None:
    mine = _write_example(tmp_path, each, seed=3)
    assert training_truths(tmp_path) == [mine]
    _write_example(tmp_path, each, seed=JUDGE_SEED)
    with pytest.raises(ValueError, match="for judging"):
        training_truths(tmp_path)


def test_faces_to_train_on_are_drawn_or_imagined_and_never_photographed() -> None:
    if not SHARED.is_dir():
        pytest.skip("the material beside the repository is absent")
    try:
        font_glyphs.find_fonts()
    except LookupError:
        pytest.skip("the fonts of imagined sets are not installed")
    sources_to_train_on, all_sources = prints.sources_to_train_on(SHARED), prints.sources(SHARED)
    assert "photographed" in all_sources
    assert "photographed" not in sources_to_train_on
    inks = sources_to_train_on["imagined 0"](np.random.default_rng(5))
    assert all(inks(face)[..., 3].any() for face in FACES if face != "5z")
    assert all(not inks(face)[:4, :4, 3].any() for face in FACES), "paper is taken for ink"


def test_an_opened_picture_has_what_its_truth_says(each: Shot, truth: Path) -> None:
    picture, expected = read_picture(truth), truth_of(each)
    assert picture.image.shape == (each.appearance.height_px, each.appearance.width_px, 3)
    assert picture.corners == pytest.approx(np.array(expected["corners_px"]))
    assert [name for *_, name in picture.tiles] == [tile["tile"] for tile in expected["tiles"]]
    values = [stick["value"] if stick["print_visible"] >= DOTS else 0 for stick in expected["sticks"]]
    assert [value for *_, value in picture.sticks] == values
    assert 0 in values


def test_strips_of_a_traced_table_show_its_sticks_where_the_targets_have_them(truth: Path) -> None:
    table = TracedTable(truth, np.random.default_rng(1))
    clear = [(quad, value) for quad, value, visible in table.sticks if visible > 0.95]
    assert len(clear) > 2
    for quad, value in clear:
        spot = spot_of(quad)
        target, strip = table.target(spot), table.strip(spot)
        rows = np.flatnonzero(target[:, 0])
        assert STICK_VALUES.index(value) in target[rows, 1]
        assert strip[strip.shape[0] // 2, strip.shape[1] // 2].min() > 128
    strips, targets = strips_of(table)
    assert len(strips) == len(targets) > len(clear)


def test_a_traced_frame_is_seen_from_above_as_a_drawn_one(each: Shot, truth: Path) -> None:
    frame = traced_frame(truth)
    size = int((frame.side_mm + 80) * PX_PER_MM)
    scene = frame.cut(frame.top_view(PX_PER_MM), size)
    must = scene.truth.duty == MUST
    widths = np.linalg.norm(scene.truth.quads[:, 1] - scene.truth.quads[:, 0], axis=1)
    tiles, sticks = must & (scene.truth.kinds == TILE), must & (scene.truth.kinds == STICK)
    assert np.median(widths[tiles]) == pytest.approx(each.appearance.tile_width_mm * PX_PER_MM, rel=0.15)
    for quad in scene.truth.quads[sticks]:
        x, y = quad.mean(axis=0).round().astype(int)
        assert scene.image[y, x].min() > 128


def test_crops_of_a_traced_picture_are_its_faces_few_backs_and_what_is_no_tile(truth: Path) -> None:
    batch: Batch = crops_of([truth], seed=1)
    names = [CLASSES[label] for label in batch.labels]
    faces = [name for name in names if name not in (BACK, NOT_A_TILE)]
    clear = {name for _, visible, name in read_picture(truth).tiles if visible > 0.75}
    assert set(faces) <= clear
    assert len(set(faces)) > 5
    assert 0 < names.count(BACK) <= 28
    assert 0 < names.count(NOT_A_TILE) <= 8
    again = crops_of([truth], seed=1, rounds=2)
    assert len(again.labels) > 1.5 * len(batch.labels)
    assert np.array_equal(again.crops[: len(batch.crops)], batch.crops)
