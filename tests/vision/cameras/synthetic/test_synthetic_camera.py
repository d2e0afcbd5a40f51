"""Films and the camera that plays them."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from tests.vision.scenes_to_see import discards
from vision.cameras.synthetic.animation import Beat, Film, FilmError
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.layout import Layout
from vision.cameras.synthetic.scene import Arm, Pose, Scene
from vision.cameras.synthetic.synthetic_camera import SyntheticCamera, SyntheticCameraError, first_frame_at, frame_count
from vision.frames import Camera

LOOK = Appearance(width_px=240, height_px=240)
LAYOUT = Layout(appearance=LOOK)


def table(river: str, *, hand: int = 13) -> Scene:
    """Side 0's river and standing hand."""
    return Scene(tiles=(*LAYOUT.river(0, discards(river)), *LAYOUT.standing_hand(0, hand)))


def discard_film() -> Film:
    """Side 0 lays a tile from its hand at 2 s."""
    beats = [Beat(time_s=0.0, scene=table("1m", hand=14)), Beat(time_s=2.0, scene=table("1m5z"), side=0)]
    return Film(beats, felt_mm=LOOK.felt_mm)


def test_a_film_starts_and_ends_at_rest() -> None:
    film = discard_film()
    assert film.scene_at(0.0) == table("1m", hand=14)
    assert film.scene_at(film.duration_s) == table("1m5z")


def test_a_hand_comes_carries_the_tile_lays_it_and_leaves() -> None:
    film = discard_film()
    scenes = [film.scene_at(k / 20) for k in range(70)]
    with_arm = [k for k, scene in enumerate(scenes) if scene.arms]
    assert with_arm == list(range(with_arm[0], with_arm[-1] + 1))
    assert 0.5 < (with_arm[-1] - with_arm[0]) / 20 < 1.8
    carried = [scene.arms[0].holds for scene in scenes if scene.arms and scene.arms[0].holds]
    assert {tile.face for tile in carried} == {"5z"}
    assert all(scene.arms[0].side == 0 for scene in scenes if scene.arms)


def test_a_tile_lies_from_its_beat_on_and_not_before() -> None:
    film = discard_film()
    times_s = [k / 20 for k in range(70) if any(tile.face == "5z" for tile in film.scene_at(k / 20).tiles)]
    assert times_s[0] == 2.0
    assert not any(arm.holds for k in range(40, 70) for arm in film.scene_at(k / 20).arms)


def test_a_called_tile_is_gone_before_the_meld_lies() -> None:
    before = Scene(tiles=LAYOUT.river(1, discards("1m5z")))
    after = Scene(tiles=LAYOUT.river(1, discards("1m")))
    film = Film([Beat(time_s=0.0, scene=before), Beat(time_s=2.0, scene=after, side=3)], felt_mm=LOOK.felt_mm)
    assert film.scene_at(1.9).tiles == after.tiles
    assert film.scene_at(1.9).arms[0].side == 3


def test_a_drawn_tile_shows_its_back_on_the_way() -> None:
    wall = replace(LAYOUT.standing_hand(0, 1)[0], pose=Pose.FACE_DOWN, x_mm=-150.0, y_mm=-199.0, face="back")
    before = Scene(tiles=(wall, *LAYOUT.standing_hand(0, 13)))
    film = Film([Beat(time_s=0.0, scene=before), Beat(time_s=2.0, scene=table("", hand=14), side=0)], felt_mm=720)
    held_tiles = [arm.holds for k in range(40) for arm in film.scene_at(k / 20).arms if arm.holds]
    assert held_tiles
    assert {tile.pose for tile in held_tiles} == {Pose.FACE_DOWN}


