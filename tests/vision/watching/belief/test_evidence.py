from __future__ import annotations

import numpy as np
import pytest

from vision.confidence import POSSIBLE, SURE
from vision.felt import Reading
from vision.watching.belief.evidence import StickEvidence, TileEvidence


def reading(tile: str, score: float, *others: tuple[str, float], turned: bool = False) -> Reading:
    return Reading(tile=tile, score=score, alternatives=others, turned=turned)


def evidence_of(*readings: Reading) -> TileEvidence:
    evidence = TileEvidence()
    for reading in readings:
        evidence.add(reading)
    return evidence


def test_agreeing_looks_make_a_face_surer() -> None:
    one_look = evidence_of(reading("6m", 0.7, ("9m", 0.25)))
    thrice = evidence_of(*[reading("6m", 0.7, ("9m", 0.25))] * 3)
    assert one_look.confidence == pytest.approx(0.7, abs=0.01)
    assert 0.8 < thrice.confidence < 0.95
    assert thrice.reading().alternatives[0][0] == "9m"


def test_one_bad_look_does_not_outweigh_good_ones() -> None:
    assert evidence_of(*[reading("5p", 0.98)] * 3, reading("1p", 0.999)).verdict == "5p"


def test_looks_that_differ_leave_a_doubt() -> None:
    evidence = evidence_of(reading("5s", 0.6, ("0s", 0.38)), reading("0s", 0.6, ("5s", 0.38)))
    assert evidence.confidence < 0.6
    assert evidence.chance("5s") == pytest.approx(evidence.chance("0s"))


def test_looks_that_contradict_each_other_are_no_sure_reading_however_sure_each_is() -> None:
    evidence = evidence_of(
        reading("6m", 0.64, ("4m", 0.3)),
        reading("6m", 0.83, ("4m", 0.12)),
        reading("4m", 0.986, ("6m", 0.01)),
        reading("4m", 0.956, ("6m", 0.02)),
    )
    assert evidence.confidence < SURE
    assert evidence.chance("6m") > POSSIBLE


def test_a_look_under_a_hand_is_outweighed_by_looks_that_agree_after_it() -> None:
    evidence = evidence_of(reading("6s", 0.95, ("7s", 0.03)), *[reading("7s", 0.99, ("6s", 0.005))] * 3)
    assert (evidence.verdict, evidence.confidence > SURE) == ("7s", True)


def test_looks_that_saw_no_face_contradict_none() -> None:
    assert evidence_of(reading("?", 0.7, ("5p", 0.2)), *[reading("5p", 0.99)] * 2).confidence > SURE


def test_which_way_up_is_what_most_looks_say() -> None:
    up, down = reading("7p", 0.9), reading("7p", 0.9, turned=True)
    assert evidence_of(down, up, down).reading().turned
    assert not evidence_of(up, down, up).reading().turned


def test_merged_evidence_is_that_of_all_looks() -> None:
    readings = [reading("2s", 0.8, ("3s", 0.1)), reading("2s", 0.6, ("8s", 0.3)), reading("3s", 0.5, ("2s", 0.4))]
    merged = evidence_of(readings[0])
    merged.merge(evidence_of(*readings[1:]))
    assert [merged.chance(face) for face in ("2s", "3s", "8s")] == pytest.approx(
        [evidence_of(*readings).chance(face) for face in ("2s", "3s", "8s")]
    )
    assert merged.frames == 3


def test_the_chances_of_all_faces_are_one() -> None:
    evidence = evidence_of(reading("back", 0.5, ("?", 0.2)))
    assert 0.5 < evidence.chance("back") + evidence.chance("?") < 1


def test_a_sticks_value_is_the_one_most_often_told() -> None:
    evidence = StickEvidence()
    for value in (0, 1000, 0, 100, 1000):
        evidence.add((value, 0.8))
    assert evidence.value == 1000
    assert evidence.verdict == "1000"
    assert evidence.confidence == pytest.approx(0.8)
    assert evidence.chance("1000") == pytest.approx(0.4)


def test_a_stick_whose_value_was_never_told_is_0() -> None:
    evidence = StickEvidence()
    evidence.add((0, 0.9))
    other = StickEvidence()
    other.add((0, 0.7))
    evidence.merge(other)
    assert evidence.value == 0
    assert evidence.frames == 2
    assert evidence.confidence == pytest.approx(0.8)


def test_what_was_asked_before_a_look_is_answered_anew_after_it() -> None:
    evidence = evidence_of(reading("6m", 0.7, ("9m", 0.25)))
    assert (evidence.verdict, evidence.reading().tile) == ("6m", "6m")
    for _ in range(3):
        evidence.add(reading("9m", 0.95, ("6m", 0.04), turned=True))
    assert (evidence.verdict, evidence.reading().tile, evidence.reading().turned) == ("9m", "9m", True)
    evidence.merge(evidence_of(*[reading("6m", 0.999)] * 9))
    assert (evidence.verdict, evidence.reading().tile) == ("6m", "6m")


@pytest.mark.parametrize("turned", [False, True])
def test_the_picture_of_a_tile_seen_upside_down_is_turned_upright(*, turned: bool) -> None:
    evidence = evidence_of(*[reading("1m", 0.9, turned=turned)] * 2, reading("1m", 0.9, turned=not turned))
    evidence.crops.append(np.arange(12, dtype=np.uint8).reshape(2, 2, 3))
    assert evidence.upright is not None
    assert evidence.upright[0, 0].tolist() == ([9, 10, 11] if turned else [0, 1, 2])
