from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.drawn import TILE, Bench, DrawnThing, Scene
from vision.confidence import ASK_BELOW
from vision.felt import (
    FeltChange,
    FeltReport,
    LyingTile,
    StickLaid,
    StickTaken,
    TileLaid,
    TileReread,
    TileTaken,
    Zone,
)
from vision.frames import Frame
from vision.geometry.sides import side_coordinates

RIVER = (
    DrawnThing(face="1m", x=-50, y=-84),
    DrawnThing(face="9s", x=-29, y=-84, angle=2),
    DrawnThing(face="5z", x=-5.5, y=-84, angle=90),
)
NEXT = DrawnThing(face="0p", x=18.5, y=-84, angle=178)
DORA = DrawnThing(face="3p", x=210, y=20, angle=90)
STICK = DrawnThing(value=1000, x=0, y=-55, angle=90)
TABLE = Scene(things=(*RIVER, DORA))
ARM = ((-65.0, -400.0), (25.0, -400.0), (25.0, -70.0), (-65.0, -70.0))


def started(scene: Scene = TABLE, *, fps: float = 10.0, seed: int = 0) -> Bench:
    bench = Bench(fps=fps, seed=seed)
    (first,) = bench.show(scene)
    assert len(first.felt.tiles) + len(first.felt.sticks) == len(scene.things)
    return bench


def changes(reports: Iterable[FeltReport]) -> list[FeltChange]:
    return [change for report in reports for change in report.changes]


def taken_change(tile: LyingTile) -> TileTaken:
    return TileTaken(tile=tile)


def laid_change(tile: LyingTile) -> TileLaid:
    return TileLaid(tile=tile)


def words(reports: Iterable[FeltReport]) -> list[str]:
    """Each change as `laid 0p river 0 3`: what, face or value, zone, side, order, and `sideways`."""
    lines = []
    for change in changes(reports):
        verb = {TileLaid: "laid", TileTaken: "taken", TileReread: "reread", StickLaid: "laid", StickTaken: "taken"}
        if isinstance(change, StickLaid | StickTaken):
            lines.append(f"{verb[type(change)]} {change.stick.value} {change.stick.zone.value} {change.stick.side}")
        else:
            tile = change.tile
            sideways = " sideways" if tile.is_sideways else ""
            lines.append(
                f"{verb[type(change)]} {tile.reading.tile} {tile.zone.value} {tile.side} {tile.order}{sideways}"
            )
    return lines


def test_the_first_judged_frame_reports_all_that_lies_there() -> None:
    (report,) = started().reports
    assert set(words([report])) == {
        "laid 3p wall 1 0",
        "laid 1m river 0 0",
        "laid 9s river 0 1",
        "laid 5z river 0 2 sideways",
    }
    assert report.frame == 3
    assert report.t_ns == 300_000_000


def test_an_empty_table_is_reported_once() -> None:
    bench = Bench()
    reports = bench.show(Scene(), frames=12)
    assert [(report.changes, report.felt.tiles) for report in reports] == [((), ())]


def test_a_watcher_that_takes_over_gives_ids_of_its_own_and_takes_away_what_the_one_before_reported() -> None:
    first, second = started(), Bench()
    second.watcher.take_over(first.watcher.reported, first.watcher.next_id)
    assert (second.watcher.felt.tiles, second.watcher.reported) == ((), first.watcher.felt)
    (report,) = second.show(TABLE)
    before, after = first.watcher.felt.tiles, report.felt.tiles
    assert report.changes == (*map(taken_change, before), *map(laid_change, after))
    assert min(tile.id for tile in after) > max(tile.id for tile in before)
    assert second.show(TABLE.without(DORA), frames=12)[0].changes == (
        taken_change(report.felt.in_zone(1, Zone.WALL)[0]),
    )


def test_a_laid_tile_is_reported_once_where_it_lies() -> None:
    bench = started()
    reports = bench.show(TABLE.having(NEXT), frames=12)
    assert words(reports) == ["laid 0p river 0 3"]
    (change,) = changes(reports)
    assert isinstance(change, TileLaid)
    assert change.tile.x_mm == pytest.approx(18.5, abs=1.5)
    assert change.tile.y_mm == pytest.approx(-84, abs=1.5)
    assert abs((change.tile.angle_deg - 178 + 180) % 360 - 180) < 4
    assert reports[0].t_ns - 600_000_000 <= 400_000_000


@pytest.mark.parametrize("fps", [2.0, 5.0, 10.0, 30.0])
def test_a_tile_that_lies_for_a_second_is_seen_at_any_frame_rate(fps: float) -> None:
    bench = Bench(fps=fps)
    bench.show(TABLE, frames=int(fps) + 1)
    reports = bench.show(TABLE.having(NEXT), frames=max(int(fps), 2))
    assert words(reports) == ["laid 0p river 0 3"]


def test_an_idle_table_is_not_looked_at() -> None:
    bench = started()
    bench.show(TABLE, frames=4)
    readings = bench.readings
    assert bench.show(TABLE, frames=30) == []
    assert bench.readings == readings


