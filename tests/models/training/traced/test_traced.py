"""Path-traced tables: described by seed and number alone, with the truth where the camera sees it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

pytest.importorskip("PIL", reason="the training extra is not installed")

from models.training.arrangement.laid_sticks import RIICHI_PLACES
from models.training.arrangement.views import VIEWS, with_camera
from models.training.judge.traced_figures import MISSED, judge, report
from models.training.traced import __main__ as command
from models.training.traced import prints
from models.training.traced.develop import developed
from models.training.traced.lights import LIGHTS, black_body, light_of
from models.training.traced.positions import Records
from models.training.traced.shots import JUDGE_SEED, PictureSources, Shot, shot, stage_of, truth_of
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.optics import lens_of
from vision.cameras.synthetic.drawing.solids import STICK_DEPTH_MM, stick_solid
from vision.cameras.synthetic.ground_truth import corners_px
from vision.cameras.synthetic.scene import Pose
from vision.felt import BACK, FACES, HAKU
from vision.geometry.plane_geometry import square
from vision.photo.shipped_reader import PhotoReader
from vision.reading.reader import TileReader
from vision.reading.sticks.strips import StripReader

SEED = 5


@pytest.fixture(scope="module")
def made_of() -> PictureSources:
    return PictureSources(records=Records(None), faces=prints.sources(None))


@pytest.fixture(scope="module")
def shots(made_of: PictureSources) -> list[Shot]:
    return [shot(SEED, number, made_of) for number in range(2 * len(LIGHTS) * len(VIEWS))]


def test_a_seed_and_a_number_describe_the_same_picture_again(made_of: PictureSources, shots: list[Shot]) -> None:
    again = shot(SEED, 7, made_of)
    assert truth_of(again) == truth_of(shots[7])
    assert stage_of(again, Path("atlases")) == stage_of(shots[7], Path("atlases"))
    assert truth_of(again) != truth_of(shots[8])


def test_every_light_meets_every_view(shots: list[Shot]) -> None:
    met = {(each.light.name, each.view) for each in shots}
    assert met == {(light, view) for light in LIGHTS for view in VIEWS}


def test_the_judging_seed_cannot_be_rendered_for_training(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main([str(tmp_path), "--seed", str(JUDGE_SEED)]) == 2
    assert "evaluation pictures" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("view", VIEWS)
def test_the_camera_leans_as_its_view_says_and_shows_the_whole_table(view: str) -> None:
    low, high = VIEWS[view]
    for seed in range(20):
        appearance = with_camera(Appearance.random(seed), view, np.random.default_rng(seed))
        away = np.hypot(appearance.camera_x_mm - appearance.aim_x_mm, appearance.camera_y_mm - appearance.aim_y_mm)
        assert low - 0.01 <= np.degrees(np.arctan2(away, appearance.camera_height_mm)) <= high + 0.01
        corners = corners_px(appearance)
        assert (corners > 0).all()
        assert (corners < (appearance.width_px - 1, appearance.height_px - 1)).all()
        assert (corners[[3, 2], 1] > corners[[0, 1], 1]).all(), "the near side is not at the bottom"


def test_the_stage_puts_known_points_where_the_truth_has_them(shots: list[Shot]) -> None:
    """The pinhole that Blender is told projects a felt point to the pixel of the truth."""
    for each in shots[:6]:
        eye = stage_of(each, Path("atlases")).eye
        right, up = np.array(eye.right), np.array(eye.up)
        forward = np.cross(up, right)
        for (x, y), pixel in zip(square(each.appearance.felt_mm), truth_of(each)["corners_px"], strict=True):
            ray = np.array([x, y, 0.0]) - eye.at
            across, down = ray @ right / (ray @ forward), -(ray @ up) / (ray @ forward)
            middle = np.array([eye.width_px - 1, eye.height_px - 1]) / 2
            assert middle + eye.focal_px * np.array([across, down]) == pytest.approx(pixel, abs=0.02)


def test_a_tiles_quad_lies_on_its_upper_side_and_begins_at_the_glyphs_top_left(shots: list[Shot]) -> None:
    tiles = [(each, tile) for each in shots for tile in each.scene.tiles if tile.pose is Pose.FACE_UP]
    assert len(tiles) > 100
    for each, tile in tiles[::50]:
        turn = np.radians(tile.angle_deg)
        left, up = -each.appearance.tile_width_mm / 2, each.appearance.tile_height_mm / 2
        top_left = (
            tile.x_mm + left * np.cos(turn) - up * np.sin(turn),
            tile.y_mm + left * np.sin(turn) + up * np.cos(turn),
            tile.z_mm + each.appearance.tile_depth_mm,
        )
        pixel = lens_of(each.appearance).project(np.array(top_left))
        firsts = np.array([answer["quad"][0] for answer in truth_of(each)["tiles"] if answer["tile"] == tile.face])
        assert np.abs(firsts - pixel).max(axis=1).min() < 0.02


def test_no_set_holds_more_than_four_of_a_face(shots: list[Shot]) -> None:
    for each in shots:
        faces = [tile.face for tile in each.scene.tiles if tile.face != BACK]
        kinds = ["5" + face[1] if face[0] == "0" else face for face in faces]
        assert all(kinds.count(face) <= 4 for face in set(kinds))


def test_riichi_sticks_lie_in_every_place_and_sticks_that_cross_lie_on_each_other(shots: list[Shot]) -> None:
    assert {each.riichi_place for each in shots if each.riichi_sides} == set(RIICHI_PLACES)
    for each in shots:
        plans = [
            (stick, stick_solid(stick, each.appearance).footprint.astype(np.float32)) for stick in each.scene.sticks
        ]
        for index, (stick, plan) in enumerate(plans):
            for other, other_plan in plans[:index]:
                overlap, _ = cv2.intersectConvexConvex(plan, other_plan)
                assert overlap <= 30.0 or abs(stick.z_mm - other.z_mm) >= STICK_DEPTH_MM


def test_faces_stand_in_the_atlas_in_the_order_of_all_faces() -> None:
    inks, relief = prints.tile_atlas(prints.sources(None)["own"](np.random.default_rng(1)))
    columns, rows = prints.TILE_CELLS
    height, width = inks.shape[0] // rows, inks.shape[1] // columns
    cells = [inks[i // columns * height :, i % columns * width :][:height, :width, 3] for i in range(len(FACES))]
    bare = [face for face, cell in zip(FACES, cells, strict=True) if not cell.any()]
    assert bare == [HAKU]
    assert (relief[inks[..., 3] == 255] < 200).any()


def test_ink_of_a_photographed_tile_is_what_is_darker_than_its_paper() -> None:
    shaded = np.linspace(150, 230, 200)[None, :, None] * np.ones((300, 1, 3))
    picture = shaded.astype(np.uint8)
    picture[120:180, 80:120] = (30, 30, 160)
    quad = np.array([[0, 0], [199, 0], [199, 299], [0, 299]], np.float32)
    ink = prints.ink_of_photo(picture, quad)
    assert ink[128, 96, 3] > 200
    assert ink[40, 40, 3] < 40
    picture[270:] = (150, 90, 20)
    assert prints.ink_of_photo(picture, quad)[-40:, 60:140, 3].max() < 24, "the ground before the tile counts as ink"


def test_warm_lamps_are_red_and_a_camera_takes_part_of_that_away() -> None:
    assert black_body(2400)[0] > 3 * black_body(2400)[2]
    light = light_of("dim warm", np.random.default_rng(3))
    paper = np.full((40, 60, 3), 0.32 * 65535) * np.array(light.cast[::-1])
    picture = developed(np.clip(paper, 0, 65535).astype(np.uint16), light, np.random.default_rng(3))
    blue, _, red = picture.reshape(-1, 3).mean(axis=0)
    before = (light.cast[2] / light.cast[0]) ** (1 / 2.2)
    assert before < blue / red < 1


def test_what_is_not_rendered_is_told_as_not_found(tmp_path: Path, shots: list[Shot]) -> None:
    full_table = next(each for each in shots if each.scene.tiles and each.scene.sticks)
    truth = truth_of(full_table)
    cv2.imwrite(
        str(tmp_path / truth["picture"]),
        np.full((full_table.appearance.height_px, full_table.appearance.width_px, 3), 90),
    )
    path = tmp_path / "one.json"
    path.write_text(json.dumps(truth), encoding="utf-8")
    judgement = judge(path, PhotoReader(TileReader(), sticks=StripReader()))
    assert {answer for _, answer in (*judgement.tiles, *judgement.sticks)} == {MISSED}
    assert f"| light: {truth['light']} | 1 | 0/" in report([judgement])


def _blender() -> str:
    """An interpreter that has `bpy`: this one, or the one that TRACED_BLENDER names."""
    python = os.environ.get("TRACED_BLENDER", sys.executable)
    if subprocess.run([python, "-c", "import bpy"], capture_output=True, check=False).returncode != 0:
        pytest.skip("bpy is absent: to path-trace here, let TRACED_BLENDER name an interpreter that has it")
    return python


def test_a_tiny_picture_shows_the_felt_where_the_truth_has_it(tmp_path: Path, made_of: PictureSources) -> None:
    large = shot(SEED, 0, made_of)
    small = replace(large, appearance=replace(large.appearance, width_px=160, height_px=90))
    with command.Renderer(_blender(), samples=2) as renderer:
        picture = renderer.picture(small, tmp_path)
    assert picture.shape == (90, 160, 3)
    blue, green, red = small.appearance.felt
    corners = np.array(truth_of(small)["corners_px"])
    x, y = (0.55 * corners.mean(axis=0) + 0.45 * corners[3]).astype(int)
    felt = picture[y - 2 : y + 3, x - 2 : x + 3].reshape(-1, 3).mean(axis=0)
    assert np.argmax(felt) == np.argmax([blue, green, red])
