"""Where the shipped locator finds tiles and sticks, and what it leaves alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from vision.arrays import Image
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.ground_truth import seen_sticks, seen_tiles
from vision.cameras.synthetic.layout import Discard, Layout, Meld, Wall
from vision.cameras.synthetic.scene import Scene, SceneStick
from vision.errors import ModelError
from vision.geometry.roi import Roi
from vision.reading.locator import CHANNELS, LONG_UNIT, SHORT_UNIT, STRIDE, Located, Locator, decode
from vision.reading.weights import Manifest, load

Quads = npt.NDArray[np.float32]

LOOK = Appearance(width_px=1200, height_px=1200, camera_y_mm=0.0, covered_mm=830)
TILE_PX = LOOK.tile_width_mm * LOOK.px_per_mm
FACES = ("1m", "5p", "9s", "7z", "3s", "0p", "2m", "4z", "8p", "6s", "5z", "1s", "3m")


@pytest.fixture(scope="module")
def locator() -> Locator:
    return Locator()


def _table() -> Scene:
    layout = Layout(appearance=LOOK, seed=3)
    tiles = [*layout.wall(Wall(break_side=2, break_stack=7, drawn=70, indicators=("4p",)))]
    for side in range(4):
        discards = [Discard(face=FACES[(5 * side + i) % 13], is_sideways=i == 7) for i in range(9 + side)]
        tiles += layout.river(side, discards)
        tiles += layout.standing_hand(side, 10)
        tiles += layout.melds(side, [Meld.from_call(("2s", "3s"), "4s", from_left=1)])
    sticks = [layout.riichi_stick(1), layout.riichi_stick(2)]
    return Scene(tiles=tuple(tiles), sticks=tuple(sticks))


def _nearest(quads: Quads, quad: npt.NDArray[np.float64]) -> float:
    """The mean distance of the corners to the nearest found quad's, either way up."""
    return min(
        float(np.linalg.norm(np.roll(found, turn, axis=0) - quad, axis=1).mean()) for found in quads for turn in (0, 2)
    )


@pytest.fixture(scope="module")
def table(locator: Locator) -> tuple[Scene, Image, Located]:
    scene = _table()
    image = Renderer(LOOK).render(scene)
    return scene, image, locator.locate(image, tile_px=TILE_PX)


def test_every_open_tile_of_a_table_is_found_within_a_sixth_of_its_width(
    table: tuple[Scene, Image, Located],
) -> None:
    scene, _, located = table
    clear = [tile.quad for tile in seen_tiles(scene, LOOK) if tile.visible > 0.8]
    missed = [quad for quad in clear if _nearest(located.tiles, quad) > TILE_PX / 6]
    assert len(clear) > 60
    assert missed == []


def test_nothing_else_on_a_table_is_taken_for_a_tile(table: tuple[Scene, Image, Located]) -> None:
    scene, _, located = table
    true = [tile.quad.mean(axis=0) for tile in seen_tiles(scene, LOOK)]
    strangers = [
        quad for quad in located.tiles if min(np.linalg.norm(quad.mean(axis=0) - spot) for spot in true) > TILE_PX / 2
    ]
    assert strangers == []


def test_sticks_are_found_and_told_by_their_dots(table: tuple[Scene, Image, Located]) -> None:
    scene, _, located = table
    middles = located.sticks.mean(axis=1)
    for truth in seen_sticks(scene, LOOK):
        away = np.linalg.norm(middles - truth.quad.mean(axis=0), axis=1)
        assert away.min() < TILE_PX / 2
        assert located.stick_values[int(away.argmin())] == truth.stick.value
    assert len(middles) == len(scene.sticks)


def _lone_stick(locator: Locator, value: int) -> Located:
    scene = Scene(sticks=(SceneStick(value=value, x_mm=90.0, y_mm=-120.0, angle_deg=25.0),))
    return locator.locate(Renderer(LOOK).render(scene), tile_px=TILE_PX)


@pytest.mark.parametrize("value", [1000, 100])
def test_the_sticks_of_riichi_and_honba_are_told(locator: Locator, value: int) -> None:
    assert _lone_stick(locator, value).stick_values == (value,)


@pytest.mark.parametrize("value", [5000, 10000])
def test_a_stick_of_payments_is_never_taken_for_one_of_riichi_or_honba(locator: Locator, value: int) -> None:
    (found,) = _lone_stick(locator, value).stick_values
    assert found in {value, 0}


def test_an_empty_felt_holds_nothing(locator: Locator) -> None:
    located = locator.locate(Renderer(LOOK).render(Scene()), tile_px=TILE_PX)
    assert len(located.tiles) == 0
    assert len(located.sticks) == 0


def test_quads_run_clockwise_from_a_short_side(table: tuple[Scene, Image, Located]) -> None:
    assert len(table[2].tiles) > 50
    for quad in table[2].tiles:
        across, along = quad[1] - quad[0], quad[2] - quad[1]
        assert np.linalg.norm(across) < np.linalg.norm(along)
        assert across[0] * along[1] - across[1] * along[0] > 0


