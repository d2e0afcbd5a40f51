"""Planted errors on a watched table: the whole table corrects or doubts the weakest belief and leaves sure ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.vision.drawn import Bench, DrawnThing, Scene
from vision.felt import FeltReport, LyingTile, Outcome, TileLaid, TileReread

PLACES = tuple((-50.0 + 21 * column, -84.0 - 28 * row) for row in range(2) for column in range(6))
OTHERS = tuple((x, -y) for x, y in PLACES)
ARM = ((-65.0, -400.0), (25.0, -400.0), (25.0, -70.0), (-65.0, -70.0))


def row(*faces: str, places: Sequence[tuple[float, float]] = PLACES) -> tuple[DrawnThing, ...]:
    return tuple(DrawnThing(face=face, x=x, y=y) for face, (x, y) in zip(faces, places, strict=False))


def weak(face: str, other: str, *, score: float = 0.6, at: tuple[float, float] = OTHERS[0]) -> DrawnThing:
    """A tile of which each look says so, with another face nearly as likely."""
    return DrawnThing(face=face, other=other, score=score, x=at[0], y=at[1])


def believed_tile(bench: Bench, drawn: DrawnThing) -> LyingTile:
    return min(bench.watcher.felt.tiles, key=lambda tile: abs(tile.x_mm - drawn.x) + abs(tile.y_mm - drawn.y))


def rereads(reports: Sequence[FeltReport]) -> list[tuple[str, str, Outcome | None]]:
    changes = [change for report in reports for change in report.changes if isinstance(change, TileReread)]
    return [(change.before.reading.tile, change.tile.reading.tile, change.tile.reading.outcome) for change in changes]


def test_a_fifth_of_a_kind_corrects_the_weakest_of_them_and_says_so() -> None:
    bench = Bench()
    doubtful = weak("6s", "9s")
    four = row("6s", "6s", "6s", "6s")
    bench.show(Scene(things=(doubtful, *four[:3])), frames=14)
    assert believed_tile(bench, doubtful).reading.tile == "6s"
    reports = bench.show(Scene(things=(doubtful, *four)), frames=8)
    assert rereads(reports) == [("6s", "9s", Outcome.CORRECTED)]
    corrected = believed_tile(bench, doubtful).reading
    assert corrected.score > 0.9
    assert corrected.alternatives[0][0] == "6s"
    assert [believed_tile(bench, each).reading.tile for each in four] == ["6s"] * 4


def test_five_that_are_surely_read_all_stay_and_are_told_as_too_many() -> None:
    bench = Bench()
    five = row("6s", "6s", "6s", "6s", "6s")
    bench.show(Scene(things=five), frames=10)
    readings = [believed_tile(bench, each).reading for each in five]
    assert {(reading.tile, reading.outcome) for reading in readings} == {("6s", Outcome.SURPLUS)}
    assert all(reading.score > 0.95 for reading in readings)
    bench.show(Scene(things=five[:4]), frames=10)
    assert all(believed_tile(bench, each).reading.outcome is None for each in five[:4])


def test_of_two_weak_ones_neither_is_corrected_surely() -> None:
    bench = Bench()
    doubtful = (weak("6s", "9s"), weak("6s", "9s", at=OTHERS[1]))
    bench.show(Scene(things=(*doubtful, *row("6s", "6s", "6s"))), frames=14)
    readings = [believed_tile(bench, each).reading for each in doubtful]
    assert {reading.outcome for reading in readings} == {Outcome.DOUBTED}
    assert all(reading.score < 0.9 for reading in readings)


def test_of_two_red_fives_in_a_set_with_one_the_weaker_is_a_plain_five() -> None:
    scene = Scene(things=(weak("0p", "5p"), *row("0p", "1z")))
    bench = Bench(reds={"m": 1, "p": 1, "s": 1})
    bench.show(scene, frames=14)
    assert believed_tile(bench, scene.things[0]).reading.tile == "5p"
    parlour = Bench(reds={"p": 2})
    parlour.show(scene, frames=14)
    assert believed_tile(parlour, scene.things[0]).reading.tile == "0p"
    unknown = Bench()
    unknown.show(scene, frames=14)
    assert believed_tile(unknown, scene.things[0]).reading.tile == "0p"


def test_beside_a_red_five_the_fourth_plain_one_is_another_tile() -> None:
    scene = Scene(things=(weak("5p", "2p"), *row("0p", "5p", "5p", "5p")))
    bench = Bench(reds={"m": 1, "p": 1, "s": 1})
    bench.show(scene, frames=14)
    assert believed_tile(bench, scene.things[0]).reading.tile == "2p"
    assert [believed_tile(bench, thing).reading.tile for thing in scene.things[1:]] == ["0p", "5p", "5p", "5p"]


def test_a_doubtful_discard_is_sure_when_what_else_it_may_be_lies_elsewhere() -> None:
    bench = Bench()
    doubtful = weak("9s", "6s", score=0.55)
    four = row("6s", "6s", "6s", "6s")
    bench.show(Scene(things=(doubtful, *four[:3])), frames=14)
    before = believed_tile(bench, doubtful).reading
    assert before.score < 0.9
    assert before.outcome is None
    reports = bench.show(Scene(things=(doubtful, *four)), frames=8)
    assert rereads(reports) == [("9s", "9s", Outcome.UPHELD)]
    assert believed_tile(bench, doubtful).reading.score > 0.9


def test_a_tile_by_two_of_a_meld_is_what_makes_the_meld() -> None:
    bench = Bench()
    meld = (
        DrawnThing(face="4p", x=293.5, y=-340),
        DrawnThing(face="4p", x=313.5, y=-340),
        DrawnThing(face="7p", other="4p", score=0.6, x=336.75, y=-343, angle=90),
    )
    bench.show(Scene(things=(*meld, *row("1z", "2z"))), frames=14)
    assert [believed_tile(bench, each).reading.tile for each in meld] == ["4p", "4p", "4p"]
    assert believed_tile(bench, meld[2]).reading.outcome is Outcome.CORRECTED


def test_a_correction_holds_when_what_outvoted_it_is_called_away() -> None:
    bench = Bench()
    doubtful = weak("6s", "9s")
    four = row("6s", "6s", "6s", "6s")
    bench.show(Scene(things=(doubtful, *four)), frames=14)
    assert believed_tile(bench, doubtful).reading.tile == "9s"
    assert rereads(bench.show(Scene(things=(doubtful, *four[:3])), frames=10)) == []
    assert believed_tile(bench, doubtful).reading.tile == "9s"


def test_what_an_arm_hides_does_not_vote_for_it_may_be_the_tile_laid_elsewhere() -> None:
    bench = Bench()
    doubtful = weak("6s", "9s")
    three = row("6s", "6s", "6s")
    bench.show(Scene(things=(doubtful, *three)), frames=14)
    carried = DrawnThing(face="6s", x=OTHERS[3][0], y=OTHERS[3][1])
    bench.show(Scene(things=(doubtful, *three[1:], carried), arm=ARM), frames=10)
    assert len([tile for tile in bench.watcher.felt.tiles if tile.reading.tile == "6s"]) == 5
    assert believed_tile(bench, doubtful).reading.outcome is None


def test_a_better_look_ends_what_the_vote_said() -> None:
    bench = Bench()
    doubtful = weak("6s", "9s")
    four = row("6s", "6s", "6s", "6s")
    bench.show(Scene(things=(doubtful, *four)), frames=14)
    clear = replace(doubtful, face="6p", score=0.97)
    bench.show(Scene(things=(clear, *four)), frames=14)
    assert (believed_tile(bench, clear).reading.tile, believed_tile(bench, clear).reading.outcome) == ("6p", None)


@pytest.mark.parametrize("faces", [("6s", "6s", "6s", "6s"), ("5p", "5p", "5p", "0p")])
def test_a_whole_set_is_left_as_it_was_read(faces: tuple[str, ...]) -> None:
    bench = Bench(reds={"m": 1, "p": 1, "s": 1})
    reports = bench.show(Scene(things=row(*faces, "1z")), frames=10)
    assert rereads(reports) == []
    assert all(tile.reading.outcome is None for tile in bench.watcher.felt.tiles)
    faces_laid = [change.tile.reading.tile for change in reports[0].changes if isinstance(change, TileLaid)]
    assert sorted(faces_laid) == sorted((*faces, "1z"))
