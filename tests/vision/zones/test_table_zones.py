from __future__ import annotations

import numpy as np
import pytest

from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.layout import Discard, Layout, Meld, Wall
from vision.cameras.synthetic.scene import SceneTile
from vision.felt import BACK, FACES, Zone
from vision.geometry.plane_geometry import TileSize, turn
from vision.geometry.sides import RestingTile
from vision.zones.meld_rows import are_one_meld
from vision.zones.table_zones import ZonePlace, Zones


class SeenTiles:
    """Lays scene tiles down as a watcher would see them: a little off, some upside down, ids in laying order."""

    def __init__(self, appearance: Appearance, *, seed: int, off_mm: float = 1.2, off_deg: float = 1.5) -> None:
        self.appearance = appearance
        self.rng = np.random.default_rng([seed, 77])
        self.off = (off_mm, off_deg)
        self.tiles: list[RestingTile] = []
        size = appearance.tile_size
        self.zones = Zones(side_mm=appearance.felt_mm, size=size)

    def lay(self, tiles: tuple[SceneTile, ...]) -> list[int]:
        ids = []
        for tile in tiles:
            dx, dy, da = self.rng.normal(0, 1, 3)
            # What lies on another tile is seen a little further out.
            outward = 1 + max(0.0, tile.z_mm) / 900
            self.tiles.append(
                RestingTile(
                    id=len(self.tiles),
                    face=tile.face,
                    x_mm=tile.x_mm * outward + self.off[0] * dx,
                    y_mm=tile.y_mm * outward + self.off[0] * dy,
                    angle_deg=tile.angle_deg + self.off[1] * da + 180 * int(self.rng.integers(2)),
                )
            )
            ids.append(self.tiles[-1].id)
        return ids

    def places(self) -> dict[int, ZonePlace]:
        return self.zones.arrange([self.tiles[i] for i in self.rng.permutation(len(self.tiles))])


def random_appearance(seed: int) -> Appearance:
    return Appearance.default() if seed == 0 else Appearance.random(seed)


def faces(rng: np.random.Generator, count: int) -> list[str]:
    return [FACES[i] for i in rng.integers(0, len(FACES), count)]


@pytest.mark.parametrize("seed", range(40))
def test_four_rivers_are_told_apart_and_read_in_laying_order(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = SeenTiles(random_appearance(seed), seed=seed)
    layout = Layout(appearance=table.appearance, seed=seed, untidiness=1.0)
    expected = {}
    for side in range(4):
        count = int(rng.integers(1, 22))
        sideways_index = int(rng.integers(0, 24))
        discards = [Discard(face=face, is_sideways=i == sideways_index) for i, face in enumerate(faces(rng, count))]
        for order, i in enumerate(table.lay(layout.river(side, discards))):
            expected[i] = ZonePlace(side=side, zone=Zone.RIVER, is_sideways=order == sideways_index, order=order)
    assert table.places() == expected


def seen_from_side(side: int, lying: list[tuple[float, float, float]], face: str = "2s") -> list[RestingTile]:
    """Tiles at these places: to the right of the centre and away from it, as this side sees them, and turned so."""
    middles = turn([[right, -out] for right, out, _ in lying], 90.0 * side).tolist()
    return [
        RestingTile(id=number, face=face, x_mm=x_mm, y_mm=y_mm, angle_deg=angle_deg + 90.0 * side)
        for number, ((x_mm, y_mm), (_, _, angle_deg)) in enumerate(zip(middles, lying, strict=True))
    ]


@pytest.mark.parametrize("side", range(4))
@pytest.mark.parametrize(
    ("row_end", "row_out", "turned", "is_of_row"),
    [
        (94.75, 125.0, (118.0, 125.0), True),
        (72.0, 125.0, (118.0, 125.0), False),
        (94.75, 98.0, (118.0, 125.0), False),
        (100.25, 125.0, (123.5, 125.0), True),
        (72.75, 98.0, (96.0, 98.0), False),
        (-100.25, 125.0, (-123.5, 125.0), False),
    ],
    ids=[
        "its row",
        "a row that ends before it",
        "a row beside it",
        "a third row, beyond the diagonal",
        "a row nearer to the centre, beyond the diagonal",
        "the left end of a third row, beyond the diagonal",
    ],
)
def test_a_turned_tile_near_a_diagonal_is_of_the_row_that_it_continues_or_of_the_side_for_which_it_is_upright(
    row_end: float, row_out: float, turned: tuple[float, float], is_of_row: bool, side: int
) -> None:
    to_right = 1 if turned[0] > 0 else -1
    row = [(row_end - to_right * 20.0 * n, row_out, 0.0) for n in (2, 1, 0)]
    places = Zones(side_mm=720, size=TileSize()).arrange(seen_from_side(side, [*row, (*turned, 90.0)]))
    assert [places[number].side for number in range(3)] == [side] * 3
    expected = (side, True) if is_of_row else ((side + to_right) % 4, False)
    assert (places[3].side, places[3].is_sideways) == expected


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0)], ids=["as laid", "the last one first"])
@pytest.mark.parametrize("side", range(4))
def test_a_row_goes_on_over_a_diagonal_from_tile_to_tile(side: int, order: tuple[int, ...]) -> None:
    """The second turned tile continues the row only once the first one belongs to it."""
    tiles = seen_from_side(side, [(51.5, 125.0, 0.0), (71.5, 125.0, 0.0), (94.75, 125.0, 90.0), (121.25, 125.0, 90.0)])
    places = Zones(side_mm=720, size=TileSize()).arrange([tiles[number] for number in order])
    assert [(places[number].side, places[number].order) for number in range(4)] == [(side, n) for n in range(4)]


