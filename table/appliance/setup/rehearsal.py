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
from table.camera.simulation.script_timeline import stage
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
Judged = HandStarted | Discarded | StickPlaced | Called | ClosedKan | DoraTurned | HandShown
JUDGED: Final = (HandStarted, Discarded, StickPlaced, Called, ClosedKan, DoraTurned, HandShown)


class What(StrEnum):
    """What is laid in a step."""

    START = "start"
    DISCARD = "discard"
    RIICHI = "riichi"
    STICK = "stick"
    PON = "pon"
    KAN = "kan"
    DORA = "dora"
    HAND = "hand"


class How(StrEnum):
    """The outcome of a step."""

    RIGHT = "right"
    LATE = "late"
    """First misread, then corrected by the camera itself."""
    OTHERWISE = "otherwise"
    """Reported differently from what lies there."""
    MISSED = "missed"
    """It lies there, but was not reported."""


class Word(StrEnum):
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
class Step:
    """One thing to lay."""

    what: What
    event: Judged
    """The event that the table should observe."""
    seat: Seat | None = None
    tiles: tuple[Tile, ...] = ()
    """The tiles laid, in order; for a pon, the caller's two."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservedEvent:
    """An event that the table observed."""

    event: Judged
    surety: float
    """Confidence from 0 to 1."""
    seconds: float | None
    """Delay from lying still to being reported; None if unknown."""
    is_late: bool = False
    """Whether it was first misread."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The result of one step."""

    how: How
    event: ObservedEvent | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """The state of the rehearsal."""

    outcomes: tuple[Outcome, ...]
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


ABILITIES: Final[Mapping[str, tuple[What, ...]]] = {
    "discards": (What.DISCARD,),
    "riichi": (What.RIICHI, What.STICK),
    "pon": (What.PON,),
    "kan": (What.KAN, What.DORA),
    "hand": (What.HAND,),
}
_FEW: Final = 0.2
"""Share of an ability's steps that may fail before entering it by hand is better."""


@cache
def steps() -> tuple[Step, ...]:
    """Returns the steps in order, from the script in `table.camera.simulation`."""
    staged = stage((rehearsal_hand(),), Layout())
    return tuple(step_of(each.event) for each in staged.truth if isinstance(each.event, JUDGED))


def judge_steps(steps: Sequence[Step], events: Sequence[ObservedEvent], words: Mapping[int, Word]) -> Judgement:
    """Returns the result of each step.

    Args:
        steps: the steps to perform.
        events: the observed events in order, after corrections.
        words: what people said about a step, by its number from 0.
    """
    outcomes: list[Outcome] = []
    left = list(events)
    for number, step in enumerate(steps):
        if words.get(number) is Word.MISSED:
            outcomes.append(Outcome(how=How.MISSED))
            continue
        if not left:
            break
        following = steps[number + 1] if number + 1 < len(steps) else None
        outcome = _outcome(step, following, left, words.get(number))
        if outcome is None:
            return Judgement(outcomes=tuple(outcomes), doubt=left[0])
        if outcome.event is not None:
            left.pop(0)
        outcomes.append(outcome)
    return Judgement(outcomes=tuple(outcomes))


def verdict(steps: Sequence[Step], outcomes: Sequence[Outcome]) -> Verdict:
    """Returns the verdict after these steps."""
    done = list(zip(steps, outcomes, strict=False))
    trust = {
        name: _trust([outcome for step, outcome in done if step.what in whats]) for name, whats in ABILITIES.items()
    }
    return Verdict(trust=trust, advice=tuple(_advice(outcome for _, outcome in done)))


