"""The rehearsal's script and its evaluation: expected and observed events of each step, their confidence and delay.

Pure: everything follows from the steps, the observed events, and what people said. A person's mistake does not count
against the camera; a tile that was first misread and then corrected counts as late.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import Final

from table.camera.simulation import rehearsal_hand
from table.camera.simulation.script_timeline import stage_script
from table.rules.events import (
    Called,
    ClosedKan,
    Discarded,
    DoraTurned,
    Event,
    HandShown,
    HandStarted,
    StickPlaced,
)
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile
from vision.cameras.synthetic.layout import Layout
from vision.confidence import STICK_SURE, SURE

SLOW_S: Final = 2.0
"""Longest delay from lying still to being reported; later is too late for a call."""
JudgedEvent = HandStarted | Discarded | StickPlaced | Called | ClosedKan | DoraTurned | HandShown
JUDGED_EVENTS: Final = (HandStarted, Discarded, StickPlaced, Called, ClosedKan, DoraTurned, HandShown)


class StepKind(StrEnum):
    """What is laid in a step."""

    START = "start"
    DISCARD = "discard"
    RIICHI = "riichi"
    STICK = "stick"
    PON = "pon"
    KAN = "kan"
    DORA = "dora"
    HAND = "hand"


class StepResult(StrEnum):
    """The outcome of a step."""

    RIGHT = "right"
    LATE = "late"
    """First misread, then corrected by the camera itself."""
    OTHERWISE = "otherwise"
    """Reported differently from what lies there."""
    MISSED = "missed"
    """It lies there, but was not reported."""


class StepAnswer(StrEnum):
    """What people say about a step."""

    MISREAD = "misread"
    """It lies there as requested, but is misread."""
    MISSED = "missed"
    """It lies there as requested, but is not reported."""


class Trust(StrEnum):
    """How far the camera can be trusted with one ability on this table."""

    YES = "yes"
    CARE = "care"
    """Usable, but check what it reports."""
    NO = "no"
    """Enter it by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RehearsalStep:
    """One thing to lay."""

    kind: StepKind
    event: JudgedEvent
    """The event that the table should observe."""
    seat: Seat | None = None
    tiles: tuple[Tile, ...] = ()
    """The tiles laid, in order; for a pon, the caller's two."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservedEvent:
    """An event that the table observed."""

    event: JudgedEvent
    surety: float
    """Confidence from 0 to 1."""
    seconds: float | None
    """Delay from lying still to being reported; None if unknown."""
    is_late: bool = False
    """Whether it was first misread."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepOutcome:
    """The result of one step."""

    result: StepResult
    event: ObservedEvent | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """The state of the rehearsal."""

    outcomes: tuple[StepOutcome, ...]
    """The results of finished steps, in order."""
    doubt: ObservedEvent | None = None
    """An event of the present step that was not requested; only people know whether camera or person erred."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What can be trusted, and advice for the rest."""

    trust: Mapping[str, Trust | None] = field(default_factory=dict)
    """For `discards`, `riichi`, `pon`, `kan` and `hand`; None if not rehearsed."""
    advice: tuple[str, ...] = ()
    """`scan`: faces were confused; `place`: something was not seen; `light`: readings were uncertain or slow."""


ABILITIES: Final[Mapping[str, tuple[StepKind, ...]]] = {
    "discards": (StepKind.DISCARD,),
    "riichi": (StepKind.RIICHI, StepKind.STICK),
    "pon": (StepKind.PON,),
    "kan": (StepKind.KAN, StepKind.DORA),
    "hand": (StepKind.HAND,),
}
_FEW_SHARE: Final = 0.2
"""Share of an ability's steps that may fail before entering it by hand is better."""


@cache
def steps() -> tuple[RehearsalStep, ...]:
    """Returns the steps in order, from the script in `table.camera.simulation`."""
    staged = stage_script((rehearsal_hand(),), Layout())
    return tuple(step_of(line.event) for line in staged.truth if isinstance(line.event, JUDGED_EVENTS))


def judge_steps(
    steps: Sequence[RehearsalStep], events: Sequence[ObservedEvent], answers: Mapping[int, StepAnswer]
) -> Judgement:
    """Returns the result of each step.

    Args:
        steps: the steps to perform.
        events: the observed events in order, after corrections.
        answers: what people said about a step, by its number from 0.
    """
    outcomes: list[StepOutcome] = []
    remaining = list(events)
    for number, step in enumerate(steps):
        if answers.get(number) is StepAnswer.MISSED:
            outcomes.append(StepOutcome(result=StepResult.MISSED))
            continue
        if not remaining:
            break
        following = steps[number + 1] if number + 1 < len(steps) else None
        outcome = _outcome(step, following, remaining, answers.get(number))
        if outcome is None:
            return Judgement(outcomes=tuple(outcomes), doubt=remaining[0])
        if outcome.event is not None:
            remaining.pop(0)
        outcomes.append(outcome)
    return Judgement(outcomes=tuple(outcomes))


