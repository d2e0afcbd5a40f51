"""A hand or a head before the lens for seconds: nothing that is laid or taken under it is lost, nothing is invented."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
import pytest

from tests.vision.drawn import Bench, DrawnThing, Scene
from vision.felt import NOT_A_TILE, TileLaid, TileTaken

BEFORE: Final = tuple(DrawnThing(face=face, x=-50 + 21 * n, y=-84) for n, face in enumerate(("1m", "9s", "5z", "2m")))
OTHERS: Final = tuple(DrawnThing(face=f"{n + 1}p", x=84, y=-50 + 21 * n, angle=90) for n in range(5))
DORA: Final = DrawnThing(face="3p", x=210, y=20, angle=90)
TABLE: Final = Scene(things=(*BEFORE, *OTHERS, DORA))
PON: Final = tuple(DrawnThing(face="2m", x=290 + 21 * n, y=-340) for n in range(3))
AFTER: Final = TABLE.without(BEFORE[3]).having(
    replace(BEFORE[3], face="1z"),
    *PON,
    DrawnThing(face="4z", x=-84, y=50, angle=-90),
    DrawnThing(face="7s", x=-50, y=84, angle=180),
)
"""The last discard was called, and each seat has discarded since."""
COVERS: Final = {
    "a third": ((-420.0, -420.0), (-420.0, 420.0), (-110.0, 420.0), (-30.0, 0.0), (-110.0, -420.0)),
    "half": ((-420.0, -420.0), (-420.0, 420.0), (20.0, 420.0), (20.0, -420.0)),
    "all": ((-420.0, -420.0), (-420.0, 420.0), (420.0, 420.0), (420.0, -420.0)),
}


def hidden(bench: Bench, scene: Scene, cover: tuple[tuple[float, float], ...], *, frames: int) -> list[str]:
    """What is told while a head comes, stays over the scene, and goes."""
    all_changes = []
    for left in (-500.0, -200.0, *[0.0] * frames, -200.0, -500.0):
        outline = tuple((x + left, y) for x, y in cover)
        all_changes += [
            change for report in bench.show(replace(scene, arm=outline), frames=1) for change in report.changes
        ]
    return [f"{type(change).__name__} {change.tile.reading.tile}" for change in all_changes if hasattr(change, "tile")]


@pytest.mark.parametrize("cover", ["a third", pytest.param("half", marks=pytest.mark.long), "all"])
def test_a_head_over_a_table_on_which_nothing_happens_is_no_event(cover: str) -> None:
    bench = Bench()
    bench.show(TABLE, frames=10)
    assert hidden(bench, TABLE, COVERS[cover], frames=40) == []
    assert bench.show(TABLE, frames=25) == []


@pytest.mark.parametrize("cover", [pytest.param("half", marks=pytest.mark.long), "all"])
def test_what_was_laid_and_called_under_a_head_is_told_in_one_report(cover: str) -> None:
    bench = Bench()
    bench.show(TABLE, frames=10)
    hidden(bench, TABLE, COVERS[cover], frames=4)
    before = {tile.id for tile in bench.watcher.felt.tiles}
    assert hidden(bench, TABLE, COVERS[cover], frames=20) == []
    bench.show(replace(AFTER, arm=COVERS[cover]), frames=20)
    first, *later = bench.show(AFTER, frames=25)
    assert [change for report in later for change in report.changes] == []
    assert sorted(change.tile.reading.tile for change in first.changes if isinstance(change, TileTaken)) == ["2m"]
    laid_faces = sorted(change.tile.reading.tile for change in first.changes if isinstance(change, TileLaid))
    assert laid_faces == ["1z", "2m", "2m", "2m", "4z", "7s"]
    assert before - {tile.id for tile in first.felt.tiles} == {first.changes[0].tile.id}  # type: ignore[union-attr]


def test_a_frame_counts_as_judged_only_once_what_it_shows_is_told() -> None:
    """Else a win on the last discard would be heard before that discard."""
    bench = Bench()
    bench.show(TABLE, frames=10)
    scene = TABLE.having(DrawnThing(face="8s", x=-50, y=-112, score=0.6))
    hidden(bench, scene, COVERS["all"], frames=10)
    uncovered = bench.k + 1
    with_erring_find = scene.having(DrawnThing(face="1p", x=0, y=-115, is_there=False, reads=NOT_A_TILE))
    assert bench.show(scene, frames=7) == []
    for _ in range(12):
        if reports := bench.show(with_erring_find, frames=1):
            break
        assert bench.watcher.last_judged_frame < uncovered
    assert [type(change) for change in reports[0].changes] == [TileLaid]
    assert bench.watcher.last_judged_frame >= uncovered


def test_every_tile_is_read_again_once_all_was_hidden() -> None:
    """One may have been replaced by another that looks alike in the small grey picture of motion."""
    bench = Bench()
    bench.show(TABLE, frames=10)
    hidden(bench, TABLE, COVERS["all"], frames=10)
    check_all_is_read_once_more(bench)


def test_every_tile_is_read_again_once_the_camera_is_back() -> None:
    """In dim light, one of eight tiles that replaced another meanwhile looks like it in the small grey picture."""
    bench = Bench()
    bench.show(TABLE, frames=10)
    bench.k += 50
    check_all_is_read_once_more(bench)


def check_all_is_read_once_more(bench: Bench) -> None:
    """Shows the table again: every tile of it is read, nothing is reported, and then nothing is read any more."""
    bench.read_quads.clear()
    assert bench.show(TABLE, frames=20) == []
    for thing in TABLE.things:
        assert any(np.hypot(*(middle - (thing.x, thing.y))) < 5 for middle in bench.read_quads), thing
    bench.read_quads.clear()
    bench.show(TABLE, frames=10)
    assert bench.read_quads == []


def test_nothing_is_read_again_where_a_table_that_was_left_is_seen_once_a_second() -> None:
    bench = Bench()
    bench.show(TABLE, frames=10)
    bench.read_quads.clear()
    for _ in range(5):
        bench.k += 19
        bench.show(TABLE, frames=1)
    assert bench.read_quads == []


def test_a_recording_with_a_picture_every_five_seconds_is_no_camera_that_is_lost_again_and_again() -> None:
    bench = Bench()
    bench.fps = 0.2
    bench.show(TABLE, frames=10)
    bench.read_quads.clear()
    assert bench.show(TABLE, frames=5) == []
    assert bench.read_quads == []
