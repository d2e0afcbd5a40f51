"""A photograph from file to the line that is printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from tests.contracts import assert_keeps
from tests.vision.true_calibration import calibration_of
from vision.arrays import Image
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.renderer import Renderer
from vision.cameras.synthetic.ground_truth import corners_px
from vision.cameras.synthetic.layout import Discard, Layout
from vision.cameras.synthetic.scene import Scene
from vision.confidence import MARK_BELOW
from vision.errors import CalibrationError, ImageError
from vision.felt import Reading
from vision.geometry.calibration import calibrate
from vision.geometry.size_limits import SIDES_MM
from vision.photo.files.photo_file import load_photo
from vision.photo.photo_reader import read_photo
from vision.photo.photo_things import ReadTile
from vision.photo.reading_order import in_reading_order
from vision.photo.tables.table_in_photo import TableInPhoto, joined_tiles
from vision.photo.tables.table_photo import TableView
from vision.reading.finds import Finds
from vision.reading.locator import Located, Locator
from vision.reading.reader import TileReader
from vision.reading.sticks.spots import Spot, Stick, riichi_spots
from vision.reading.sticks.strips import StripReader, ToPixels

Quads = npt.NDArray[np.float32]


def _quad(x: float, y: float, width: float = 20.0, height: float = 27.0) -> Quads:
    return np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], np.float32)


class _FixedLocator:
    """Finds what it was told, whatever the picture shows."""

    def __init__(self, tiles: list[Quads], scores: list[float] | None = None) -> None:
        self.tiles = np.array(tiles, np.float32).reshape(-1, 4, 2)
        self.scores = np.array([0.9] * len(tiles) if scores is None else scores, np.float32)
        self.calls: list[tuple[tuple[int, ...], float | None]] = []

    def locate(self, image: Image, *, tile_px: float | None) -> Located:
        self.calls.append((image.shape, tile_px))
        sticks = np.array([_quad(150, 20, 9, 90)], np.float32)
        return Located(
            tiles=self.tiles,
            tile_scores=self.scores,
            sticks=sticks,
            stick_scores=np.array([0.8], np.float32),
            stick_values=(1000,),
        )


class _FixedReader:
    """Reads what it was told; remembers the quads."""

    def __init__(self, *readings: Reading) -> None:
        self._readings = readings
        self.quads = np.zeros((0, 4, 2), np.float32)

    def read(self, image: Image, quads: npt.ArrayLike) -> list[Reading]:
        assert image.ndim == 3
        self.quads = np.asarray(quads, np.float32)
        return [self._readings[index % len(self._readings)] for index in range(len(self.quads))]


BLANK: Image = np.zeros((200, 300, 3), np.uint8)


def test_a_line_keeps_the_contract() -> None:
    reading = Reading(tile="6m", score=0.9, alternatives=(("9m", 0.08),))
    read = read_photo(BLANK, locator=_FixedLocator([_quad(10, 10)]), reader=_FixedReader(reading))
    line = read.to_json("hand.jpg")
    assert_keeps("read", line)
    assert line["tiles"][0]["alternatives"] == [["9m", 0.08]]
    assert line["sticks"][0]["value"] == 1000


def test_an_empty_picture_makes_a_line_without_tiles() -> None:
    read = read_photo(BLANK, locator=_FixedLocator([]), reader=_FixedReader(Reading(tile="1m", score=1.0)))
    assert read.to_json("x")["tiles"] == []


@pytest.mark.parametrize("turned", [False, True], ids=["upright", "upside down"])
def test_a_quad_starts_at_the_glyphs_top_left_and_runs_clockwise(turned: bool) -> None:
    quad = _quad(40, 30)
    reading = Reading(tile="6m", score=0.9, turned=turned)
    read = read_photo(BLANK, locator=_FixedLocator([quad]), reader=_FixedReader(reading))
    expected = quad if not turned else np.roll(quad, 2, axis=0)
    np.testing.assert_allclose(read.tiles[0].quad, expected)


def test_a_place_that_reads_as_no_tile_is_told_only_if_it_surely_is_one() -> None:
    locator = _FixedLocator([_quad(10, 10), _quad(60, 10)], [0.95, 0.4])
    read = read_photo(BLANK, locator=locator, reader=_FixedReader(Reading(tile="?", score=0.9)))
    assert [tile.quad[0] for tile in read.tiles] == [(10.0, 10.0)]


def test_a_face_too_narrow_for_the_locator_is_found_in_the_photo_pulled_wide() -> None:
    whole, halves = _quad(100, 50, 20, 54), [_quad(100, 50, 20, 27), _quad(100, 77, 20, 27)]

    class Locator(_FixedLocator):
        def locate(self, image: Image, *, tile_px: float | None) -> Located:
            pull = image.shape[1] / BLANK.shape[1]
            found = [whole * np.array([pull, 1], np.float32)] if pull > 1 else halves
            return _FixedLocator(found).locate(image, tile_px=tile_px)

    class Reader(_FixedReader):
        def read(self, image: Image, quads: npt.ArrayLike) -> list[Reading]:
            heights = np.ptp(np.asarray(quads, np.float32)[..., 1], axis=1)
            return [Reading(tile="9m", score=0.99 if height > 50 else 0.4) for height in heights]

    read = read_photo(BLANK, locator=Locator([]), reader=Reader())
    assert [tile.tile for tile in read.tiles] == ["9m"]
    assert np.allclose(read.tiles[0].quad, whole)


@pytest.mark.parametrize(("count", "read_count"), [(7, 7), (5, 0)], ids=["a row", "too few to be no chance"])
def test_a_row_squeezed_to_a_tenth_of_its_width_is_found_in_the_photo_pulled_very_wide(
    count: int, read_count: int
) -> None:
    class Locator(_FixedLocator):
        def locate(self, image: Image, *, tile_px: float | None) -> Located:
            pull = image.shape[1] / image.shape[0] / (BLANK.shape[1] / BLANK.shape[0])
            ratio = np.array([image.shape[1] / BLANK.shape[1], image.shape[0] / BLANK.shape[0]], np.float32)
            row = [_quad(20 + 22 * index, 20, 20, 160) * ratio for index in range(count)] if pull > 7 else []
            return _FixedLocator(row).locate(image, tile_px=tile_px)

    faces = [Reading(tile=f"{rank}m", score=0.99) for rank in range(1, 8)]
    read = read_photo(BLANK, locator=Locator([]), reader=_FixedReader(*faces))
    assert len(read.tiles) == read_count


class _LocatorOfAnySize(_FixedLocator):
    """Finds some things in the size of most, and all of them in any size, in an unstretched picture of 600 x 300."""

    def __init__(self, of_most: Sequence[Quads], others: Sequence[Quads], *, score: float = 0.9) -> None:
        super().__init__(list(of_most))
        self._others, self._score = list(others), score

    def locate(self, image: Image, *, tile_px: float | None) -> Located:
        if image.shape[:2] != (300, 600):
            return _FixedLocator([]).locate(image, tile_px=tile_px)
        quads = np.array([*self.tiles, *self._others], np.float32)
        finds = Finds(
            quads=quads,
            scores=np.full(len(quads), self._score, np.float32),
            fit=np.ones(len(quads), np.float32),
            values=np.zeros(len(quads), np.int64),
        )
        return replace(super().locate(image, tile_px=tile_px), of_any_size=finds)


class _ReaderOfSizes(_FixedReader):
    """Reads what has one of these heights as a face that depends on its column, anything else as a back."""

    FACES = ("2m", "4s", "6p", "9m", "3s", "7p", "1m")

    def __init__(self, *heights: float) -> None:
        super().__init__()
        self._heights = heights

    def read(self, image: Image, quads: npt.ArrayLike) -> list[Reading]:
        corners = np.asarray(quads, np.float32).reshape(-1, 4, 2)
        names = [self.FACES[int(quad[0, 0]) // 10 % len(self.FACES)] for quad in corners]
        is_face = [np.ptp(quad[:, 1]) in self._heights for quad in corners]
        return [Reading(tile=name if face else "back", score=0.99) for name, face in zip(names, is_face, strict=True)]


def _printed(*quads: Quads) -> Image:
    """Returns a dark picture of 600 x 300 with white tiles, a dark print on each."""
    image = np.full((300, 600, 3), 40, np.uint8)
    for quad in quads:
        middle = quad.mean(axis=0)
        cv2.fillConvexPoly(image, quad.astype(np.int32), (255, 255, 255))
        cv2.fillConvexPoly(image, (middle + (quad - middle) / 2).astype(np.int32), (0, 0, 0))
    return image


def test_tiles_on_a_floor_of_slabs_have_the_size_of_the_faces() -> None:
    slabs = [_quad(x, 100, 60, 80) for x in range(0, 400, 80)]
    hand = [_quad(x, 10) for x in range(10, 130, 20)]
    read = read_photo(_printed(*hand), locator=_LocatorOfAnySize(slabs, hand), reader=_ReaderOfSizes(27))
    assert [tile.tile for tile in read.tiles if tile.tile != "back"] == ["4s", "9m", "7p", "2m", "6p", "3s"]
    assert not any(tile.score >= MARK_BELOW for tile in read.tiles if tile.tile == "back")


@pytest.mark.parametrize(
    ("colour", "width", "score", "is_read"),
    [(255, 20, 0.6, True), (150, 20, 0.6, False), (255, 27, 0.6, False), (255, 20, 0.4, False)],
    ids=["a tile", "a book", "a broad label", "a faint find"],
)
def test_a_face_beside_others_that_was_found_in_another_size_is_read(
    colour: int, width: float, score: float, is_read: bool
) -> None:
    hand = [_quad(x, 100) for x in range(200, 320, 20)]
    beside = _quad(320, 100, width)
    picture = _printed(*hand, beside)
    picture[100:127, 320 : 320 + int(width)][picture[100:127, 320 : 320 + int(width)] == 255] = colour
    locator = _LocatorOfAnySize(hand, [beside], score=score)
    read = read_photo(picture, locator=locator, reader=_ReaderOfSizes(27))
    assert len(read.tiles) == len(hand) + is_read


@pytest.mark.parametrize("count", [4, 6])
def test_backs_among_tiles_of_the_faces_size_are_found_too(count: int) -> None:
    slabs = [_quad(x, 100, 60, 80) for x in range(0, 400, 80)]
    hand, backs = [_quad(10 + 20 * n, 10) for n in range(count)], [_quad(10 + 20 * n, 39, 20, 26) for n in range(5)]
    picture = _printed(*hand)
    for back in backs:
        cv2.fillConvexPoly(picture, back.astype(np.int32), (200, 130, 30))
    read = read_photo(picture, locator=_LocatorOfAnySize(slabs, [*hand, *backs]), reader=_ReaderOfSizes(27))
    sure = [tile.tile for tile in read.tiles if tile.score >= MARK_BELOW]
    assert (len(sure), sure.count("back")) == (count + 5, 5)


def test_one_large_thing_that_reads_as_a_face_does_not_show_the_size_of_tiles() -> None:
    slabs = [_quad(x, 180, 60, 80) for x in range(0, 400, 80)]
    hand, large = [_quad(x, 10) for x in range(10, 130, 20)], _quad(400, 10, 120, 160)
    locator, reader = _LocatorOfAnySize(slabs, [*hand, large]), _ReaderOfSizes(27, 160)
    read = read_photo(_printed(*hand, large), locator=locator, reader=reader)
    assert sum(tile.tile != "back" for tile in read.tiles) == len(hand)


def test_beside_a_floor_of_letters_few_more_are_read() -> None:
    hand = [_quad(x, 100) for x in range(200, 320, 20)]
    beside = [_quad(x + 0.01 * number, 100 + row) for x in (180, 320) for row in (-27, 0, 27) for number in range(100)]
    reads = list[int]()

    class Reader(_ReaderOfSizes):
        def read(self, image: Image, quads: npt.ArrayLike) -> list[Reading]:
            reads.append(len(np.asarray(quads)))
            return super().read(image, quads)

    read_photo(_printed(*hand, *beside[::100]), locator=_LocatorOfAnySize(hand, beside), reader=Reader(27))
    assert 200 <= sum(reads) < 300


@pytest.mark.parametrize("others", [0, 3], ids=["tiles alone", "among other things"])
def test_tiles_are_not_read_in_parts_at_a_smaller_size(others: int) -> None:
    whole = [_quad(100, 50, 60, 80), _quad(160, 50, 60, 80)]
    parts = [_quad(x, y, 20, 40) for x in range(100, 220, 20) for y in (50, 90)]
    backs = [_quad(x, 200, 60, 79) for x in range(100, 100 + 60 * others, 60)]
    locator, reader = _LocatorOfAnySize([*whole, *backs], parts), _ReaderOfSizes(80, 40)
    read = read_photo(_printed(*whole), locator=locator, reader=reader)
    assert sum(tile.tile != "back" for tile in read.tiles) == len(whole)


def test_of_two_sizes_the_whole_tiles_count_and_not_their_parts() -> None:
    slabs = [_quad(x, 150, 90, 100) for x in range(0, 500, 100)]
    whole = [_quad(x, 10, 60, 80) for x in range(100, 400, 60)]
    parts = [_quad(x, y, 30, 40) for x in range(100, 400, 30) for y in (10, 50)]
    locator, reader = _LocatorOfAnySize(slabs, [*whole, *parts]), _ReaderOfSizes(80, 40)
    read = read_photo(_printed(*whole), locator=locator, reader=reader)
    assert [np.ptp(tile.quad, axis=0).tolist() for tile in read.tiles if tile.tile != "back"] == [[60, 80]] * len(whole)


def test_the_look_with_many_blanks_gives_way_to_the_one_with_faces() -> None:
    class Locator(_FixedLocator):
        def locate(self, image: Image, *, tile_px: float | None) -> Located:
            tall = image.shape[0] > BLANK.shape[0]
            count = 2 if tall else 5
            return _FixedLocator([_quad(10 + 40 * index, 10) for index in range(count)]).locate(image, tile_px=tile_px)

    class Reader(_FixedReader):
        def read(self, image: Image, quads: npt.ArrayLike) -> list[Reading]:
            count = len(np.asarray(quads))
            return [Reading(tile="5z" if count == 5 else "3p", score=0.95)] * count

    read = read_photo(BLANK, locator=Locator([]), reader=Reader())
    assert [tile.tile for tile in read.tiles] == ["3p", "3p"]


def test_a_photo_is_read_as_it_is_where_pulling_it_tells_hardly_more() -> None:
    """A plain haku is worth little, yet belongs to the row: without it a scan would miss a face."""

    class Locator(_FixedLocator):
        def locate(self, image: Image, *, tile_px: float | None) -> Located:
            pull = image.shape[1] / BLANK.shape[1]
            places = (10, 40) if pull > 1 else (10, 40, 70)
            quads = [_quad(x, 10) * np.array([pull, 1], np.float32) for x in places]
            return _FixedLocator(quads).locate(image, tile_px=tile_px)

    class Reader(_FixedReader):
        def read(self, image: Image, quads: npt.ArrayLike) -> list[Reading]:
            faces = [Reading(tile="3p", score=0.98 if len(np.asarray(quads)) == 3 else 0.99)] * 2
            return [*faces, Reading(tile="5z", score=0.95)][: len(np.asarray(quads))]

    read = read_photo(BLANK, locator=Locator([]), reader=Reader())
    assert [tile.tile for tile in read.tiles] == ["3p", "3p", "5z"]


def test_a_back_far_from_every_face_is_a_box_unless_backs_lie_together() -> None:
    face, back = Reading(tile="3p", score=0.95), Reading(tile="back", score=0.95)
    places = [_quad(10, 10), _quad(35, 10), _quad(250, 150)]
    read = read_photo(BLANK, locator=_FixedLocator(places), reader=_FixedReader(face, back, back))
    assert [tile.tile for tile in read.tiles] == ["3p", "back"]
    heap = [_quad(10, 10), _quad(220, 150), _quad(242, 150), _quad(264, 150)]
    read = read_photo(BLANK, locator=_FixedLocator(heap), reader=_FixedReader(face, back, back, back))
    assert [tile.tile for tile in read.tiles] == ["3p", "back", "back", "back"]
    read = read_photo(BLANK, locator=_FixedLocator(places), reader=_FixedReader(back))
    assert [tile.tile for tile in read.tiles] == ["back", "back", "back"]


@pytest.mark.parametrize(
    ("count", "found", "size", "is_sure"),
    [
        (1, 0.6, (20.0, 27.0), False),
        (2, 0.6, (20.0, 27.0), False),
        (3, 0.6, (20.0, 27.0), True),
        (2, 0.7, (20.0, 27.0), False),
        (2, 0.85, (20.0, 27.0), True),
        (1, 0.9, (20.0, 27.0), False),
        (2, 0.7, (20.0, 19.0), False),
        (2, 0.7, (20.0, 40.0), False),
    ],
    ids=["a pane", "two keys", "three tiles", "two cards", "two tiles", "a label or one tile", "too broad", "too long"],
)
def test_what_reads_like_a_face_without_two_others_is_sure_only_if_it_is_surely_a_tile(
    count: int, found: float, size: tuple[float, float], is_sure: bool
) -> None:
    places = [_quad(30 + 22 * index, 60, *size) for index in range(count)]
    names = ("2s", "7p", "4z")
    reader = _FixedReader(*(Reading(tile=names[index], score=0.99) for index in range(count)))
    read = read_photo(BLANK, locator=_FixedLocator(places, [found] * count), reader=reader)
    assert [tile.score >= MARK_BELOW for tile in read.tiles] == [is_sure] * count


def test_backs_are_as_sure_as_they_look_wherever_no_face_lies() -> None:
    places = [_quad(30 + 22 * index, 60) for index in range(4)]
    reader = _FixedReader(Reading(tile="back", score=0.99))
    read = read_photo(BLANK, locator=_FixedLocator(places, [0.6] * 4), reader=reader)
    assert [tile.score for tile in read.tiles] == [0.99] * 4


def test_what_is_no_tile_does_not_vote_with_the_set_and_takes_no_time() -> None:
    """Slats of a mat all read as a 2s; checked against a set of four, a few hundred of them took minutes."""
    image: Image = np.full((900, 900, 3), 120, np.uint8)
    slats = [_quad(10 + 30 * column, 10 + 36 * row) for row in range(20) for column in range(20)]
    read = read_photo(image, locator=_FixedLocator(slats), reader=_FixedReader(Reading(tile="1p", score=0.99)))
    assert {(tile.tile, tile.is_doubted) for tile in read.tiles} == {("1p", True)}
    assert read.remarks == ()
    assert read.ms < 20_000


def test_tiles_come_row_by_row_from_the_left() -> None:
    places = [_quad(80, 62), _quad(10, 60), _quad(50, 12), _quad(20, 8)]
    read = read_photo(BLANK, locator=_FixedLocator(places), reader=_FixedReader(Reading(tile="1p", score=1.0)))
    assert [tile.quad[0][0] for tile in read.tiles] == [20.0, 50.0, 10.0, 80.0]


def test_a_slanting_row_is_one_row() -> None:
    slanting = [_quad(10 + 24 * place, 40 + 8 * place - 90 * (row == 0)) for row in (1, 0) for place in range(6)]
    readings = [Reading(tile=f"{place + 1}{suit}", score=0.9) for suit in "sm" for place in range(6)]
    read = read_photo(BLANK, locator=_FixedLocator(slanting), reader=_FixedReader(*readings))
    assert [tile.tile for tile in read.tiles] == [f"{place + 1}{suit}" for suit in "ms" for place in range(6)]


@pytest.mark.parametrize("degrees", [-40.0, -20.0, 20.0, 40.0])
@pytest.mark.parametrize("lefts", [range(3), range(11, 14)], ids=["at the left", "at the right"])
def test_a_short_rolled_row_below_a_long_one_comes_after_it(degrees: float, lefts: range) -> None:
    rows = [*(_quad(22.0 * x, 0) for x in range(14)), *(_quad(22.0 * x, 30) for x in lefts)]
    turn = np.radians(degrees)
    rolled = np.array(rows) @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]], np.float32)
    tiles = [
        ReadTile(tile="6m", quad=tuple((float(x), float(y)) for x, y in quad + 500), score=0.1 + number / 100)
        for number, quad in enumerate(rolled)
    ]
    assert in_reading_order(tiles[::-1]) == tiles


def test_a_picture_is_turned_as_its_exif_says(tmp_path: Path) -> None:
    picture = np.zeros((40, 80, 3), np.uint8)
    picture[:, :20] = 255
    _, packed = cv2.imencode(".jpg", picture)
    path = tmp_path / "turned.jpg"
    path.write_bytes(_with_orientation(packed.tobytes(), 6))
    loaded = load_photo(path).image
    assert loaded.shape == (80, 40, 3)
    assert loaded[:15].mean() > 200
    assert loaded[30:].mean() < 50


def _with_orientation(jpeg: bytes, orientation: int) -> bytes:
    tiff = b"MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01"
    tiff += orientation.to_bytes(2, "big") + b"\x00\x00" + b"\x00\x00\x00\x00"
    segment = b"Exif\x00\x00" + tiff
    return jpeg[:2] + b"\xff\xe1" + (len(segment) + 2).to_bytes(2, "big") + segment + jpeg[2:]


@pytest.mark.parametrize("content", [b"", b"no picture at all"], ids=["empty", "text"])
def test_a_file_that_is_no_picture_is_refused_with_its_place(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.jpg"
    path.write_bytes(content)
    with pytest.raises(ImageError, match=r"expected a JPEG.*got.*x\.jpg"):
        load_photo(path)


def test_a_file_that_is_absent_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ImageError, match=r"expected a readable image file.*none\.png"):
        load_photo(tmp_path / "none.png")


def _view(appearance: Appearance) -> TableView:
    corners = tuple((float(x), float(y)) for x, y in corners_px(appearance))
    return TableView(corners_px=corners, side_mm=appearance.felt_mm)


def test_with_corners_the_felt_is_seen_from_above_at_a_known_scale() -> None:
    appearance = Appearance(width_px=800, height_px=800)
    image = Renderer(appearance).render(Scene())
    locator = _FixedLocator([_quad(500, 500, 28, 37)])
    reader = _FixedReader(Reading(tile="1p", score=1.0))
    read_photo(image, locator=locator, reader=reader, view=_view(appearance))
    (shape, tile_px), *_ = locator.calls
    assert shape[0] == shape[1]
    assert tile_px == pytest.approx(28.0)


def test_with_corners_quads_come_back_in_pixels_of_the_photo() -> None:
    appearance = Appearance(width_px=800, height_px=800, camera_y_mm=-400)
    layout = Layout(appearance=appearance, untidiness=0.0)
    (tile,) = layout.river(0, [Discard(face="1p")])
    image = Renderer(appearance).render(Scene(tiles=(tile,)))
    # The view is 1.4 px/mm about the table's middle; this is the tile's own place in it.
    size = _FixedLocator([])
    read_photo(image, locator=size, reader=_FixedReader(Reading(tile="1p", score=1.0)), view=_view(appearance))
    middle = (size.calls[0][0][0] - 1) / 2
    x, y = middle + tile.x_mm * 1.4, middle - tile.y_mm * 1.4
    reader = _FixedReader(Reading(tile="1p", score=1.0))
    found = _FixedLocator([_quad(x - 14, y - 18.55, 28, 37.1)])
    read = read_photo(image, locator=found, reader=reader, view=_view(appearance))
    from_truth = _seen_middle(tile.x_mm, tile.y_mm, appearance)
    np.testing.assert_allclose(np.mean(read.tiles[0].quad, axis=0), from_truth, atol=4.0)


def _drawn_rivers(rivers: Sequence[str]) -> tuple[Image, Appearance, Scene]:
    appearance = Appearance(width_px=900, height_px=900, camera_y_mm=-450, covered_mm=1000)
    layout = Layout(appearance=appearance, untidiness=0.0)
    scene = Scene(
        tiles=tuple(
            tile
            for side, faces in enumerate(rivers)
            for tile in layout.river(side, [Discard(face=face) for face in faces.split()])
        ),
        sticks=(layout.riichi_stick(0),),
    )
    return np.asarray(Renderer(appearance).render(scene), np.uint8), appearance, scene


def test_a_table_without_given_corners_is_found_and_read_through_as_with_them() -> None:
    image, appearance, scene = _drawn_rivers(["1m 9p 7z 3s 5m 2p", "6z 4m 8s 1p 9s 2z", "3m 7p 2s", "5p 8m 1s 4z 6p"])
    reader, above, strips = TileReader(), Locator.from_above(), StripReader()
    found = read_photo(image, locator=Locator(), reader=reader, strips=strips, from_above=above)
    with_view = read_photo(image, locator=above, reader=reader, view=_view(appearance), strips=strips)
    assert found.table is not None
    assert found.table.by == "felt"
    np.testing.assert_allclose(found.table.view.corners_px, corners_px(appearance), atol=12)
    assert abs(found.table.view.side_mm / appearance.felt_mm - 1) < 0.15
    laid = sorted(tile.face for tile in scene.tiles)
    for read in (found, with_view):
        assert sorted(tile.tile for tile in read.tiles if tile.tile != "back") == laid
    assert [stick.value for stick in found.sticks] == [stick.value for stick in with_view.sticks] == [1000]
    assert_keeps("read", found.to_json("table.jpg"))


@pytest.mark.parametrize("light", [0.15, 0.08])
def test_a_photo_with_too_little_light_is_read_like_a_bright_one(light: float) -> None:
    image, appearance, scene = _drawn_rivers(["1m 9p 7z 3s 5m 2p", "6z 4m 8s 1p 9s 2z", "3m 7p 2s", "5p 8m 1s 4z 6p"])
    noisy = image * light + np.random.default_rng(1).normal(0, 0.7, image.shape)
    dim = np.clip(np.round(noisy), 0, 255).astype(np.uint8)
    read = read_photo(dim, locator=Locator.from_above(), reader=TileReader(), view=_view(appearance))
    assert sorted(tile.tile for tile in read.tiles) == sorted(tile.face for tile in scene.tiles)


def test_a_part_of_a_table_without_its_rails_is_read_through_the_plane_of_its_tiles() -> None:
    image, appearance, scene = _drawn_rivers(
        ["1m 9p 7z 3s 5m 2p", "6z 4m 8s 1p 9s 2z", "3m 7p 2s 1s", "5p 8m 1s 4z 6p"]
    )
    left, top = 240, 190
    part = np.ascontiguousarray(image[top:600, left:660])
    read = read_photo(part, locator=Locator(), reader=TileReader(), from_above=Locator.from_above())
    assert read.table is not None
    assert (read.table.by, read.table.view.is_whole) == ("tiles", False)
    assert sorted(tile.tile for tile in read.tiles if tile.tile != "back") == sorted(tile.face for tile in scene.tiles)
    found = read.table.view
    size = (part.shape[1], part.shape[0])
    true_camera = calibrate(corners_px(appearance) - (left, top), size=size, side_mm=appearance.felt_mm)
    found_camera = calibrate(found.corners_px, size=size, side_mm=found.side_mm)
    steps = [
        camera.to_felt([[200, 200], [260, 200], [200, 260]], height_mm=0.0) for camera in (true_camera, found_camera)
    ]
    true, measured = (np.linalg.norm(step[1:] - step[0], axis=1) for step in steps)
    np.testing.assert_allclose(measured, true, rtol=0.12)
    assert_keeps("read", read.to_json("part.jpg"))


class _WithFaintFinds:
    """Finds what the shipped locator does, and faint tiles on the bare felt beside each, as by the sides of tiles."""

    def __init__(self) -> None:
        self._shipped = Locator.from_above()

    def locate(self, image: Image, *, tile_px: float | None) -> Located:
        found = self._shipped.locate(image, tile_px=tile_px)
        beside_tiles = [found.tiles + np.array([x, y], np.float32) for x, y in ((0, 42), (0, -42), (12, 42), (12, -42))]
        faint = np.full(4 * len(found.tiles), 0.25, np.float32)
        return replace(
            found,
            tiles=np.concatenate([found.tiles, *beside_tiles]),
            tile_scores=np.concatenate([found.tile_scores, faint]),
        )


def test_faint_finds_through_a_plane_of_tiles_do_not_speak_against_tiles() -> None:
    image, _, scene = _drawn_rivers(["1m 9p 7z 3s 5m 2p", "6z 4m 8s 1p 9s 2z", "3m 7p 2s 1s", "5p 8m 1s 4z 6p"])
    part = np.ascontiguousarray(image[190:600, 240:660])
    read = read_photo(part, locator=Locator(), reader=TileReader(), from_above=_WithFaintFinds())
    assert read.table is not None
    assert read.table.by == "tiles"
    faces = [tile for tile in read.tiles if tile.tile != "back" and tile.score >= MARK_BELOW]
    assert sorted(tile.tile for tile in faces) == sorted(tile.face for tile in scene.tiles)


def test_sticks_around_a_plane_found_by_tiles_alone_are_those_of_the_plain_photo() -> None:
    image, *_ = _drawn_rivers(["1m 9p 7z 3s 5m 2p", "6z 4m 8s 1p 9s 2z", "3m 7p 2s 1s", "5p 8m 1s 4z 6p"])
    part = np.ascontiguousarray(image[190:600, 240:660])
    strips = Mock(StripReader)
    read = read_photo(part, locator=Locator(), reader=TileReader(), strips=strips, from_above=Locator.from_above())
    assert read.table is not None
    assert read.table.by == "tiles"
    assert read.sticks == read_photo(part, locator=Locator(), reader=TileReader()).sticks
    strips.sticks.assert_not_called()


def test_halves_of_a_4p_that_are_found_through_a_tables_plane_are_read_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    class Reader:
        def read(self, image: Image, quads: npt.ArrayLike) -> list[Reading]:
            lies_right = np.asarray(quads, np.float32).reshape(-1, 4, 2).mean(axis=1)[:, 0] > 200
            return [Reading(tile="4p" if right else "1p", score=0.99) for right in lies_right]

    locator = _FixedLocator([_quad(22.0 * place, 0) for place in range(9)])
    halves = [
        ReadTile(tile="2p", score=0.99, quad=tuple(map(tuple, _quad(207, y, 24, 18).tolist()))) for y in (-3.0, 11.0)
    ]
    finds = locator.locate(BLANK, tile_px=None), [*_row(range(9)), *halves]
    found = TableInPhoto(view=_view(Appearance()), by="felt")
    monkeypatch.setattr("vision.photo.photo_reader.tables_in", lambda *_: [found])
    monkeypatch.setattr("vision.photo.photo_reader._read_through_plane", lambda *_, **__: finds)
    read = read_photo(BLANK, locator=locator, reader=Reader(), from_above=locator)
    assert read.table is found
    assert [tile.tile for tile in read.tiles] == ["1p"] * 9 + ["4p"]


@pytest.mark.parametrize(("through", "is_table"), [("1p", True), ("2p", False)], ids=["the same", "others"])
def test_a_table_through_which_other_faces_are_read_than_plainly_is_none(through: str, is_table: bool) -> None:
    def row(face: str) -> list[ReadTile]:
        quads = [_quad(22 * index, 0) for index in range(9)]
        return [ReadTile(tile=face, quad=tuple((float(x), float(y)) for x, y in quad), score=0.99) for quad in quads]

    assert (joined_tiles(row(through), row("1p")) is not None) is is_table


def _row(places: range, *, score: float = 0.99, height: float = 27.0) -> list[ReadTile]:
    quads = [_quad(22 * place, 0, height=height) for place in places]
    return [ReadTile(tile="1p", quad=tuple((float(x), float(y)) for x, y in quad), score=score) for quad in quads]


def test_a_table_through_which_less_is_read_than_plainly_is_none() -> None:
    halves = _row(range(8, 12), score=0.5, height=14)
    assert joined_tiles([*_row(range(8)), *halves], _row(range(12))) is None
    assert joined_tiles(_row(range(8)), _row(range(12))) == _row(range(12))


def test_a_tile_that_stands_is_read_as_in_the_plain_photo_where_it_is_surer_there() -> None:
    standing = _row(range(8, 12), score=0.5)
    assert joined_tiles([*_row(range(8)), *standing], _row(range(12))) == _row(range(12))


def test_a_cloth_through_which_too_little_is_read_is_no_table() -> None:
    image, _, _ = _drawn_rivers([])
    places = [_quad(300 + 22 * index, 400) for index in range(4)]
    reader = _FixedReader(Reading(tile="1p", score=0.99))
    read = read_photo(image, locator=_FixedLocator(places), reader=reader, from_above=_FixedLocator(places))
    assert (read.table, len(read.tiles)) == (None, 4)
    assert read.to_json("cloth.jpg")["table"] is None


class _FixedStrips:
    """Tells one stick about each place that is asked for."""

    def __init__(self) -> None:
        self.spots: list[Spot] = []

    def sticks(self, image: Image, to_pixels: ToPixels, spots: Sequence[Spot]) -> list[Stick]:
        self.spots = list(spots)
        corners = np.array([[45.0, -4], [45, 4], [-45, 4], [-45, -4]])
        return [Stick(quad=corners + (spot.x, spot.y), value=5000, score=0.97) for spot in spots[:1]]


def test_with_corners_and_strips_sticks_are_as_the_strips_tell_them() -> None:
    appearance = Appearance(width_px=800, height_px=800, camera_y_mm=-400)
    image, strips = Renderer(appearance).render(Scene()), _FixedStrips()
    reader = _FixedReader(Reading(tile="1p", score=1.0))
    read = read_photo(image, locator=_FixedLocator([]), reader=reader, view=_view(appearance), strips=strips)
    located, *riichi = strips.spots
    assert riichi == riichi_spots()
    (stick,) = read.sticks
    assert stick.value == 5000
    assert stick.score == pytest.approx(0.97)
    calibration = calibration_of(appearance)
    expected = calibration.to_pixels([(located.x, located.y)], height_mm=0.0)[0]
    np.testing.assert_allclose(np.mean(stick.quad, axis=0), expected, atol=1.0)


def _seen_middle(x_mm: float, y_mm: float, appearance: Appearance) -> npt.NDArray[np.float64]:
    from vision.cameras.synthetic.drawing.optics import lens_of  # noqa: PLC0415 - the truth of this one picture

    return np.asarray(
        lens_of(appearance).project_flat(np.array([[x_mm, y_mm]]), appearance.tile_depth_mm)[0], np.float64
    )


@pytest.mark.parametrize(("camera_y", "is_read"), [(-30.0, True), (-900.0, False)], ids=["above", "behind its owner"])
def test_nothing_is_read_where_a_hand_could_show_its_faces_to_the_camera(camera_y: float, is_read: bool) -> None:
    appearance = Appearance(width_px=800, height_px=800, camera_y_mm=camera_y, covered_mm=1000)
    image = Renderer(appearance).render(Scene())
    middle = 531.5
    place = _quad(middle - 14, middle + 300 * 1.4 - 18, 28, 37)
    reader = _FixedReader(Reading(tile="1p", score=1.0))
    read = read_photo(image, locator=_FixedLocator([place]), reader=reader, view=_view(appearance))
    assert bool(read.tiles) is is_read
    assert len(reader.quads) == is_read


@pytest.mark.parametrize(("face", "is_found"), [("1p", True), ("back", False)], ids=["laid open", "a back"])
def test_along_a_rail_a_back_is_a_standing_tile_and_a_face_is_not(face: str, is_found: bool) -> None:
    appearance = Appearance(width_px=800, height_px=800)
    image = Renderer(appearance).render(Scene())
    place = _quad(531.5 - 14, 531.5 + 300 * 1.4 - 18, 28, 37)
    reader = _FixedReader(Reading(tile=face, score=1.0))
    read = read_photo(image, locator=_FixedLocator([place]), reader=reader, view=_view(appearance))
    assert bool(read.tiles) is is_found


def test_what_lies_beside_the_felt_is_left_out() -> None:
    appearance = Appearance(width_px=800, height_px=800)
    image = Renderer(appearance).render(Scene())
    reader = _FixedReader(Reading(tile="1p", score=1.0))
    read = read_photo(image, locator=_FixedLocator([_quad(2, 500, 20, 27)]), reader=reader, view=_view(appearance))
    assert read.tiles == ()


def test_corners_that_enclose_no_table_are_refused() -> None:
    view = TableView(corners_px=((0, 0), (1, 0), (1, 1), (0, 1)), side_mm=720)
    with pytest.raises(CalibrationError, match="expected the corners"):
        view.locate(BLANK, _FixedLocator([]))


def test_every_side_that_people_may_give_is_that_of_a_possible_table() -> None:
    corners = ((0, 0), (9, 0), (9, 9), (0, 9))
    assert TableView(corners_px=corners, side_mm=SIDES_MM[0] + 0.5)
    with pytest.raises(CalibrationError):
        TableView(corners_px=corners, side_mm=SIDES_MM[0])


def test_a_side_that_no_table_has_is_refused() -> None:
    with pytest.raises(CalibrationError, match="side of 200 to 2000 mm, got 5"):
        TableView(corners_px=((0, 0), (9, 0), (9, 9), (0, 9)), side_mm=5)
