"""Which finds are read again, straightened."""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle

import numpy as np
import numpy.typing as npt
import pytest

from tests.vision.beside_table import seen_from
from tests.vision.true_calibration import calibration_of
from vision.arrays import Image
from vision.cameras.synthetic.appearance import Appearance
from vision.felt import BACK, NOT_A_TILE, Reading
from vision.geometry.plane_geometry import turn, wrap
from vision.geometry.rectify import TopView
from vision.geometry.sides import nearest_side
from vision.reading.reader import FaceReader
from vision.watching.detection import Detection
from vision.watching.looks.grown_sides import top_tile_offset
from vision.watching.looks.look_reader import LookReader
from vision.watching.looks.tile_looks import TileLooks
from vision.watching.refinement.neighbours import PlacedTile
from vision.watching.refinement.straightened import read_straightened, with_parts_joined
from vision.zones.table_zones import Zones

TABLE = Appearance(width_px=400, height_px=400)
SIZE = TABLE.tile_size
VIEW = TopView(calibration_of(TABLE), height_mm=SIZE.depth_mm)
ZONES = Zones(side_mm=TABLE.felt_mm, size=SIZE)


def look_reader(reader: FaceReader, view: TopView = VIEW) -> LookReader:
    """Reads a black frame."""
    width, height = view.calibration.size
    return LookReader(reader, np.zeros((height, width, 3), np.uint8), view, zones=ZONES)


class _SureReader:
    def read(self, image: Image, quads: npt.ArrayLike) -> list[Reading]:
        return [Reading(tile="6z", score=0.95) for _ in np.asarray(quads)]


@pytest.mark.parametrize("reading", [Reading(tile="4z", score=0.6), Reading(tile=NOT_A_TILE, score=0.9)])
@pytest.mark.parametrize(("angle", "is_again"), [(3.0, False), (88.0, False), (28.0, True), (60.0, True)])
def test_only_what_was_found_askew_is_read_again(reading: Reading, angle: float, is_again: bool) -> None:
    """Read sideways, a doubtful face that lies upright may look like another, sideways as after a riichi."""
    place = Detection(x_mm=0.0, y_mm=-200.0, angle_deg=angle, half_mm=(SIZE.width_mm / 2, SIZE.height_mm / 2))
    found = read_straightened(look_reader(_SureReader()), [(place, reading)])
    assert bool(found) is is_again


class _NineReader:
    """Reads whatever stands upright in the picture as a 9p, and anything else as an 8p, less surely."""

    def read(self, image: Image, quads: npt.ArrayLike) -> list[Reading]:
        return [
            Reading(tile="9p", score=0.99) if abs(quad[1, 0] - quad[0, 0]) > 5 else Reading(tile="8p", score=0.95)
            for quad in np.asarray(quads)
        ]


def overlapping(pitch: float) -> TileLooks:
    """Two finds that lie across (40, -110), so many tile widths apart, and one elsewhere."""
    half = (SIZE.width_mm / 2, SIZE.height_mm / 2)
    places = [
        Detection(x_mm=40.0, y_mm=-110.0 + up * pitch * SIZE.width_mm, angle_deg=90.0, half_mm=half)
        for up in (-0.5, 0.5, 6.0)
    ]
    quads = np.stack([VIEW.from_felt(place.corners()).reshape(4, 2) for place in places])
    return TileLooks(quads=quads, scores=np.array([0.7, 0.6, 0.9], np.float32), detections=places)


@pytest.mark.parametrize(("pitch", "is_one"), [(0.73, True), (0.93, True), (1.0, False), (0.2, False)])
def test_two_finds_that_overlap_as_no_tiles_can_are_the_tile_between_them(pitch: float, is_one: bool) -> None:
    """Whether or not each of them would be read: another look may have refused one of them."""
    looks = overlapping(pitch)
    joined = with_parts_joined(looks, look_reader(_NineReader()), faces=[])
    assert len(joined.detections) == len(joined.quads) == len(joined.scores) == (2 if is_one else 3)
    if is_one:
        first = joined.detections[0]
        assert (first.x_mm, first.y_mm, first.angle_deg % 180) == pytest.approx((40, -110, 0))
        assert joined.quads[0].mean(axis=0) == pytest.approx(VIEW.from_felt([(40.0, -110.0)])[0])
    else:
        assert joined.detections == looks.detections


