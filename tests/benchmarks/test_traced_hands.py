"""Path-traced hands: which frames are rendered, and what a camera makes of them. Blender is not needed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

pytest.importorskip("PIL", reason="the training extra is not installed")

from models.training.traced import prints
from models.training.traced.__main__ import Renderer
from models.training.traced.develop import Raw
from models.training.traced.things import Eye, Stage
from table.camera.simulation import evening
from table.camera.simulation.script_recording import prepare_show
from tests.benchmarks.traced_hands import TracedHand, frames_of, render_missing, table_of
from vision.cameras.synthetic.scene import Pose
from vision.felt import BACK


class LevelGrey(Renderer):
    """Stands for Blender: all is grey."""

    def __init__(self) -> None:
        self.eyes: list[Eye] = []

    def light(self, stage: Stage, folder: Path) -> Raw:
        self.eyes.append(stage.eye)
        return np.full((90, 120, 3), 9000, np.uint16)


@pytest.fixture(scope="module")
def hand() -> TracedHand:
    still = table_of(2, prints.sources(None))
    appearance = replace(still.appearance, width_px=120, height_px=90)
    show = prepare_show(evening()[:1], appearance=appearance)
    return TracedHand(show=show, still=replace(still, appearance=appearance, scene=show.film.scene_at(0.0)))


def test_each_scene_is_rendered_once_and_what_is_there_is_not_rendered_again(hand: TracedHand, tmp_path: Path) -> None:
    renderer, scenes = LevelGrey(), list(hand.scenes())
    files = render_missing(hand, tmp_path, renderer)
    assert len(files) == len(scenes) > len(set(scenes)) == len(renderer.eyes) == len(set(files))
    assert all(path.is_file() for path in files)
    files[10].unlink()
    again = LevelGrey()
    assert render_missing(hand, tmp_path, again) == files
    assert len(again.eyes) == 1


def test_the_camera_stays_in_focus_whatever_arms_are_in_the_picture(hand: TracedHand, tmp_path: Path) -> None:
    renderer = LevelGrey()
    render_missing(hand, tmp_path, renderer)
    assert any(scene.arms for scene in hand.scenes())
    assert len(set(renderer.eyes)) == 1


def test_standing_tiles_show_faces_that_stay_theirs(hand: TracedHand) -> None:
    standing = [{tile for tile in scene.tiles if tile.pose is Pose.STANDING} for scene in list(hand.scenes())[:40]]
    assert all(tile.face != BACK for tiles in standing for tile in tiles)
    assert len(standing[0]) >= 52
    assert len(standing[0] & standing[39]) >= 48


def test_two_frames_of_one_scene_differ_by_their_noise_alone(hand: TracedHand, tmp_path: Path) -> None:
    path = tmp_path / "grey.png"
    cv2.imwrite(str(path), np.full((90, 120, 3), 9000, np.uint16))
    first, second = frames_of(hand, [path, path])
    assert (first.k, first.t_ns, second.k, second.t_ns) == (0, 0, 1, 200_000_000)
    assert (first.image != second.image).any()
    assert abs(first.image.mean() - second.image.mean()) < 1
