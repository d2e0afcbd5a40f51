"""The fold: a game's state and everything said in it, made from nothing but its journal.

An amendment does not change the past in place: the fold runs again with it. A confirmed settlement stands as it was
recorded, whatever a newer program would compute, until people edit that hand; a difference is reported, not hidden.
Where an edit of an earlier hand changes who deals, the counters or the sticks, later hands are settled anew from what
was told about them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from table.game.journal.effective_events import EffectiveEvent, effective_entries, effective_events
from table.game.journal.entries import Entry, GameOpened, SettlementRecorded, Source
from table.rules.advance import advance, new_game
from table.rules.aspects.riichi import sticks_missing
from table.rules.events import Event, FoulLogged, HandSettled, HandStarted, WaitDeclared
from table.rules.ruleset import Ruleset
from table.rules.state import GameState, Step
from table.rules.terms.announcements import Announcement, AnnouncementId, Suspicion
from table.rules.terms.rule_errors import RulesError


class Status(StrEnum):
    """How an announcement stands to what was said before."""

    NEW = "new"
    CHANGED = "changed"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedAnnouncement:
    """One announcement with its place in the journal."""

    key: str
    """Hand, id, seat and causing entry: the same statement keeps it through every refold."""
    announcement: Announcement
    cause: tuple[int, ...] = ()
    frame: int | None = None
    evidence: tuple[int, ...] = ()
    """The felt's ids of the tiles that it rests on."""
    status: Status = Status.NEW

    @property
    def hand(self) -> int | None:
        """Which hand of the game it is about, from 0, as its key says."""
        number = self.key.partition(".")[0]
        return int(number) if number.isdecimal() else None


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedSuspicion:
    """One suspicion with the entry that gave rise to it."""

    suspicion: Suspicion
    entry: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RejectedEntry:
    """An entry that does not fit the hand as it is now believed to be: kept, and put to people as a question."""

    entry: int
    message: str
    says: str = ""
    """Names how it is told to players, as in `RulesError`."""
    values: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """A game as its journal tells it, up to the entry `last`."""

    ruleset: Ruleset
    state: GameState
    last: int
    began: int
    """The entry before the current hand's first."""
    announcements: tuple[LoggedAnnouncement, ...] = ()
    suspicions: tuple[LoggedSuspicion, ...] = ()
    rejected: tuple[RejectedEntry, ...] = ()
    ended_by: tuple[int, ...] = ()
    """The entry at which each finished hand ended."""
    confirmed: tuple[SettlementRecorded | None, ...] = ()
    """How each finished hand was settled when it ended; what fouls found later make of that follows from those."""
    asks_for_sticks_in_play: bool = False
    """Whether the game was opened by a program that asked for a missing stick before the settlement, too."""
    is_edited: bool = False
    """Whether a finished hand is settled otherwise than when it was played: later hands start from what it says now."""

    @property
    def hand(self) -> int:
        """Which hand of the game is being played or comes next, from 0."""
        return len(self.state.history)


def opened_game(entry: Entry) -> Folded:
    """Returns the game as it stands right after its opening entry.

    Raises:
        TypeError: the entry opens no game.
    """
    if not isinstance(entry.body, GameOpened):
        raise TypeError(f"expected a journal that begins with its rules, got {entry!r}")
    ruleset = entry.body.ruleset
    state = new_game(ruleset, first_dealer=entry.body.first_dealer)
    return Folded(
        ruleset=ruleset,
        state=state,
        last=entry.number,
        began=entry.number,
        asks_for_sticks_in_play=entry.body.asks_for_sticks_in_play,
    )


def key_of(hand: int, announcement: Announcement, cause: object) -> str:
    """Returns the key of an announcement: hand, id, seat and what caused it."""
    return f"{hand}.{announcement.id.value}.{'-' if announcement.seat is None else int(announcement.seat)}.{cause}"


def add_step(folded: Folded, step: Step, entry: Entry, because: tuple[int, ...] = ()) -> Folded:
    """Takes over what `entry` led to; `because` names the corrections that made it what it is."""
    announcements = tuple(
        LoggedAnnouncement(
            key=key_of(folded.hand, announcement, entry.number),
            announcement=announcement,
            cause=(entry.number, *because),
            frame=entry.envelope.frame,
            evidence=entry.envelope.evidence,
        )
        for announcement in (_asked_in_play(folded, step) if folded.asks_for_sticks_in_play else step.announcements)
    )
    suspicions = tuple(LoggedSuspicion(suspicion=each, entry=entry.number) for each in step.suspicions)
    has_ended = len(step.state.history) > folded.hand
    return replace(
        folded,
        state=step.state,
        last=entry.number,
        began=_began(folded, step, entry),
        announcements=folded.announcements + announcements,
        suspicions=folded.suspicions + suspicions,
        ended_by=(*folded.ended_by, entry.number) if has_ended else folded.ended_by,
        confirmed=(*folded.confirmed, _confirmed(folded, step)) if has_ended else folded.confirmed,
    )


def _asked_in_play(folded: Folded, step: Step) -> tuple[Announcement, ...]:
    """The announcements of a step with what older programs said before the settlement: that a stick is missing."""
    before, after = folded.state.hand, step.state.hand
    known = () if before is None else sticks_missing(before)
    said = list(step.announcements)
    for seat in () if after is None else sticks_missing(after):
        asked = Announcement(id=AnnouncementId.STICK_MISSING, rule="R11", seat=seat)
        if seat not in known and asked not in said:
            is_accepted = [each.id is AnnouncementId.RIICHI_ACCEPTED and each.seat is seat for each in said]
            said.insert(is_accepted.index(True) if True in is_accepted else len(said), asked)
    return tuple(said)


