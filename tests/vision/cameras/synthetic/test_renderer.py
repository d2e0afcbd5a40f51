"""The synthetic camera's pictures and their truth."""

from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.scenes_to_see import busy_table
from vision.cameras.synthetic.appearance import Appearance, AppearanceError
from vision.cameras.synthetic.drawing import arms
from vision.cameras.synthetic.drawing.optics import lens_of
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.drawing.solids import STICK_DEPTH_MM
from vision.cameras.synthetic.ground_truth import corners_px, seen_sticks, seen_tiles
from vision.cameras.synthetic.scene import Arm, Pose, Scene, SceneError, SceneStick, SceneTile

SMALL = Appearance(width_px=700, height_px=700)
QUIET = replace(SMALL, noise=0.0, glare=0.0, light_slope=0.0, vignette=0.0, warmth=0.0, blur_px=0.0, shadow=0.3)
TILTED = replace(QUIET, camera_x_mm=180.0, camera_y_mm=-380.0, camera_height_mm=900.0, covered_mm=1000.0, turn_deg=7.0)
BENT = replace(QUIET, distortion=(-0.15, 0.02))
WIDE = replace(QUIET, width_px=1152, height_px=648)
MAGENTA = (255, 0, 255)


def magenta_face(_face: str) -> NDArray[np.uint8]:
    """A picture that nothing else on the table resembles."""
    return np.full((40, 30, 4), (*MAGENTA, 255), np.uint8)


def is_magenta(picture: NDArray[np.uint8]) -> NDArray[np.bool_]:
    blue, green, red = (picture[..., i].astype(int) for i in range(3))
    return np.asarray((blue > 150) & (red > 150) & (green < 90))


def lying_tile(face: str, x: float, y: float, angle: float = 0.0, z: float = 0.0) -> SceneTile:
    return SceneTile(face=face, x_mm=x, y_mm=y, z_mm=z, angle_deg=angle)


def test_equal_looks_and_scenes_give_equal_pictures() -> None:
    scene = busy_table(SMALL)
    assert np.array_equal(Renderer(SMALL).render(scene, k=3), Renderer(SMALL).render(scene, k=3))


def test_only_the_noise_differs_between_frames_of_a_scene_at_rest() -> None:
    scene = busy_table(SMALL)
    renderer = Renderer(SMALL)
    first, second = renderer.render(scene, k=0), renderer.render(scene, k=1)
    assert not np.array_equal(first, second)
    assert cv2.absdiff(first, second).mean() < 2 * SMALL.noise
    quiet = Renderer(QUIET)
    assert np.array_equal(quiet.render(scene, k=0), quiet.render(scene, k=1))


def test_what_was_drawn_before_leaves_no_trace() -> None:
    scene = busy_table(SMALL)
    renderer = Renderer(SMALL)
    renderer.render(scene)
    renderer.render(replace(scene, tiles=scene.tiles[10:], arms=(Arm(side=2, x_mm=0, y_mm=90),)))
    assert np.array_equal(renderer.render(scene), Renderer(SMALL).render(scene))


@pytest.mark.parametrize("appearance", [SMALL, TILTED], ids=["above", "tilted"])
def test_arms_painted_part_by_part_are_those_painted_at_once(
    appearance: Appearance, monkeypatch: pytest.MonkeyPatch
) -> None:
    held_tile = lying_tile("5p", 0, 0, 20)
    reaching = (Arm(side=0, x_mm=-40, y_mm=60, holds=held_tile), Arm(side=3, x_mm=20, y_mm=-200))
    scene = replace(busy_table(appearance), arms=reaching)
    by_parts = Renderer(appearance).render(scene)

    def whole(*layers: NDArray[np.uint8]) -> list[tuple[slice, slice]]:
        return [(slice(0, layers[0].shape[0]), slice(0, layers[0].shape[1]))]

    monkeypatch.setattr(arms, "_touched_parts", whole)
    assert np.array_equal(Renderer(appearance).render(scene), by_parts)


@pytest.mark.parametrize("appearance", [QUIET, TILTED, WIDE, BENT], ids=["above", "tilted", "wide", "bent"])
def test_the_quad_of_a_lying_tile_is_where_its_face_is_painted(appearance: Appearance) -> None:
    renderer = Renderer(replace(appearance, ink_inset_mm=0.0), faces=magenta_face)
    for tile in (lying_tile("1m", -200, 150, 12), lying_tile("9p", 0, -84), lying_tile("3s", 260, -220, 95, z=16)):
        scene = Scene(tiles=(tile,))
        (truth,) = seen_tiles(scene, appearance)
        painted = is_magenta(renderer.render(scene))
        expected = cv2.fillConvexPoly(np.zeros(painted.shape, np.uint8), np.rint(truth.quad).astype(np.int32), 1) > 0
        overlap = (painted & expected).sum() / (painted | expected).sum()
        assert overlap > 0.78  # whole pixels of a tile 12 px wide
        assert np.argwhere(painted).mean(axis=0)[::-1] == pytest.approx(truth.quad.mean(axis=0), abs=0.6)
        assert truth.visible == 1.0