def test_what_is_known_is_not_read_again() -> None:
    bench = started()
    bench.show(TABLE, frames=6)
    bench.read_quads.clear()
    bench.show(TABLE.having(NEXT), frames=8)
    assert bench.read_quads
    assert all(np.hypot(x - NEXT.x, y - NEXT.y) < 5 for x, y in bench.read_quads)


def test_an_arm_that_rests_on_the_river_is_no_event() -> None:
    bench = started()
    assert words(bench.sweep(TABLE, ARM)) == []
    assert words(bench.show(replace(TABLE, arm=ARM), frames=40)) == []
    assert words(bench.show(TABLE, frames=10)) == []
    assert [tile.id for tile in bench.watcher.felt.tiles] == [tile.id for tile in bench.reports[0].felt.tiles]


def test_a_tile_that_was_just_moved_is_not_looked_for_while_an_arm_rests_on_it() -> None:
    bench = started()
    moved = TABLE.without(RIVER[1]).having(replace(RIVER[1], angle=92))
    bench.show(moved, frames=2)
    bench.show(replace(moved, arm=ARM), frames=20)
    looks = bench.readings
    bench.show(replace(moved, arm=ARM), frames=10)
    assert (bench.readings, bench.watcher.last_judged_frame) == (looks, bench.k)
    assert words(bench.show(moved, frames=10)) == ["reread 9s river 0 1 sideways"]


def test_a_doubtful_tile_is_not_looked_for_while_an_arm_rests_on_it() -> None:
    bench = started()
    doubtful = TABLE.having(replace(NEXT, score=0.55))
    bench.show(doubtful, frames=5)
    arm = tuple((x + 30, y) for x, y in ARM)
    assert words(bench.show(replace(doubtful, arm=arm), frames=20)) == ["laid 0p river 0 3"]
    looks = bench.readings
    bench.show(replace(doubtful, arm=arm), frames=10)
    assert bench.readings == looks


def test_places_under_an_arm_are_named_as_covered() -> None:
    bench = started()
    covered = replace(TABLE, arm=ARM)
    bench.show(covered, frames=10)
    far = DrawnThing(face="7z", x=84, y=50, angle=90)
    (report,) = bench.show(covered.having(far), frames=8)
    assert (0, Zone.RIVER) in report.felt.covered
    assert (2, Zone.RIVER) not in report.felt.covered


@pytest.mark.parametrize(("x", "frames"), [(84, 6), (84, 25), (200, 25), (-200, 25)])
def test_what_an_arm_covered_is_covered_no_more_once_it_has_left(x: float, frames: int) -> None:
    """Looks after a loss of the camera prove nothing of what is covered."""
    bench = started()
    far = DrawnThing(face="7z", x=x, y=50, angle=90)
    bench.sweep(TABLE.having(far), ARM, frames=frames)
    assert bench.watcher.felt.covered
    bench.show(TABLE.having(far), frames=15)
    assert bench.watcher.felt.covered == frozenset()


@pytest.mark.parametrize("frames", [5, 15])
def test_a_tile_that_reads_otherwise_while_a_hand_rests_on_it_and_its_neighbour_is_the_same(frames: int) -> None:
    """Hand 6147: half of an 8m beside the fingers that lay a riichi stick read as a 3m, surely."""
    bench = started()
    arm = ((-75.0, -400.0), (5.0, -400.0), (5.0, -95.0), (-20.0, -76.0), (-20.0, -70.0), (-75.0, -70.0))
    half = replace(RIVER[2], reads="3m")
    under_arm = TABLE.without(RIVER[2]).having(half)
    assert words(bench.show(replace(under_arm, arm=arm), frames=frames)) == []
    assert words(bench.show(TABLE, frames=8)) == []


@pytest.mark.parametrize("frames", [5, 30])
def test_a_tile_that_replaced_another_beside_a_resting_hand_is_told_while_it_rests_or_when_it_leaves(
    frames: int,
) -> None:
    bench = started()
    other = TABLE.without(RIVER[2]).having(replace(RIVER[2], face="3m"))
    bench.show(replace(TABLE, arm=ARM), frames=5)
    beside = tuple((min(x, -20.0), y) for x, y in ARM)
    told = [words(bench.show(replace(other, arm=beside), frames=frames)), words(bench.show(other, frames=8))]
    replaced = ["taken 5z river 0 2 sideways", "laid 3m river 0 2 sideways"]
    assert told == ([[], replaced] if frames < 20 else [replaced, []])


def test_a_tile_that_replaced_another_beside_one_that_is_not_located_is_told() -> None:
    bench = started()
    unlocated = TABLE.without(*RIVER[1:]).having(replace(RIVER[1], is_located=False), replace(RIVER[2], face="3m"))
    told = [*bench.sweep(unlocated, ARM), *bench.show(unlocated, frames=30)]
    assert words(told) == ["taken 5z river 0 2 sideways", "laid 3m river 0 2 sideways"]


def test_a_tile_laid_under_an_arm_is_seen_when_the_arm_leaves() -> None:
    bench = started()
    hidden = TABLE.having(DrawnThing(face="4s", x=-50, y=-112))
    assert words(bench.show(replace(hidden, arm=ARM), frames=10)) == []
    assert words(bench.show(hidden, frames=8)) == ["laid 4s river 0 3"]