def verdict(steps: Sequence[RehearsalStep], outcomes: Sequence[StepOutcome]) -> Verdict:
    """Returns the verdict after these steps."""
    done = list(zip(steps, outcomes, strict=False))
    trust = {
        name: _trust([outcome for step, outcome in done if step.kind in kinds]) for name, kinds in ABILITIES.items()
    }
    return Verdict(trust=trust, advice=tuple(_advice(outcome for _, outcome in done)))


def is_expected(step: RehearsalStep, event: JudgedEvent) -> bool:
    """Returns whether the observed event is the one that the step asks for."""
    match step.event, event:
        case HandStarted() as expected, HandStarted():
            return expected.dora_indicator == event.dora_indicator
        case Discarded() as expected, Discarded():
            return (expected.seat, expected.tile, expected.sideways) == (event.seat, event.tile, event.sideways)
        case StickPlaced() as expected, StickPlaced():
            return expected.seat == event.seat
        case Called() as expected, Called():
            is_same = (expected.seat, expected.kind, expected.tile) == (event.seat, event.kind, event.tile)
            return is_same and expected.from_seat == event.from_seat and sorted(expected.own) == sorted(event.own)
        case ClosedKan() as expected, ClosedKan():
            return expected.seat == event.seat and sorted(expected.tiles) == sorted(event.tiles)
        case DoraTurned() as expected, DoraTurned():
            return expected.indicator == event.indicator
        case HandShown() as expected, HandShown():
            return expected.seat == event.seat and _all_tiles(expected) == _all_tiles(event)
        case _:
            return False


def _all_tiles(shown_hand: HandShown) -> list[Tile]:
    """Returns all tiles of a shown hand; the winning tile is part of the claim instead."""
    return sorted((*shown_hand.tiles, *(() if shown_hand.winning_tile is None else (shown_hand.winning_tile,))))


def _outcome(
    step: RehearsalStep, following: RehearsalStep | None, remaining: Sequence[ObservedEvent], answer: StepAnswer | None
) -> StepOutcome | None:
    """Returns the result of a step with an observed event; None if only people can decide it."""
    observed = remaining[0]
    if is_expected(step, observed.event):
        return StepOutcome(result=StepResult.LATE if observed.is_late else StepResult.RIGHT, event=observed)
    if answer is StepAnswer.MISREAD:
        return StepOutcome(result=StepResult.OTHERWISE, event=observed)
    if following is not None:
        if is_expected(following, observed.event):
            return StepOutcome(result=StepResult.MISSED)
        if len(remaining) > 1 and is_expected(following, remaining[1].event):
            return StepOutcome(result=StepResult.OTHERWISE, event=observed)
    return None


def _trust(outcomes: Sequence[StepOutcome]) -> Trust | None:
    if not outcomes:
        return None
    wrong = sum(outcome.result in (StepResult.OTHERWISE, StepResult.MISSED) for outcome in outcomes)
    if wrong:
        return Trust.CARE if wrong <= _FEW_SHARE * len(outcomes) else Trust.NO
    return Trust.CARE if any(map(_is_shaky, outcomes)) else Trust.YES


def _is_shaky(outcome: StepOutcome) -> bool:
    observed = outcome.event
    is_slow = observed is not None and observed.seconds is not None and observed.seconds > SLOW_S
    return (
        outcome.result is StepResult.LATE
        or is_slow
        or (observed is not None and observed.surety < _sure_from(observed.event))
    )


def _sure_from(event: JudgedEvent) -> float:
    return STICK_SURE if isinstance(event, StickPlaced) else SURE


def _advice(results: Iterable[StepOutcome]) -> Iterable[str]:
    outcomes = list(results)
    if any(outcome.result in (StepResult.OTHERWISE, StepResult.LATE) for outcome in outcomes):
        yield "scan"
    if any(outcome.result is StepResult.MISSED for outcome in outcomes):
        yield "place"
    if any(_is_shaky(outcome) and outcome.result is StepResult.RIGHT for outcome in outcomes):
        yield "light"


def step_of(event: Event) -> RehearsalStep:
    """Returns the step that would ask for this event; also used to name what was seen instead.

    Raises:
        TypeError: events of this kind are not judged.
    """
    match event:
        case HandStarted():
            indicators = () if event.dora_indicator is None else (event.dora_indicator,)
            return RehearsalStep(kind=StepKind.START, event=event, tiles=indicators)
        case Discarded():
            kind = StepKind.RIICHI if event.sideways else StepKind.DISCARD
            return RehearsalStep(kind=kind, event=event, seat=event.seat, tiles=(event.tile,))
        case StickPlaced():
            return RehearsalStep(kind=StepKind.STICK, event=event, seat=event.seat)
        case Called():
            return RehearsalStep(kind=StepKind.PON, event=event, seat=event.seat, tiles=event.own)
        case ClosedKan():
            return RehearsalStep(kind=StepKind.KAN, event=event, seat=event.seat, tiles=event.tiles)
        case DoraTurned():
            return RehearsalStep(kind=StepKind.DORA, event=event, tiles=(event.indicator,))
        case HandShown():
            won = () if event.winning_tile is None else (event.winning_tile,)
            return RehearsalStep(kind=StepKind.HAND, event=event, seat=event.seat, tiles=(*event.tiles, *won))
        case _:
            raise TypeError(f"expected an event that is judged, got {event!r}")