def test_a_quad_starts_at_the_glyphs_top_left_and_goes_clockwise() -> None:
    (upright,) = seen_tiles(Scene(tiles=(lying_tile("1m", 0, 0),)), QUIET)
    top_left, top_right, bottom_right, bottom_left = upright.quad
    assert top_left[0] < top_right[0]
    assert bottom_left[0] < bottom_right[0]
    assert top_left[1] < bottom_left[1]
    (sideways,) = seen_tiles(Scene(tiles=(lying_tile("1m", 0, 0, 90),)), QUIET)
    assert sideways.quad[0][0] == pytest.approx(sideways.quad[1][0], abs=0.1)
    assert sideways.quad[0][1] > sideways.quad[1][1]


def test_the_glyph_is_the_right_way_up_in_its_quad() -> None:
    appearance = replace(QUIET, width_px=1600, height_px=1600)
    (truth,) = seen_tiles(Scene(tiles=(lying_tile("1m", 40, 60, 200),)), appearance)
    picture = Renderer(appearance).render(Scene(tiles=(truth.tile,)))
    upright = np.array([[0, 0], [60, 0], [60, 80], [0, 80]], np.float32)
    face = cv2.warpPerspective(picture, cv2.getPerspectiveTransform(truth.quad.astype(np.float32), upright), (60, 80))
    red = (face[..., 2].astype(int) - face[..., 0]) > 60
    assert red[40:].mean() > 5 * red[:30].mean()


def test_a_standing_tile_never_shows_its_face() -> None:
    renderer = Renderer(TILTED, faces=magenta_face)
    standing = [
        SceneTile(face="1m", x_mm=300 * x, y_mm=300 * y, angle_deg=angle, pose=Pose.STANDING)
        for x, y in ((0, -1), (1, 0), (0, 1), (-1, 0), (0, 0))
        for angle in (0, 90, 180, 270)
    ]
    for tile in standing:
        scene = Scene(tiles=(tile,))
        assert not is_magenta(renderer.render(scene)).any()
        assert seen_tiles(scene, TILTED) == ()


def test_a_face_down_tile_shows_its_back_only() -> None:
    tile = replace(lying_tile("1m", 0, 100), pose=Pose.FACE_DOWN)
    picture = Renderer(QUIET, faces=magenta_face).render(Scene(tiles=(tile,)))
    assert not is_magenta(picture).any()
    (back,) = seen_tiles(Scene(tiles=(tile,)), QUIET)
    x, y = np.rint(back.quad.mean(axis=0)).astype(int)
    assert picture[y, x].astype(int) == pytest.approx(np.array(QUIET.back), abs=12)


def test_a_tile_under_another_one_is_not_seen() -> None:
    lower, upper = lying_tile("1m", 0, 0), lying_tile("2m", 0, 0, z=QUIET.tile_depth_mm)
    assert [found.tile for found in seen_tiles(Scene(tiles=(lower, upper)), QUIET) if found.visible > 0.1] == [upper]


def test_a_higher_tile_looks_larger_and_farther_out() -> None:
    low, high = lying_tile("1m", 200, 0), lying_tile("1m", 200, 0, z=16)
    (below,), (above,) = (seen_tiles(Scene(tiles=(tile,)), QUIET) for tile in (low, high))
    assert above.quad[:, 0].mean() > below.quad[:, 0].mean()
    assert cv2.contourArea(above.quad.astype(np.float32)) > cv2.contourArea(below.quad.astype(np.float32))


def test_an_arm_hides_what_lies_under_it() -> None:
    tile = lying_tile("1m", 0, -150)
    scene = Scene(tiles=(tile,), arms=(Arm(side=0, x_mm=0, y_mm=-60),))
    assert seen_tiles(scene, QUIET) == () or seen_tiles(scene, QUIET)[0].visible < 0.2
    painted = is_magenta(Renderer(QUIET, faces=magenta_face).render(scene))
    alone = is_magenta(Renderer(QUIET, faces=magenta_face).render(Scene(tiles=(tile,))))
    assert painted.sum() < 0.2 * alone.sum()


def test_an_arm_shows_the_tile_it_carries() -> None:
    arm = Arm(side=1, x_mm=100, y_mm=20, holds=lying_tile("1m", 0, 0, 90))
    renderer = Renderer(QUIET, faces=magenta_face)
    assert is_magenta(renderer.render(Scene(arms=(arm,)))).any()
    assert not is_magenta(renderer.render(Scene(arms=(replace(arm, holds=None),)))).any()