def test_a_taken_tile_is_gone_only_when_its_place_is_seen() -> None:
    bench = started()
    bench.show(replace(TABLE, arm=ARM), frames=10)
    assert words(bench.show(replace(TABLE.without(RIVER[2]), arm=ARM), frames=20)) == []
    assert words(bench.show(TABLE.without(RIVER[2]), frames=8)) == ["taken 5z river 0 2 sideways"]


def test_a_taken_tile_is_gone_though_the_locator_still_finds_an_outline_on_the_bare_table() -> None:
    bench = started()
    outline = replace(RIVER[2], face="?", is_there=False)
    assert words(bench.show(TABLE.without(RIVER[2]).having(outline), frames=8)) == ["taken 5z river 0 2 sideways"]


@pytest.mark.parametrize("rests_mm", [7.0, 6.0])
def test_what_was_taken_for_a_tile_is_gone_once_a_tile_lies_in_its_place(rests_mm: float) -> None:
    speck = DrawnThing(face="2p", x=60, y=-84, angle=90)
    bench = started(TABLE.having(speck))
    found = TABLE.having(replace(speck, is_located=False))
    for shift in (7.0, rests_mm):
        bench.show(found.having(DrawnThing(face="3z", x=60 + shift, y=-84 - shift)), frames=10)
    assert {tile.reading.tile for tile in bench.watcher.felt.tiles} == {"1m", "9s", "5z", "3p", "3z"}


def test_a_tile_that_reads_as_none_stays_while_its_place_is_not_bare() -> None:
    bench = started()
    assert bench.show(TABLE.without(RIVER[2]).having(replace(RIVER[2], face="?")), frames=12) == []


def test_a_called_tile_and_the_one_in_its_place_are_two_tiles() -> None:
    bench = started()
    after_call = TABLE.without(RIVER[2])
    assert words(bench.show(after_call)) == ["taken 5z river 0 2 sideways"]
    refilled = after_call.having(DrawnThing(face="2p", x=-7, y=-84))
    assert words(bench.show(refilled)) == ["laid 2p river 0 2"]


def test_another_face_in_the_same_place_between_two_looks_is_another_tile() -> None:
    bench = started()
    reports = bench.show(TABLE.without(RIVER[1]).having(replace(RIVER[1], face="6p")), frames=10)
    assert words(reports) == ["taken 9s river 0 1", "laid 6p river 0 1"]


def test_a_tile_laid_where_the_locator_found_what_was_none_takes_its_place() -> None:
    bench = started()
    outline = DrawnThing(face="2s", x=60, y=-84, is_there=False)
    overlapping = replace(outline, face="?", x=67)
    bench.show(TABLE.having(NEXT, outline, overlapping), frames=14)
    assert [tile.reading.tile for tile in bench.watcher.felt.tiles if tile.zone is Zone.RIVER][-1] == "2s"
    tile = DrawnThing(face="9p", x=64, y=-84)
    assert words(bench.show(TABLE.having(NEXT, tile), frames=14)) == ["taken 2s river 0 4", "laid 9p river 0 4"]


def test_another_face_that_is_found_only_after_some_looks_is_another_tile() -> None:
    bench = started()
    other = replace(RIVER[1], face="6p")
    bench.show(TABLE.without(RIVER[1]).having(replace(other, is_located=False)), frames=12)
    reports = bench.show(TABLE.without(RIVER[1]).having(other, NEXT), frames=10)
    assert set(words(reports)) == {"taken 9s river 0 1", "laid 6p river 0 1", "laid 0p river 0 3"}


def test_halves_of_two_tiles_of_one_face_are_no_third_one_between_them() -> None:
    pair = (DrawnThing(face="9s", x=18.5, y=-84), DrawnThing(face="9s", x=40, y=-84))
    halves = DrawnThing(face="9s", x=29, y=-84, is_there=False)
    bench = started()
    assert set(words(bench.show(TABLE.having(*pair, halves), frames=10))) == {"laid 9s river 0 3", "laid 9s river 0 4"}


def test_a_tile_of_which_an_arm_hides_a_part_does_not_become_another_one() -> None:
    below = DrawnThing(face="4p", x=-29, y=-112)
    bench = started(TABLE.having(below))
    visible_part = DrawnThing(face="2s", x=-29, y=-91.5, is_there=False)  # nearer to the 4p than two tiles can lie
    arm = ((-100.0, -78.0), (100.0, -78.0), (100.0, -50.0), (-100.0, -50.0))
    partly_hidden = TABLE.without(RIVER[1]).having(replace(RIVER[1], is_located=False), visible_part, below)
    assert words(bench.show(replace(partly_hidden, arm=arm), frames=6)) == []
    assert words(bench.show(TABLE.having(below), frames=8)) == []


@pytest.mark.parametrize("shift", [4.0, 12.0, 25.0])
def test_a_nudged_tile_is_no_event(shift: float) -> None:
    bench = started(TABLE.having(NEXT))
    before = {tile.reading.tile: tile.id for tile in bench.watcher.felt.tiles}
    pushed = TABLE.having(replace(NEXT, x=NEXT.x + shift))
    assert words(bench.show(pushed, frames=14)) == []
    (shown,) = [tile for tile in bench.watcher.felt.tiles if tile.reading.tile == "0p"]
    assert shown.x_mm == pytest.approx(NEXT.x + shift, abs=1.5)  # what is painted over in pictures goes by it
    after = bench.show(pushed.having(DrawnThing(face="8p", x=-50, y=-112)), frames=8)[0].felt
    assert {tile.reading.tile: tile.id for tile in after.tiles}.items() >= before.items()
    nudged = next(tile for tile in after.tiles if tile.reading.tile == "0p")
    assert nudged.x_mm == pytest.approx(NEXT.x + shift, abs=1.5)