def test_a_hand_that_is_still_there_goes_on_to_the_next_thing() -> None:
    with_tile, with_stick = table("1m5z"), replace(table("1m5z"), sticks=(LAYOUT.riichi_stick(0),))
    beats = [
        Beat(time_s=0.0, scene=table("1m", hand=14)),
        Beat(time_s=2.0, scene=with_tile, side=0),
        Beat(time_s=2.7, scene=with_stick, side=0),
    ]
    film = Film(beats, felt_mm=LOOK.felt_mm)
    arms_by_frame = [film.scene_at(k / 50).arms for k in range(170)]
    assert max(len(arms) for arms in arms_by_frame) == 1
    places = [(arms[0].x_mm, arms[0].y_mm) for arms in arms_by_frame if arms]
    assert max(abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in pairwise(places)) < 60
    assert film.scene_at(2.0).tiles == with_tile.tiles


def test_when_everything_changes_all_hands_join() -> None:
    empty, full = Scene(), Scene(tiles=LAYOUT.river(0, discards("1m" * 18)) + LAYOUT.standing_hand(0, 13))
    film = Film([Beat(time_s=0.0, scene=full), Beat(time_s=2.0, scene=empty)], felt_mm=LOOK.felt_mm)
    assert {arm.side for arm in film.scene_at(1.9).arms} == {0, 1, 2, 3}


def test_a_small_change_without_a_side_happens_by_itself() -> None:
    film = Film([Beat(time_s=0.0, scene=table("1m")), Beat(time_s=1.0, scene=table("1m2m"))], felt_mm=LOOK.felt_mm)
    assert film.scene_at(0.99) == table("1m")
    assert film.scene_at(1.0) == table("1m2m")


@pytest.mark.parametrize("times", [[], [1.0], [0.0, 2.0, 2.0], [0.0, 2.0, 1.0]])
def test_a_film_with_no_start_or_with_times_running_backwards_is_refused(times: list[float]) -> None:
    with pytest.raises(FilmError, match="rising times"):
        Film([Beat(time_s=t, scene=Scene()) for t in times], felt_mm=LOOK.felt_mm)


def test_a_beat_brings_no_arms_of_its_own() -> None:
    with pytest.raises(FilmError, match="no arms"):
        Beat(time_s=0.0, scene=Scene(arms=(Arm(side=0, x_mm=0, y_mm=0),)))
    with pytest.raises(FilmError, match="got 7"):
        Beat(time_s=0.0, scene=Scene(), side=7)


def test_the_camera_gives_every_frame_in_order_and_then_ends() -> None:
    film = discard_film()
    with SyntheticCamera(film, LOOK, fps=5.0) as camera:
        assert isinstance(camera, Camera)
        frames = list(camera.frames())
    assert [frame.k for frame in frames] == list(range(frame_count(film, 5.0)))
    assert [frame.t_ns for frame in frames[:3]] == [0, 200_000_000, 400_000_000]


def test_a_played_film_shows_what_is_rendered_scene_by_scene_and_the_same_each_time() -> None:
    film = discard_film()
    first, second = ([f.image for f in SyntheticCamera(film, LOOK, fps=4.0).frames()] for _ in range(2))
    assert all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))
    last = len(first) - 1
    assert np.array_equal(first[last], Renderer(LOOK).render(film.scene_at(last / 4.0), k=last))


def test_frames_wait_for_their_time_when_paced() -> None:
    waits_ns: list[int] = []
    frames = SyntheticCamera(discard_film(), LOOK, fps=5.0, pace=waits_ns.append).frames()
    times_ns = [next(frames).t_ns for _ in range(3)]
    assert waits_ns == times_ns


def test_a_closed_camera_gives_no_more_frames() -> None:
    camera = SyntheticCamera(discard_film(), LOOK)
    frames = camera.frames()
    next(frames)
    camera.close()
    camera.close()
    assert list(frames) == []


def test_a_camera_starts_once_and_at_a_rate_above_zero() -> None:
    camera = SyntheticCamera(discard_film(), LOOK)
    camera.frames()
    with pytest.raises(SyntheticCameraError, match="second one"):
        camera.frames()
    with pytest.raises(SyntheticCameraError, match="got 0"):
        SyntheticCamera(discard_film(), LOOK, fps=0)


def test_a_beat_is_at_rest_in_the_first_frame_not_before_its_time() -> None:
    assert [first_frame_at(t, 10.0) for t in (0.0, 0.05, 0.1, 0.3, 1.21)] == [0, 1, 1, 3, 13]