def test_a_lying_tile_casts_its_shadow_away_from_the_light() -> None:
    appearance = replace(QUIET, light_deg=0.0, light_elevation_deg=45.0, felt_grain=0.0)
    renderer = Renderer(appearance)
    bare, with_tile = renderer.render(Scene()), renderer.render(Scene(tiles=(lying_tile("1m", 0, 150),)))
    y, x = (int(v) for v in seen_tiles(Scene(tiles=(lying_tile("1m", 0, 150),)), appearance)[0].quad.mean(axis=0)[::-1])
    shadow_px = round(18 * appearance.px_per_mm)
    darker = bare.astype(int).sum(axis=2) - with_tile.astype(int).sum(axis=2)
    assert darker[y, x - shadow_px] > 30
    assert abs(darker[y, x + shadow_px]) < 10


def test_the_corners_of_the_play_surface_are_where_felt_meets_rail() -> None:
    corners = corners_px(QUIET)
    assert [corner.tolist() for corner in np.sign(corners - 350)] == [[-1, -1], [1, -1], [1, 1], [-1, 1]]
    picture = Renderer(replace(QUIET, felt_grain=0.0, rail_height_mm=0.0)).render(Scene())
    centre = corners.mean(axis=0)
    for corner in corners:
        (inside_x, inside_y), (outside_x, outside_y) = (
            np.rint(corner + (centre - corner) * step).astype(int) for step in (0.03, -0.03)
        )
        assert picture[inside_y, inside_x].astype(int) == pytest.approx(np.array(QUIET.felt), abs=6)
        assert picture[outside_y, outside_x].astype(int) != pytest.approx(np.array(QUIET.felt), abs=6)


def test_a_stick_is_seen_where_it_lies_with_its_dots() -> None:
    stick = SceneStick(value=1000, x_mm=0, y_mm=-60)
    scene = Scene(sticks=(stick,))
    (truth,) = seen_sticks(scene, QUIET)
    length, breadth = (np.linalg.norm(a - b) for a, b in list(pairwise(truth.quad))[:2])
    assert length / breadth == pytest.approx(QUIET.stick_length_mm / QUIET.stick_breadth_mm, rel=0.02)
    x, y = np.rint(truth.quad.mean(axis=0)).astype(int)
    blue, _, red = Renderer(QUIET).render(scene)[y, x].astype(int)
    assert red > blue + 60


@pytest.mark.parametrize(
    ("value", "tile_x_mm", "least", "most"),
    [
        (1000, 200.0, 1.0, 1.0),
        (1000, 0.0, 0.0, 0.0),
        (100, 0.0, 0.0, 0.1),
        (5000, 24.0, 0.8, 0.8),
        (5000, 0.0, 0.4, 0.6),
    ],
    ids=[
        "open",
        "its dot under a tile",
        "its dots under a tile",
        "an end under a tile",
        "the middle, and two dots by half, under a tile",
    ],
)
def test_how_much_of_a_sticks_dots_a_picture_shows_is_known(
    value: int, tile_x_mm: float, least: float, most: float
) -> None:
    tile = SceneTile(face="1m", x_mm=tile_x_mm, y_mm=-60, z_mm=STICK_DEPTH_MM)
    scene = Scene(tiles=(tile,), sticks=(SceneStick(value=value, x_mm=0, y_mm=-60),))
    (stick,) = seen_sticks(scene, QUIET)
    assert least <= stick.print_visible <= most


def test_a_lens_bends_as_opencv_says() -> None:
    straight, bent = lens_of(QUIET), lens_of(BENT)
    points = np.array([[-300.0, 200.0, 16.0], [310.0, -330.0, 0.0], [5.0, 8.0, 30.0]])
    undone = cv2.undistortPoints(
        bent.project(points).reshape(-1, 1, 2), bent.intrinsics, np.array([*bent.distortion, 0, 0]), P=bent.intrinsics
    )
    assert undone.reshape(-1, 2) == pytest.approx(straight.project(points), abs=0.05)


@pytest.mark.parametrize("seed", range(6))
def test_random_tables_keep_all_rivers_in_the_picture(seed: int) -> None:
    appearance = Appearance.random(seed, width_px=500, height_px=500)
    scene = busy_table(appearance, seed=seed)
    visible = {id(found.tile): found.visible for found in seen_tiles(scene, appearance)}
    river = scene.tiles[:51]
    assert min(visible[id(tile)] for tile in river) > 0.5
    assert Renderer(appearance).render(scene).shape == (500, 500, 3)


def test_random_looks_differ_by_seed_and_repeat() -> None:
    assert Appearance.random(1) == Appearance.random(1)
    assert Appearance.random(1) != Appearance.random(2)


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(SceneError, match="got z_mm -1"):
        lying_tile("1m", 0, 0, z=-1)
    with pytest.raises(SceneError, match="got 4"):
        Arm(side=4, x_mm=0, y_mm=0)
    with pytest.raises(AppearanceError, match="got 0"):
        Appearance(width_px=0)