@pytest.mark.parametrize(("offset", "is_one"), [((0.0, 0.65), True), ((0.65, 0.0), False), ((0.46, 0.46), False)])
def test_a_find_across_a_tile_and_one_along_it_are_the_tile_between_them(
    offset: tuple[float, float], is_one: bool
) -> None:
    """The face of a 9p with the tile's side below it was told as an 8p lying sideways, which is a riichi."""
    half = (SIZE.width_mm / 2, SIZE.height_mm / 2)
    right, up = (part * SIZE.width_mm for part in offset)
    across = Detection(x_mm=40.0, y_mm=-110.0, angle_deg=89.0, half_mm=half)
    along = Detection(x_mm=40.0 + right, y_mm=-110.0 + up, angle_deg=-3.0, half_mm=half)
    quads = VIEW.from_felt(np.stack([along.corners(), across.corners()])).reshape(-1, 4, 2)
    looks = TileLooks(quads=quads, scores=np.full(2, 0.5, np.float32), detections=[along, across])
    joined = with_parts_joined(looks, look_reader(_NineReader()), faces=[])
    assert len(joined.detections) == (1 if is_one else 2)
    if is_one:
        (tile,) = joined.detections
        assert (tile.x_mm, tile.y_mm) == pytest.approx((40, -110 + up / 2))
        assert abs(wrap(tile.angle_deg, period=180)) < 5


@pytest.mark.parametrize(("lean", "is_one"), [(0.0, True), (45.0, False)])
def test_parts_are_not_joined_where_the_camera_sees_faces_of_a_standing_hand(lean: float, is_one: bool) -> None:
    table = TABLE if lean == 0 else seen_from(TABLE, lean=lean, bearing=0.0)
    view = TopView(calibration_of(table), height_mm=SIZE.depth_mm)
    half, apart_mm = (SIZE.width_mm / 2, SIZE.height_mm / 2), 0.73 * SIZE.width_mm
    side_deg = 90.0 * nearest_side(*map(float, view.calibration.camera_mm[:2]))
    middles = turn([[0.0, -320.0 + up * apart_mm] for up in (-0.5, 0.5)], side_deg)
    places = [Detection(x_mm=float(x), y_mm=float(y), angle_deg=side_deg + 90, half_mm=half) for x, y in middles]
    quads = view.from_felt(np.stack([place.corners() for place in places])).reshape(-1, 4, 2)
    looks = TileLooks(quads=quads, scores=np.full(2, 0.6, np.float32), detections=places)
    joined = with_parts_joined(looks, look_reader(_SureReader(), view), faces=[])
    assert len(joined.detections) == (1 if is_one else 2)


class _NothingReader:
    def read(self, image: Image, quads: npt.ArrayLike) -> list[Reading]:
        return [Reading(tile=NOT_A_TILE, score=0.9) for _ in np.asarray(quads)]


@pytest.mark.parametrize("is_believed", [True, False])
def test_finds_that_overlap_where_a_face_is_believed_to_lie_are_that_face(is_believed: bool) -> None:
    """Else they may be a blurred arm, or a tile and its side."""
    half = (SIZE.width_mm / 2, SIZE.height_mm / 2)
    face = Detection(x_mm=41.0, y_mm=-110.5, angle_deg=-3.0, half_mm=half)
    faces = [face] if is_believed else []
    joined = with_parts_joined(overlapping(0.73), look_reader(_NothingReader()), faces=faces)
    assert len(joined.detections) == (2 if is_believed else 3)


