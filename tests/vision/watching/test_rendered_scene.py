"""A short rendered scene, watched with the shipped models: pixels in, felt out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.beside_table import seen_from
from tests.vision.true_calibration import calibration_of
from vision.cameras.synthetic.animation import Beat, Film
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.layout import Discard, Layout, Meld, Wall
from vision.cameras.synthetic.scene import Scene, SceneStick
from vision.cameras.synthetic.synthetic_camera import SyntheticCamera
from vision.felt import FeltReport, StickLaid, TileLaid, TileTaken, Zone
from vision.reading.locator import Locator
from vision.reading.reader import TileReader
from vision.reading.sticks.strips import StripReader
from vision.watching.watcher import Watcher

pytestmark = pytest.mark.pictures

LAYOUT = Layout(seed=5)
WALL = Wall(break_side=1, break_stack=6, drawn=60, indicators=("3p",))


def scene(
    river_0: Sequence[Discard],
    river_1: Sequence[Discard],
    *,
    melds: Sequence[Meld] = (),
    sticks: Sequence[SceneStick] = (),
    open_hand: Sequence[str] = (),
) -> Scene:
    """Two rivers, melds of side 3, riichi sticks, and the hand of side 0, open or standing."""
    tiles = LAYOUT.river(0, river_0) + LAYOUT.river(1, river_1) + LAYOUT.melds(3, melds) + LAYOUT.wall(WALL)
    for side in range(4):
        if side == 0 and open_hand:
            tiles += LAYOUT.open_hand(0, open_hand)
        else:
            tiles += LAYOUT.standing_hand(side, 13 - 3 * len(melds) * (side == 3))
    return Scene(tiles=tiles, sticks=tuple(sticks))


def round_film() -> Film:
    first = [Discard(face="1z"), Discard(face="9m")]
    riichi = Discard(face="4p", is_sideways=True)
    other = [Discard(face="7s"), Discard(face="6z")]
    pon = Meld.from_call(("6z", "6z"), "6z", from_left=2)
    stick = LAYOUT.riichi_stick(0)
    hand = ("2p", "3p", "4p", "6m", "7m", "8m", "3s", "4s", "5s", "9s", "9s", "9s", "1z")
    beats = [
        Beat(time_s=0.0, scene=scene(first, other[:1])),
        Beat(time_s=1.4, scene=scene([*first, riichi], other[:1]), side=0),
        Beat(time_s=2.6, scene=scene([*first, riichi], other[:1], sticks=[stick]), side=0),
        Beat(time_s=3.8, scene=scene([*first, riichi], other, sticks=[stick]), side=1),
        Beat(time_s=5.2, scene=scene([*first, riichi], other[:1], sticks=[stick], melds=[pon]), side=3),
        Beat(time_s=7.2, scene=scene([*first, riichi], other[:1], sticks=[stick], melds=[pon], open_hand=hand), side=0),
        Beat(time_s=9.4, scene=Scene()),
    ]
    return Film(beats, felt_mm=LAYOUT.appearance.felt_mm, tail_s=1.5, seed=2)


@pytest.fixture(scope="module", params=[(1.0, 2.0), (0.15, 5.0)], ids=["bright", "dim"])
def reports(request: pytest.FixtureRequest) -> list[FeltReport]:
    exposure, noise = request.param
    appearance = replace(LAYOUT.appearance, exposure=exposure, noise=noise)
    size = appearance.tile_size
    calibration = calibration_of(appearance)
    watcher = Watcher(
        locator=Locator.from_above(), reader=TileReader(), calibration=calibration, tile=size, strips=StripReader()
    )
    with SyntheticCamera(round_film(), appearance) as camera:
        found = [watcher.watch(frame) for frame in camera.frames()]
    return [report for report in found if report is not None]


def laid_tiles(reports: Sequence[FeltReport], zone: Zone) -> list[tuple[str, int, int, bool]]:
    """What was laid in a zone after the first report: face, side, order, sideways."""
    tiles = [change.tile for report in reports[1:] for change in report.changes if isinstance(change, TileLaid)]
    return [(tile.reading.tile, tile.side, tile.order, tile.is_sideways) for tile in tiles if tile.zone is zone]


def test_the_first_report_tells_what_lies_there(reports: list[FeltReport]) -> None:
    felt = reports[0].felt
    assert [tile.reading.tile for tile in felt.in_zone(0, Zone.RIVER)] == ["1z", "9m"]
    assert [tile.reading.tile for tile in felt.in_zone(1, Zone.RIVER)] == ["7s"]
    assert [tile.reading.tile for side in range(4) for tile in felt.in_zone(side, Zone.WALL)] == ["3p"]
    assert len(felt.tiles) == 4


def test_each_discard_is_told_once_with_its_place_and_posture(reports: list[FeltReport]) -> None:
    assert laid_tiles(reports, Zone.RIVER) == [("4p", 0, 2, True), ("6z", 1, 1, False)]


def test_a_stick_and_nothing_else_is_told_as_a_stick(reports: list[FeltReport]) -> None:
    sticks = [change.stick for report in reports for change in report.changes if isinstance(change, StickLaid)]
    assert [(stick.side, stick.zone) for stick in sticks] == [(0, Zone.STICKS)]
    assert sticks[0].value == 1000


def test_a_call_takes_the_tile_and_shows_in_the_meld_from_whom(reports: list[FeltReport]) -> None:
    taken_tiles = [
        (change.tile.reading.tile, change.tile.side)
        for report in reports
        for change in report.changes
        if isinstance(change, TileTaken) and report.t_ns < 9e9
    ]
    assert taken_tiles == [("6z", 1)]
    melds = [report.felt.in_zone(3, Zone.MELD) for report in reports]
    whole = max(melds, key=len)
    assert [(tile.reading.tile, tile.is_sideways) for tile in whole] == [("6z", False), ("6z", True), ("6z", False)]


def test_a_shown_hand_is_read_in_its_order(reports: list[FeltReport]) -> None:
    hands = [[tile.reading.tile for tile in report.felt.in_zone(0, Zone.HAND)] for report in reports]
    whole = ["2p", "3p", "4p", "6m", "7m", "8m", "3s", "4s", "5s", "9s", "9s", "9s", "1z"]
    assert whole in hands
    assert all(not hand or report.t_ns > 7e9 for hand, report in zip(hands, reports, strict=True))


def test_the_cleared_table_is_empty(reports: list[FeltReport]) -> None:
    assert reports[-1].felt.tiles == ()
    assert reports[-1].felt.sticks == ()


def test_events_come_within_a_second_of_their_time(reports: list[FeltReport]) -> None:
    times = [report.t_ns / 1e9 for report in reports[1:]]
    for beat_s in (1.4, 2.6, 3.8):
        assert np.min(np.abs(np.array(times) - beat_s - 0.4)) <= 0.6


@pytest.mark.parametrize(("bearing", "lean"), [(90.0, 34.0), (60.0, 34.0), (60.0, 44.0)])
def test_a_tile_taken_from_beside_one_whose_side_the_camera_sees_is_gone(bearing: float, lean: float) -> None:
    table = replace(Appearance.random(4), width_px=1920, height_px=1080)
    camera = seen_from(table, lean=lean, bearing=bearing)
    layout = Layout(appearance=camera, seed=30)
    row = tuple(Discard(face=face) for face in ("9s", "1z", "6z", "2m"))
    beats = [
        Beat(time_s=0.0, scene=Scene(tiles=layout.river(1, row))),
        Beat(time_s=2.4, scene=Scene(tiles=layout.river(1, row[:-1])), side=2),
    ]
    size = camera.tile_size
    calibration = calibration_of(camera)
    watcher = Watcher(locator=Locator(), reader=TileReader(), calibration=calibration, tile=size)
    film = Film(beats, felt_mm=camera.felt_mm, tail_s=3.0, seed=2)
    reports = [watcher.watch(frame) for frame in SyntheticCamera(film, camera, fps=5.0).frames()]
    changes = [change for report in reports if report is not None for change in report.changes]
    assert [change.tile.reading.tile for change in changes if isinstance(change, TileTaken)] == ["2m"]
