"""The fold: computes a game's state and its announcements from the journal alone.

An amendment does not change earlier states in place: the fold runs again with it. A confirmed settlement stays as it
was recorded, even if a newer program would compute another one, until people edit that hand; differences are reported.
If an edit of an earlier hand changes the dealer, honba or sticks, later hands are settled again from their events.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from table.game.journal.effective_events import EffectiveEvent, effective_entries, effective_events
from table.game.journal.entries import NOBODY, Entry, GameOpened, Names, SettlementRecorded, Source
from table.game.journal.seating import SeatingHistory, has_author
from table.rules.advance import advance, new_game
from table.rules.aspects.riichi.declaration import sticks_missing
from table.rules.events import (
    ClaimsConfirmed,
    Event,
    FoulLogged,
    HandSettled,
    HandStarted,
    ResultDeclared,
    WaitDeclared,
)
from table.rules.ruleset import Ruleset
from table.rules.state import GameState, Step
from table.rules.terms.announcements import Announcement, AnnouncementId, Suspicion
from table.rules.terms.rule_errors import RulesError


class Status(StrEnum):
    """How an announcement differs from what was announced before."""

    NEW = "new"
    CHANGED = "changed"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedAnnouncement:
    """One announcement with its place in the journal."""

    key: str
    """Hand, id, seat and causing entry; it stays the same for the same statement whenever the fold runs again."""
    announcement: Announcement
    cause: tuple[int, ...] = ()
    frame: int | None = None
    evidence: tuple[int, ...] = ()
    """The felt's ids of the tiles that it is based on."""
    status: Status = Status.NEW
    hand: int | None = None
    """The number of its hand in the game, from 0, as in its key; None without one."""

    @classmethod
    def of_hand(
        cls,
        hand: int,
        announcement: Announcement,
        mark: object,
        *,
        cause: tuple[int, ...] = (),
        frame: int | None = None,
        evidence: tuple[int, ...] = (),
    ) -> LoggedAnnouncement:
        """Returns an announcement of a hand; `mark` ends its key, as in `key_of`."""
        return cls(
            key=key_of(hand, announcement, mark),
            announcement=announcement,
            cause=cause,
            frame=frame,
            evidence=evidence,
            hand=hand,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedSuspicion:
    """One suspicion with the entry that caused it."""

    suspicion: Suspicion
    entry: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RejectedEntry:
    """An entry that does not fit the hand after a change: it is kept, and shown to people as a question."""

    entry: int
    message: str
    says: str = ""
    """The name of the sentence shown to players, as in `RulesError`."""
    values: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """A game as computed from its journal, up to the entry `last`."""

    ruleset: Ruleset
    state: GameState
    last: int
    began: int
    """The number of the entry before the current hand's first."""
    announcements: tuple[LoggedAnnouncement, ...] = ()
    suspicions: tuple[LoggedSuspicion, ...] = ()
    rejected: tuple[RejectedEntry, ...] = ()
    ended_by: tuple[int, ...] = ()
    """The number of the entry at which each finished hand ended."""
    confirmed: tuple[SettlementRecorded | None, ...] = ()
    """The settlement of each finished hand when it ended; fouls found later are applied to it."""
    asks_for_sticks_in_play: bool = False
    """Whether the game was opened by a program that asked for a missing stick before the settlement too."""
    opened_with: Names = NOBODY
    """The players' names when the game was opened."""
    is_edited: bool = False
    """Whether a finished hand has another settlement than when it was played; later hands start from the new one."""

    @property
    def hand(self) -> int:
        """The number of the hand being played or next, from 0."""
        return len(self.state.history)


def opened_game(entry: Entry) -> Folded:
    """Returns the game right after its opening entry.

    Raises:
        TypeError: the entry does not open a game.
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
        opened_with=entry.body.names,
    )


def key_of(hand: int, announcement: Announcement, cause: object) -> str:
    """Returns the key of an announcement: hand, id, seat, and its cause or another mark."""
    return f"{hand}.{announcement.id.value}.{'-' if announcement.seat is None else int(announcement.seat)}.{cause}"


def add_step(folded: Folded, step: Step, entry: Entry, because: tuple[int, ...] = ()) -> Folded:
    """Returns the game after the step of `entry`; `because` are the numbers of the corrections of that entry."""
    announcements = tuple(
        LoggedAnnouncement.of_hand(
            folded.hand,
            announcement,
            entry.number,
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
    """Returns the announcements of a step, with those of missing sticks that older programs made during play."""
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
    """Returns the settlement to record for a hand that just ended; None if it was never settled."""
    settlement = step.state.history[-1].settlement
    if settlement is None:
        return None
    return SettlementRecorded(hand=folded.hand, settlement=settlement, start=start_of(folded.state))


def _began(folded: Folded, step: Step, entry: Entry) -> int:
    """Returns the entry before the hand: the one that ended the previous hand, or the last one before the deal."""
    if len(step.state.history) == folded.hand:
        return folded.began
    return folded.last if isinstance(entry.body, HandStarted) else entry.number


def fold(start: Folded, entries: Sequence[Entry]) -> Folded:
    """Returns the game after `entries`, which follow `start`, with their amendments applied."""
    *_, folded = (start, *folding(start, entries))
    return replace(folded, last=max((folded.last, *(entry.number for entry in entries))))


def folding(start: Folded, entries: Sequence[Entry]) -> Iterator[Folded]:
    """Yields the game after each effective event of `entries`, which follow `start`."""
    records = _records(entries)
    folded, edited = start, 0
    effectives = list(effective_events(entries))
    if any(has_author(each.event) for each in effectives):
        seatings = SeatingHistory(entries, start.opened_with)
        effectives = [
            replace(each, event=seatings.with_present_author(each.event, each.first.number)) for each in effectives
        ]
    places = [each.place for each in effectives[1:]] + [math.inf]
    for effective, following in zip(effectives, places, strict=False):
        edited = max(edited, effective.by.number if effective.is_edited else 0)
        after = _refolded(folded, effective, records, edited)
        if after.hand == folded.hand and isinstance(effective.event, ClaimsConfirmed):
            after = _settled_then(folded, after, effective, records, edited, following=following)
        if after.hand > folded.hand:
            after, edited = _marked(after, records.get(folded.hand), is_edited=edited > 0), 0
        folded = after
        yield folded


Records = Mapping[int, Sequence[tuple[int, SettlementRecorded]]]
"""The recorded settlements of each hand with their entries' numbers, oldest first."""


def _records(entries: Sequence[Entry]) -> Records:
    """Returns the recorded settlements, without those that earlier versions recorded after a foul was logged.

    Such a record contains the cost of the foul, which would be charged twice, and lacks the start of its hand.
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
    """Returns the game, marked as edited if the hand that just ended has another settlement than when it was played."""
    as_played = records[0][1].settlement if records else None
    is_changed = as_played != after.state.history[-1].settlement
    return replace(after, is_edited=True) if is_changed and (records or is_edited) else after


def _refolded(folded: Folded, effective: EffectiveEvent, records: Records, edited: int) -> Folded:
    entry = replace(effective.first, number=effective.place)
    event = _as_dealt(folded, effective)
    try:
        after = add_step(folded, advance(folded.state, event, folded.ruleset), entry, effective.because)
    except RulesError as error:
        if isinstance(event, WaitDeclared):  # private, so nobody else is asked about it
            return folded
        if (confirmed := _as_confirmed(folded, event, entry, records, edited)) is not None:
            return confirmed
        unfit = RejectedEntry(entry=effective.by.number, message=str(error), says=error.says, values=error.values)
        return replace(folded, rejected=(*folded.rejected, unfit))
    return after if after.hand == folded.hand else _as_recorded(folded, after, entry, records, edited)


def _as_dealt(folded: Folded, effective: EffectiveEvent) -> Event:
    """Returns the event; the start of a hand is adapted to an edit of the hand before.

    A start that the program computed follows entirely from the hand before. If a camera saw the deal, dealer and honba
    stay as played, and only points and sticks follow from an edited hand.
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
    """Keeps a confirmed settlement, unless people edited that hand later, or an earlier edit changed its start."""
    record = _record_in_force(before, records, edited)
    if record is None or record[1].settlement == after.state.history[-1].settlement:
        return after
    return _settled_as(record, before, entry) or after


def _as_confirmed(before: Folded, event: Event, entry: Entry, records: Records, edited: int) -> Folded | None:
    """Returns the game after a declared result that these rules refuse, though an older program confirmed it.

    None if the event is no result, or has no record in force.
    """
    record = _record_in_force(before, records, edited)
    return None if record is None or not isinstance(event, ResultDeclared) else _settled_as(record, before, entry)


def _settled_then(
    before: Folded, after: Folded, effective: EffectiveEvent, records: Records, edited: int, *, following: float
) -> Folded:
    """Returns the game after a confirmation, as recorded if an older program settled the hand by it."""
    record = _record_in_force(before, records, edited)
    numbers = [number for number, _ in records.get(before.hand, ())]
    if record is None or not any(effective.place < number < following for number in numbers):
        return after
    return _settled_as(record, before, replace(effective.first, number=effective.place)) or after


def _record_in_force(before: Folded, records: Records, edited: int) -> tuple[int, SettlementRecorded] | None:
    """Returns the last recorded settlement of a hand with its entry's number, unless an edit has outdated it."""
    number, record = records[before.hand][-1] if before.hand in records else (0, None)
    if record is None or edited > number or not _starts_alike(record.start, start_of(before.state)):
        return None
    return number, record


def _settled_as(record: tuple[int, SettlementRecorded], before: Folded, entry: Entry) -> Folded | None:
    """Returns the game after a recorded settlement, with the note that it differs; None if these rules refuse it."""
    number, recorded = record
    try:
        step = advance(before.state, HandSettled(settlement=recorded.settlement), before.ruleset)
    except RulesError:
        return None
    settled = add_step(before, step, entry)
    message = f"hand {before.hand + 1} keeps its confirmed settlement; these rules would settle it differently"
    return replace(settled, rejected=(*settled.rejected, RejectedEntry(entry=number, message=message)))


def start_of(state: GameState) -> HandStarted | None:
    """Returns the start of the hand in play, or of the next one."""
    return state.next_start if state.live is None else state.live.start


def _starts_alike(recorded: HandStarted | None, now: HandStarted | None) -> bool:
    """Whether a hand has the same dealer, counters and sticks as when it was confirmed; scores may differ."""
    if recorded is None or now is None:
        return True
    return replace(recorded, scores=now.scores, dora_indicator=now.dora_indicator) == now
