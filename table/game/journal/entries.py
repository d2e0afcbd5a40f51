"""What a journal line says: an envelope around a body. The body is an event, an amendment, or a record.

What one person did at once is one *act*: its entries carry the same number, are taken back together and come back
together. `table.game.journal.effective_events` says what stands in the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from table.rules.events import Event, HandStarted
from table.rules.ruleset import Ruleset
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import Settlement
from table.rules.terms.seats import Seat


class Source(Enum):
    """Who says so."""

    CAMERA = "camera"
    PRESS = "press"
    INFERRED = "inferred"
    TABLE = "table"
    """The program itself: the rule set, recorded settlements."""


Names = tuple[str, str, str, str]
"""Who plays, by seat; empty texts where nobody said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOpened:
    """A game begins under these rules, which are part of the truth."""

    ruleset: Ruleset
    names: Names = ("", "", "", "")
    first_dealer: Seat = Seat.NEAR


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """An earlier entry said something else (`event`), or never happened (None)."""

    entry: int
    event: Event | None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inserted:
    """Something happened just before an earlier entry; the last one said about an entry counts."""

    before: int
    event: Event
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """An act is taken back."""

    act: int
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Redone:
    """An act that was taken back counts again."""

    act: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reseated:
    """The seats were entered wrongly: who was said to sit at seat n sits at `order[n]`, with all names.

    Where nobody but people kept the game, what they told moves along; a camera saw the seats themselves.
    """

    order: tuple[Seat, Seat, Seat, Seat]
    moves_results: bool
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayersNamed:
    """Who plays, by seat."""

    names: Names


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementRecorded:
    """A hand was settled with these points. A fold never alters them unless people edited that hand since."""

    hand: int
    """Counted from 0 in the game."""
    settlement: Settlement
    start: HandStarted | None = None
    """How the hand had started: where an edit of an earlier one changed its dealer, counters or sticks, what was
    confirmed no longer fits it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAsked:
    """The table could not tell something and put it to people; kept for the evening's report alone."""

    id: AnnouncementId
    entry: int | None = None
    """The entry of the discard that it is about."""


Amendment = Corrected | Inserted | Undone | Redone | Reseated | PlayersNamed
"""What people say about the journal itself."""
Body = Event | GameOpened | Amendment | SettlementRecorded | QuestionAsked


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """When, whence and how surely an entry came: what the rules do not know."""

    utc: str
    """Time of day, ISO 8601, UTC."""
    source: Source
    frame: int | None = None
    confidence: float = 1.0
    evidence: tuple[int, ...] = ()
    """Ids of the felt's tiles that it rests on."""
    by: str = ""
    """Who said so, as the page knows them; empty for what nobody said."""
    act: int | None = None
    """The act it belongs to; None for what cannot be taken back."""
    mark: str = ""
    """The mark of the post that it came by, which is taken once however often it is sent; empty where it had none."""
    round: str = ""
    """The round of the tournament that its desk had told last, as `table.game.journal.played_round` has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of the journal; `number` grows and is never used again."""

    number: int
    envelope: Envelope
    body: Body
