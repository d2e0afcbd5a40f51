"""What a journal line says: an envelope around a body. The body is an event, a correction, or a record."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from table.rules.events import Event
from table.rules.results import Settlement
from table.rules.ruleset import Ruleset


class Source(Enum):
    """Who says so."""

    CAMERA = "camera"
    PRESS = "press"
    INFERRED = "inferred"
    TABLE = "table"
    """The program itself: the rule set, recorded settlements."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOpened:
    """A game begins under these rules, which are part of the truth."""

    ruleset: Ruleset


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """An earlier entry said something else (`event`), or never happened (None)."""

    entry: int
    event: Event | None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementRecorded:
    """A hand was settled with these points. A fold never alters them unless people edited that hand since."""

    hand: int
    """Counted from 0 in the game."""
    settlement: Settlement


Body = Event | GameOpened | Corrected | SettlementRecorded


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """When, whence and how surely an entry came: what the rules do not know."""

    wall: str
    """Time of day, ISO 8601, UTC."""
    source: Source
    frame: int | None = None
    confidence: float = 1.0
    evidence: tuple[int, ...] = ()
    """Ids of the felt's tiles that it rests on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of the journal; `number` grows and is never used again."""

    number: int
    envelope: Envelope
    body: Body