def is_as_asked(step: Step, event: Judged) -> bool:
    """Whether the observed event is the one that the step asks for."""
    match step.event, event:
        case HandStarted() as asked, HandStarted():
            return asked.dora_indicator == event.dora_indicator
        case Discarded() as asked, Discarded():
            return (asked.seat, asked.tile, asked.sideways) == (event.seat, event.tile, event.sideways)
        case StickPlaced() as asked, StickPlaced():
            return asked.seat == event.seat
        case Called() as asked, Called():
            is_same = (asked.seat, asked.kind, asked.tile) == (event.seat, event.kind, event.tile)
            return is_same and asked.from_seat == event.from_seat and sorted(asked.own) == sorted(event.own)
        case ClosedKan() as asked, ClosedKan():
            return asked.seat == event.seat and sorted(asked.tiles) == sorted(event.tiles)
        case DoraTurned() as asked, DoraTurned():
            return asked.indicator == event.indicator
        case HandShown() as asked, HandShown():
            return asked.seat == event.seat and _all_of(asked) == _all_of(event)
        case _:
            return False


def _all_of(shown_hand: HandShown) -> list[Tile]:
    """Returns all tiles of a shown hand; the winning tile is part of the claim instead."""
    return sorted((*shown_hand.tiles, *(() if shown_hand.winning_tile is None else (shown_hand.winning_tile,))))


def _outcome(step: Step, following: Step | None, left: Sequence[ObservedEvent], word: Word | None) -> Outcome | None:
    """Returns the result of a step with an observed event; None if only people can decide it."""
    events = left[0]
    if is_as_asked(step, events.event):
        return Outcome(how=How.LATE if events.is_late else How.RIGHT, event=events)
    if word is Word.MISREAD:
        return Outcome(how=How.OTHERWISE, event=events)
    if following is not None:
        if is_as_asked(following, events.event):
            return Outcome(how=How.MISSED)
        if len(left) > 1 and is_as_asked(following, left[1].event):
            return Outcome(how=How.OTHERWISE, event=events)
    return None


def _trust(outcomes: Sequence[Outcome]) -> Trust | None:
    if not outcomes:
        return None
    wrong = sum(outcome.how in (How.OTHERWISE, How.MISSED) for outcome in outcomes)
    if wrong:
        return Trust.CARE if wrong <= _FEW * len(outcomes) else Trust.NO
    return Trust.CARE if any(map(_is_shaky, outcomes)) else Trust.YES


def _is_shaky(outcome: Outcome) -> bool:
    events = outcome.event
    is_slow = events is not None and events.seconds is not None and events.seconds > SLOW_S
    return outcome.how is How.LATE or is_slow or (events is not None and events.surety < _sure(events.event))


def _sure(event: Judged) -> float:
    return STICK_SURE if isinstance(event, StickPlaced) else SURE


def _advice(outcomes: Iterable[Outcome]) -> Iterable[str]:
    seen = list(outcomes)
    if any(outcome.how in (How.OTHERWISE, How.LATE) for outcome in seen):
        yield "scan"
    if any(outcome.how is How.MISSED for outcome in seen):
        yield "place"
    if any(_is_shaky(outcome) and outcome.how is How.RIGHT for outcome in seen):
        yield "light"


def step_of(event: Event) -> Step:
    """Returns the step that would ask for this event; also used to name what was seen instead.

    Raises:
        TypeError: events of this kind are not judged.
    """
    match event:
        case HandStarted():
            turned = () if event.dora_indicator is None else (event.dora_indicator,)
            return Step(what=What.START, event=event, tiles=turned)
        case Discarded():
            what = What.RIICHI if event.sideways else What.DISCARD
            return Step(what=what, event=event, seat=event.seat, tiles=(event.tile,))
        case StickPlaced():
            return Step(what=What.STICK, event=event, seat=event.seat)
        case Called():
            return Step(what=What.PON, event=event, seat=event.seat, tiles=event.own)
        case ClosedKan():
            return Step(what=What.KAN, event=event, seat=event.seat, tiles=event.tiles)
        case DoraTurned():
            return Step(what=What.DORA, event=event, tiles=(event.indicator,))
        case HandShown():
            won = () if event.winning_tile is None else (event.winning_tile,)
            return Step(what=What.HAND, event=event, seat=event.seat, tiles=(*event.tiles, *won))
        case _:
            raise TypeError(f"expected an event that is judged, got {event!r}")
