"""The rehearsal's judgement, from what was told alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table.appliance.setup.rehearsal import (
    ObservedEvent,
    StepAnswer,
    StepKind,
    StepResult,
    Trust,
    Verdict,
    judge_steps,
    step_of,
    steps,
    verdict,
)
from table.rules.events import Discarded
from table.rules.terms.tiles import Tile

STEPS = steps()


def event(number: int, **changes: object) -> ObservedEvent:
    return replace(ObservedEvent(event=STEPS[number].event, surety=0.99, seconds=0.6), **changes)  # type: ignore[arg-type]


def misread(number: int, tile: str) -> ObservedEvent:
    event = STEPS[number].event
    assert isinstance(event, Discarded)
    return ObservedEvent(event=replace(event, tile=Tile(tile)), surety=0.7, seconds=0.6)


def results(events: list[ObservedEvent], answers: dict[int, StepAnswer] | None = None) -> list[str]:
    return [outcome.result.value for outcome in judge_steps(STEPS, events, answers or {}).outcomes]


def found(events: list[ObservedEvent], answers: dict[int, StepAnswer] | None = None) -> Verdict:
    return verdict(STEPS, judge_steps(STEPS, events, answers or {}).outcomes)


def test_the_script_has_what_a_rehearsal_must_have() -> None:
    kinds = [step.kind for step in STEPS]
    assert kinds[:7] == [StepKind.START] + [StepKind.DISCARD] * 6
    assert kinds[7:9] == [StepKind.RIICHI, StepKind.STICK]
    assert {StepKind.PON, StepKind.KAN, StepKind.HAND} <= set(kinds)
    assert sum(len(step.tiles) for step in STEPS) <= 40, "more than a person finds in three minutes"


def test_what_is_told_as_asked_is_right_and_trusted() -> None:
    every = [event(number) for number in range(len(STEPS))]
    assert results(every) == ["right"] * len(STEPS)
    assert found(every) == Verdict(trust=dict.fromkeys(("discards", "riichi", "pon", "kan", "hand"), Trust.YES))


def test_something_else_waits_until_people_say_who_erred() -> None:
    stands = judge_steps(STEPS, [event(0), misread(1, "3m")], {})
    assert (len(stands.outcomes), stands.doubt) == (1, misread(1, "3m"))
    assert results([event(0), misread(1, "3m")], {1: StepAnswer.MISREAD}) == ["right", "otherwise"]


def test_who_goes_on_without_answering_says_that_it_lies_there_as_asked() -> None:
    assert results([event(0), misread(1, "3m"), event(2)]) == ["right", "otherwise", "right"]
    assert results([event(0), event(2)]) == ["right", "missed", "right"]


def test_what_the_camera_did_not_tell_is_said_by_people() -> None:
    assert results([event(0)], {1: StepAnswer.MISSED}) == ["right", "missed"]
    assert results([event(0), event(2)], {1: StepAnswer.MISSED}) == ["right", "missed", "right"]


def test_a_reading_that_the_camera_corrects_by_itself_came_late() -> None:
    assert results([event(0), event(1, is_late=True)]) == ["right", "late"]
    assert found([event(0), event(1, is_late=True)]).trust["discards"] is Trust.CARE


@pytest.mark.parametrize("shaky", [{"surety": 0.8}, {"seconds": 2.5}])
def test_what_is_unsure_or_slow_is_taken_with_care(shaky: dict[str, float]) -> None:
    summary = found([event(0), event(1, **shaky)])
    assert (summary.trust["discards"], summary.advice) == (Trust.CARE, ("light",))
    assert summary.trust["kan"] is None


def test_one_wrong_discard_of_many_is_care_and_a_wrong_pon_is_told_by_hand() -> None:
    every = [event(number) for number in range(len(STEPS))]
    every[3] = misread(3, "7s")
    assert found(every).trust["discards"] is Trust.CARE
    assert found(every).advice == ("scan",)
    pon = next(number for number, step in enumerate(STEPS) if step.kind is StepKind.PON)
    without = found(every[:3] + every[4:pon], {3: StepAnswer.MISSED, pon: StepAnswer.MISSED})
    assert without.trust["pon"] is Trust.NO
    assert "place" in without.advice


def test_what_cannot_be_judged_is_refused() -> None:
    with pytest.raises(TypeError, match="expected an event that is judged, got"):
        step_of("nothing")  # type: ignore[arg-type]


def test_outcomes_name_how_they_went() -> None:
    assert {how.value for how in StepResult} == {"right", "late", "otherwise", "missed"}