@pytest.mark.parametrize(("away", "score", "is_part"), [(7.0, 0.8, True), (7.0, 0.95, False), (1.0, 0.8, False)])
def test_a_believed_tile_of_which_a_part_is_found_lying_across_is_read_where_it_lies(
    away: float, score: float, is_part: bool
) -> None:
    """What is found surely, or about the tile's own middle, may be that tile turned."""
    half = (SIZE.width_mm / 2, SIZE.height_mm / 2)
    believed = Detection(x_mm=40.0, y_mm=-200.0, angle_deg=0.0, half_mm=half)
    across = Detection(x_mm=40.0, y_mm=-200.0 - away, angle_deg=88.0, half_mm=half)
    finds = [(across, Reading(tile="8p", score=score))]
    found = read_straightened(look_reader(_NineReader()), finds, believed_tiles=[PlacedTile(believed, "4z")])
    faces = [(straight.place, straight.reading.tile) for straight in found.values()]
    assert faces == ([(believed, "9p")] if is_part else [])
    assert not read_straightened(look_reader(_NineReader()), finds, believed_tiles=[None])


@pytest.mark.parametrize(
    ("face", "off", "score", "is_kept"),
    [
        ("9p", 1.5, 0.96, True),
        ("9p", 1.5, 0.995, False),
        ("9p", 6.5, 0.96, False),
        ("4z", 1.5, 0.96, False),
        (BACK, 1.5, 0.96, False),
    ],
)
def test_a_believed_face_is_kept_if_it_is_read_more_surely_where_it_lies_than_another_where_the_tile_was_found(
    face: str, off: float, score: float, is_kept: bool
) -> None:
    """Once the next discard lay beside a 2m, its outline was found a millimetre lower, and read as a 3m."""
    half = (SIZE.width_mm / 2, SIZE.height_mm / 2)
    believed = Detection(x_mm=40.0, y_mm=-110.0, angle_deg=0.0, half_mm=half)
    finds = [(replace(believed, y_mm=-110.0 - off), Reading(tile="8p", score=score))]
    found = read_straightened(look_reader(_NineReader()), finds, believed_tiles=[PlacedTile(believed, face)])
    faces = [(straight.place, straight.reading.tile) for straight in found.values()]
    assert faces == ([(believed, "9p")] if is_kept else [])


@pytest.mark.parametrize(
    ("angle", "score", "faces", "expected"),
    [
        pytest.param(88.0, 0.8, ("9p",), "9p", id="a doubtful face"),
        pytest.param(88.0, 0.8, ("9p", "8p"), None, id="not the same a little farther"),
        pytest.param(88.0, 0.95, ("9p",), None, id="a sure face"),
        pytest.param(-2.0, 0.8, ("9p",), None, id="upright: it is not turned into a riichi tile"),
    ],
)
def test_a_doubtful_face_sideways_in_a_river_is_read_as_the_upright_tile_that_it_may_be_a_part_of(
    angle: float, score: float, faces: tuple[str, ...], expected: str | None
) -> None:
    """Two rows of a 9p, with a part of its side, were told as an 8p lying sideways, which is a riichi."""
    place = Detection(x_mm=-49.0, y_mm=-79.0, angle_deg=angle, half_mm=(SIZE.width_mm / 2, SIZE.height_mm / 2))
    finds = [(place, Reading(tile="8p", score=score))]
    found = read_straightened(look_reader(_ReaderByTurns(*faces)), finds)
    assert [each.reading.tile for each in found.values()] == ([] if expected is None else [expected])
    for each in found.values():
        assert abs(wrap(each.place.angle_deg, period=180)) < 5
        assert abs(each.place.x_mm - place.x_mm) < 1
        assert abs(each.place.y_mm - place.y_mm) == pytest.approx(0.25 * SIZE.width_mm, abs=0.1)


