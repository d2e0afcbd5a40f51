"""Blank finds of one look, judged by what else the look shows."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from vision.arrays import Floats, Image
from vision.confidence import SURE
from vision.felt import BACK, HAKU, NOT_A_TILE, Reading
from vision.geometry.plane_geometry import TileSize
from vision.watching.belief.evidence import TileEvidence
from vision.watching.detection import Detection
from vision.watching.tracking.blank_looks import counted_readings, with_blanks_identified
from vision.zones.table_zones import Zones

ZONES = Zones(side_mm=720.0, size=TileSize(width_mm=20.0, height_mm=26.0, depth_mm=16.0))
PAPER, SIDE, WOOD, FELT = (190, 190, 195), (104, 106, 110), (30, 90, 150), (60, 110, 40)
RIVER_Y, MELD_Y, WALL_Y = -100.0, -300.0, 200.0


def detection(x: float, y: float, angle_deg: float = 0.0) -> Detection:
    return Detection(x_mm=x, y_mm=y, angle_deg=angle_deg, half_mm=(10.0, 13.0))


class Table:
    """A look from far aslant at places of one colour each."""

    felt = np.array([100.0, 100.0, 150.0], np.float32)

    def __init__(self, colours: dict[Detection, tuple[int, int, int]]) -> None:
        self._colours = colours
        self.view = SimpleNamespace(calibration=SimpleNamespace(camera_mm=np.array([0.0, 300.0, 460.0])))

    def colours(self, points_mm: Floats) -> Image:
        return np.array([np.full((points_mm.shape[1], 3), colour) for colour in self._colours.values()], np.uint8)

    def bare_lightness(self, points_mm: Floats) -> Floats:
        return np.full(len(points_mm), np.nan)


def told_beside_a_turned_tile(colour: tuple[int, int, int], reading: Reading) -> Reading:
    """What a faint find is told as that touches a meld's turned tile, toward the camera."""
    faces = [detection(250.0 - 20.0 * n, RIVER_Y) for n in range(5)] + [detection(0.0, MELD_Y, 90.0)]
    backs = [detection(20.0 * n, WALL_Y) for n in range(6)]
    find = detection(0.0, MELD_Y + 20.0, 90.0)
    colours = {find: colour} | dict.fromkeys(faces, PAPER) | dict.fromkeys(backs, WOOD)
    readings = [reading, *[Reading(tile="3p", score=0.99)] * 6, *[Reading(tile=BACK, score=0.97)] * 6]
    found = np.array([0.36, *[0.9] * 12], np.float32)
    look: Any = Table(colours)
    return with_blanks_identified(look, readings, list(colours), found, believed=(), zones=ZONES)[0]


@pytest.mark.parametrize(
    ("colour", "expected"),
    [
        pytest.param(SIDE, NOT_A_TILE, id="its side, in less light"),
        pytest.param(PAPER, HAKU, id="a haku beside it"),
        pytest.param(WOOD, BACK, id="a back beside it"),
    ],
)
def test_the_side_of_a_face_is_no_haku_where_it_is_found_beside_the_face(
    colour: tuple[int, int, int], expected: str
) -> None:
    assert told_beside_a_turned_tile(colour, Reading(tile=BACK, score=0.97)).tile == expected


@pytest.mark.parametrize(
    ("colour", "face", "others", "expected"),
    [
        pytest.param(PAPER, "3p", (26.0, 46.0), NOT_A_TILE, id="a turned tile's side in bright light"),
        pytest.param(WOOD, "3p", (26.0, 46.0), NOT_A_TILE, id="its lower half, of the backs' colour"),
        pytest.param(PAPER, HAKU, (26.0, 46.0), HAKU, id="a haku, perhaps added"),
        pytest.param(PAPER, "3p", (), HAKU, id="a haku beside a tile by itself"),
        pytest.param(WOOD, "3p", (), BACK, id="a back beside a tile by itself"),
    ],
)
def test_before_a_melds_turned_tile_lies_nothing_blank_where_its_side_is_seen(
    colour: tuple[int, int, int], face: str, others: tuple[float, ...], expected: str
) -> None:
    """The side of a tile is seen almost as wide as a tile from far aslant."""
    meld = [detection(0.0, MELD_Y - 3.0, 90.0), *(detection(x - 3.0, MELD_Y) for x in others)]
    faces = [detection(250.0 - 20.0 * n, RIVER_Y) for n in range(5)] + meld
    backs, find = [detection(20.0 * n, WALL_Y) for n in range(6)], detection(0.0, MELD_Y + 17.0, 90.0)
    look: Any = Table({find: colour} | dict.fromkeys(faces, PAPER) | dict.fromkeys(backs, WOOD))
    readings = [
        Reading(tile=HAKU if colour == PAPER else BACK, score=0.99),
        *[Reading(tile="3p", score=0.99)] * 5,
        *[Reading(tile=face, score=0.99)] * len(meld),
        *[Reading(tile=BACK, score=0.97)] * 6,
    ]
    found = np.full(len(readings), 0.9, np.float32)
    identified, *_ = with_blanks_identified(look, readings, [find, *faces, *backs], found, believed=(), zones=ZONES)
    assert identified.tile == expected


