"""Bundles of sticks are found by their colour, where the locator takes them for nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from tests.vision.true_calibration import calibration_of
from vision.arrays import Floats32, Image
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.layout import Layout, Wall
from vision.cameras.synthetic.scene import Scene, SceneStick, SceneTile
from vision.geometry.rectify import TopView
from vision.geometry.roi import whole_view, window_about
from vision.reading.locator import Located
from vision.reading.sticks.bundles import bundles
from vision.reading.sticks.spots import spot_of
from vision.reading.sticks.stick_places import stick_spots

pytestmark = pytest.mark.pictures

LAYOUT = Layout(seed=3)
LOOK: Appearance = LAYOUT.appearance
VIEW = TopView(calibration_of(LOOK), height_mm=16.0)
WHOLE = whole_view(VIEW.side_px)
LIES = (-150.0, -200.0)
"""The middle of each bundle."""


def bundle(count: int, *, degrees: float = 0.0) -> tuple[SceneStick, ...]:
    """Sticks that touch, about `LIES`."""
    pitch, turn = LOOK.stick_breadth_mm + 0.2, np.radians(degrees)
    places = [np.array([-np.sin(turn), np.cos(turn)]) * pitch * (n - (count - 1) / 2) + LIES for n in range(count)]
    return tuple(SceneStick(value=1000, x_mm=float(x), y_mm=float(y), angle_deg=degrees) for x, y in places)


@cache
def view_of(scene: Scene) -> Image:
    return VIEW.picture(Renderer(LOOK).render(scene))


def located(tiles: Sequence[Sequence[Sequence[float]]] = (), score: float = 0.9) -> Located:
    """What a locator found that knows no stick."""
    return Located(
        tiles=np.array(tiles, np.float32).reshape(-1, 4, 2),
        tile_scores=np.full(len(tiles), score, np.float32),
        sticks=np.zeros((0, 4, 2), np.float32),
        stick_scores=np.zeros(0, np.float32),
        stick_values=(),
        stick_candidates=np.zeros((0, 4, 2), np.float32),
    )


def places_of(quads: Floats32) -> list[list[float]]:
    """Where sticks lie that are seen as these quads: x, y and degrees."""
    pixels = VIEW.to_frame(quads)
    return [[*spot_of(quad)[:3]] for quad in VIEW.calibration.to_felt(pixels, height_mm=4.0).reshape(-1, 4, 2)]


@pytest.mark.parametrize("count", [2, 3, 5])
@pytest.mark.parametrize("degrees", [0.0, 70.0])
def test_a_bundle_is_found_along_its_sticks(count: int, degrees: float) -> None:
    place, *again = places_of(bundles(view_of(Scene(sticks=bundle(count, degrees=degrees))), located(), WHOLE, VIEW))
    assert again == [place]
    assert place[:2] == pytest.approx(LIES, abs=4.0)
    assert abs((place[2] - degrees + 90) % 180 - 90) < 3


def test_a_bundle_as_broad_as_long_is_read_along_both_sides() -> None:
    places = places_of(bundles(view_of(Scene(sticks=bundle(8))), located(), WHOLE, VIEW))
    assert {round(place[2] / 90) % 2 for place in places} == {0, 1}


def test_a_strip_lies_on_a_bundle_that_the_locator_takes_for_nothing() -> None:
    spots = stick_spots(view_of(Scene(sticks=bundle(3))), located(), VIEW)
    assert any(np.hypot(spot.x - LIES[0], spot.y - LIES[1]) < 4 for spot in spots)


@pytest.mark.parametrize("score", [0.35, 0.9])
def test_a_tile_that_the_locator_sees_on_a_bundle_hides_it_not(score: float) -> None:
    tile = VIEW.from_felt(np.array([[-10, 13], [10, 13], [10, -13], [-10, -13]]) + LIES).tolist()
    places = places_of(bundles(view_of(Scene(sticks=bundle(3))), located([tile], score), WHOLE, VIEW))
    assert any(place[:2] == pytest.approx(LIES, abs=4.0) for place in places)


@pytest.mark.parametrize("value", [1000, 5000, 10000])
@pytest.mark.parametrize("degrees", [0.0, 70.0])
def test_a_bundle_of_coloured_sticks_against_tiles_that_are_not_found_is_found(value: int, degrees: float) -> None:
    """Without its hue, the bundle and the tiles are one thing, which is no rectangle as long as a stick."""
    look = replace(LOOK, are_sticks_coloured=True)
    sticks = tuple(replace(stick, value=value) for stick in bundle(3, degrees=degrees))
    turn = np.radians(degrees)
    away = np.array([np.cos(turn), np.sin(turn)]) * 30 + np.array([-np.sin(turn), np.cos(turn)]) * 30
    tiles = tuple(
        SceneTile(face="1p", x_mm=float(x), y_mm=float(y), angle_deg=degrees)
        for x, y in (LIES + away + n * 21 * np.array([np.cos(turn), np.sin(turn)]) for n in range(4))
    )
    picture = VIEW.picture(Renderer(look).render(Scene(tiles=tiles, sticks=sticks)))
    places = places_of(bundles(picture, located(), WHOLE, VIEW))
    assert any(
        place[:2] == pytest.approx(LIES, abs=4.0) and abs((place[2] - degrees + 90) % 180 - 90) < 4 for place in places
    )


def test_neither_felt_nor_unit_nor_wall_nor_standing_hands_are_bundles() -> None:
    """A rest of a wall may be one: three coloured backs beside each other are as long and as broad as four sticks."""
    wall = LAYOUT.wall(Wall(break_side=0, break_stack=9, drawn=60, indicators=("3p",)))
    still = [tile for side in range(4) for tile in LAYOUT.standing_hand(side, 13)]
    assert not len(bundles(view_of(Scene(tiles=(*wall, *still))), located(), WHOLE, VIEW))


def test_a_bundle_is_found_in_a_window_about_it_and_not_beside_it() -> None:
    picture = view_of(Scene(sticks=bundle(3)))
    around_it, elsewhere = (
        window_about(VIEW.from_felt([[x - 40, y - 10], [x + 40, y + 10]]), side_px=VIEW.side_px)
        for x, y in (LIES, (180.0, 180.0))
    )
    in_window, in_all = (places_of(bundles(picture, located(), roi, VIEW))[0] for roi in (around_it, WHOLE))
    assert in_window == pytest.approx(in_all, abs=2.0)
    assert not len(bundles(picture, located(), elsewhere, VIEW))