@pytest.mark.parametrize(
    ("reading", "off", "is_again"),
    [
        pytest.param(Reading(tile=NOT_A_TILE, score=0.9), 3.0, True, id="found a little off, with a part of its side"),
        pytest.param(Reading(tile=NOT_A_TILE, score=0.9), 9.0, False, id="something farther away"),
        pytest.param(Reading(tile="6z", score=0.99), 3.0, False, id="read surely as it was found"),
    ],
)
def test_a_melds_turned_tile_that_is_found_turned_but_not_read_is_read_where_it_would_lie(
    reading: Reading, off: float, is_again: bool
) -> None:
    half, to_turned_mm = (SIZE.width_mm / 2, SIZE.height_mm / 2), (SIZE.width_mm + SIZE.height_mm) / 2
    rail = (SIZE.height_mm - SIZE.width_mm) / 2
    places = [
        (0.0, -320.0, 0.0),
        (SIZE.width_mm, -320.0, 0.0),
        (SIZE.width_mm + to_turned_mm, -320.0 - rail + off, 90.0),
    ]
    detections = [Detection(x_mm=x, y_mm=y, angle_deg=angle, half_mm=half) for x, y, angle in places]
    sure = Reading(tile="6z", score=0.99)
    finds = list(zip(detections, [sure, sure, reading], strict=True))
    found = read_straightened(look_reader(_SureReader()), finds)
    assert list(found) == ([2] if is_again else [])
    if is_again:
        assert found[2].place.y_mm == pytest.approx(-320.0 - rail)


@pytest.mark.parametrize(
    ("beyond", "face", "third", "is_again"),
    [
        pytest.param(0.4, "8p", "9m", True, id="two rows of a turned 9p"),
        pytest.param(0.4, "6z", "9m", False, id="a face that makes a meld with the two"),
        pytest.param(0.4, "8p", "6z", False, id="a tile beside a whole meld"),
        pytest.param(0.7, "8p", "9m", False, id="a tile of its own"),
        pytest.param(-0.17, "8p", "9m", False, id="an upright tile that touches them"),
    ],
)
def test_half_of_a_melds_turned_tile_that_is_found_upright_is_read_where_the_whole_would_lie(
    beyond: float, face: str, third: str, is_again: bool
) -> None:
    half = (SIZE.width_mm / 2, SIZE.height_mm / 2)
    y_mm = -320.0 - (SIZE.height_mm - SIZE.width_mm) / 2
    middle_mm = 1.5 * SIZE.width_mm + SIZE.height_mm / 2
    places = [(0.0, -320.0), (SIZE.width_mm, -320.0), (middle_mm + beyond * SIZE.width_mm, y_mm)]
    detections = [Detection(x_mm=x, y_mm=y, angle_deg=0.0, half_mm=half) for x, y in places]
    readings = [Reading(tile=tile, score=0.99) for tile in ("6z", "6z", face)]
    turned = replace(detections[0], x_mm=-middle_mm + SIZE.width_mm, y_mm=y_mm, angle_deg=90.0)
    others = [(turned, Reading(tile=third, score=0.99))]
    finds = list(zip(detections, readings, strict=True))
    found = read_straightened(look_reader(_SureReader()), finds, others=others)
    assert [(index, each.reading.tile) for index, each in found.items()] == ([(2, "6z")] if is_again else [])
    for each in found.values():
        assert (each.place.x_mm, each.place.y_mm) == pytest.approx((middle_mm, y_mm))
        assert abs(each.place.angle_deg) == pytest.approx(90)


def test_a_sure_face_is_not_read_again() -> None:
    place = Detection(x_mm=0.0, y_mm=-90.0, angle_deg=28.0, half_mm=(SIZE.width_mm / 2, SIZE.height_mm / 2))
    finds = [(place, Reading(tile="4z", score=0.99))]
    assert not read_straightened(look_reader(_SureReader()), finds)


class _ReaderByTurns:
    """Reads whatever it is asked for as one of these faces, by turns."""

    def __init__(self, *faces: str) -> None:
        self._faces = cycle(faces)

    def read(self, image: Image, quads: npt.ArrayLike) -> list[Reading]:
        return [Reading(tile=next(self._faces), score=0.97) for _ in np.asarray(quads)]


