"""Where things go on the table, against the measured facts of real ones."""

from collections import Counter
from itertools import combinations
from math import cos, hypot, radians, sin

import cv2
import numpy as np
import pytest

from tests.vision.scenes_to_see import busy_table, discards
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.solids import stick_solid, tile_solid
from vision.cameras.synthetic.layout import Discard, Layout, Meld, Wall
from vision.cameras.synthetic.scene import Pose, SceneError, SceneStick, SceneTile

LOOK = Appearance.default()
LAYOUT = Layout(appearance=LOOK, untidiness=0.0)
HUMAN = Layout(appearance=LOOK, seed=5)
WIDTH, HEIGHT = LOOK.tile_width_mm, LOOK.tile_height_mm


def as_seen_by(side: int, thing: SceneTile | SceneStick) -> tuple[float, float]:
    """How far to the side's right and how far from the centre towards it a thing lies."""
    turn = radians(90 * side)
    right = thing.x_mm * cos(turn) + thing.y_mm * sin(turn)
    up = -thing.x_mm * sin(turn) + thing.y_mm * cos(turn)
    return right, -up


def turn_of(side: int, tile: SceneTile) -> float:
    """A tile's angle against its owner's upright tiles, -180 to 180."""
    return (tile.angle_deg - 90 * side + 180) % 360 - 180


@pytest.mark.parametrize("side", range(4))
def test_a_river_has_rows_of_six_toward_its_owner_and_goes_on_in_the_third(side: int) -> None:
    river = LAYOUT.river(side, discards("1m2m3m4m5m6m7m8m9m1p2p3p4p5p6p7p8p9p1s2s"))
    rows = Counter(round(as_seen_by(side, tile)[1]) for tile in river)
    assert list(rows.values()) == [6, 6, 8]
    first, second, third = rows
    assert 82 <= first <= 86
    assert second - first == pytest.approx(HEIGHT + 1, abs=1)
    assert third - second == pytest.approx(HEIGHT + 1, abs=1)
    assert as_seen_by(side, river[0])[0] < as_seen_by(side, river[1])[0] < 0


def test_a_sideways_tile_takes_its_height_in_the_row() -> None:
    straight = LAYOUT.river(0, discards("1m2m3m"))
    with_sideways = LAYOUT.river(0, discards("1m2m3m", sideways=1))
    assert turn_of(0, with_sideways[1]) == pytest.approx(90)
    assert with_sideways[2].x_mm - straight[2].x_mm == pytest.approx(HEIGHT - WIDTH)


def test_what_lies_stays_where_it_lies_when_more_is_laid() -> None:
    short, longer = HUMAN.river(2, discards("1m2m3m")), HUMAN.river(2, discards("1m2m3m4m"))
    assert longer[:3] == short


def test_the_next_discard_takes_the_place_of_a_called_one() -> None:
    before, after = LAYOUT.river(1, discards("1m2m3m")), LAYOUT.river(1, discards("1m2m9s"))
    assert (after[2].x_mm, after[2].y_mm) == (before[2].x_mm, before[2].y_mm)


def test_people_misplace_tiles_a_little() -> None:
    exact, human = LAYOUT.river(0, discards("1m" * 18)), HUMAN.river(0, discards("1m" * 18))
    offsets = [hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm) for a, b in zip(exact, human, strict=True)]
    assert 0.5 < max(offsets) < 20
    assert max(abs(turn_of(0, tile)) for tile in human) < 10
    assert HUMAN.river(0, [Discard(face="1m")]) == HUMAN.river(0, [Discard(face="1m")])


@pytest.mark.parametrize(("unit_mm", "z_mm"), [(0.0, 0.0), (100.0, 0.0), (135.0, LOOK.unit_height_mm)])
def test_the_riichi_stick_lies_between_river_and_centre_or_on_the_unit(unit_mm: float, z_mm: float) -> None:
    layout = Layout(appearance=Appearance(unit_mm=unit_mm), untidiness=0.0)
    for side in range(4):
        stick = layout.riichi_stick(side)
        right, distance = as_seen_by(side, stick)
        river = as_seen_by(side, layout.river(side, discards("1m"))[0])[1] - HEIGHT / 2
        assert right == pytest.approx(0, abs=1e-9)
        assert 30 < distance + LOOK.stick_breadth_mm / 2 < river
        assert (stick.value, stick.z_mm) == (1000, z_mm)


@pytest.mark.parametrize(("from_left", "turned_index"), [(1, 0), (2, 1), (3, 2)])
def test_the_turned_tile_of_a_pon_points_to_who_discarded_it(from_left: int, turned_index: int) -> None:
    meld = Meld.from_call(("5z", "5z"), "5z", from_left=from_left)
    tiles = LAYOUT.melds(3, [meld])
    assert [abs(turn_of(3, tile)) > 45 for tile in tiles] == [i == turned_index for i in range(3)]