def test_a_river_tidied_by_hand_is_no_event() -> None:
    bench = started(TABLE.having(NEXT))
    tidy = Scene(things=(DORA, *(replace(tile, x=tile.x + 5, y=tile.y - 6) for tile in (*RIVER, NEXT))))
    assert words(bench.sweep(TABLE.having(NEXT), ARM)) == []
    assert words(bench.show(tidy, frames=12)) == []


def test_a_tile_turned_where_it_lies_is_told_again() -> None:
    bench = started()
    with_turned = TABLE.without(RIVER[1]).having(replace(RIVER[1], angle=92))
    changes = words(bench.show(with_turned, frames=10))
    assert changes == ["reread 9s river 0 1 sideways"]


def test_light_that_fades_slowly_is_no_event() -> None:
    bench = started()
    for step in range(60):
        assert bench.show(replace(TABLE, light=1.0 - step / 150), frames=1) == []


def test_light_that_is_switched_is_no_event() -> None:
    bench = started()
    assert bench.show(replace(TABLE, light=0.6), frames=12) == []
    assert bench.show(TABLE, frames=12) == []


def test_a_doubtful_tile_is_looked_at_longer_and_told_with_its_doubt() -> None:
    bench = started()
    (report,) = bench.show(TABLE.having(replace(NEXT, score=0.5)), frames=14)
    (change,) = report.changes
    assert isinstance(change, TileLaid)
    assert change.tile.reading.score < 0.9
    sure = Bench()
    sure.show(TABLE)
    assert sure.show(TABLE.having(NEXT), frames=14)[0].frame < report.frame


def test_a_doubtful_tile_that_is_called_at_once_is_told_before_it_goes() -> None:
    bench = started()
    doubtful = TABLE.having(replace(NEXT, score=0.55))
    assert words(bench.show(doubtful, frames=5)) == []
    arm = tuple((x + 30, y) for x, y in ARM)
    assert words(bench.show(replace(doubtful, arm=arm), frames=3)) == ["laid 0p river 0 3"]
    assert words(bench.show(TABLE, frames=8)) == ["taken 0p river 0 3"]


@pytest.mark.parametrize("angle", [0.0, 180.0, 90.0])
def test_a_tile_whose_outline_is_found_askew_is_read_straightened(angle: float) -> None:
    bench = started()
    tile = DrawnThing(face="9p", x=22, y=-84, angle=angle, found_askew=28.0)
    sideways = " sideways" if angle == 90 else ""
    assert words(bench.show(TABLE.having(tile), frames=10)) == [f"laid 9p river 0 3{sideways}"]
    later = TABLE.having(tile, DrawnThing(face="1p", x=-50, y=-112))
    assert words(bench.show(later, frames=10)) == ["laid 1p river 0 4"]


@pytest.mark.parametrize("turned_index", [0, 1, 2])
@pytest.mark.parametrize(("face", "reads", "askew"), [("4z", "2z", 90.0), ("1p", "1p", 90.0), ("7s", "?", 62.0)])
def test_a_turned_tile_of_a_meld_whose_outline_is_found_otherwise_is_read_turned(
    turned_index: int, face: str, reads: str, askew: float
) -> None:
    bench = started(TABLE)
    tiles = melded((face, face, face), turned_index, found_askew=askew, reads_askew=reads)
    lines = words(bench.show(TABLE.having(*tiles), frames=12))
    assert sorted(lines) == sorted(f"laid {face} meld 0 {i}{' sideways' * (i == turned_index)}" for i in range(3))
    assert not bench.show(TABLE.having(*tiles, DrawnThing(face="?", x=300, y=-300)), frames=12)


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_a_tile_of_a_meld_that_the_locator_does_not_find_is_told(missing: int) -> None:
    bench = started(TABLE)
    tiles = melded(("4z", "4z", "4z"), 1, found_askew=0.0, reads_askew="?")
    tiles[missing] = replace(tiles[missing], is_located=False)
    lines = words(bench.show(TABLE.having(*tiles), frames=12))
    assert sorted(lines) == sorted(f"laid 4z meld 0 {i}{' sideways' * (i == 1)}" for i in range(3))
    assert not bench.show(TABLE.having(*tiles, DrawnThing(face="?", x=300, y=-300)), frames=12)
    assert all(word.startswith("taken 4z meld 0") for word in words(bench.show(TABLE, frames=12)))
    assert not bench.watcher.felt.in_zone(0, Zone.MELD)