@pytest.mark.parametrize(
    ("lean", "reading", "faces", "face"),
    [
        pytest.param(45.0, Reading(tile="2s", score=0.6), ("5s",), "5s", id="from aslant"),
        pytest.param(45.0, Reading(tile="2s", score=0.6), ("5s", "2s"), None, id="not the same farther away"),
        pytest.param(45.0, Reading(tile="2s", score=0.6), ("2s", "5s", "5s", "5s"), "5s", id="with half of its side"),
        pytest.param(45.0, Reading(tile="2s", score=0.95), ("5s",), None, id="a sure face"),
        pytest.param(45.0, Reading(tile=NOT_A_TILE, score=0.6), ("5s",), None, id="no face"),
        pytest.param(0.0, Reading(tile="2s", score=0.6), ("5s",), None, id="from above"),
    ],
)
def test_a_doubtful_face_is_read_farther_from_the_camera(
    lean: float, reading: Reading, faces: tuple[str, ...], face: str | None
) -> None:
    """Its outline may hold a part of the side that the camera sees; where it lies stays as it was found."""
    table = TABLE if lean == 0 else seen_from(TABLE, lean=lean, bearing=0.0)
    view = TopView(calibration_of(table), height_mm=SIZE.depth_mm)
    place = Detection(x_mm=0.0, y_mm=-110.0, angle_deg=2.0, half_mm=(SIZE.width_mm / 2, SIZE.height_mm / 2))
    reader = _ReaderByTurns(*faces)
    found = read_straightened(look_reader(reader, view), [(place, reading)])
    assert [each.reading.tile for each in found.values()] == ([] if face is None else [face])
    assert all(each.place == place for each in found.values())


def test_the_side_of_a_tile_whose_face_is_found_is_not_read_as_that_face_again() -> None:
    """The side of a pon's turned tile, seen from 50 degrees aslant, became an added kan."""
    view = TopView(calibration_of(seen_from(TABLE, lean=50.0, bearing=0.0)), height_mm=SIZE.depth_mm)
    side = Detection(x_mm=0.0, y_mm=-200.0, angle_deg=92.0, half_mm=(SIZE.width_mm / 2, SIZE.height_mm / 2))
    away_x, away_y = top_tile_offset(side, view, SIZE)
    face = replace(side, x_mm=side.x_mm + away_x, y_mm=side.y_mm + away_y)
    finds = [(side, Reading(tile="5z", score=0.55)), (face, Reading(tile="8s", score=0.99))]
    assert not read_straightened(look_reader(_ReaderByTurns("8s"), view), finds)
    assert read_straightened(look_reader(_ReaderByTurns("8s"), view), finds[:1])


@pytest.mark.parametrize(("lean", "is_read"), [(0.0, True), (45.0, False)])
def test_a_turned_tile_is_not_read_where_the_camera_sees_faces_of_a_standing_hand(lean: float, is_read: bool) -> None:
    table = TABLE if lean == 0 else seen_from(TABLE, lean=lean, bearing=0.0)
    view = TopView(calibration_of(table), height_mm=SIZE.depth_mm)
    half, to_turned_mm = (SIZE.width_mm / 2, SIZE.height_mm / 2), (SIZE.width_mm + SIZE.height_mm) / 2
    rights, behind = (0.0, SIZE.width_mm, SIZE.width_mm + to_turned_mm), (0.0, 0.0, 2.0)
    camera_x, camera_y = view.calibration.camera_mm[:2]
    side = nearest_side(float(camera_x), float(camera_y))
    finds = []
    for right, back in zip(rights, behind, strict=True):
        ((x, y),) = turn([[right, -320.0 - back]], 90.0 * side)
        angle = wrap(90.0 * side, period=180)
        finds.append((Detection(x_mm=x, y_mm=y, angle_deg=angle, half_mm=half), Reading(tile="6z", score=0.95)))
    assert bool(read_straightened(look_reader(_SureReader(), view), finds)) is is_read
