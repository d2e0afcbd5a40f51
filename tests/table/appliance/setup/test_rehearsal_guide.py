"""The rehearsal through the whole pipeline: drawn pixels, the shipped models, the referee and the rules."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table.appliance.setup.rehearsal import steps
from tests.table.appliance.setup.rehearsals import Practice, film, staged_rehearsal, with_a_slip
from vision.felt import FeltReport, Zone

pytestmark = pytest.mark.pictures


def test_a_rehearsal_without_mistakes_is_told_step_by_step_and_trusted() -> None:
    practice = Practice(film(staged_rehearsal().beats))
    practice.guide.begin()
    status = practice.to_the_end()
    assert [step.result for step in status.steps] == ["right"] * len(steps())
    seen_things = [step.seen for step in status.steps if step.seen is not None]
    assert [thing.tiles for thing in seen_things] == [step.tiles for step in status.steps]
    assert set(status.trust.values()) == {"yes"}
    assert status.advice == ()
    seconds = [thing.seconds for thing in seen_things]
    assert all(second is not None and 0.0 < second < 2.0 for second in seconds), seconds
    assert min(thing.surety for thing in seen_things if thing.kind != "stick") > 0.9
    assert practice.inbox.messages == []
    assert (practice.rehearsals[0].done, practice.rehearsals[0].right) == (len(steps()), len(steps()))


def test_a_persons_slip_is_taken_back_and_a_misread_tile_is_held_against_the_camera() -> None:
    practice = Practice(with_a_slip(4, "8m"), misread=("7s", "9s", 0.7))
    practice.guide.begin()
    status = practice.play(lambda status: status.doubt is not None)
    assert status.doubt is not None
    assert (status.done, status.doubt.tiles) == (3, ("8m",))
    practice.guide.say(3, "mine")
    status = practice.play(lambda status: status.doubt is not None and status.done == 4)
    assert status.steps[3].result == "right"
    assert status.doubt is not None
    assert status.doubt.tiles == ("9s",)
    practice.guide.say(4, "misread")
    # The hand shown has the misread face too: it is no win that anybody could infer, until its owner claims it.
    last = len(steps()) - 1
    practice.play(lambda status: status.done == last and len(practice.watcher.felt.in_zone(1, Zone.HAND)) == 11)
    practice.guide.say(last, "missed")
    status = practice.guide.status()
    assert (status.state, status.steps[-1].result) == ("over", "right")
    results = [step.result for step in status.steps]
    assert results[4] == "otherwise"
    unsure = status.steps[4].seen
    assert unsure is not None
    assert unsure.surety < 0.9
    assert status.trust["discards"] == "care"
    assert "scan" in status.advice


def test_a_hand_that_is_seen_once_it_is_claimed_is_right_also_if_the_camera_missed_an_earlier_step() -> None:
    beats = tuple(replace(beat, scene=replace(beat.scene, sticks=())) for beat in staged_rehearsal().beats)
    practice = Practice(film(beats), misread=("7s", "9s", 0.7))
    practice.guide.begin()
    practice.play(lambda status: status.doubt is not None)
    practice.guide.say(4, "misread")
    last = len(steps()) - 1
    status = practice.play(
        lambda status: status.done == last and len(practice.watcher.felt.in_zone(1, Zone.HAND)) == 11
    )
    assert [step.kind for step in status.steps if step.result == "missed"] == ["stick"]
    practice.guide.say(last, "missed")
    status = practice.guide.status()
    assert (status.state, status.steps[-1].result, status.trust["hand"]) == ("over", "right", "care")


def test_the_table_hears_of_the_felt_again_only_once_it_is_cleared() -> None:
    beats = staged_rehearsal().beats
    cleared = replace(beats[-1], time_s=beats[4].time_s + 5)
    practice = Practice(film((*beats[:5], cleared, replace(beats[4], time_s=cleared.time_s + 5))))
    practice.play(lambda status: bool(practice.inbox.messages))
    practice.guide.begin()
    practice.play(lambda status: status.done == 3)
    practice.guide.end()
    assert practice.report_switch.is_held
    assert practice.rehearsals[0].done == 3
    practice.play(lambda status: not practice.report_switch.is_held)
    assert faces_heard(practice) == set()
    practice.play(lambda status: bool(faces_heard(practice)))
    assert {"3z", "2m"} <= faces_heard(practice)


def faces_heard(practice: Practice) -> set[str]:
    """The faces in all reports that the table got."""
    felts = [report.felt for report in practice.inbox.messages if isinstance(report, FeltReport)]
    return {tile.reading.tile for felt in felts for tile in felt.tiles} - {"back"}