def test_melds_lie_in_the_owners_right_corner_with_lower_edges_on_one_line() -> None:
    melds = [Meld.from_call(("2m", "4m"), "3m", from_left=1), Meld.from_call(("6z", "6z", "6z"), "6z", from_left=3)]
    tiles = LAYOUT.melds(0, melds)
    rim = LOOK.felt_mm / 2
    lower = [as_seen_by(0, tile)[1] + (WIDTH if abs(turn_of(0, tile)) > 45 else HEIGHT) / 2 for tile in tiles]
    assert lower == pytest.approx([lower[0]] * 7)
    assert rim - 10 < lower[0] < rim
    assert rim - 10 < as_seen_by(0, tiles[2])[0] + WIDTH / 2 < rim
    assert max(as_seen_by(0, tile)[0] for tile in tiles[3:]) < min(as_seen_by(0, tile)[0] for tile in tiles[:3])


def test_the_added_tile_of_a_kan_lies_against_the_turned_ones_long_side() -> None:
    tiles = LAYOUT.melds(2, [Meld(faces=("6z",) * 3, turned_index=1, added="6z")])
    turned, added = tiles[1], tiles[3]
    right, distance = as_seen_by(2, added)
    assert right == pytest.approx(as_seen_by(2, turned)[0])
    assert as_seen_by(2, turned)[1] - distance == pytest.approx(WIDTH, abs=1.5)
    assert turn_of(2, added) == pytest.approx(90)


def test_the_added_tile_of_a_kan_can_lie_on_top_of_the_turned_one() -> None:
    tiles = LAYOUT.melds(2, [Meld(faces=("6z",) * 3, turned_index=1, added="6z", is_on_top=True)])
    turned, added = tiles[1], tiles[3]
    assert (added.z_mm, turned.z_mm) == (LOOK.tile_depth_mm, 0.0)
    assert as_seen_by(2, added) == pytest.approx(as_seen_by(2, turned))
    assert turn_of(2, added) == pytest.approx(90)


def test_a_closed_kan_has_two_tiles_face_down() -> None:
    outer = LAYOUT.melds(0, [Meld.closed_kan(("1s",) * 4)])
    assert [tile.pose for tile in outer] == [Pose.FACE_DOWN, Pose.FACE_UP, Pose.FACE_UP, Pose.FACE_DOWN]
    inner = LAYOUT.melds(0, [Meld.closed_kan(("1s",) * 4, are_outer_down=False)])
    assert [tile.face for tile in inner] == ["1s", "back", "back", "1s"]


def test_further_melds_can_go_in_further_rows() -> None:
    melds = [Meld.from_call(("1m", "1m"), "1m", from_left=1)] * 3
    rows = Layout(appearance=LOOK, untidiness=0.0, melds_per_row=1).melds(1, melds)
    distances = [round(as_seen_by(1, tile)[1]) for tile in rows[2::3]]
    assert distances == sorted(set(distances), reverse=True)
    assert len({round(as_seen_by(1, tile)[0]) for tile in rows[2::3]}) == 1


def test_a_hand_stands_behind_the_wall_and_the_drawn_tile_apart() -> None:
    hand = LAYOUT.standing_hand(1, 14, has_drawn=True)
    along = [as_seen_by(1, tile)[0] for tile in hand]
    assert all(tile.pose is Pose.STANDING for tile in hand)
    assert along[13] - along[12] > 1.3 * (along[12] - along[11])
    wall = LAYOUT.wall(Wall(break_side=0, break_stack=7))
    assert min(as_seen_by(1, tile)[1] for tile in hand) > max(as_seen_by(1, tile)[1] for tile in wall) + HEIGHT / 2


def test_an_open_hand_lies_between_its_wall_and_where_it_stood() -> None:
    tiles = LAYOUT.open_hand(2, ["1m"] * 13, winning="2m")
    distances = {round(as_seen_by(2, tile)[1], 3) for tile in tiles}
    assert len(distances) == 1
    stood = as_seen_by(2, LAYOUT.standing_hand(2, 1)[0])[1]
    assert 212 < distances.pop() < stood
    along = [as_seen_by(2, tile)[0] for tile in tiles]
    assert along[13] - along[12] > 1.3 * WIDTH


def test_a_whole_wall_is_136_tiles_in_seventeen_stacks_of_two_a_side() -> None:
    tiles = LAYOUT.wall(Wall(break_side=2, break_stack=5))
    assert len(tiles) == 136
    assert Counter(tile.z_mm for tile in tiles) == {0.0: 68, LOOK.tile_depth_mm: 68}
    for side in range(4):
        along = [a for a, d in (as_seen_by(side, tile) for tile in tiles) if 180 <= d <= 230 and abs(a) < 190]
        assert len(along) >= 34
        assert max(along) + min(along) == pytest.approx(2 * WIDTH, abs=1)