def test_a_closed_kans_back_that_the_locator_does_not_find_is_told() -> None:
    bench = started(TABLE)
    kan = [
        DrawnThing(face=face, x=240.0 + n * TILE.width_mm, y=-338.0, is_blank=face == "back", is_located=n < 3)
        for n, face in enumerate(("back", "7p", "7p", "back"))
    ]
    lines = words(bench.show(TABLE.having(*kan), frames=12))
    assert sorted(lines) == sorted(f"laid {tile.face} meld 0 {n}" for n, tile in enumerate(kan))


def test_an_upright_tile_beside_a_corner_is_not_read_turned_if_that_makes_no_meld() -> None:
    bench = started(TABLE)
    tiles = melded(("1p", "1p", "9p"), 2, found_askew=90.0, reads_askew="6p")
    lines = words(bench.show(TABLE.having(*tiles), frames=12))
    assert len(lines) == 3
    assert not any("sideways" in line for line in lines)


@pytest.mark.parametrize(("gap", "lower"), [(1.5, 0.0), (3.5, 0.0), (5.0, 0.0), (3.3, 3.0)])
def test_a_winning_tile_laid_beside_the_open_hand_is_not_read_turned(gap: float, lower: float) -> None:
    bench = started(TABLE)
    hand = [
        DrawnThing(face=face, x=TILE.width_mm * n, y=-330.0) for n, face in enumerate(("2s", "3s", "4s", "1p", "1p"))
    ]
    winning = DrawnThing(face="1p", x=5 * TILE.width_mm + gap, y=-330.0 - lower)
    lines = words(bench.show(TABLE.having(*hand, winning), frames=12))
    assert len(lines) == 6
    assert not any("sideways" in line for line in lines)


def melded(faces: tuple[str, str, str], turned_index: int, *, found_askew: float, reads_askew: str) -> list[DrawnThing]:
    """Three touching tiles in the right corner of side 0; how the locator errs about the turned one."""
    width, height = TILE.width_mm, TILE.height_mm
    tiles, right = [], 240.0
    for index, face in enumerate(faces):
        extent = height if index == turned_index else width
        if index == turned_index:
            low = -338.0 - (height - width) / 2
            tile = DrawnThing(face=face, x=right + extent / 2, y=low, angle=90, found_askew=found_askew)
            tiles.append(replace(tile, reads_askew=reads_askew))
        else:
            tiles.append(DrawnThing(face=face, x=right + extent / 2, y=-338.0))
        right += extent
    return tiles


def test_a_tile_that_is_found_turned_by_a_quarter_where_nothing_changed_lies_as_before() -> None:
    bench = started(TABLE.having(NEXT))
    by_it = DrawnThing(face="1p", x=18.5, y=-114)
    found_turned = TABLE.having(replace(NEXT, found_askew=90.0), by_it)
    assert words(bench.show(found_turned, frames=14)) == ["laid 1p river 0 4"]


def test_a_tile_that_lies_askew_is_read_as_it_lies() -> None:
    bench = started()
    assert words(bench.show(TABLE.having(DrawnThing(face="9p", x=22, y=-84, angle=28)), frames=8)) == [
        "laid 9p river 0 3"
    ]
    assert bench.watcher.felt.tiles[-1].angle_deg == pytest.approx(28, abs=3)


def test_a_tile_half_under_the_hand_that_lays_it_is_told_when_the_hand_is_gone() -> None:
    bench = started()
    hand = tuple((min(x, 6.0), y) for x, y in ARM)
    half_seen = TABLE.having(replace(NEXT, face="6s"))
    assert bench.show(replace(half_seen, arm=hand), frames=5) == []
    table = TABLE.having(replace(NEXT, face="7s"))
    assert words(bench.sweep(table, hand) + bench.show(table, frames=10)) == ["laid 7s river 0 3"]


def test_what_is_no_tile_is_never_told() -> None:
    bench = started()
    assert bench.show(TABLE.having(DrawnThing(face="?", x=60, y=-84)), frames=20) == []
    readings = bench.readings
    bench.show(TABLE.having(DrawnThing(face="?", x=60, y=-84)), frames=10)
    assert bench.readings == readings


def test_an_outline_found_once_where_nothing_moved_is_no_tile() -> None:
    bench = started(fps=5.0)
    bench.show(TABLE, frames=6)
    table = TABLE.having(NEXT)
    flash = DrawnThing(face="9p", x=60, y=-84, is_there=False)
    reports = bench.show(table, frames=2) + bench.show(table.having(flash), frames=1) + bench.show(table, frames=8)
    assert words(reports) == ["laid 0p river 0 3"]


def test_a_tile_does_not_wait_for_an_outline_found_beside_it_where_nothing_moved() -> None:
    alone, with_outline = started(fps=5.0), started(fps=5.0)
    table, outline = TABLE.having(NEXT), DrawnThing(face="?", x=60, y=-84, is_there=False)
    for bench in (alone, with_outline):
        bench.show(TABLE, frames=6)
    (first,) = alone.show(table, frames=6)
    (second,) = with_outline.show(table.having(outline), frames=6)
    assert second.frame == first.frame


def test_a_tile_that_was_overlooked_when_it_was_laid_is_told_once_it_is_found() -> None:
    bench = started(fps=5.0)
    overlooked = replace(NEXT, is_located=False)
    later = DrawnThing(face="2s", x=60, y=-84)
    bench.show(TABLE.having(overlooked), frames=6)
    assert sorted(words(bench.show(TABLE.having(NEXT, later), frames=8))) == ["laid 0p river 0 3", "laid 2s river 0 4"]