@pytest.mark.parametrize(
    ("colour", "score", "expected"),
    [((64, 64, 244), 0.4, NOT_A_TILE), (PAPER, 0.4, "2m"), (PAPER, 0.7, HAKU)],
)
def test_a_display_that_reads_surely_as_a_face_is_no_tile_and_a_worn_haku_is_one(
    colour: tuple[int, int, int], score: float, expected: str
) -> None:
    find = detection(0.0, RIVER_Y, 90.0)
    read, found = [Reading(tile="2m", score=0.92)], np.array([score], np.float32)
    look: Any = Table({find: colour})
    (identified,) = with_blanks_identified(look, read, [find], found, believed=(), zones=ZONES)
    assert identified.tile == expected


def test_what_is_no_tile_by_its_colour_is_none_in_a_river_too() -> None:
    back, none = Reading(tile=BACK, score=0.99), Reading(tile=NOT_A_TILE, score=1.0)
    (counted,) = counted_readings([back], [none], [detection(0.0, RIVER_Y)], np.array([0.9], np.float32), ZONES)
    assert counted == none


@pytest.mark.parametrize(
    ("others", "counts"),
    [
        pytest.param(("7m", "7m", BACK), True, id="a closed kan"),
        pytest.param(("5p", "0p", BACK), True, id="one with a red five"),
        pytest.param(("7m", "7m", "7m"), False, id="beside a pon"),
        pytest.param(("7m", "8m", BACK), False, id="beside other faces"),
        pytest.param((BACK, BACK, BACK), False, id="at the end of a wall"),
        pytest.param((NOT_A_TILE, NOT_A_TILE, BACK), False, id="beside nothing"),
    ],
)
@pytest.mark.parametrize("direction", [1, -1])
def test_a_faint_back_counts_where_the_other_back_of_a_closed_kan_lies(
    others: tuple[str, ...], counts: bool, direction: int
) -> None:
    places = [detection(100.0 + 20.0 * n * direction, MELD_Y + 1.5 * (n % 2), 2.0 * n) for n in range(4)]
    readings = [Reading(tile=tile, score=0.99) for tile in (BACK, *others)]
    found = np.array([0.23, 0.8, 0.8, 0.7], np.float32)
    first, *_ = counted_readings(readings, readings, places, found, ZONES)
    assert first.tile == (BACK if counts else NOT_A_TILE)


def test_a_river_in_which_a_lamp_is_mirrored_stays_doubted_after_many_looks() -> None:
    faces = [detection(20.0 * n, -RIVER_Y) for n in range(6)]
    lit = [detection(20.0 * n, RIVER_Y) for n in range(6)]
    look: Any = Table(dict.fromkeys(faces, PAPER) | dict.fromkeys(lit, (255, 255, 255)))
    readings = [*[Reading(tile="3p", score=0.99)] * 6, *[Reading(tile=HAKU, score=0.99)] * 6]
    places, found = [*faces, *lit], np.full(12, 0.9, np.float32)
    by_colour = with_blanks_identified(look, readings, places, found, believed=(), zones=ZONES)
    counted = counted_readings(readings, by_colour, places, found, ZONES)
    evidence = TileEvidence()
    for _ in range(100):
        evidence.add(counted[6])
    assert evidence.confidence < SURE
    assert [one.tile for one in counted[:6]] == ["3p"] * 6