@pytest.mark.parametrize("side", range(4))
@pytest.mark.parametrize("tilt_deg", [-9.0, 9.0])
def test_a_river_that_lies_askew_as_a_whole_is_read_row_by_row(tilt_deg: float, side: int) -> None:
    rows = [(20.0 * column, 27.0 * row) for row in range(2) for column in range(-2, 4)]
    lying = [(right, 110.0 - up, tilt_deg) for right, up in turn([[x, -y] for x, y in rows], tilt_deg).tolist()]
    places = Zones(side_mm=720, size=TileSize()).arrange(seen_from_side(side, lying))
    assert [(places[number].side, places[number].order) for number in range(12)] == [(side, n) for n in range(12)]


@pytest.mark.parametrize("side", range(4))
@pytest.mark.parametrize("seed", range(6))
def test_the_first_discard_of_a_hand_is_told_without_neighbours(side: int, seed: int) -> None:
    table = SeenTiles(random_appearance(seed), seed=seed)
    layout = Layout(appearance=table.appearance, seed=seed)
    (tile,) = table.lay(layout.river(side, [Discard(face="9s")]))
    assert table.places() == {tile: ZonePlace(side=side, zone=Zone.RIVER)}


MELDS = {
    "chi": Meld.from_call(("2p", "4p"), "3p", from_left=1),
    "pon from across": Meld.from_call(("5z", "5z"), "5z", from_left=2),
    "pon from the right": Meld.from_call(("1m", "1m"), "1m", from_left=3),
    "open kan": Meld.from_call(("7s", "7s", "7s"), "7s", from_left=2),
    "added kan": Meld(faces=("0m", "5m", "5m"), turned_index=1, added="5m"),
    "closed kan": Meld.closed_kan(("3z",) * 4),
    "closed kan, inner down": Meld.closed_kan(("8p",) * 4, are_outer_down=False),
    "four shown": Meld(faces=("9m",) * 4),
}


@pytest.mark.parametrize("name", MELDS)
@pytest.mark.parametrize("side", range(4))
def test_a_meld_in_the_right_corner_is_read_from_its_left(name: str, side: int) -> None:
    meld = MELDS[name]
    for seed in range(5):
        table = SeenTiles(random_appearance(seed), seed=seed)
        ids = table.lay(Layout(appearance=table.appearance, seed=seed).melds(side, [meld]))
        expected = {
            i: ZonePlace(
                side=side,
                zone=Zone.MELD,
                is_sideways=order == meld.turned_index or order == len(meld.faces),
                order=order,
            )
            for order, i in enumerate(ids)
        }
        assert table.places() == expected


