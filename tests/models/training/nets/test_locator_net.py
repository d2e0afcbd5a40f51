"""The locator's training pictures and what is taught from them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

pytest.importorskip("torch", reason="the training extra is not installed")

from models.training.nets.locator_net import targets
from models.training.studio.scenes.scene_renderer import MAY, MUST, PLACE, STICK, TILE, Scene, Studio, Truth
from models.training.studio.table_pictures import Frame
from vision.reading.locator import CHANNELS, decode

SIZE = 256


@pytest.fixture(scope="module")
def scenes() -> list[Scene]:
    studio = Studio(seed=11, art=None, stock=3)
    return [studio.scene(SIZE) for _ in range(8)]


def _answered(truth: Truth) -> npt.NDArray[np.float32]:
    """What a perfect network would answer."""
    target_maps = targets(truth, SIZE)
    maps = np.zeros((CHANNELS, *target_maps.weight.shape), np.float32)
    heat = np.clip(target_maps.heat, 1e-4, 1 - 1e-4)
    maps[:2] = np.log(heat / (1 - heat))
    maps[2:10] = target_maps.shape
    return maps


def _gap(found: npt.NDArray[np.float32], quad: npt.NDArray[np.float32]) -> float:
    turns = [np.roll(found, turn, axis=1) for turn in (0, 2)]
    return min((float(np.abs(turn - quad).max(axis=(1, 2)).min()) for turn in turns), default=99.0)


def test_equal_seeds_draw_equal_scenes() -> None:
    first, second = (Studio(seed=4, art=None, stock=2).scene(SIZE) for _ in range(2))
    assert (first.image == second.image).all()
    assert (first.truth.quads == second.truth.quads).all()


def test_what_is_taught_is_read_back_as_the_truth(scenes: list[Scene]) -> None:
    gaps = []
    for scene in scenes:
        quads, _ = decode(_answered(scene.truth), layer=0, least_score=0.9)
        must = (scene.truth.duty == MUST) & (scene.truth.kinds == TILE)
        gaps += [_gap(quads, quad) for quad in scene.truth.quads[must]]
    assert len(gaps) > 30
    assert max(gaps) < 2.0


def test_scenes_hold_tiles_and_sticks_and_quads_run_clockwise(scenes: list[Scene]) -> None:
    kinds = np.concatenate([scene.truth.kinds for scene in scenes])
    assert {TILE, STICK} <= set(kinds.tolist())
    for quad in np.concatenate([scene.truth.quads for scene in scenes]):
        across, down = quad[1] - quad[0], quad[2] - quad[1]
        assert across[0] * down[1] - across[1] * down[0] > 0


def _one(duty: int) -> Truth:
    quad = np.array([[[100, 90], [126, 90], [126, 125], [100, 125]]], np.float32)
    one = np.ones(1, np.uint8)
    return Truth(quads=quad, kinds=one * TILE, values=np.zeros(1, np.int32), duty=one * duty)


def test_what_must_be_found_is_taught_with_its_shape() -> None:
    target_maps = targets(_one(MUST), SIZE)
    assert target_maps.heat[0].max() == 1.0
    assert target_maps.weight.max() == 1.0


def test_what_may_be_found_is_neither_right_nor_wrong() -> None:
    target_maps = targets(_one(MAY), SIZE)
    assert target_maps.heat.max() == 0.0
    assert target_maps.care[0].min() == 0.0
    assert target_maps.care[1].min() == 1.0


def test_where_only_the_place_is_known_no_shape_is_taught() -> None:
    target_maps = targets(_one(PLACE), SIZE)
    assert target_maps.heat[0].max() == 1.0
    assert target_maps.weight.max() == 0.0


def test_a_rendered_tables_top_view_is_upright_and_shows_the_whole_felt() -> None:
    frame = Frame(7)
    move = frame.top_view(1.0)
    size = int(frame.appearance.felt_mm + 80)
    scene = frame.cut(move, size)
    middles = scene.truth.quads[scene.truth.duty == MUST].mean(axis=1)
    assert scene.image.shape == (size, size, 3)
    assert ((middles > 0) & (middles < size)).all()
    widths = np.linalg.norm(scene.truth.quads[:, 1] - scene.truth.quads[:, 0], axis=1)[scene.truth.kinds == TILE]
    assert np.median(widths) == pytest.approx(frame.appearance.tile_width_mm, rel=0.12)