def test_tiles_are_drawn_clockwise_from_the_break_and_the_dead_wall_stays() -> None:
    left = LAYOUT.wall(Wall(break_side=0, break_stack=7, drawn=122))
    assert len(left) == 14
    assert all(as_seen_by(0, tile)[1] > 180 and as_seen_by(0, tile)[0] > 0 for tile in left)
    without_first = LAYOUT.wall(Wall(break_side=0, break_stack=7, drawn=1))
    (drawn_tile,) = set(LAYOUT.wall(Wall(break_side=0, break_stack=7))) - set(without_first)
    assert drawn_tile.z_mm == LOOK.tile_depth_mm
    assert as_seen_by(0, drawn_tile)[0] < min(as_seen_by(0, tile)[0] for tile in left)


def test_the_indicator_is_the_upper_tile_of_the_third_stack_and_further_ones_follow() -> None:
    wall = LAYOUT.wall(Wall(break_side=0, break_stack=7, drawn=122, indicators=("3p", "8s")))
    first, second = (tile for tile in wall if tile.pose is Pose.FACE_UP)
    stacks = sorted({round(as_seen_by(0, tile)[0], 1) for tile in wall})
    assert (first.face, second.face) == ("3p", "8s")
    assert first.z_mm == LOOK.tile_depth_mm
    assert [stacks.index(round(as_seen_by(0, tile)[0], 1)) for tile in (first, second)] == [2, 3]
    assert len(wall) == 14


def test_replacement_tiles_come_from_the_dead_walls_end_at_the_break() -> None:
    before = set(LAYOUT.wall(Wall(break_side=3, break_stack=9, drawn=60)))
    after = set(LAYOUT.wall(Wall(break_side=3, break_stack=9, drawn=60, rinshan=1)))
    (replacement,) = before - after
    assert replacement.z_mm == LOOK.tile_depth_mm
    assert after < before


def test_ura_indicators_come_out_from_under_the_dora() -> None:
    wall = LAYOUT.wall(Wall(break_side=0, break_stack=7, drawn=122, indicators=("3p",), ura=("4s",)))
    dora, ura = (tile for tile in wall if tile.pose is Pose.FACE_UP)
    assert (dora.face, ura.face, ura.z_mm, len(wall)) == ("3p", "4s", 0.0, 14)
    assert ura.x_mm == pytest.approx(dora.x_mm, abs=1)


@pytest.mark.parametrize("seed", [*range(8), 28])
def test_nothing_on_a_full_table_lies_inside_something_else(seed: int) -> None:
    appearance = Appearance.random(seed)
    scene = busy_table(appearance, seed=seed)
    solids = [
        *(tile_solid(tile, appearance) for tile in scene.tiles),
        *(stick_solid(stick, appearance) for stick in scene.sticks),
    ]
    for combination, other in combinations(solids, 2):
        if combination.low_mm < other.high_mm - 0.1 and other.low_mm < combination.high_mm - 0.1:
            plans = (combination.footprint.astype(np.float32), other.footprint.astype(np.float32))
            common, _ = cv2.intersectConvexConvex(*plans)
            assert common < 16, (combination.top, combination.centre, other.top, other.centre)


@pytest.mark.parametrize("seed", range(20))
def test_everything_lies_on_the_felt_whatever_the_sizes(seed: int) -> None:
    appearance = Appearance.random(seed)
    for tile in busy_table(appearance, seed=seed).tiles:
        assert abs(tile_solid(tile, appearance).footprint).max() < appearance.felt_mm / 2


@pytest.mark.parametrize("side", range(4))
def test_counters_lie_at_the_dealers_right_clear_of_melds_and_the_next_hand(side: int) -> None:
    large = Layout(appearance=Appearance(tile_height_mm=33.0, tile_width_mm=24.4, felt_mm=650.0), untidiness=0.0)
    sticks = [stick_solid(stick, large.appearance) for stick in large.counters(side, 3)]
    kan = large.melds(side, [Meld(faces=("6z",) * 3, turned_index=1, added="6z")])
    others = [tile_solid(tile, large.appearance) for tile in (*kan, *large.open_hand((side + 1) % 4, ["1m"] * 13))]
    for stick in sticks:
        plan = stick.footprint.astype(np.float32)
        assert all(cv2.intersectConvexConvex(plan, o.footprint.astype(np.float32))[0] == 0 for o in others)
    assert all(as_seen_by(side, stick)[0] > 100 for stick in large.counters(side, 3))


def test_melds_that_cannot_lie_so_are_refused() -> None:
    with pytest.raises(SceneError, match="got 3"):
        Meld(faces=("1m", "1m", "1m"), turned_index=3)
    with pytest.raises(SceneError, match="added '1m'"):
        Meld(faces=("1m", "1m", "1m"), added="1m")
    with pytest.raises(SceneError, match="got 4"):
        Meld.from_call(("1m", "1m"), "1m", from_left=4)