@pytest.mark.parametrize("names", [("closed kan",), ("closed kan, inner down",), ("chi", "pon from across")])
@pytest.mark.parametrize("per_row", [4, 2, 1])
@pytest.mark.parametrize("side", range(4))
def test_a_closed_kan_shown_face_up_beside_earlier_melds_is_a_meld_of_its_own(
    side: int, per_row: int, names: tuple[str, ...]
) -> None:
    """Until two of its tiles were turned down, two kans were taken for an open hand."""
    table = SeenTiles(random_appearance(0), seed=side, off_mm=0.8)
    layout = Layout(appearance=table.appearance, seed=side, melds_per_row=per_row)
    melds = [MELDS[name] for name in (*names, "four shown")]
    ids = table.lay(layout.melds(side, melds))
    places = table.places()
    assert [(places[i].zone, places[i].group, places[i].order) for i in ids] == [
        (Zone.MELD, group, order) for group, meld in enumerate(melds) for order in range(len(meld.faces))
    ]


@pytest.mark.parametrize("side", range(4))
def test_a_tile_on_top_of_a_turned_one_belongs_to_its_meld_and_comes_last(side: int) -> None:
    table = SeenTiles(random_appearance(0), seed=side)
    kan = Meld(faces=("0m", "5m", "5m"), turned_index=0, added="5m", is_on_top=True)
    ids = table.lay(Layout(appearance=table.appearance, seed=side).melds(side, [kan]))
    places = [table.places()[i] for i in ids]
    assert [(place.zone, place.group, place.order, place.is_sideways) for place in places] == [
        (Zone.MELD, 0, order, order in (0, 3)) for order in range(4)
    ]


@pytest.mark.parametrize("side", range(4))
@pytest.mark.parametrize(
    "rows",
    [
        (("3p", "2p", "4p"), ("3p", "2p", "4p")),
        (("3p", "2p", "4p"), ("3p", "2p", "4p"), ("1p", "2p", "3p")),
        (("3p", "3p", "3p"), ("3p", "2p", "4p")),
        (("3p", "2p", "4p"), ("3p",), ("1p", "2p", "3p")),
    ],
    ids=["two chis", "a third chi with such a tile upright", "a pon and a chi", "the called tile of a second chi"],
)
def test_a_chi_laid_against_another_meld_with_the_same_turned_tile_adds_no_tile_to_it(
    rows: tuple[tuple[str, ...], ...], side: int
) -> None:
    """The second meld lost its turned tile to the first, as if that were an added kan."""
    size = TileSize()
    tiles: list[RestingTile] = []
    for row, row_faces in enumerate(rows):
        out, right = 355 - row * (size.height_mm + 0.5), 280.0
        for column, face in enumerate(row_faces):
            is_turned = column == 0
            width, height = (size.height_mm, size.width_mm) if is_turned else (size.width_mm, size.height_mm)
            (place,) = turn([[right + width / 2, -out + height / 2]], 90.0 * side)
            lean = 90.0 * side + (90.0 if is_turned else 0.0)
            tiles.append(
                RestingTile(id=len(tiles), face=face, x_mm=float(place[0]), y_mm=float(place[1]), angle_deg=lean)
            )
            right += width
    places = Zones(side_mm=720, size=size).arrange(tiles)
    assert [(places[i].side, places[i].zone, places[i].group, places[i].order) for i in range(len(tiles))] == [
        (side, Zone.MELD, group, order) for group, row in enumerate(rows) for order in range(len(row))
    ]