def test_a_stick_is_told_when_it_is_laid_and_when_it_is_taken() -> None:
    bench = started()
    assert words(bench.show(TABLE.having(STICK))) == ["laid 1000 sticks 0"]
    assert words(bench.show(TABLE)) == ["taken 1000 sticks 0"]


def test_a_wall_is_not_told_but_its_indicators_are() -> None:
    wall = tuple(DrawnThing(face="back", x=210, y=40 + 20.5 * i, angle=90) for i in range(5))
    bench = Bench()
    (report,) = bench.show(TABLE.having(*wall))
    assert len(report.felt.tiles) == len(TABLE.things)
    assert words(bench.show(TABLE.having(*wall[1:]))) == []
    flipped = replace(wall[1], face="7s")
    assert words(bench.show(TABLE.having(flipped, *wall[2:]), frames=10)) == ["laid 7s wall 1 0"]


def test_an_indicator_is_told_although_the_backs_beside_it_seem_too_near() -> None:
    wall = tuple(DrawnThing(face="back", x=210, y=45 + 16.5 * i, angle=90) for i in range(5))
    bench = started()
    bench.show(TABLE.having(*wall))
    flipped = replace(wall[2], face="7s")
    felt = bench.show(TABLE.having(*wall[:2], flipped, *wall[3:]), frames=10)[-1].felt
    assert "7s" in [tile.reading.tile for tile in felt.in_zone(1, Zone.WALL)]


@pytest.mark.parametrize(
    ("behind_mm", "face", "is_doubtful"),
    [(26.8, "2m", False), (24.5, "2m", True), (24.5, "4s", False), (22.0, "4s", True)],
)
def test_an_ura_partly_behind_the_wall_is_told_with_a_doubt(behind_mm: float, face: str, is_doubtful: bool) -> None:
    """With its edge hidden a 3m is surely read as 2m, and with more of it any face as another."""
    wall = tuple(DrawnThing(face="back", x=210, y=40 + 20.5 * i, angle=90) for i in range(5))
    bench = Bench()
    bench.show(TABLE.having(*wall))
    ura = DrawnThing(face=face, x=210 + behind_mm, y=61, angle=90)
    felt = bench.show(TABLE.having(ura, *wall), frames=10)[-1].felt
    (ura_tile,) = [tile for tile in felt.tiles if tile.reading.tile == face and tile.x_mm > 225]
    assert (ura_tile.reading.score < ASK_BELOW) is is_doubtful


def test_a_swept_table_is_told_as_taken() -> None:
    bench = started(TABLE.having(STICK))
    changes = words(bench.show(Scene(), frames=12))
    assert sorted(changes) == sorted(
        [
            "taken 1m river 0 0",
            "taken 9s river 0 1",
            "taken 5z river 0 2 sideways",
            "taken 3p wall 1 0",
            "taken 1000 sticks 0",
        ]
    )
    assert bench.watcher.felt.tiles == ()


def test_an_open_hand_is_told_in_one_report() -> None:
    bench = started()
    hand = tuple(DrawnThing(face=f"{1 + i % 9}s", x=-130 + 20.3 * i, y=-300) for i in range(13))
    (report,) = bench.show(TABLE.having(*hand), frames=10)
    assert [tile.reading.tile for tile in report.felt.in_zone(0, Zone.HAND)] == [thing.face for thing in hand]


def test_melds_keep_their_numbers_when_another_is_laid() -> None:
    def pon(face: str, right: float) -> tuple[DrawnThing, ...]:
        return (
            DrawnThing(face=face, x=right - 56.5, y=-340),
            DrawnThing(face=face, x=right - 36.5, y=-340),
            DrawnThing(face=face, x=right - 13.25, y=-343, angle=90),
        )

    bench = started()
    bench.show(TABLE.having(*pon("1z", 350)))
    changes = words(bench.show(TABLE.having(*pon("1z", 350), *pon("4p", 280)), frames=10))
    assert sorted(changes) == sorted(["laid 4p meld 0 0", "laid 4p meld 0 1", "laid 4p meld 0 2 sideways"])
    groups = {tile.reading.tile: tile.group for tile in bench.watcher.felt.in_zone(0, Zone.MELD)}
    assert groups == {"1z": 0, "4p": 1}


@pytest.mark.parametrize("push", [(6.0, 0.0, 0.0), (-14.0, 9.0, 0.6), (25.0, -18.0, -1.5)])
def test_a_pushed_camera_is_noticed_and_the_hand_goes_on(push: tuple[float, float, float]) -> None:
    wall = tuple(DrawnThing(face="back", x=210, y=40 + 20.5 * i, angle=90) for i in range(9))
    table = TABLE.having(NEXT, STICK, *wall)
    bench = Bench()
    bench.show(table, frames=12)
    before = {tile.id: tile.reading.tile for tile in bench.watcher.felt.tiles}
    bench.push(*push)
    (changes,) = bench.show(table, frames=14)
    assert changes.changes == ()
    assert changes.moved_mm == pytest.approx(np.hypot(*push[:2]), abs=6)
    assert {tile.id: tile.reading.tile for tile in bench.watcher.felt.tiles} == before
    assert words(bench.show(table.having(DrawnThing(face="8p", x=-50, y=-112)), frames=8)) == ["laid 8p river 0 4"]
    places = {tile.reading.tile: (tile.x_mm, tile.y_mm) for tile in bench.watcher.felt.tiles}
    assert places["8p"] == pytest.approx((-50, -112), abs=1.5)
    assert places["0p"] == pytest.approx((NEXT.x, NEXT.y), abs=2.5)


