"""Planted errors on a watched table: the whole table corrects or doubts the weakest belief and leaves sure ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.vision.drawn import Bench, DrawnThing, Scene
from vision.felt import BACK, FeltReport, LyingTile, Outcome, Reading, TileLaid, TileReread, Zone
from vision.geometry.plane_geometry import TileSize
from vision.watching.belief.evidence import TileEvidence
from vision.watching.belief.tracked_thing import TrackedThing
from vision.watching.belief.vote import Vote
from vision.watching.detection import Detection
from vision.zones.table_zones import ZonePlace

PLACES = tuple((-50.0 + 21 * column, -84.0 - 28 * row) for row in range(2) for column in range(6))
OTHERS = tuple((x, -y) for x, y in PLACES)
Thing = TrackedThing[TileEvidence]
Looks = tuple[Reading, ...]
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


def believed(number: int, *readings: Reading, x_mm: float | None = None, is_on_top: bool = False) -> Thing:
    """A believed tile whose looks read so, apart from all others if no place is given."""
    place = Detection(x_mm=40.0 * number if x_mm is None else x_mm, y_mm=0.0, angle_deg=0.0, half_mm=(10.0, 13.0))
    evidence = TileEvidence()
    for reading in readings:
        evidence.add(reading)
    return TrackedThing(detection=place, place=place, evidence=evidence, id=number, is_on_top=is_on_top)


def sure(face: str) -> Looks:
    return (Reading(tile=face, score=0.99),) * 3


def torn(face: str, other: str) -> Looks:
    return (Reading(tile=face, score=0.6, alternatives=((other, 0.39),)),) * 3


def in_meld(*numbers: int) -> dict[int, ZonePlace]:
    return {number: ZonePlace(side=0, zone=Zone.MELD, order=order) for order, number in enumerate(numbers)}


LIKELY = (Reading(tile="6s", score=0.92, alternatives=(("9s", 0.05),)),)
KAN = (sure(BACK), sure("6s"), sure("6s"), sure(BACK))


@pytest.mark.parametrize(
    ("meld", "others", "doubtful", "verdict"),
    [
        (KAN, (), torn("6s", "9s"), "9s"),
        ((sure(BACK), sure("6s"), LIKELY, sure(BACK)), (), torn("6s", "9s"), "6s"),  # perhaps no kan of 6s
        ((sure(BACK), sure("6s"), sure("9s"), sure(BACK)), (sure("6s"),), torn("6s", "9s"), "6s"),
        ((sure("6s"), sure("6s"), sure(BACK)), (), torn("6s", "9s"), "6s"),
        ((sure("6s"),) * 4, (), torn("9s", "6s"), "9s"),
        ((sure(BACK), sure("5p"), sure("5p"), sure(BACK)), (), torn("5p", "2p"), "5p"),  # or the red one
    ],
)
def test_the_two_tiles_that_a_closed_kan_hides_are_of_the_kind_that_it_surely_shows(
    meld: Sequence[Looks], others: Sequence[Looks], doubtful: Looks, verdict: str
) -> None:
    tiles = [believed(number, *looks) for number, looks in enumerate((*meld, *others, doubtful))]
    readings = Vote(TileSize(), {"m": 1, "p": 1, "s": 1}).weighed(tiles, in_meld(*range(len(meld))))
    assert readings[len(tiles) - 1].tile == verdict
    assert {readings[number].outcome for number in range(len(meld))} == {None}


def test_a_face_that_is_surely_read_in_the_end_is_no_longer_overruled() -> None:
    vote, doubtful = Vote(TileSize(), None), believed(4, *torn("6s", "9s"))
    tiles = [*(believed(number, *sure("6s")) for number in range(4)), doubtful]
    assert vote.weighed(tiles, {})[4].tile == vote.believed(tiles)[4].tile == "9s"
    for reading in sure("6s") * 2:
        doubtful.evidence.add(reading)
    assert vote.believed(tiles)[4].tile == "6s"


@pytest.mark.parametrize(
    ("away_mm", "is_on_top", "is_surplus"), [(9.0, False, False), (9.0, True, True), (20.0, False, True)]
)
def test_of_two_beliefs_in_one_place_one_votes_unless_its_tile_lies_on_the_others(
    away_mm: float, is_on_top: bool, is_surplus: bool
) -> None:
    """The one of a tile that was just taken away: beside it, its place is not seen yet."""
    things = [believed(number, *sure("6s")) for number in range(4)]
    fifth = believed(4, *sure("6s"), x_mm=things[3].place.x_mm + away_mm, is_on_top=is_on_top)
    for tiles in ([*things, fifth], [fifth, *things]):
        outcomes = {reading.outcome for reading in Vote(TileSize(), None).weighed(tiles, {}).values()}
        assert (Outcome.SURPLUS in outcomes) is is_surplus


def test_of_two_beliefs_in_one_place_the_surer_one_votes() -> None:
    things = [believed(number, *sure("6s")) for number in range(5)]
    weaker = believed(5, *torn("9p", "8p"), x_mm=things[4].place.x_mm)
    readings = Vote(TileSize(), None).weighed([weaker, *things], {})
    assert [readings[number].outcome for number in range(6)] == [Outcome.SURPLUS] * 5 + [None]
