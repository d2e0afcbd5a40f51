"""Sticks read in strips of their own: on drawn tables by the shipped weights, and what is made of their answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial

import numpy as np
import pytest

from tests.vision.true_calibration import calibration_of
from vision.arrays import Floats, Floats32, Image
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.ground_truth import seen_sticks
from vision.cameras.synthetic.layout import Discard, Layout, Wall
from vision.cameras.synthetic.scene import Scene, SceneStick
from vision.confidence import STICK_BESIDE, STICK_IN_STRIP, STICK_ON_TILES
from vision.errors import ModelError
from vision.geometry.plane_geometry import apply
from vision.geometry.rectify import TopView
from vision.reading.locator import Locator
from vision.reading.sticks import votes
from vision.reading.sticks.spots import LONG_MM, Spot, Stick, riichi_spots, spot_of
from vision.reading.sticks.stick_places import stick_spots
from vision.reading.sticks.strips import ANSWERS, HEIGHT, ROWS, WIDTH, StripReader, cut, decoded, strip_to_felt
from vision.reading.weights import load

pytestmark = pytest.mark.pictures

LAYOUT = Layout(seed=3)
BLANK: Image = np.zeros((100, 100, 3), np.uint8)


@cache
def shipped() -> StripReader:
    """The reader of the shipped weights, loaded once."""
    return StripReader()


def read(sticks: Sequence[SceneStick], spots: Sequence[Spot]) -> list[Stick]:
    """What the shipped weights tell of these sticks on an empty table."""
    return read_on(LAYOUT.appearance, sticks, spots)


def read_on(look: Appearance, sticks: Sequence[SceneStick], spots: Sequence[Spot]) -> list[Stick]:
    """The same on an empty table of this look."""
    return read_in(picture_of(look, sticks), look, spots)


def picture_of(look: Appearance, sticks: Sequence[SceneStick]) -> Image:
    """The picture of an empty table of this look on which these sticks lie."""
    return Renderer(look).render(Scene(sticks=tuple(sticks)))


def read_in(image: Image, look: Appearance, spots: Sequence[Spot]) -> list[Stick]:
    """What the shipped weights tell of a picture of this look."""
    return shipped().sticks(image, partial(calibration_of(look).to_pixels, height_mm=0.0), spots)


def any_look(rng: np.random.Generator, side_px: int) -> Appearance:
    """A random table from above, in a square picture."""
    return Appearance.random(int(rng.integers(3, 400)), width_px=side_px, height_px=side_px)


def side_by_side(*values: int) -> list[SceneStick]:
    """Sticks that touch, along x."""
    pitch = LAYOUT.appearance.stick_breadth_mm + 0.2
    return [SceneStick(value=value, x_mm=150, y_mm=-200 + n * pitch) for n, value in enumerate(values)]


def from_below(sticks: Sequence[Stick]) -> list[int]:
    return [stick.value for stick in sorted(sticks, key=lambda stick: float(stick.quad[:, 1].mean()))]


def test_sticks_that_touch_are_told_one_by_one_from_one_strip() -> None:
    sticks = read(side_by_side(100, 100, 100, 1000), [Spot(150.0, -190.0, 0.0)])
    assert from_below(sticks) == [100, 100, 100, 1000]


def test_of_a_bundle_broader_than_a_strip_each_stick_is_told_from_one_end() -> None:
    assert from_below(read(side_by_side(*[100] * 8), [Spot(150.0, -200.0, 0.0)])) == [100] * 8


@pytest.mark.parametrize("value", [100, 1000, 5000, 10000])
def test_a_stick_is_told_with_its_value_and_its_place_on_any_table(value: int) -> None:
    for number in range(6):
        rng = np.random.default_rng([number, value])
        look = any_look(rng, 1080)
        x, y, degrees = (float(each) for each in (*rng.uniform(-200, 200, 2), rng.uniform(0, 180)))
        stick = SceneStick(value=value, x_mm=x, y_mm=y, angle_deg=degrees)
        off, lean = rng.normal(0, 6, 2), float(rng.normal(0, 4))
        (read_stick,) = read_on(look, [stick], [Spot(x + float(off[0]), y + float(off[1]), degrees + lean)])
        (true_stick,) = seen_sticks(Scene(sticks=(stick,)), look)
        pixels = calibration_of(look).to_pixels(read_stick.quad, height_mm=0.0)
        assert read_stick.value == value
        assert pixels.mean(axis=0) == pytest.approx(true_stick.quad.mean(axis=0), abs=2.0)
        short, long = (np.linalg.norm(read_stick.quad[n + 1] - read_stick.quad[n]) for n in (0, 1))
        assert short < 15
        assert long > 55


def test_a_riichi_stick_is_found_where_its_owner_lays_it() -> None:
    sticks = read([LAYOUT.riichi_stick(side) for side in range(4)], riichi_spots())
    assert [stick.value for stick in sticks] == [1000] * 4
    assert len({round(spot_of(stick.quad).degrees % 180 / 90) % 2 for stick in sticks}) == 2


def test_where_no_stick_lies_none_is_told() -> None:
    assert read([], [*riichi_spots(), Spot(150.0, -200.0, 0.0)]) == []


@pytest.mark.parametrize("number", range(4))
def test_the_rows_of_a_table_without_sticks_are_none(number: int) -> None:
    """From above, the side of a row of tiles is as long and as narrow as a stick."""
    look = Appearance.random(7_100_000 + number)
    layout = Layout(appearance=look, seed=number)
    rivers = [[Discard(face=f"{1 + n % 9}{suit}") for n in range(8)] for suit in "mpsm"]
    tiles = [tile for side, river in enumerate(rivers) for tile in layout.river(side, river)]
    wall = layout.wall(Wall(break_side=number, break_stack=6, drawn=60, indicators=("3p",)))
    image = Renderer(look).render(Scene(tiles=(*tiles, *wall)))
    view = TopView(calibration_of(look), height_mm=look.tile_size.depth_mm)
    picture = view.picture(image)
    found = Locator(weights=load("watch")).locate(picture, tile_px=21.0 * view.px_per_mm)
    spots = stick_spots(picture, found, view)
    assert len(spots) > len(riichi_spots()), "rows are looked at"
    assert read_in(image, look, spots) == []


def overlapping(number: int) -> tuple[Appearance, list[SceneStick], Spot]:
    """Four 100s, each on the one before, in a very small picture, and a strip about them."""
    rng = np.random.default_rng([number, 6])
    look = any_look(rng, 440)
    x, y = (float(each) for each in rng.uniform(-200, 200, 2))
    pitch = float(rng.uniform(0.72, 0.85)) * look.stick_breadth_mm
    sticks = [
        SceneStick(value=100, x_mm=x + 2 * (n % 2), y_mm=y + n * pitch, angle_deg=1.5 * (n % 3)) for n in range(4)
    ]
    return look, sticks, Spot(x, y + 1.5 * pitch, 0.0)


def test_a_stick_against_a_sure_one_of_its_value_needs_a_lower_score(monkeypatch: pytest.MonkeyPatch) -> None:
    bundles = [(picture_of(look, sticks), look, [spot]) for look, sticks, spot in map(overlapping, range(20))]
    read_bundles = [read_in(*bundle) for bundle in bundles]
    assert sum(from_below(sticks) == [100] * 4 for sticks in read_bundles) >= 14
    lower = [stick for sticks in read_bundles for stick in sticks if stick.score < STICK_IN_STRIP]
    assert all(stick.score >= STICK_BESIDE for stick in lower)
    monkeypatch.setattr(votes, "STICK_BESIDE", STICK_IN_STRIP)
    fewer = [read_in(*bundle) for bundle in bundles]
    assert sum(map(len, fewer)) < sum(map(len, read_bundles)), "some lie there that are told for the lower score alone"


def test_rows_of_dots_across_a_bundle_are_no_sticks() -> None:
    along, aslant = Spot(150.0, -183.0, 0.0), [Spot(150.0, -183.0, lean) for lean in (-40.0, -25.0, 25.0, 40.0)]
    sticks = read(side_by_side(*[5000] * 5), [along, *aslant])
    assert [stick.value for stick in sticks] == [5000] * 5


def heap(number: int) -> tuple[Appearance, list[SceneStick], Spot]:
    """A 100, a 1000 askew beside it, and a 5000 across both, and a strip along the 100."""
    rng = np.random.default_rng([number, 4])
    look = any_look(rng, 1080)
    x, y = (float(each) for each in rng.uniform(-200, 200, 2))
    askew = SceneStick(value=1000, x_mm=x, y_mm=y + 5, angle_deg=float(rng.uniform(4, 12)))
    across = SceneStick(value=5000, x_mm=x, y_mm=y, angle_deg=float(rng.uniform(-45, -25)), z_mm=4.0)
    return look, [SceneStick(value=100, x_mm=x, y_mm=y - 15), askew, across], Spot(x, y - 10, 0.0)


@pytest.mark.parametrize(("count", "least"), [(20, 17), pytest.param(40, 34, marks=pytest.mark.long)])
def test_a_stick_across_a_heap_is_found_from_the_strips_of_its_neighbours(count: int, least: int) -> None:
    heaps = [heap(number) for number in range(count)]
    values = [sorted(stick.value for stick in read_on(look, sticks, [spot])) for look, sticks, spot in heaps]
    assert values.count([100, 1000, 5000]) >= least


@pytest.mark.parametrize("value", [100, 1000, 5000])
def test_the_gap_between_sticks_that_lie_askew_is_no_stick(value: int) -> None:
    heap = [SceneStick(value=value, x_mm=150, y_mm=-205 + 13 * n, angle_deg=7.0 * n - 7) for n in range(3)]
    assert [stick.value for stick in read(heap, [Spot(150.0, -192.0, 0.0)])] == [value] * 3


class FixedAnswers(StripReader):
    """Sees a stick of 100 in the middle of the strips that `shows` chooses by their upper left pixel."""

    def __init__(self, shows: Callable[[int], bool]) -> None:
        super().__init__()
        self._shows = shows

    def answers(self, strips: Image) -> Floats32:
        rows = np.zeros((len(strips), ROWS, ANSWERS), np.float32)
        has_stick = [self._shows(int(strip[0, 0, 0])) for strip in strips]
        middle = slice(ROWS // 2 - 1, ROWS // 2 + 1)
        rows[..., 0] = -9.0
        rows[:, middle, 0] = np.where(has_stick, 0.0, -5.0)[:, None]  # on the border of two rows: half in each
        rows[:, middle, 5] = 0.5, -0.5
        rows[..., 2], rows[..., 8:] = 5.0, (45 / LONG_MM, 4.5 / LONG_MM)
        return rows


SHADED: Image = np.repeat(np.tile(np.arange(200, dtype=np.uint8), (200, 1))[..., None], 3, axis=2)
"""Each column is a little brighter than the one to its left."""


def shaded(shows: Callable[[int], bool], *spots: Spot) -> list[int]:
    """The values told of `SHADED`, a pixel to a millimetre, by a net that sees sticks by the light at a corner."""
    sticks = FixedAnswers(shows).sticks(SHADED, lambda points: np.asarray(points, np.float64), spots)
    return [stick.value for stick in sticks]


def test_what_a_strip_shows_but_not_its_mirror_images_is_no_stick() -> None:
    assert shaded(lambda light: light < 100, Spot(100.0, 100.0, 0.0)) == []
    assert shaded(lambda light: True, Spot(100.0, 100.0, 0.0)) == [100]


def test_a_stick_on_the_border_of_two_rows_is_as_sure_as_one_in_the_middle_of_a_row() -> None:
    rows = np.zeros((ROWS, ANSWERS), np.float32)
    rows[:, 0] = -9.0
    within, between = rows.copy(), rows.copy()
    within[11, 0] = 4.0
    between[11:13, 0], between[11:13, 5] = 0.0, (0.5, -0.5)
    (sure,) = decoded(within, Spot(0.0, 0.0, 0.0))
    halves = list(decoded(between, Spot(0.0, 0.0, 0.0)))
    assert [half.score for half in halves] == pytest.approx([1.0, 1.0])
    assert sure.score == pytest.approx(0.98, abs=0.01)
    assert np.abs(halves[0].quad - halves[1].quad).max() < 1e-6, "both are the same stick"


def test_what_one_strip_of_three_that_should_show_it_shows_is_no_stick() -> None:
    spots = [Spot(x, 100.0, 0.0) for x in (100.0, 89.5, 110.5)]
    assert shaded(lambda light: min(abs(light - 36), abs(light - 164)) <= 2, *spots) == []
    assert shaded(lambda light: min(abs(light - 36), abs(light - 164)) <= 2, spots[0]) == [100]


def test_of_two_answers_with_one_middle_that_lean_apart_one_is_a_stick() -> None:
    """The upper of two sticks that cross in their middles hides the print of the lower."""
    crossed = Spot(100.0, 100.0, 0.0), Spot(102.0, 100.0, 20.0)
    assert shaded(lambda light: True, *crossed) == [100]
    assert len(shaded(lambda light: True, crossed[0], Spot(100.0, 125.0, 20.0))) > 1, "with two middles, both are"


def test_a_find_on_tiles_needs_a_higher_score() -> None:
    sticks = [SceneStick(value=100, x_mm=150, y_mm=-200)]
    spot = Spot(150.0, -200.0, 0.0)
    assert [stick.value for stick in read(sticks, [spot._replace(least_score=STICK_ON_TILES)])] == [100]
    assert read(sticks, [spot._replace(least_score=1.01)]) == []


def test_a_strip_is_cut_about_its_spot_with_up_and_right_as_on_the_felt() -> None:
    corners = apply(strip_to_felt(Spot(10.0, 20.0, 0.0)), [[0, 0], [WIDTH - 1, HEIGHT - 1]])
    assert corners[0, 0] < 10 < corners[1, 0]
    assert corners[0, 1] > 20 > corners[1, 1]
    assert corners.mean(axis=0) == pytest.approx([10.0, 20.0])


def test_of_a_much_finer_picture_a_strip_shows_the_mean_and_not_single_pixels() -> None:
    stripes = np.zeros((1600, 1600, 3), np.uint8)
    stripes[:, ::2] = 200

    def to_pixels(points: Floats) -> Floats:
        return points * 6 + 800

    strip = cut(stripes, to_pixels, Spot(0.0, 0.0, 0.0))
    assert strip.shape == (HEIGHT, WIDTH, 3)
    assert np.abs(strip.astype(int) - 100).max() <= 8


def test_the_weights_are_loaded_for_the_first_strip_and_must_be_of_such_strips() -> None:
    weights = load("strips")
    other = replace(weights, manifest=replace(weights.manifest, input=(3, 48, 96)))
    reader = StripReader(weights=other)
    assert reader.sticks(BLANK, lambda points: points, []) == []
    with pytest.raises(ModelError, match="expected strips"):
        reader.sticks(BLANK, lambda points: points, [Spot(50.0, 50.0, 0.0)])