def _confirmed(folded: Folded, step: Step) -> SettlementRecorded | None:
    """What is to be recorded of a hand that just ended; None where it was never settled."""
    settlement = step.state.history[-1].settlement
    if settlement is None:
        return None
    return SettlementRecorded(hand=folded.hand, settlement=settlement, start=start_of(folded.state))


def _began(folded: Folded, step: Step, entry: Entry) -> int:
    """A hand begins after the entry that ended the one before; dealt over an unsettled one, with its own start."""
    if len(step.state.history) == folded.hand:
        return folded.began
    return folded.last if isinstance(entry.body, HandStarted) else entry.number


def fold(start: Folded, entries: Sequence[Entry]) -> Folded:
    """Folds `entries`, which follow `start`, with everything that was amended among them."""
    *_, folded = (start, *folding(start, entries))
    return replace(folded, last=max((folded.last, *(entry.number for entry in entries))))


def folding(start: Folded, entries: Sequence[Entry]) -> Iterator[Folded]:
    """Yields the game after each event that stands in `entries`, which follow `start`."""
    records = _records(entries)
    folded, edited = start, 0
    for effective in effective_events(entries):
        edited = max(edited, effective.by.number if effective.is_edited else 0)
        after = _refolded(folded, effective, records, edited)
        if after.hand > folded.hand:
            after, edited = _marked(after, records.get(folded.hand), is_edited=edited > 0), 0
        folded = after
        yield folded


Records = Mapping[int, Sequence[tuple[int, SettlementRecorded]]]
"""What was recorded of each hand, with the entries' numbers, oldest first."""


def _records(entries: Sequence[Entry]) -> Records:
    """Leaves out what earlier programs recorded once a foul was logged: it held what the foul cost, which comes again.

    Such a record does not say how its hand had started.
    """
    found: dict[int, list[tuple[int, SettlementRecorded]]] = {}
    has_foul = False
    for entry in effective_entries(entries):
        body = entry.body
        has_foul = has_foul or isinstance(body, FoulLogged)
        if isinstance(body, SettlementRecorded) and not (has_foul and body.start is None):
            found.setdefault(body.hand, []).append((entry.number, body))
    return found


def _marked(after: Folded, records: Sequence[tuple[int, SettlementRecorded]] | None, *, is_edited: bool) -> Folded:
    """Notes whether the hand that just ended is settled otherwise than when it was played."""
    as_played = records[0][1].settlement if records else None
    is_changed = as_played != after.state.history[-1].settlement
    return replace(after, is_edited=True) if is_changed and (records or is_edited) else after


def _refolded(folded: Folded, effective: EffectiveEvent, records: Records, edited: int) -> Folded:
    entry = replace(effective.first, number=effective.place)
    event = _as_dealt(folded, effective)
    try:
        after = add_step(folded, advance(folded.state, event, folded.ruleset), entry, effective.because)
    except RulesError as error:
        if isinstance(event, WaitDeclared):  # told by a seat for itself alone: nobody else is asked about it
            return folded
        unfit = RejectedEntry(entry=effective.by.number, message=str(error), says=error.says, values=error.values)
        return replace(folded, rejected=(*folded.rejected, unfit))
    return after if after.hand == folded.hand else _as_recorded(folded, after, entry, records, edited)


def _as_dealt(folded: Folded, effective: EffectiveEvent) -> Event:
    """A hand as it starts now: what the program dealt by itself follows whole from the hand before it.

    Where a camera watched, dealer and counters are as the table played them; after an edited hand points and sticks
    follow.
    """
    event, coming = effective.event, folded.state.next_start
    if not isinstance(event, HandStarted) or coming is None:
        return event
    if effective.by.envelope.source is Source.TABLE:
        return replace(coming, dora_indicator=event.dora_indicator)
    if not folded.is_edited:
        return event
    return replace(event, scores=coming.scores, deposits=coming.deposits, deposit_points=coming.deposit_points)


def _as_recorded(before: Folded, after: Folded, entry: Entry, records: Records, edited: int) -> Folded:
    """Keeps what was confirmed, unless people edited that hand since, or an edit before it changed how it started."""
    number, record = records[before.hand][-1] if before.hand in records else (0, None)
    if record is None or edited > number or record.settlement == after.state.history[-1].settlement:
        return after
    if not _starts_alike(record.start, start_of(before.state)):
        return after
    try:
        step = advance(before.state, HandSettled(settlement=record.settlement), before.ruleset)
    except RulesError:
        return after
    settled = add_step(before, step, entry)
    message = f"hand {before.hand + 1} stands as confirmed; these rules would settle it otherwise"
    return replace(settled, rejected=(*settled.rejected, RejectedEntry(entry=number, message=message)))


def start_of(state: GameState) -> HandStarted | None:
    """How the hand in play started, or how the next one will."""
    return state.next_start if state.live is None else state.live.start


def _starts_alike(recorded: HandStarted | None, now: HandStarted | None) -> bool:
    """Whether a hand has the same dealer, counters and sticks as when it was confirmed; scores may differ."""
    if recorded is None or now is None:
        return True
    return replace(recorded, scores=now.scores, dora_indicator=now.dora_indicator) == now
