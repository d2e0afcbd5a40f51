"""Blank tiles told by the colours of the table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from vision.arrays import Image
from vision.confidence import GLARE, SURE
from vision.felt import BACK, HAKU, NOT_A_TILE, Reading, Zone
from vision.reading.blanks import face_up, identify_blanks
from vision.reading.known_tiles import Spots, known_tiles, lab_of, light_in, samples_of, without_displays
from vision.watching.belief.evidence import TileEvidence

YELLOW_PAPER, ORANGE_BACK, BLUE_BACK = (110, 190, 205), (20, 110, 200), (120, 70, 30)
"""Under a warm lamp: blue, green, red."""
INK = (40, 50, 60)


def tile(colour: tuple[int, int, int], *, is_printed: bool = False) -> Image:
    crop = np.full((64, 48, 3), colour, np.uint8)
    if is_printed:
        crop[20:44, 18:30] = INK
    return crop


def spots(
    middles: npt.NDArray[np.float64],
    zones: Sequence[Zone | None],
    found: float | Sequence[float] = 0.9,
    bare: float | Sequence[float] = float("nan"),
) -> Spots:
    count = len(middles)
    return Spots(
        middles=middles,
        lengths=np.full(count, 28.0),
        found=np.full(count, found, np.float32),
        zones=tuple(zones),
        bare=np.full(count, bare),
    )


def lit(light: float) -> tuple[int, int, int]:
    """Paper in so much light."""
    return round(120 * light), round(165 * light), round(170 * light)


LyingTile = tuple[Image, Reading, tuple[float, float], Zone]


def read_all(
    *tiles: LyingTile,
    ground: tuple[int, int, int] | None = None,
    found: float | Sequence[float] = 0.9,
    bare: float | Sequence[float] = float("nan"),
) -> list[Reading]:
    """The readings of these tiles on one table: crop, reading, place in millimetres, and zone of each."""
    crops, readings, middles, zones = zip(*tiles, strict=True)
    places = spots(np.array(middles, np.float64), zones, found, bare)
    samples = samples_of(np.stack(crops))
    felt = None if ground is None else lab_of(np.array([[ground]], np.uint8))[0, 0]
    return identify_blanks(readings, samples, places, known_tiles(readings, samples, places, ground=felt))


def river(count: int = 6) -> list[LyingTile]:
    """Printed faces in a row."""
    paper = tile(YELLOW_PAPER, is_printed=True)
    return [(paper, Reading(tile="3p", score=0.99), (20.0 * n, 90.0), Zone.RIVER) for n in range(count)]


def wall(colour: tuple[int, int, int], reading: Reading, count: int = 12) -> list[LyingTile]:
    return [(tile(colour), reading, (20.0 * n, 200.0), Zone.WALL) for n in range(count)]


def read_blank(blank: Image, reading: Reading, *, back: tuple[int, int, int] = ORANGE_BACK, backs: int = 4) -> Reading:
    """The reading of a blank tile beside six printed faces and some backs, which may lie anywhere."""
    crops = np.stack([*[tile(YELLOW_PAPER, is_printed=True)] * 6, *[tile(back)] * backs, blank])
    around = [*[Reading(tile="3p", score=0.99)] * 6, *[Reading(tile=BACK, score=0.97)] * backs, reading]
    places = spots(np.array([(30.0 * n, 0.0) for n in range(len(crops))]), [None] * len(crops))
    samples = samples_of(crops)
    *others, last = identify_blanks(around, samples, places, known_tiles(around, samples, places))
    assert [other.tile for other in others] == [one.tile for one in around[:-1]]
    return last


@pytest.mark.parametrize("score", [0.5, 0.7, 0.99])
def test_what_has_the_faces_colour_is_a_haku_however_surely_it_read_as_a_back(score: float) -> None:
    reading = read_blank(tile((112, 193, 208)), Reading(tile=BACK, score=score))
    assert reading.tile == HAKU
    assert reading.score > 0.9


@pytest.mark.parametrize("score", [0.57, 0.94])
@pytest.mark.parametrize(("stroke", "is_haku"), [((100, 178, 193), True), ((70, 120, 135), False)])
def test_a_face_without_a_print_is_a_haku(stroke: tuple[int, int, int], score: float, *, is_haku: bool) -> None:
    """Scratches on a worn haku read as the strokes of a 2m, mostly with a doubt; a faint print is seen."""
    worn = tile(YELLOW_PAPER)
    worn[18:22, 14:34] = worn[40:44, 14:34] = stroke
    backs = wall(ORANGE_BACK, Reading(tile=BACK, score=0.97))
    for right, found in ((120.0, 0.55), (240.0, 0.7)):
        worn_tile = (worn, Reading(tile="2m", score=score), (right, 90.0), Zone.RIVER)
        read = read_all(*river(), *backs, worn_tile, found=[*[0.9] * 18, found])[-1]
        assert read.tile == (HAKU if is_haku else "2m")


@pytest.mark.parametrize("zone", [Zone.RIVER, Zone.WALL])
@pytest.mark.parametrize(("stroke", "is_haku"), [((108, 187, 202), True), ((70, 120, 135), False)])
def test_a_face_without_a_print_is_a_haku_before_other_faces_lie_there(
    stroke: tuple[int, int, int], zone: Zone, *, is_haku: bool
) -> None:
    """The first discard or indicator, whose scratches read as strokes."""
    worn = tile(YELLOW_PAPER)
    worn[18:22, 14:34] = stroke
    place = (120.0, 90.0) if zone is Zone.RIVER else (240.0, 200.0)
    worn_tile = (worn, Reading(tile="2m", score=0.66), place, zone)
    backs = wall(ORANGE_BACK, Reading(tile=BACK, score=0.97))
    assert read_all(*backs, worn_tile, found=[*[0.9] * 12, 0.64])[-1].tile == (HAKU if is_haku else "2m")


def test_a_first_face_as_light_as_a_camera_can_show_is_a_doubtful_haku() -> None:
    """A lamp may hide its print."""
    backs = wall(ORANGE_BACK, Reading(tile=BACK, score=0.97))
    first = (tile((255, 255, 255)), Reading(tile="2m", score=0.66), (120.0, 90.0), Zone.RIVER)
    reading = read_all(*backs, first)[-1]
    assert (reading.tile, reading.score) == (HAKU, GLARE)


@pytest.mark.parametrize(
    ("light", "dark", "expected"),
    [
        pytest.param((64, 64, 244), (8, 8, 8), NOT_A_TILE, id="red digits"),
        pytest.param((30, 30, 150), (8, 8, 8), NOT_A_TILE, id="darker ones"),
        pytest.param(YELLOW_PAPER, (40, 40, 190), "2m", id="a red print in warm light"),
        pytest.param((30, 130, 255), INK, "2m", id="a face in very warm light"),
        pytest.param((60, 110, 255), (8, 8, 8), NOT_A_TILE, id="lighter ones"),
        pytest.param((255, 110, 90), INK, "2m", id="a face in blue light"),
        pytest.param((200, 150, 255), INK, "2m", id="a face in pink light"),
    ],
)
def test_a_displays_digits_are_no_face(light: tuple[int, int, int], dark: tuple[int, int, int], expected: str) -> None:
    shown = tile(light)
    shown[24:40, 14:34] = dark
    (reading,) = without_displays([Reading(tile="2m", score=0.92)], samples_of(shown[None]))
    assert reading.tile == expected
    assert without_displays([], samples_of(shown[None])[:0]) == []


@pytest.mark.parametrize("back", [ORANGE_BACK, BLUE_BACK])
def test_what_has_the_backs_colour_is_a_back_however_surely_it_read_as_a_haku(back: tuple[int, int, int]) -> None:
    assert read_blank(tile(back), Reading(tile=HAKU, score=0.97), back=back).tile == BACK


def test_what_is_of_another_colour_stays_as_it_was_read() -> None:
    reading = Reading(tile=BACK, score=0.8)
    assert read_blank(tile((60, 160, 60)), reading) == reading


def test_where_backs_are_as_white_as_the_faces_colour_tells_nothing() -> None:
    reading = Reading(tile=BACK, score=0.8)
    assert read_blank(tile(YELLOW_PAPER), reading, back=YELLOW_PAPER) == reading


def test_where_too_few_backs_lie_there_colour_tells_nothing() -> None:
    reading = Reading(tile=BACK, score=0.8)
    assert read_blank(tile(YELLOW_PAPER), reading, backs=2) == reading


def test_a_printed_face_is_never_told_by_its_colour() -> None:
    for reading in (Reading(tile="4s", score=0.55), Reading(tile=BACK, score=0.6)):
        assert read_blank(tile(YELLOW_PAPER, is_printed=True), reading) == reading


def test_what_is_no_tile_becomes_none_by_having_the_faces_colour() -> None:
    reading = Reading(tile=NOT_A_TILE, score=0.9, alternatives=((HAKU, 0.05),))
    assert read_blank(tile(YELLOW_PAPER), reading) == reading
    doubted = Reading(tile=NOT_A_TILE, score=0.5, alternatives=((HAKU, 0.4),))
    assert read_blank(tile(YELLOW_PAPER), doubted).tile == HAKU


def test_a_haku_nearer_to_the_lamp_than_the_faces_is_one() -> None:
    lighter = tile((136, 235, 254))
    assert read_blank(lighter, Reading(tile=BACK, score=0.99)).tile == HAKU


@pytest.mark.parametrize(
    ("light", "zone", "expected"),
    [
        (1.0, Zone.RIVER, False),
        (1.05, Zone.RIVER, False),
        (1.3, Zone.RIVER, True),
        (1.3, Zone.WALL, True),
    ],
)
def test_what_is_far_lighter_than_the_paper_around_it_mirrors_a_lamp(light: float, zone: Zone, expected: bool) -> None:
    paper = (120, 165, 170)
    lit = tuple(round(value * light) for value in paper)
    face = tile(paper, is_printed=True)
    crops = [face] * 6 + [tile((lit[0], lit[1], lit[2]))]
    readings = [Reading(tile="3p", score=0.99)] * 6 + [Reading(tile=HAKU, score=0.99)]
    places = spots(np.array([(20.0 * n, 90.0) for n in range(7)]), [Zone.RIVER] * 6 + [zone])
    samples = samples_of(np.stack(crops))
    known = known_tiles(readings, samples, places)
    scores = [identify_blanks(readings, samples, places, known, glare=glare)[-1].score for glare in (0.5, 0.05)]
    assert scores == ([0.5, 0.05] if expected else [0.99, 0.99])


@pytest.mark.parametrize(
    ("alternative", "back"),
    [
        ((BACK, 0.02), 0.02),
        (("1p", 0.001), 0.001),  # a back is less probable than what is listed
        (("1p", 0.305), 0.005),  # no more is left for it
        ((BACK, 0.3), 0.045),
    ],
)
def test_a_doubt_because_of_a_lamp_keeps_what_the_reader_says_of_a_back(
    alternative: tuple[str, float], back: float
) -> None:
    face, bright = tile((120, 165, 170), is_printed=True), tile((156, 214, 221))
    haku = Reading(tile=HAKU, score=0.69, alternatives=(alternative,))
    readings, samples = [Reading(tile="3p", score=0.99)] * 6 + [haku], samples_of(np.stack([face] * 6 + [bright]))
    places = spots(np.array([(20.0 * n, 90.0) for n in range(7)]), [Zone.RIVER] * 7)
    known = known_tiles(readings, samples, places)
    doubted = identify_blanks(readings, samples, places, known, glare=0.05)[-1]
    assert (doubted.tile, doubted.score) == (HAKU, 0.05)
    assert dict(doubted.alternatives)[BACK] == pytest.approx(back)
    evidence = TileEvidence()
    for _ in range(8):
        evidence.add(doubted)
    assert evidence.verdict == HAKU


@pytest.mark.parametrize(
    ("nearest", "zone", "expected"),
    [
        (1.25, Zone.RIVER, 0.99),
        (1.25, Zone.MELD, 0.99),
        (1.25, Zone.WALL, 0.5),  # the face beside it may mirror the lamp, too
        (1.0, Zone.RIVER, 0.5),
    ],
)
def test_what_is_as_light_as_a_face_near_it_mirrors_no_lamp_though_most_lie_in_less_light(
    nearest: float, zone: Zone, expected: float
) -> None:
    face: LyingTile = (tile(lit(nearest), is_printed=True), Reading(tile="4p", score=0.99), (0.0, 60.0), Zone.RIVER)
    shadow, reading = tile(lit(1.0), is_printed=True), Reading(tile="3p", score=0.99)
    in_shadow: list[LyingTile] = [(shadow, reading, (20.0 * n, 200.0), Zone.RIVER) for n in range(4)]
    haku: LyingTile = (tile(lit(1.3)), Reading(tile=HAKU, score=0.99), (20.0, 60.0), zone)
    assert read_all(face, *in_shadow, haku)[-1].score == expected


@pytest.mark.parametrize(
    ("bare", "zone", "expected"),
    [
        (70.0, Zone.RIVER, 0.99),
        (70.0, Zone.MELD, 0.99),
        (70.0, Zone.WALL, 0.5),  # backs mirror the lamp beside a face that does
        (40.0, Zone.RIVER, 0.5),
        (float("nan"), Zone.RIVER, 0.5),
    ],
)
def test_a_haku_where_the_bare_table_was_lighter_too_mirrors_no_lamp(bare: float, zone: Zone, expected: float) -> None:
    shadow, reading = tile(lit(0.5), is_printed=True), Reading(tile="3p", score=0.99)
    in_shadow: list[LyingTile] = [(shadow, reading, (20.0 * n, 200.0), Zone.RIVER) for n in range(4)]
    haku: LyingTile = (tile(lit(1.0)), Reading(tile=HAKU, score=0.99), (20.0, 60.0), zone)
    assert read_all(*in_shadow, haku, bare=[*[40.0] * 4, bare])[-1].score == expected


@pytest.mark.parametrize(
    ("ink", "light", "expected"),
    [
        ((150, 150, 150), 1.5, 0.5),
        (INK, 1.5, 0.99),  # light falls there, and prints are seen
        ((150, 150, 150), 1.05, 0.99),  # it does not mirror the lamp
    ],
)
def test_what_is_light_beside_faces_whose_ink_a_mirrored_lamp_veils_may_hide_a_print(
    ink: tuple[int, int, int], light: float, expected: float
) -> None:
    def row(light: float, ink: tuple[int, int, int], up: float) -> list[LyingTile]:
        crop = tile(lit(light))
        crop[20:44, 18:30] = ink
        return [(crop, Reading(tile="3p", score=0.99), (20.0 * n, up), Zone.RIVER) for n in range(5)]

    haku: LyingTile = (tile(lit(light)), Reading(tile=HAKU, score=0.99), (-20.0, 90.0), Zone.RIVER)
    assert read_all(*row(1.5, ink, 90.0), *row(1.0, INK, 300.0), *row(1.0, INK, 330.0), haku)[-1].score == expected


NEAR_LAMP, IN_LAMP, OFF_LAMP = (222, 243, 244), (252, 253, 253), (160, 195, 200)


@pytest.mark.parametrize(
    ("blank", "near_lamp", "elsewhere", "expected"),
    [
        ((254, 254, 255), NEAR_LAMP, OFF_LAMP, True),  # blown out, a little lighter than the faces near the lamp
        ((245, 245, 244), NEAR_LAMP, OFF_LAMP, False),  # a print would be seen on it
        ((254, 254, 255), IN_LAMP, OFF_LAMP, False),  # prints are seen beside it in the same light
        ((254, 254, 255), NEAR_LAMP, NEAR_LAMP, False),  # the whole picture is bright
    ],
)
def test_what_is_blown_out_hides_a_print_if_most_faces_are_far_darker(
    blank: tuple[int, int, int], near_lamp: tuple[int, int, int], elsewhere: tuple[int, int, int], expected: bool
) -> None:
    readings = [Reading(tile="3p", score=0.99)] * 15
    rows: list[LyingTile] = [
        (tile(near_lamp if n < 5 else elsewhere, is_printed=True), reading, (20.0 * n, 90.0), Zone.RIVER)
        for n, reading in enumerate(readings)
    ]
    last = read_all(*rows, (tile(blank), Reading(tile=HAKU, score=0.99), (-20.0, 90.0), Zone.RIVER))[-1]
    assert (last.tile, last.score) == (HAKU, 0.5 if expected else 0.99)


def test_a_wall_of_backs_as_pale_as_the_faces_is_no_row_of_hakus() -> None:
    pale = (116, 196, 211)
    *wall_told, _, haku = read_all(
        *wall(pale, Reading(tile=HAKU, score=0.999)),
        *river(5),
        (tile(YELLOW_PAPER), Reading(tile=HAKU, score=0.8), (100.0, 90.0), Zone.RIVER),
    )
    assert {one.tile for one in wall_told[:12]} == {BACK}
    assert haku.tile == HAKU


@pytest.mark.parametrize(("light", "dark"), [((190, 195, 200), (60, 62, 65)), ((100, 95, 90), (80, 75, 70))])
def test_a_back_in_a_wall_in_which_a_lamp_is_mirrored_in_part_is_no_haku(
    light: tuple[int, int, int], dark: tuple[int, int, int]
) -> None:
    dull, glossy = wall(dark, Reading(tile=BACK, score=0.9)), wall(light, Reading(tile=HAKU, score=0.97))
    half = tile(dark)
    half[:, 24:] = light
    border = (half, Reading(tile=HAKU, score=0.97), dull[6][2], Zone.WALL)
    told_as = read_all(*river(), *dull[:6], border, *glossy[7:])[6:]
    assert [a.tile for a in told_as] == [BACK] * 12
    assert [a.score < SURE for a in told_as].index(True) == 6


def test_framed_hakus_are_no_backs_where_no_others_lie() -> None:
    """All four of a set lay in one row in a photograph, and no back beside them: they became four sure backs."""
    framed = tile(YELLOW_PAPER)
    framed[10:54, 8:40] = (180, 60, 30)
    framed[18:46, 14:34] = YELLOW_PAPER
    hakus: list[LyingTile] = [(framed, Reading(tile=HAKU, score=0.99), (20.0 * n, 60.0), Zone.RIVER) for n in range(4)]
    assert [reading.tile for reading in read_all(*river(), *hakus)[6:]] == [HAKU] * 4


def test_a_framed_haku_between_backs_as_white_as_its_paper_stays_one() -> None:
    framed = tile(YELLOW_PAPER)
    framed[12:52, 10:38] = INK
    framed[15:49, 13:35] = YELLOW_PAPER
    backs = wall(YELLOW_PAPER, Reading(tile=BACK, score=0.97))
    backs[4] = (framed, Reading(tile=HAKU, score=0.97), backs[4][2], Zone.WALL)
    assert [one.tile for one in read_all(*river(), *backs)[6:]] == [BACK] * 4 + [HAKU] + [BACK] * 7


def test_a_row_of_more_blank_tiles_than_a_set_has_hakus_is_a_wall_wherever_it_lies() -> None:
    for count, expected in ((4, HAKU), (5, BACK)):
        row = [
            (tile(YELLOW_PAPER), Reading(tile=HAKU, score=0.99), (20.0 * n, 160.0), Zone.RIVER) for n in range(count)
        ]
        assert {one.tile for one in read_all(*river(), *row)[6:]} == {expected}


def test_what_has_another_colour_than_the_faces_is_a_back_though_none_was_read_surely() -> None:
    dark = wall((45, 45, 48), Reading(tile=HAKU, score=0.6, alternatives=((BACK, 0.35),)), count=3)
    assert {one.tile for one in read_all(*river(), *dark)[6:]} == {BACK}


def test_a_blank_tile_in_a_river_is_a_haku_where_no_backs_are_known() -> None:
    blank = (tile(YELLOW_PAPER), Reading(tile=BACK, score=0.99), (120.0, 90.0), Zone.RIVER)
    assert read_all(*river(), blank)[-1].tile == HAKU


@pytest.mark.parametrize(
    ("zone", "expected"),
    [(Zone.RIVER, HAKU), (Zone.MELD, HAKU), (Zone.HAND, HAKU), (Zone.WALL, NOT_A_TILE)],
)
def test_a_blank_tile_beside_faces_is_found_though_it_read_as_no_tile(zone: Zone, expected: str) -> None:
    unread = Reading(tile=NOT_A_TILE, score=0.9, alternatives=((HAKU, 0.06),))
    backs = wall(BLUE_BACK, Reading(tile=BACK, score=0.97))
    blank = (tile(YELLOW_PAPER), unread, (120.0, 90.0), zone)
    assert read_all(*backs, *river(), blank)[-1].tile == expected


@pytest.mark.parametrize(
    ("zone", "found", "haku", "expected"),
    [
        pytest.param(Zone.RIVER, 0.57, 0.15, HAKU, id="both models allow it"),
        pytest.param(Zone.RIVER, 0.45, 0.15, NOT_A_TILE, id="the locator does not"),
        pytest.param(Zone.RIVER, 0.57, 0.06, NOT_A_TILE, id="the reader does not"),
        pytest.param(Zone.MELD, 0.57, 0.15, NOT_A_TILE, id="where sides of standing tiles are seen"),
    ],
)
def test_what_two_models_doubt_beside_a_rivers_faces_is_a_haku_if_both_allow_it(
    zone: Zone, found: float, haku: float, expected: str
) -> None:
    unread = Reading(tile=NOT_A_TILE, score=0.99 - haku, alternatives=((HAKU, haku),))
    backs = wall(BLUE_BACK, Reading(tile=BACK, score=0.97))
    blank = (tile(YELLOW_PAPER), unread, (120.0, 90.0), zone)
    assert read_all(*backs, *river(), blank, found=(*[0.9] * 18, found))[-1].tile == expected


def test_sticks_side_by_side_where_walls_lie_are_no_tiles() -> None:
    backs = wall(BLUE_BACK, Reading(tile=BACK, score=0.97))
    sticks = [(tile(YELLOW_PAPER), Reading(tile=BACK, score=0.97), (20.0 * n, -200.0), Zone.WALL) for n in range(3)]
    assert {one.tile for one in read_all(*backs, *river(), *sticks)[-3:]} == {NOT_A_TILE}


def test_an_indicator_between_backs_is_a_haku_by_its_colour() -> None:
    backs = wall(BLUE_BACK, Reading(tile=BACK, score=0.97), count=6)
    backs[2] = (tile(YELLOW_PAPER), Reading(tile=BACK, score=0.9), backs[2][2], Zone.WALL)
    assert [one.tile for one in read_all(*river(), *backs)[6:]] == [BACK, BACK, HAKU, BACK, BACK, BACK]


@pytest.mark.parametrize("back", [ORANGE_BACK, BLUE_BACK])
def test_an_indicator_that_is_a_haku_stays_one_before_any_other_face_lies_there(back: tuple[int, int, int]) -> None:
    haku = (tile(YELLOW_PAPER), Reading(tile=HAKU, score=0.99), (20.0 * 5, 200.0), Zone.WALL)
    backs = wall(back, Reading(tile=BACK, score=0.97))
    assert [reading.tile for reading in read_all(*backs[:5], haku, *backs[6:])] == [BACK] * 5 + [HAKU] + [BACK] * 6


@pytest.mark.parametrize(("zone", "expected"), [(Zone.WALL, 0.94), (Zone.HAND, 0.63)])
def test_an_indicator_that_may_be_a_haku_is_no_back_where_backs_have_another_colour(
    zone: Zone, expected: float
) -> None:
    doubted = Reading(tile=HAKU, score=0.63, alternatives=((BACK, 0.33), ("9s", 0.03)))
    backs = wall(ORANGE_BACK, Reading(tile=BACK, score=0.97))
    backs[5] = (tile(YELLOW_PAPER), doubted, backs[5][2], zone)
    read = read_all(*backs)
    assert [reading.tile for reading in read] == [BACK] * 5 + [HAKU] + [BACK] * 6
    assert round(read[5].score, 2) == expected


def test_hakus_beside_the_back_of_a_closed_kan_by_the_rail_are_hakus() -> None:
    doubted = Reading(tile=BACK, score=0.6, alternatives=((HAKU, 0.38),))
    backs = wall(BLUE_BACK, Reading(tile=BACK, score=0.97))
    end = (tile(BLUE_BACK), Reading(tile=BACK, score=0.99), (-60.0, -300.0), Zone.HAND)
    haku = (tile(YELLOW_PAPER), doubted, (-40.0, -300.0), Zone.HAND)
    assert [one.tile for one in read_all(*backs, *river(), end, haku)[-2:]] == [BACK, HAKU]


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        pytest.param((0.9, 0.9, 0.9), HAKU, id="surely tiles"),
        pytest.param((0.7, 0.5, 0.4), HAKU, id="one surely a tile"),
        pytest.param((0.5, 0.5, 0.4), NOT_A_TILE, id="perhaps sticks"),
    ],
)
def test_three_hakus_of_a_meld_beside_nothing_else_are_hakus(found: tuple[float, ...], expected: str) -> None:
    backs = wall(BLUE_BACK, Reading(tile=BACK, score=0.97))
    pon = [(tile(YELLOW_PAPER), Reading(tile=BACK, score=0.95), (20.0 * n, -300.0), Zone.MELD) for n in range(3)]
    readings = read_all(*backs, *river(), *pon, found=(*[0.9] * 18, *found))
    assert {reading.tile for reading in readings[-3:]} == {expected}


def test_a_kan_of_hakus_beside_a_closed_kan_is_no_wall() -> None:
    """Five blank tiles touch each other: more than a set has hakus."""
    kan = [(tile(YELLOW_PAPER), Reading(tile=HAKU, score=0.99), (20.0 * n, -300.0), Zone.MELD) for n in range(4)]
    back = (tile(ORANGE_BACK), Reading(tile=BACK, score=0.99), (80.0, -300.0), Zone.MELD)
    readings = read_all(*kan, back, *river())
    assert [reading.tile for reading in readings[:5]] == [HAKU] * 4 + [BACK]


def test_a_printed_face_that_has_not_the_backs_colour_is_no_back() -> None:
    face = Reading(tile=BACK, score=0.6, alternatives=(("4s", 0.3),))
    backs = wall(BLUE_BACK, Reading(tile=BACK, score=0.97))
    printed = tile(YELLOW_PAPER, is_printed=True)
    last = read_all(*backs, *river(), (printed, face, (120.0, 90.0), Zone.RIVER))[-1]
    assert (last.tile, round(last.score, 2)) == ("4s", 0.75)


def test_what_lies_face_up_and_may_be_a_face_is_no_back() -> None:
    doubted = Reading(tile=BACK, score=0.5, alternatives=((HAKU, 0.375), ("1p", 0.125)))
    assert face_up(doubted) == Reading(tile=HAKU, score=0.75, alternatives=(("1p", 0.25),))
    assert face_up(Reading(tile=HAKU, score=0.75, alternatives=((BACK, 0.25),))) == Reading(tile=HAKU, score=1.0)
    for tile_read, score, other in ((BACK, 0.96, HAKU), ("9m", 0.9, "6m")):
        reading = Reading(tile=tile_read, score=score, alternatives=((other, 1 - score),))
        assert face_up(reading) == reading


@pytest.mark.parametrize(
    ("back", "expected"),
    [
        pytest.param((30, 26, 150), NOT_A_TILE, id="backs of another colour"),
        pytest.param((27, 26, 30), BACK, id="backs of the felt's own colour"),
    ],
)
def test_a_piece_of_dark_felt_is_no_tile_unless_backs_have_its_colour(
    back: tuple[int, int, int], expected: str
) -> None:
    """In dim light faces are dark, too: lightness alone would make a haku of it."""
    felt, paper = (27, 26, 30), (83, 84, 88)
    dim = [(tile(paper), Reading(tile="3p", score=0.99), (20.0 * n, 90.0), Zone.RIVER) for n in range(6)]
    piece = (tile(felt), Reading(tile=BACK, score=0.99), (0.0, 140.0), Zone.RIVER)
    backs = wall(back, Reading(tile=BACK, score=0.97))
    assert read_all(*backs, *dim, piece, ground=felt, found=0.4)[-1].tile == expected
    assert read_all(*backs, *dim, piece, ground=felt, found=0.7)[-1].tile != NOT_A_TILE


def test_what_is_taken_for_backs_by_the_rail_does_not_show_the_colour_of_the_backs() -> None:
    wood = [(tile(ORANGE_BACK), Reading(tile=BACK, score=0.97), (20.0 * n, -320.0), Zone.HAND) for n in range(6)]
    backs = wall(BLUE_BACK, Reading(tile=BACK, score=0.97))
    kan = (tile(BLUE_BACK), Reading(tile=HAKU, score=0.7), (0.0, -300.0), Zone.MELD)
    assert read_all(*backs, *wood, *river(), kan)[-1].tile == BACK


@pytest.mark.parametrize(("noise", "expected"), [(12.0, HAKU), (0.0, NOT_A_TILE)])
def test_a_haku_in_a_noisy_picture_is_as_even_as_the_backs(noise: float, expected: str) -> None:
    """Where the backs are even, what is not has a faint print, or is something else."""
    rng = np.random.default_rng(1)

    def grainy(crop: Image, strength: float) -> Image:
        return np.clip(crop + rng.normal(0, strength, crop.shape), 0, 255).astype(np.uint8)

    unsure = Reading(tile=NOT_A_TILE, score=0.7, alternatives=((HAKU, 0.25),))
    even_backs = wall(BLUE_BACK, Reading(tile=BACK, score=0.97))
    backs = [(grainy(crop, noise), reading, middle, zone) for crop, reading, middle, zone in even_backs]
    blank = (grainy(tile(YELLOW_PAPER), 12.0), unsure, (120.0, 90.0), Zone.RIVER)
    assert read_all(*backs, *river(), blank)[-1].tile == expected


def test_how_light_a_blank_tile_is_beside_a_face_is_a_share_of_its_papers_light() -> None:
    face, side, haku = samples_of(
        np.stack([tile(YELLOW_PAPER, is_printed=True), tile((62, 107, 115)), tile(YELLOW_PAPER)])
    )
    assert light_in(haku, face) == pytest.approx(1.0, abs=0.02)
    assert light_in(side, face) == pytest.approx(0.29, abs=0.03)


def test_of_no_tiles_nothing_is_told() -> None:
    samples, none = samples_of(np.zeros((0, 64, 48, 3), np.uint8)), spots(np.zeros((0, 2)), [])
    assert identify_blanks([], samples, none, known_tiles([], samples, none)) == []