@pytest.mark.parametrize("further", [("6z", "6z", "6z"), ("6p", "4p", "5p")])
def test_an_added_tile_beside_a_further_meld_is_still_added(further: tuple[str, ...]) -> None:
    """It lies nearly in the row of that one, whose tiles go with their own turned tile."""
    lying = [("3p", 293.25, 345.0, 90.0), ("3p", 316.5, 341.75, 0.0), ("3p", 336.5, 341.75, 0.0)]
    rows = ((226.75, 318.5, 90.0), (250.0, 315.25, 0.0), (270.0, 315.25, 0.0))
    lying += [(face, *place) for face, place in zip(further, rows, strict=True)]
    lying.append(("3p", 293.25, 325.0, 90.0))
    tiles = [
        RestingTile(id=number, face=face, x_mm=right, y_mm=-out, angle_deg=angle_deg)
        for number, (face, right, out, angle_deg) in enumerate(lying)
    ]
    places = Zones(side_mm=720, size=TileSize()).arrange(tiles)
    expected = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3)]
    assert [(places[i].group, places[i].order) for i in range(7)] == expected


@pytest.mark.parametrize("per_row", [4, 2, 1])
@pytest.mark.parametrize("seed", range(12))
def test_several_melds_are_numbered_as_they_were_laid(per_row: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    chosen = [list(MELDS.values())[i] for i in rng.permutation(len(MELDS) - 1)[: int(rng.integers(2, 4))]]
    side = int(rng.integers(4))
    table = SeenTiles(random_appearance(seed), seed=seed, off_mm=0.8)
    layout = Layout(appearance=table.appearance, seed=seed, melds_per_row=per_row)
    ids = iter(table.lay(layout.melds(side, chosen)))
    places = table.places()
    for group, meld in enumerate(chosen):
        count = len(meld.faces) + (meld.added is not None)
        of_meld = [places[next(ids)] for _ in range(count)]
        assert [(one.side, one.zone, one.group, one.order) for one in of_meld] == [
            (side, Zone.MELD, group, order) for order in range(count)
        ]


@pytest.mark.parametrize("side", range(4))
def test_four_melds_one_above_the_other_are_all_melds(side: int) -> None:
    """The middles of the fourth one's tiles lie little farther out than those of walls."""
    table = SeenTiles(random_appearance(0), seed=side, off_mm=0.8)
    chosen = [MELDS[name] for name in ("chi", "pon from across", "pon from the right", "open kan")]
    ids = table.lay(Layout(appearance=table.appearance, seed=side, melds_per_row=1).melds(side, chosen))
    places = table.places()
    assert [(places[i].side, places[i].zone, places[i].group) for i in ids] == [
        (side, Zone.MELD, group) for group, meld in enumerate(chosen) for _ in meld.faces
    ]


@pytest.mark.parametrize("seed", range(20))
def test_an_open_hand_is_a_row_from_the_left_with_the_winning_tile_last(seed: int) -> None:
    rng = np.random.default_rng(seed)
    side = int(rng.integers(4))
    table = SeenTiles(random_appearance(seed), seed=seed)
    layout = Layout(appearance=table.appearance, seed=seed)
    hand = sorted(faces(rng, 13 - 3 * int(rng.integers(0, 4))))
    ids = table.lay(layout.open_hand(side, hand, winning="7z"))
    assert table.places() == {i: ZonePlace(side=side, zone=Zone.HAND, order=order) for order, i in enumerate(ids)}


def test_an_open_hand_beside_its_melds_is_told_from_them() -> None:
    table = SeenTiles(random_appearance(0), seed=3)
    layout = Layout(appearance=table.appearance, seed=3)
    melds = table.lay(layout.melds(2, [MELDS["chi"], MELDS["pon from the right"]]))
    hand = table.lay(layout.open_hand(2, ["1m", "1m", "5p", "6p", "7p", "3z", "3z"], winning="3z"))
    places = table.places()
    assert {places[i].zone for i in melds} == {Zone.MELD}
    assert {places[i].zone for i in hand} == {Zone.HAND}
    assert [places[i].order for i in hand] == list(range(8))


@pytest.mark.parametrize(
    ("faces", "expected"),
    [
        ("1m1m1m", True),
        ("5p0p5p5p", True),
        ("4s0s6s", True),
        ("9m7m8m", True),
        ("1m2m4m", False),
        ("1m2m3m4m", False),
        ("1m2p3s", False),
        ("1z2z3z", False),
    ],
)
def test_a_meld_is_of_one_kind_or_a_run_of_three_in_a_suit(faces: str, expected: bool) -> None:
    assert are_one_meld([faces[start : start + 2] for start in range(0, len(faces), 2)]) is expected


@pytest.mark.parametrize("hand", [["1m", "1m", "5p", "6p", "7p", "3z", "3z", "3z"], ["7p", "3z", "3z", "3z"]])
def test_a_hand_pushed_against_its_melds_is_cut_where_the_meld_begins(hand: list[str]) -> None:
    zones, count = Zones(side_mm=720, size=TileSize()), len(hand)
    x, tiles = 220.0 - 20 * count, []
    for i, face in enumerate([*hand, "2s", "3s", "4s"]):
        width = 26.5 if i == count else 20.0
        y = -330.0 if i == count else -326.75
        tiles.append(RestingTile(id=i, face=face, x_mm=x + width / 2, y_mm=y, angle_deg=90.0 if i == count else 0.0))
        x += width
    places = zones.arrange(tiles)
    assert [places[i].zone for i in range(len(tiles))] == [Zone.HAND] * count + [Zone.MELD] * 3
    assert places[count].is_sideways


def test_four_of_a_kind_in_an_open_hand_are_no_kan() -> None:
    table = SeenTiles(random_appearance(0), seed=1)
    hand = ["4m", "4m", "4m", "4m", "5p", "6p", "7p", "1z", "1z", "1z", "9s", "9s", "9s"]
    ids = table.lay(Layout(appearance=table.appearance, seed=1).open_hand(0, hand))
    assert {place.zone for place in table.places().values()} == {Zone.HAND}
    assert len(ids) == 13


def test_the_tiles_of_a_meld_being_laid_are_no_hand() -> None:
    table = SeenTiles(random_appearance(0), seed=1)
    ids = table.lay(Layout(appearance=table.appearance, seed=1).melds(1, [MELDS["pon from across"]])[:2])
    places = table.places()
    assert {(places[i].side, places[i].zone) for i in ids} == {(1, Zone.MELD)}


def test_a_lone_tile_deep_in_a_corner_is_of_the_side_whose_right_it_is() -> None:
    zones = Zones(side_mm=720, size=TileSize())
    for angle in (0.0, 90.0):
        places = zones.arrange([RestingTile(id=1, face="2s", x_mm=342, y_mm=300, angle_deg=angle)])
        assert (places[1].side, places[1].zone) == (1, Zone.MELD)


@pytest.mark.parametrize("side", range(4))
def test_a_few_tiles_near_a_corner_are_of_the_side_for_which_they_are_upright(side: int) -> None:
    """Deep in that corner, they would be the left neighbour's melds."""
    (middle,) = turn([[-200.0, -330.0]], 90.0 * side)
    tile = RestingTile(id=1, face="2s", x_mm=float(middle[0]), y_mm=float(middle[1]), angle_deg=90.0 * side)
    places = Zones(side_mm=720, size=TileSize()).arrange([tile])
    assert (places[1].side, places[1].zone) == (side, Zone.HAND)


@pytest.mark.parametrize("side", range(4))
@pytest.mark.parametrize(
    ("right", "out", "steps", "zone"),
    [
        (0.0, 50.0, 0, Zone.STICKS),
        (0.0, 70.0, 0, Zone.RIVER),
        (0.0, 200.0, 0, Zone.WALL),
        (0.0, 330.0, 0, Zone.HAND),
        (300.0, 330.0, 0, Zone.MELD),
        (-300.0, 330.0, -1, Zone.MELD),
    ],
)
def test_each_place_has_a_side_and_a_zone_whatever_lies_there(
    right: float, out: float, steps: int, zone: Zone, side: int
) -> None:
    (place,) = turn([[right, -out]], 90.0 * side)
    zones = Zones(side_mm=720, size=TileSize())
    assert zones.side_and_zone(float(place[0]), float(place[1])) == ((side + steps) % 4, zone)


@pytest.mark.parametrize("seed", range(20))
def test_indicators_are_on_the_wall_and_its_face_down_tiles_are_only_counted(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = SeenTiles(random_appearance(0), seed=seed)
    wall = Wall(
        break_side=int(rng.integers(4)),
        break_stack=int(rng.integers(2, 13)),
        drawn=60,
        indicators=tuple(faces(rng, 3)),
        ura=tuple(faces(rng, 2)),
    )
    tiles = Layout(appearance=table.appearance, seed=seed).wall(wall)
    ids = table.lay(tiles)
    places = table.places()
    face_up = [i for i, tile in zip(ids, tiles, strict=True) if tile.face != BACK]
    assert sorted(places) == face_up
    assert {place.zone for place in places.values()} == {Zone.WALL}
    assert table.zones.walls(table.tiles) == len(tiles) - len(face_up)


def test_face_down_tiles_of_a_hand_are_nothing() -> None:
    table = SeenTiles(random_appearance(0), seed=1)
    table.lay(Layout(appearance=table.appearance, seed=1).open_hand(3, [BACK] * 13))
    assert table.places() == {}
    assert table.zones.walls(table.tiles) == 0


def test_face_down_tiles_alone_in_a_corner_are_no_meld_yet() -> None:
    zones = Zones(side_mm=720, size=TileSize())
    backs = [RestingTile(id=i, face=BACK, x_mm=260.0 + 20 * i, y_mm=-326.75, angle_deg=0.0) for i in range(4)]
    assert zones.arrange(backs) == {}


@pytest.mark.parametrize("side", range(4))
def test_a_display_of_the_unit_is_in_nobodys_river_once_that_has_a_row(side: int) -> None:
    """Red digits were told as a 1m laid sideways, and thus as a riichi."""
    table = SeenTiles(Appearance.random(3), seed=side)
    layout = Layout(appearance=table.appearance, seed=side)
    discards = table.lay(layout.river(side, [Discard(face=face) for face in ("2z", "6z", "5z", "1p")]))
    x, y = ((-14.0, -45.0), (45.0, -14.0), (14.0, 45.0), (-45.0, 14.0))[side]
    table.tiles.append(RestingTile(id=9, face="1m", x_mm=x, y_mm=y, angle_deg=90.0 * (side + 1)))
    places = table.places()
    assert places[9].zone is Zone.ELSEWHERE
    assert [places[discard].order for discard in discards] == [0, 1, 2, 3]


def test_what_lies_on_the_centre_is_in_nobodys_river() -> None:
    zones = Zones(side_mm=720, size=TileSize())
    places = zones.arrange([RestingTile(id=5, face="1m", x_mm=3, y_mm=-8, angle_deg=30)])
    assert places[5].zone is Zone.ELSEWHERE


@pytest.mark.parametrize("side", range(4))
@pytest.mark.parametrize("seed", range(4))
def test_a_riichi_stick_is_its_sides_and_counters_are_elsewhere(side: int, seed: int) -> None:
    table = SeenTiles(random_appearance(seed), seed=seed)
    layout = Layout(appearance=table.appearance, seed=seed)
    riichi = layout.riichi_stick(side)
    assert table.zones.stick_side(riichi.x_mm, riichi.y_mm, riichi.angle_deg) == (side, Zone.STICKS)
    (counter,) = layout.counters(side, 1)
    assert table.zones.stick_side(counter.x_mm, counter.y_mm, counter.angle_deg)[1] is Zone.ELSEWHERE


@pytest.mark.parametrize(("right", "out"), [(0.0, 100.0), (100.0, 40.0), (-100.0, 40.0)])
def test_a_stick_beyond_the_stick_zone_is_elsewhere(right: float, out: float) -> None:
    zones = Zones(side_mm=720, size=TileSize())
    assert zones.stick_side(0.0, -40.0, 0.0) == (0, Zone.STICKS)
    assert zones.stick_side(right, -out, 0.0)[1] is Zone.ELSEWHERE