def test_a_swept_table_and_a_new_deal_are_no_push() -> None:
    bench = Bench()
    bench.show(TABLE.having(NEXT, STICK), frames=12)
    other = Scene(
        things=tuple(DrawnThing(face=f"{i}p", x=-80 + 21 * i, y=150 - 9 * i, angle=5 * i) for i in range(1, 9))
    )
    reports = bench.show(other, frames=12)
    assert reports
    assert all(report.moved_mm == 0 for report in reports)


def test_a_frame_of_another_size_is_left_out(caplog: pytest.LogCaptureFixture) -> None:
    bench = started()
    with caplog.at_level(logging.WARNING):
        small = Frame(k=99, t_ns=99, image=np.zeros((10, 20, 3), dtype=np.uint8))
        assert bench.watcher.watch(small) is None
    assert "(20, 10)" in caplog.text or "(10, 20, 3)" in caplog.text


def test_frames_count_as_judged_when_nothing_waits() -> None:
    bench = Bench()
    bench.show(TABLE, frames=2)
    assert bench.watcher.last_judged_frame == -1
    bench.show(TABLE, frames=6)
    assert bench.watcher.last_judged_frame == 7
    bench.show(TABLE.having(NEXT), frames=2)
    assert bench.watcher.last_judged_frame == 7
    bench.show(TABLE.having(NEXT), frames=6)
    assert bench.watcher.last_judged_frame == bench.k


def test_the_same_frames_give_the_same_reports() -> None:
    first, second = started(seed=4), started(seed=4)
    for bench in (first, second):
        bench.sweep(TABLE, ARM)
        bench.show(TABLE.having(NEXT, STICK), frames=8)
    assert first.reports == second.reports


STANDING = tuple(
    DrawnThing(face=f"{1 + i % 9}m", x=-130 + 20.5 * i, y=-322, size=(16.0, 20.0), angle=90) for i in range(13)
)


def test_standing_hands_are_never_read() -> None:
    bench = Bench()
    table = TABLE.having(*STANDING, DrawnThing(face="7p", x=326, y=0, size=(20.0, 16.0)))
    bench.show(table, frames=10)
    bench.show(table.having(NEXT), frames=10)
    assert bench.read_quads
    assert not any(max(abs(x), abs(y)) > 250 for x, y in bench.read_quads)
    assert not any(tile.zone in (Zone.HAND, Zone.MELD) for tile in bench.watcher.felt.tiles)


def test_a_lying_hand_is_read_where_a_standing_one_is_not() -> None:
    bench = Bench()
    hand = tuple(replace(thing, size=None, angle=0) for thing in STANDING)
    bench.show(TABLE.having(*hand), frames=10)
    assert sum(side_coordinates(float(x), float(y), 0)[1] > 250 for x, y in bench.read_quads) >= 13


@pytest.mark.parametrize("y", [STICK.y, -48.0, -38.0])
def test_a_riichi_stick_that_the_locator_does_not_find_is_told_from_where_its_owner_lays_it(y: float) -> None:
    bench = Bench(has_strips=True)
    bench.show(TABLE)
    assert words(bench.show(TABLE.having(replace(STICK, y=y, is_located=False)))) == ["laid 1000 sticks 0"]
    assert words(bench.show(TABLE, frames=12)) == ["taken 1000 sticks 0"]


def test_of_two_sticks_that_touch_the_one_that_is_taken_is_told() -> None:
    neighbour = replace(STICK, y=-46.0)
    bench = Bench(has_strips=True)
    (first,) = bench.show(TABLE.having(STICK, neighbour))
    assert sorted(round(stick.y_mm) for stick in first.felt.sticks) == [-55, -46]
    assert words(bench.show(TABLE.having(STICK), frames=14)) == ["taken 1000 sticks 0"]
    assert [round(stick.y_mm) for stick in bench.watcher.felt.sticks] == [-55]


def test_a_bundle_that_the_locator_takes_for_nothing_is_told_when_it_is_laid() -> None:
    bundle = [replace(STICK, x=150.0, y=-180.0 + 9 * n, is_located=False) for n in range(3)]
    bench = Bench(has_strips=True)
    bench.show(TABLE)
    bench.show(TABLE.having(*bundle), frames=14)
    assert sorted(stick.y_mm for stick in bench.watcher.felt.sticks) == pytest.approx([-180, -171, -162], abs=2.0)


def test_strips_are_read_only_where_something_changed() -> None:
    bench = Bench(has_strips=True)
    bench.show(TABLE.having(STICK), frames=14)
    read = bench.strips
    bench.show(TABLE.having(STICK), frames=30)
    bench.show(TABLE.having(STICK, NEXT), frames=14)
    assert bench.strips == read > 0
    assert bench.watcher.felt.sticks[0].value == 1000


