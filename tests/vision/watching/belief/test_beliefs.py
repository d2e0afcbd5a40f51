"""What is believed of a thing from look to look."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vision.felt import NOT_A_TILE, Reading
from vision.watching.belief.beliefs import Beliefs
from vision.watching.belief.evidence import TileEvidence
from vision.watching.belief.tracked_thing import SURELY_STILL_NS, Absence, TrackedThing
from vision.watching.detection import Detection

LAID = Detection(x_mm=120.0, y_mm=-44.0, angle_deg=1.0, half_mm=(11.0, 15.0))


def _read(*readings: Reading) -> TileEvidence:
    evidence = TileEvidence()
    for reading in readings:
        evidence.add(reading)
    return evidence


def _believed() -> TrackedThing[TileEvidence]:
    return TrackedThing(detection=LAID, place=LAID, evidence=_read(Reading(tile="9p", score=1.0)), id=7)


@pytest.mark.parametrize(("angle_deg", "looks"), [(4.0, 1), (92.0, 3)], ids=["pushed", "turned"])
def test_a_tile_is_believed_to_be_turned_after_more_looks_than_to_be_pushed(angle_deg: float, looks: int) -> None:
    """A look beside a hand may find the outline of a sideways tile upright: a riichi would be taken back."""
    thing, moved = _believed(), replace(LAID, y_mm=-50.0, angle_deg=angle_deg)
    for _ in range(looks):
        assert thing.place == LAID
        thing.detection = replace(moved)
        thing.fix_place(SURELY_STILL_NS)
    assert thing.place == moved


def test_a_tile_seen_turned_for_a_moment_lies_as_before() -> None:
    thing, turned = _believed(), replace(LAID, y_mm=-50.0, angle_deg=92.0)
    for detection in (turned, turned, LAID, turned, turned):
        thing.detection = replace(detection, x_mm=detection.x_mm + 0.1)
        thing.fix_place(SURELY_STILL_NS)
    assert thing.place.angle_deg == LAID.angle_deg


def test_a_find_that_shows_no_tile_moves_none() -> None:
    """Where a tile was taken, the side of its neighbour may be found: then its own place must be seen to be bare."""
    thing = _believed()
    thing.rival = _read(Reading(tile=NOT_A_TILE, score=1.0))
    thing.detection = replace(LAID, x_mm=LAID.x_mm - 3.0)
    thing.fix_place(SURELY_STILL_NS)
    assert thing.place == LAID


def test_one_look_counts_once_however_often_others_look_elsewhere() -> None:
    thing = _believed()
    thing.detection = replace(LAID, y_mm=-50.0, angle_deg=92.0)
    for _ in range(4):
        thing.fix_place(SURELY_STILL_NS)
    assert thing.place == LAID


def _beliefs(thing: TrackedThing[TileEvidence]) -> Beliefs[TileEvidence, Reading]:
    return Beliefs(new_evidence=TileEvidence, reach_mm=12.0, things=[thing], next_id=8)


def test_one_tile_is_not_seen_in_two_places_at_once() -> None:
    """A tile laid against it would be lost."""
    thing = _believed()
    assert _beliefs(thing).pairs([replace(LAID, x_mm=LAID.x_mm + 8.0), LAID]) == {1: thing}


def test_a_pushed_tile_is_believed_where_it_lies_now() -> None:
    thing, moved = _believed(), replace(LAID, x_mm=LAID.x_mm + 6.0)
    beliefs = _beliefs(thing)
    beliefs.match([moved])
    assert beliefs.update(lambda _: SURELY_STILL_NS, SURELY_STILL_NS)
    assert (thing.id, thing.place) == (7, moved)


@pytest.mark.parametrize(
    ("is_changed", "rest_ns", "looks"),
    [(False, SURELY_STILL_NS, 4), (True, SURELY_STILL_NS, 1), (False, SURELY_STILL_NS // 2, 1)],
    ids=["as before", "changed", "moved since the last look"],
)
def test_what_was_no_tile_is_judged_anew_once_its_place_has_changed(is_changed: bool, rest_ns: int, looks: int) -> None:
    thing = TrackedThing(detection=LAID, place=LAID, evidence=_read(*[Reading(tile=NOT_A_TILE, score=1.0)] * 3))
    reading = Reading(tile="9p", score=0.99)
    _beliefs(thing).learn(thing, reading, is_changed=is_changed, now_ns=SURELY_STILL_NS, rest_ns=rest_ns)
    assert thing.evidence.frames == looks


@pytest.mark.parametrize(("rest_ns", "looks"), [(SURELY_STILL_NS, 3), (SURELY_STILL_NS // 2, 1)])
def test_looks_before_a_hand_moved_there_again_are_not_counted_with_those_after_it(rest_ns: int, looks: int) -> None:
    thing = _believed()
    thing.rival = _read(*[Reading(tile="6m", score=0.99)] * 2)
    reading = Reading(tile="6m", score=0.99)
    _beliefs(thing).learn(thing, reading, is_changed=False, now_ns=SURELY_STILL_NS, rest_ns=rest_ns)
    assert thing.rival.frames == looks


@pytest.mark.parametrize("was_missed", [True, False])
def test_a_tile_laid_where_a_called_one_was_not_seen_to_go_is_another_however_alike_they_look(
    *, was_missed: bool
) -> None:
    """In a small picture a 6m is as like a 3m as the 3m itself: only one read without a gap is taken for misread."""
    thing = _believed()
    beliefs = _beliefs(thing)
    if was_missed:
        beliefs.miss(thing, is_bare=False, is_changed=True)
    beliefs.match([LAID])
    for now_ns in (SURELY_STILL_NS, 2 * SURELY_STILL_NS):
        reading = Reading(tile="6m", score=0.99)
        beliefs.learn(thing, reading, is_changed=True, now_ns=now_ns, rest_ns=SURELY_STILL_NS)
    beliefs.update(lambda _: SURELY_STILL_NS, 2 * SURELY_STILL_NS, likeness=lambda _: 0.95)
    assert thing.evidence.verdict == ("6m" if was_missed else "9p")


@pytest.mark.parametrize(
    ("score", "likeness", "is_another"),
    [(0.99, 0.87, True), (0.99, 0.95, False), (0.92, 0.6, False), (0.92, 0.2, True), (0.85, 0.2, False)],
)
def test_a_face_replaces_another_the_more_surely_it_must_be_read_the_more_alike_they_look(
    score: float, likeness: float, is_another: bool
) -> None:
    """A discard laid exactly where a called tile lay correlates with it: both are bright, with dark felt around.

    A tile that its neighbour pushes or shades looks otherwise too, but two doubtful looks at it are no other tile.
    """
    thing = _believed()
    thing.rival = _read(*[Reading(tile="3m", score=score)] * 2)
    beliefs = _beliefs(thing)
    beliefs.update(lambda _: SURELY_STILL_NS, SURELY_STILL_NS, likeness=lambda _: likeness)
    assert (thing.id, thing.evidence.verdict) == ((8, "3m") if is_another else (7, "9p"))


def test_two_looks_that_a_doubtful_face_is_another_one_do_not_replace_it() -> None:
    """A small 6s read as 9s four times, not surely: what the next looks show is weighed with these."""
    thing = _believed()
    thing.evidence = _read(*[Reading(tile="9s", score=0.9)] * 4)
    thing.rival = _read(*[Reading(tile="6s", score=0.98)] * 2)
    beliefs = _beliefs(thing)
    beliefs.update(lambda _: SURELY_STILL_NS, SURELY_STILL_NS, likeness=lambda _: 0.68)
    assert thing.id == 7


def _taken_beside_what_moves() -> Beliefs[TileEvidence, Reading]:
    """A believed tile of which looks since show none, and something near it that has just come to rest."""
    thing, away = _believed(), replace(LAID, y_mm=-80.0)
    thing.rival = _read(*[Reading(tile=NOT_A_TILE, score=1.0)] * 3)
    moving = TrackedThing(detection=away, place=away, evidence=_read(Reading(tile="9p", score=0.6)))
    beliefs: Beliefs[TileEvidence, Reading] = Beliefs(
        new_evidence=TileEvidence, reach_mm=12.0, things=[thing, moving], next_id=8
    )
    beliefs.update(lambda one: SURELY_STILL_NS if one is thing else 0, 0, is_bare=lambda _: True)
    assert beliefs.believed == [thing]
    return beliefs


def test_what_waits_to_be_gone_goes_though_the_next_look_sees_its_place_less_bare() -> None:
    """Its neighbour's shadow is sometimes the felt's colour, sometimes a little too dark for that."""
    beliefs = _taken_beside_what_moves()
    thing, moving = beliefs.things
    beliefs.things.remove(moving)
    assert beliefs.match([LAID]) == [thing]
    beliefs.learn(thing, Reading(tile=NOT_A_TILE, score=1.0), is_changed=False, now_ns=1, rest_ns=SURELY_STILL_NS)
    beliefs.update(lambda _: SURELY_STILL_NS, 1)
    assert beliefs.believed == []


def test_what_waits_to_be_gone_stays_where_looks_read_a_tile_again() -> None:
    beliefs = _taken_beside_what_moves()
    thing, moving = beliefs.things
    beliefs.things.remove(moving)
    for look in range(1, 5):
        assert beliefs.match([LAID]) == [thing]
        beliefs.learn(thing, Reading(tile="9p", score=1.0), is_changed=False, now_ns=look, rest_ns=SURELY_STILL_NS)
    beliefs.update(lambda _: SURELY_STILL_NS, 4)
    assert beliefs.believed == [thing]


@pytest.mark.parametrize("has_waited", [False, True])
def test_a_pushed_tile_keeps_its_id_also_if_it_once_waited_for_a_neighbour(*, has_waited: bool) -> None:
    """It did not wait a second time: it was gone before it was believed at its new place, as another tile."""
    thing, pushed = _believed(), replace(LAID, y_mm=-64.0)
    thing.arrival.waits_since_ns = 0 if has_waited else None
    beliefs: Beliefs[TileEvidence, Reading] = Beliefs(
        new_evidence=TileEvidence, reach_mm=9.0, things=[thing], next_id=8
    )
    beliefs.update(lambda _: SURELY_STILL_NS, 10**10)
    doubtful = Reading(tile="9p", score=0.6, alternatives=(("8p", 0.4),))
    for look in range(1, 7):
        now_ns = 10**10 + look * 10**8
        (found,) = beliefs.match([pushed])
        beliefs.learn(found, doubtful, is_changed=look == 1, now_ns=now_ns, rest_ns=SURELY_STILL_NS)
        beliefs.miss(thing, is_bare=True)
        beliefs.update(lambda _: SURELY_STILL_NS, now_ns)
    assert [(believed.id, believed.place.y_mm) for believed in beliefs.believed] == [(7, -64.0)]


def _found(face: str, *, y_mm: float) -> TrackedThing[TileEvidence]:
    """A find that three looks read surely, beside the believed 9p at `LAID`."""
    place = replace(LAID, y_mm=y_mm)
    return TrackedThing(detection=place, place=place, evidence=_read(*[Reading(tile=face, score=0.99)] * 3))


@pytest.mark.parametrize(
    ("away_mm", "rest_ns", "is_believed"),
    [(30.0, SURELY_STILL_NS, False), (30.0, 700_000_000, True), (60.0, SURELY_STILL_NS, True)],
)
def test_a_tile_beside_a_hidden_one_waits_since_the_hand_may_hide_a_part_of_it(
    away_mm: float, rest_ns: int, is_believed: bool
) -> None:
    hidden, new = _believed(), _found("7s", y_mm=LAID.y_mm - away_mm)
    hidden.absence = Absence(misses=1, is_hidden=True)
    beliefs: Beliefs[TileEvidence, Reading] = Beliefs(
        new_evidence=TileEvidence, reach_mm=12.0, things=[hidden, new], next_id=8
    )
    beliefs.update(lambda _: rest_ns, 10**10)
    assert (new in beliefs.believed) is is_believed


@pytest.mark.parametrize(("face", "away_mm", "number"), [("9p", 30.0, 7), ("8p", 30.0, 8), ("9p", 60.0, 8)])
def test_only_a_tile_of_the_same_face_near_where_one_is_gone_was_pushed(face: str, away_mm: float, number: int) -> None:
    gone, new = _believed(), _found(face, y_mm=LAID.y_mm - away_mm)
    gone.absence = Absence(misses=3, bare_frames=3)
    beliefs: Beliefs[TileEvidence, Reading] = Beliefs(
        new_evidence=TileEvidence, reach_mm=12.0, things=[gone, new], next_id=8
    )
    beliefs.update(lambda _: SURELY_STILL_NS, 10**10)
    assert [thing.id for thing in beliefs.things] == [number]
    assert beliefs.believed == [new]


@pytest.mark.parametrize(("before", "since"), [(0.99, 0.7), (0.7, 0.99)])
def test_of_looks_that_read_the_same_face_before_and_after_a_change_the_surer_ones_count(
    before: float, since: float
) -> None:
    thing = _believed()
    thing.evidence, thing.rival = (_read(*[Reading(tile="9p", score=score)] * 3) for score in (before, since))
    surer = max(thing.evidence.confidence, thing.rival.confidence)
    beliefs = _beliefs(thing)
    beliefs.update(lambda _: SURELY_STILL_NS, SURELY_STILL_NS, likeness=lambda _: 0.2)
    assert (thing.id, thing.is_as_believed, thing.evidence.confidence) == (7, True, surer)
