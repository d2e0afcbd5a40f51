"""The entries of a journal: an envelope around a body, which is an event, an amendment, or a record.

Everything that one command of a person writes is one *action* (`act`): its entries have the same number, and are undone
and redone together. `table.game.journal.effective_events` computes the events that remain effective.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from table.rules.events import Event, HandStarted
from table.rules.ruleset import Ruleset
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.results import Settlement
from table.rules.terms.seats import Seat

AFTER_ALL: Final = 2**62
"""A number above that of every entry."""


class Source(Enum):
    """The source of an entry."""

    CAMERA = "camera"
    PRESS = "press"
    INFERRED = "inferred"
    TABLE = "table"
    """The program itself: the rule set, recorded settlements."""


Names = tuple[str, str, str, str]
"""The players' names by seat; empty if unknown."""
NOBODY: Final[Names] = ("", "", "", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOpened:
    """Opens a game under these rules, which are part of the journal."""

    ruleset: Ruleset
    names: Names = NOBODY
    first_dealer: Seat = Seat.NEAR
    asks_for_sticks_in_play: bool = True
    """Whether a missing stick is asked for as soon as the riichi tile has passed, as in games before format 4."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """Replaces an earlier entry by `event`, or removes it (None)."""

    entry: int
    event: Event | None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inserted:
    """Inserts an event just before an earlier entry; only the last insertion before an entry counts."""

    before: int
    event: Event
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """Undoes an action, or the opening of the game on the table: the game before it goes on."""

    act: int
    """The number of the action or of the opening."""
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Redone:
    """Redoes an action or an opening that was undone."""

    act: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reseated:
    """Corrects the seating: the person entered at seat n, with the name, sits at `order[n]`.

    If only people recorded the game, its events move too; if a camera watched, it saw the right seats.
    """

    order: tuple[Seat, Seat, Seat, Seat]
    moves_results: bool
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayersNamed:
    """Names the players by seat."""

    names: Names
    is_substitution: bool = False
    """Whether somebody else sits down where a name changes; otherwise the name of the same person is put right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedInSeason:
    """Says whether the game counts for the season; a game without this entry does."""

    counts: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementRecorded:
    """Records the settlement of a hand. A fold never changes it unless people edited the hand later."""

    hand: int
    """The number of the hand in the game, from 0."""
    settlement: Settlement
    start: HandStarted | None = None
    """The start of the hand; if an edit of an earlier hand changes its dealer, honba or sticks, the record no longer
    applies."""
    end: int | None = None
    """The number of the entry that ended the hand, as in `FoldedGame.hand_ends`: an edit that leaves no room for an
    earlier hand changes the numbers of all after it. None in records of earlier versions, which name `hand` alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAsked:
    """Records a question that the table asked people; only the evening's report uses it."""

    id: AnnouncementId
    entry: int | None = None
    """The entry of the discard in question; None for other questions."""


Amendment = Corrected | Inserted | Undone | Redone | Reseated | PlayersNamed | CountedInSeason
"""Changes of the journal by people."""
Body = Event | GameOpened | Amendment | SettlementRecorded | QuestionAsked


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """The facts about an entry that the rules do not know: time, source and confidence."""

    utc: str
    """Time of day, ISO 8601, UTC."""
    source: Source
    frame: int | None = None
    confidence: float = 1.0
    evidence: tuple[int, ...] = ()
    """Ids of the felt's tiles that it is based on."""
    by: str = ""
    """The author, as in `table.game.journal.authors`; empty for entries without one."""
    act: int | None = None
    """The action it belongs to; None for entries that cannot be undone."""
    mark: str = ""
    """The mark of the request that caused it, which is carried out once even if sent repeatedly; empty without one."""
    round: str = ""
    """The tournament round that the desk announced last, as `table.game.journal.history.played_round` writes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry of the journal; `number` increases and is never reused."""

    number: int
    envelope: Envelope
    body: Body