def test_a_stick_under_an_arm_stays() -> None:
    bench = Bench(has_strips=True)
    bench.show(TABLE.having(STICK), frames=14)
    assert words(bench.show(replace(TABLE.having(STICK), arm=((-65, -400), (25, -400), (25, -30), (-65, -30))))) == []
    assert words(bench.show(TABLE.having(STICK), frames=14)) == []


WALL = tuple(DrawnThing(face="back", x=-60 + 21 * n, y=190, is_blank=True) for n in range(4))
HAKU = DrawnThing(face="5z", x=18.5, y=-84, angle=178, is_blank=True, reads="back")


def test_a_discarded_haku_that_reads_as_a_back_is_told_by_the_colours_of_the_table() -> None:
    table = Scene(things=(*RIVER, DORA, *WALL))
    bench = Bench()
    bench.show(table)
    assert words(bench.show(table.having(HAKU), frames=12)) == ["laid 5z river 0 3"]


def test_a_haku_is_told_by_the_colours_of_what_lies_open_not_of_an_arm_that_moves_over_the_rest() -> None:
    faces = tuple(
        DrawnThing(face=face, x=-50 + 21 * n, y=84, angle=180) for n, face in enumerate(("1m", "9s", "4p", "6z"))
    )
    table = Scene(things=(*RIVER, DORA, *faces, *WALL))
    bench = Bench()
    bench.show(table)
    lines: list[str] = []
    for frame in range(12):
        away = 20.0 + 4 * (frame % 3)
        arm = ((-65.0, 400.0), (away, 400.0), (away, 60.0), (-65.0, 60.0))
        lines += words(bench.show(replace(table.having(HAKU), arm=arm), frames=1))
    assert lines == ["laid 5z river 0 3"]


def test_a_haku_that_was_taken_for_a_back_is_told_once_the_table_shows_its_faces() -> None:
    bench = Bench()
    bench.show(Scene())
    table = Scene(things=(replace(HAKU, x=-50),))
    assert words(bench.show(table, frames=12)) == []
    lines: list[str] = []
    for number, face in enumerate(("1m", "9s", "4p", "6z")):
        table = table.having(DrawnThing(face=face, x=-29 + 21 * number, y=-84))
        lines += words(bench.show(table, frames=12))
    assert [word for word in lines if "5z" in word] == ["laid 5z river 0 0"]


def test_a_back_that_lies_where_rivers_are_is_never_told() -> None:
    table = Scene(things=(*RIVER, *WALL, DrawnThing(face="back", x=18.5, y=-84, is_blank=True)))
    bench = Bench()
    (first,) = bench.show(table)
    assert len(first.felt.tiles) == len(RIVER)
    assert words(bench.show(table.having(DrawnThing(face="4p", x=39.5, y=-84)), frames=12)) == ["laid 4p river 0 3"]


def test_a_riichi_haku_where_a_sleeve_was_taken_for_an_upright_back_lies_sideways() -> None:
    bench = started(fps=5.0)
    sleeve = DrawnThing(face="back", x=18, y=-84)
    assert words(bench.show(TABLE.having(sleeve), frames=6)) == []
    haku = DrawnThing(face="5z", x=20, y=-84, angle=90)
    assert words(bench.show(TABLE.having(haku), frames=8)) == ["laid 5z river 0 3 sideways"]


def test_a_back_that_reads_as_a_haku_is_no_face() -> None:
    table = Scene(things=(*RIVER, DORA, *WALL))
    bench = Bench()
    bench.show(table)
    assert bench.show(table.having(DrawnThing(face="back", x=60, y=190, is_blank=True, reads="5z")), frames=12) == []


def test_nothing_is_read_out_of_focus_and_what_was_laid_meanwhile_is_told_once_it_is_sharp() -> None:
    many = tuple(
        DrawnThing(face=f"{1 + k % 9}{'mps'[k % 3]}", x=-160 + 40 * (k % 9), y=240 - 50 * (k // 9)) for k in range(27)
    )
    table = Scene(things=many)
    bench = started(table)
    bench.show(table, frames=4)
    bench.blur_mm = 4.0
    read = len(bench.read_quads)
    assert bench.show(table.having(NEXT), frames=20) == []
    assert bench.watcher.is_blurred
    assert len(bench.read_quads) == read
    bench.blur_mm = 0.0
    assert words(bench.show(table.having(NEXT), frames=12)) == ["laid 0p river 0 0"]
    assert not bench.watcher.is_blurred


def test_a_watcher_that_starts_out_of_focus_reads_nothing_until_the_first_sharp_picture() -> None:
    many = tuple(
        DrawnThing(face=f"{1 + k % 9}{'mps'[k % 3]}", x=-160 + 40 * (k % 9), y=240 - 50 * (k // 9)) for k in range(27)
    )
    bench = Bench(blur_mm=5.0)
    assert bench.show(Scene(things=many)) == []
    assert (bench.watcher.is_in_place, bench.watcher.is_blurred, bench.read_quads) == (True, True, [])
    bench.blur_mm = 0.0
    (first,) = bench.show(Scene(things=many), frames=12)
    assert len(first.felt.tiles) == len(many)
