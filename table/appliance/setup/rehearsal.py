"""The rehearsal's script and its judgement: what was to be seen at each step, what was, how surely and how fast.

Pure: from the steps, what the table made of what it saw, and what people said, everything else follows. A person who
erred is not held against the camera, and a tile that was read rightly in the end is: it came late.
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
"""From lying still to being told; what takes longer comes too late to call."""
Judged = HandStarted | Discarded | StickPlaced | Called | ClosedKan | DoraTurned | HandShown
JUDGED: Final = (HandStarted, Discarded, StickPlaced, Called, ClosedKan, DoraTurned, HandShown)


class What(StrEnum):
    """What people lay at a step."""

    START = "start"
    DISCARD = "discard"
    RIICHI = "riichi"
    STICK = "stick"
    PON = "pon"
    KAN = "kan"
    DORA = "dora"
    HAND = "hand"


class How(StrEnum):
    """How a step went."""

    RIGHT = "right"
    LATE = "late"
    """First told otherwise, then corrected by the camera itself."""
    OTHERWISE = "otherwise"
    """Told otherwise than it lies there."""
    MISSED = "missed"
    """It lies there, and nothing was told."""


class Word(StrEnum):
    """What people say of a step."""

    MISREAD = "misread"
    """It lies there as asked for, and is told otherwise."""
    MISSED = "missed"
    """It lies there as asked for, and nothing is told."""


class Trust(StrEnum):
    """How far the camera can be trusted with something on this table."""

    YES = "yes"
    CARE = "care"
    """Look at what it says."""
    NO = "no"
    """Tell it by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing to lay."""

    what: What
    event: Judged
    """What the table should make of it."""
    seat: Seat | None = None
    tiles: tuple[Tile, ...] = ()
    """What is laid, in order; of a pon the two own tiles."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservedEvent:
    """What the table made of what it saw."""

    event: Judged
    surety: float
    """From 0 to 1."""
    seconds: float | None
    """From lying still to being told; None where it cannot be said."""
    is_late: bool = False
    """Whether it was first told otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How one step went."""

    how: How
    event: ObservedEvent | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """How the rehearsal stands."""

    outcomes: tuple[Outcome, ...]
    """Of the steps that are over, in order."""
    doubt: ObservedEvent | None = None
    """What was told at the present step and is not what was asked for: only people know who erred."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What to trust, and what to do about the rest."""

    trust: Mapping[str, Trust | None] = field(default_factory=dict)
    """For `discards`, `riichi`, `pon`, `kan` and `hand`; None where it was not rehearsed."""
    advice: tuple[str, ...] = ()
    """`scan`: faces were confused; `place`: something was not seen; `light`: it was unsure or slow."""


ABILITIES: Final[Mapping[str, tuple[What, ...]]] = {
    "discards": (What.DISCARD,),
    "riichi": (What.RIICHI, What.STICK),
    "pon": (What.PON,),
    "kan": (What.KAN, What.DORA),
    "hand": (What.HAND,),
}
_FEW: Final = 0.2
"""Up to this part of an ability's steps may go wrong before it is better told by hand."""


@cache
def steps() -> tuple[Step, ...]:
    """The steps in order, made of the script in `table.camera.simulation`."""
    staged = stage((rehearsal_hand(),), Layout())
    return tuple(step_of(each.event) for each in staged.truth if isinstance(each.event, JUDGED))


def judge_steps(steps: Sequence[Step], events: Sequence[ObservedEvent], words: Mapping[int, Word]) -> Judgement:
    """Says how each step went.

    Args:
        steps: what was to be laid.
        events: what the table made of it, in order, as it stands now.
        words: what people said of a step, by its number from 0.
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
    """Says what to trust after so many steps."""
    done = list(zip(steps, outcomes, strict=False))
    trust = {
        name: _trust([outcome for step, outcome in done if step.what in whats]) for name, whats in ABILITIES.items()
    }
    return Verdict(trust=trust, advice=tuple(_advice(outcome for _, outcome in done)))


def is_as_asked(step: Step, event: Judged) -> bool:
    """Whether the table made of a step what it should."""
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
    """Which tile won says the claim, not the hand."""
    return sorted((*shown_hand.tiles, *(() if shown_hand.winning_tile is None else (shown_hand.winning_tile,))))


def _outcome(step: Step, following: Step | None, left: Sequence[ObservedEvent], word: Word | None) -> Outcome | None:
    """How a step went that something was told at; None where only people know."""
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
    """Returns the step at which an event is what is asked for; also to say what was seen instead.

    Raises:
        TypeError: it is none that is judged.
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