def test_scores_come_best_first_and_are_shares(table: tuple[Scene, Image, Located]) -> None:
    scores = table[2].tile_scores
    assert ((scores > 0) & (scores <= 1)).all()
    assert scores[: len(scores) // 2].mean() > scores[len(scores) // 2 :].mean()


@pytest.mark.parametrize("size", [480, 900, 2000], ids=["small", "middle", "large"])
def test_a_hand_laid_open_is_found_at_any_scale(locator: Locator, size: int) -> None:
    close_up = replace(LOOK, covered_mm=400, camera_height_mm=700, unit_mm=0.0)
    layout = Layout(appearance=close_up, seed=1)
    tiles = [replace(tile, y_mm=tile.y_mm + 290) for tile in layout.open_hand(0, FACES)]
    image = np.asarray(
        cv2.resize(Renderer(close_up).render(Scene(tiles=tuple(tiles))), (size, size), interpolation=cv2.INTER_AREA)
    )
    located = locator.locate(np.asarray(image, np.uint8), tile_px=None)
    scale = size / close_up.width_px
    width = close_up.tile_width_mm * close_up.px_per_mm * scale
    quads = [true_tile.quad * scale for true_tile in seen_tiles(Scene(tiles=tuple(tiles)), close_up)]
    assert [quad for quad in quads if _nearest(located.tiles, quad) > width / 5] == []
    assert len(located.tiles) == len(FACES)


def test_a_picture_of_nothing_but_grey_holds_nothing(locator: Locator) -> None:
    located = locator.locate(np.full((333, 517, 3), 120, np.uint8), tile_px=None)
    assert located.tiles.shape == (0, 4, 2)
    assert located.stick_values == ()


@pytest.mark.parametrize("size", [(1, 1), (60, 60), (3000, 5), (1, 5000)], ids=str)
def test_a_picture_too_small_or_narrow_for_a_tile_holds_nothing(locator: Locator, size: tuple[int, int]) -> None:
    found = locator.locate(np.full((*size, 3), 90, np.uint8), tile_px=None)
    assert (len(found.tiles), len(found.sticks)) == (0, 0)


@pytest.mark.parametrize("shape", [(640, 960), (960, 640), (800, 800)], ids=["wide", "tall", "square"])
def test_a_picture_taken_in_parts_is_answered_as_the_whole(
    locator: Locator, monkeypatch: pytest.MonkeyPatch, shape: tuple[int, int]
) -> None:
    noise: Image = np.random.default_rng(4).integers(0, 256, (*shape, 3), np.uint8)
    whole, parts = locator._maps(noise), list[tuple[int, ...]]()
    take = locator._maps_of

    def maps_of(image: Image) -> npt.NDArray[np.float32]:
        parts.append(image.shape)
        return take(image)

    monkeypatch.setattr(locator, "_maps_of", maps_of)
    monkeypatch.setattr("vision.reading.locator._MOST_PX", shape[0] * shape[1] * 3 // 4)
    np.testing.assert_allclose(locator._maps(noise), whole, atol=1e-5)
    assert len(parts) > 1
    assert all(height * width <= shape[0] * shape[1] * 7 // 8 for height, width, _ in parts)


def test_a_photo_of_twelve_megapixels_is_shrunk_once_and_searched_no_larger(
    locator: Locator, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole: Image = np.zeros((3000, 4000, 3), np.uint8)
    searched: list[tuple[int, ...]] = []

    def maps_of(image: Image) -> npt.NDArray[np.float32]:
        searched.append(image.shape)
        return np.full((CHANNELS, image.shape[0] // STRIDE, image.shape[1] // STRIDE), -9.0, np.float32)

    shrunk: list[tuple[int, ...]] = []
    resize = cv2.resize

    def counting_resize(image: Image, *args: Any, **options: Any) -> Any:
        shrunk.append(image.shape)
        return resize(image, *args, **options)

    monkeypatch.setattr(locator, "_maps", maps_of)
    monkeypatch.setattr("vision.reading.locator.cv2.resize", counting_resize)
    assert not len(locator.locate(whole, tile_px=None).tiles)
    assert max(max(shape) for shape in searched) == 2400
    assert shrunk.count((3000, 4000, 3)) == 1


def test_a_model_of_another_grid_is_refused() -> None:
    weights = load("locate")
    details = {**weights.manifest.details, "stride": 8}
    manifest = Manifest(
        name="locate", version="1", sha256=weights.manifest.sha256, input=(3, 960, 960), classes=(), details=details
    )
    with pytest.raises(ModelError, match="expected stride 4"):
        Locator(weights=replace(weights, manifest=manifest))


@pytest.mark.parametrize("details", [{"tile_threshold": None}, {"stick_threshold": "high"}, {"band": [20.0]}])
def test_a_model_without_thresholds_or_a_band_is_refused(details: dict[str, Any]) -> None:
    weights = load("locate")
    manifest = replace(weights.manifest, details={**weights.manifest.details, **details})
    with pytest.raises(ModelError, match="expected two thresholds and a band of two widths"):
        Locator(weights=replace(weights, manifest=manifest))


def _answers(*middles: tuple[int, int], turn: float = 0.0) -> npt.NDArray[np.float32]:
    """Maps in which tiles 24 x 32 pixels stand at cells (column, row), turned by radians."""
    maps = np.zeros((CHANNELS, 40, 40), np.float32)
    maps[:2] = -9.0
    for score, (column, row) in zip((5.0, 4.0, 3.0), middles, strict=False):
        maps[0, row, column] = score
        maps[4, row, column] = np.log(16 / LONG_UNIT)
        maps[5, row, column] = np.log(12 / SHORT_UNIT)
        long, short = np.pi / 2 + turn, turn
        maps[6:10, row, column] = [np.cos(2 * long), np.sin(2 * long), np.cos(2 * short), np.sin(2 * short)]
    return maps


@pytest.mark.parametrize("turn", [0.0, 0.5, 1.5, -1.0])
def test_the_answers_of_a_cell_make_the_quad_they_say(turn: float) -> None:
    quads, scores = decode(_answers((10, 20), turn=turn), layer=0, least_score=0.5)
    middle = np.array([10, 20]) * STRIDE + 1.5
    c, s = np.cos(turn), np.sin(turn)
    corners = np.array([[-12, -16], [12, -16], [12, 16], [-12, 16]]) @ np.array([[c, s], [-s, c]]) + middle
    assert _nearest(quads, corners) < 0.01
    assert scores == pytest.approx([1 / (1 + np.exp(-5.0))])


def test_of_answers_that_cover_each_other_the_best_is_kept() -> None:
    quads, scores = decode(_answers((10, 20), (12, 20)), layer=0, least_score=0.5)
    assert len(quads) == 1
    assert scores[0] == pytest.approx(0.9933, abs=1e-3)


def test_tiles_that_touch_are_both_kept() -> None:
    quads, _ = decode(_answers((10, 20), (16, 20)), layer=0, least_score=0.5)
    assert len(quads) == 2


def test_what_is_less_likely_than_asked_is_left_out() -> None:
    quads, _ = decode(_answers((10, 20)), layer=0, least_score=0.999)
    assert len(quads) == 0


def _answering(
    monkeypatch: pytest.MonkeyPatch, *kinds: tuple[Sequence[tuple[int, int]], float, tuple[float, float]]
) -> Locator:
    """A locator that finds upright tiles of several kinds: the cells of their middles, their scores and half sides."""
    maps = np.full((CHANNELS, 44, 44), -9.0, np.float32)
    for cells, score, (short, long) in kinds:
        for column, row in cells:
            maps[0, row, column] = score
            maps[4:6, row, column] = np.log(long / LONG_UNIT), np.log(short / SHORT_UNIT)
            maps[2:4, row, column], maps[6:10, row, column] = 0.0, (-1, 0, 1, 0)
    locator = Locator.from_above()
    monkeypatch.setattr(locator, "_maps", lambda _: maps)
    return locator


def test_lying_tiles_are_kept_beside_more_faint_tops_of_standing_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a small table the tops of four hands fit the width of tiles, and may outnumber all tiles that lie there."""
    lying_tiles = [(column, 20) for column in (8, 14, 20)] + [(column, 30) for column in (8, 14, 20, 26)]
    tops = [(8 * column, row) for column in range(1, 5) for row in (3, 11, 37)]
    locator = _answering(monkeypatch, (lying_tiles, 2.0, (12, 16)), (tops, -1.0, (14, 20)))
    found = locator.locate(np.zeros((44 * STRIDE, 44 * STRIDE, 3), np.uint8), tile_px=24.0)
    assert len(found.tiles) == len(lying_tiles)
    assert found.tile_scores.min() > 0.8


@pytest.mark.parametrize(
    ("rows", "score", "half_sides"),
    [
        pytest.param((1,), 0.0, (10.5, 12), id="a wall's tiles, cut by the window's edge"),
        pytest.param((6, 36), 2.0, (14, 20), id="tops of standing tiles, found as surely"),
    ],
)
def test_a_sure_find_of_a_tiles_size_is_kept_whatever_size_most_have(
    rows: tuple[int, ...], score: float, half_sides: tuple[float, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first discard, which may lie alone."""
    others = [(column, row) for row in rows for column in range(6, 38, 7)]
    locator = _answering(monkeypatch, ([(22, 22)], 2.0, (12, 16)), (others, score, half_sides))
    window = Roi(rows=slice(256, 432), columns=slice(256, 432), side_px=1056)
    found = locator.locate(np.zeros((1056, 1056, 3), np.uint8), tile_px=24.0, roi=window)
    middles = found.tiles.mean(axis=1) - window.start
    assert np.abs(middles - (22 * STRIDE + 1.5)).max(axis=1).min() < 1.0
