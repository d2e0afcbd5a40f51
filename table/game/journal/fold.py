"""The fold: computes a game's state and its announcements from the journal alone.

An amendment does not change earlier states in place: the fold runs again with it. A confirmed settlement stays as it
was recorded, even if a newer program would compute another one, until people edit that hand; differences are reported.
If an edit of an earlier hand changes the dealer, honba or sticks, later hands are settled again from their events.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from table.game.journal.effective_events import EffectiveEvent, effective_entries, effective_events
from table.game.journal.entries import (
    NOBODY,
    Body,
    Corrected,
    Entry,
    GameOpened,
    Inserted,
    Names,
    Reseated,
    SettlementRecorded,
    Source,
)
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
from table.rules.terms.rule_errors import ImpossibleEventError, RulesError


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
class FoldedGame:
    """A game as computed from its journal, up to the entry `last`."""

    ruleset: Ruleset
    state: GameState
    last: int
    entry_before_hand: int
    """The number of the entry before the current hand's first."""
    announcements: tuple[LoggedAnnouncement, ...] = ()
    suspicions: tuple[LoggedSuspicion, ...] = ()
    rejected_entries: tuple[RejectedEntry, ...] = ()
    hand_ends: tuple[int, ...] = ()
    """The number of the entry at which each finished hand ended."""
    settlement_records: tuple[SettlementRecorded | None, ...] = ()
    """The settlement of each finished hand when it ended; fouls found later are applied to it."""
    asks_for_sticks_in_play: bool = False
    """Whether the game was opened by a program that asked for a missing stick before the settlement too."""
    names_at_opening: Names = NOBODY
    """The players' names when the game was opened."""
    is_edited: bool = False
    """Whether a finished hand has another settlement than when it was played; later hands start from the new one."""
    first_change: float = math.inf
    """The number of the first entry that changed a result, even if that was undone: a later deal may have followed it.
    """

    @property
    def hand(self) -> int:
        """The number of the hand being played or next, from 0."""
        return len(self.state.history)


def opened_game(entry: Entry) -> FoldedGame:
    """Returns the game right after its opening entry.

    Raises:
        TypeError: the entry does not open a game.
    """
    if not isinstance(entry.body, GameOpened):
        raise TypeError(f"expected a journal that begins with its rules, got {entry!r}")
    ruleset = entry.body.ruleset
    state = new_game(ruleset, first_dealer=entry.body.first_dealer)
    return FoldedGame(
        ruleset=ruleset,
        state=state,
        last=entry.number,
        entry_before_hand=entry.number,
        asks_for_sticks_in_play=entry.body.asks_for_sticks_in_play,
        names_at_opening=entry.body.names,
    )


def key_of(hand: int, announcement: Announcement, cause: object) -> str:
    """Returns the key of an announcement: hand, id, seat, and its cause or another mark."""
    return f"{hand}.{announcement.id.value}.{'-' if announcement.seat is None else int(announcement.seat)}.{cause}"


def add_step(game: FoldedGame, step: Step, entry: Entry, amendments: tuple[int, ...] = ()) -> FoldedGame:
    """Returns the game after the step of `entry`; `amendments` are the numbers of the corrections of that entry."""
    announcements = tuple(
        LoggedAnnouncement.of_hand(
            game.hand,
            announcement,
            entry.number,
            cause=(entry.number, *amendments),
            frame=entry.envelope.frame,
            evidence=entry.envelope.evidence,
        )
        for announcement in (_with_missing_sticks(game, step) if game.asks_for_sticks_in_play else step.announcements)
    )
    suspicions = tuple(LoggedSuspicion(suspicion=suspicion, entry=entry.number) for suspicion in step.suspicions)
    has_ended = len(step.state.history) > game.hand
    return replace(
        game,
        state=step.state,
        last=entry.number,
        entry_before_hand=_entry_before_hand(game, step, entry),
        announcements=game.announcements + announcements,
        suspicions=game.suspicions + suspicions,
        hand_ends=(*game.hand_ends, entry.number) if has_ended else game.hand_ends,
        settlement_records=(*game.settlement_records, _settlement_record(game, step, entry))
        if has_ended
        else game.settlement_records,
    )


def _with_missing_sticks(game: FoldedGame, step: Step) -> tuple[Announcement, ...]:
    """Returns the announcements of a step, with those of missing sticks that older programs made during play."""
    before, after = game.state.hand, step.state.hand
    missing_before = () if before is None else sticks_missing(before)
    announcements = list(step.announcements)
    for seat in () if after is None else sticks_missing(after):
        question = Announcement(id=AnnouncementId.STICK_MISSING, rule="R11", seat=seat)
        if seat not in missing_before and question not in announcements:
            is_accepted = [
                announcement.id is AnnouncementId.RIICHI_ACCEPTED and announcement.seat is seat
                for announcement in announcements
            ]
            announcements.insert(is_accepted.index(True) if True in is_accepted else len(announcements), question)
    return tuple(announcements)


def _settlement_record(game: FoldedGame, step: Step, entry: Entry) -> SettlementRecorded | None:
    """Returns the settlement to record for a hand that `entry` just ended; None if it was never settled."""
    settlement = step.state.history[-1].settlement
    if settlement is None:
        return None
    return SettlementRecorded(hand=game.hand, settlement=settlement, start=game.state.present_start, end=entry.number)


def _entry_before_hand(game: FoldedGame, step: Step, entry: Entry) -> int:
    """Returns the entry before the hand: the one that ended the previous hand, or the last one before the deal."""
    if len(step.state.history) == game.hand:
        return game.entry_before_hand
    return game.last if isinstance(entry.body, HandStarted) else entry.number


def fold(start: FoldedGame, entries: Sequence[Entry]) -> FoldedGame:
    """Returns the game after `entries`, which follow `start`, with their amendments applied."""
    *_, game = (_with_first_change(start, entries), *fold_steps(start, entries))
    return replace(game, last=max((game.last, *(entry.number for entry in entries))))


def fold_steps(start: FoldedGame, entries: Sequence[Entry]) -> Iterator[FoldedGame]:
    """Yields the game after each effective event of `entries`, which follow `start`."""
    records = records_in(entries)
    game, last_edit = _with_first_change(start, entries), 0
    events = list(effective_events(entries))
    if any(has_author(played.event) for played in events):
        seatings = SeatingHistory(entries, start.names_at_opening)
        events = [
            replace(played, event=seatings.with_present_author(played.event, played.first.number)) for played in events
        ]
    places = [later.place for later in events[1:]] + [math.inf]
    for effective, next_place in zip(events, places, strict=False):
        last_edit = max(last_edit, effective.latest.number if effective.is_edited else 0)
        after = _after_event(game, effective, records, last_edit, next_place=next_place)
        if after.hand == game.hand and isinstance(effective.event, ClaimsConfirmed):
            after = _after_confirmation(game, after, effective, records, last_edit, next_place=next_place)
        if after.hand > game.hand:
            hand_records = records.of_hand(game.hand, after.hand_ends[-1])
            after, last_edit = _with_edit_mark(after, hand_records, is_edited=last_edit > 0), 0
        game = after
        yield game


def _with_first_change(start: FoldedGame, entries: Sequence[Entry]) -> FoldedGame:
    """Returns the game before `entries`, which follow `start`, with the first one of them that changes a result."""
    changes = (entry.number for entry in entries if _changes_results(entry.body))
    return replace(start, first_change=min((start.first_change, *changes)))


NumberedRecord = tuple[int, SettlementRecorded]
"""A recorded settlement with its entry's number."""


@dataclass(frozen=True, slots=True)
class Records:
    """The recorded settlements of a game, oldest first."""

    by_end: Mapping[int, Sequence[NumberedRecord]]
    """The records by the entry that ended their hand."""
    by_hand: Mapping[int, Sequence[NumberedRecord]]
    """The records of earlier versions, which name only the number of their hand, by that number."""

    def of_hand(self, hand: int, end: int) -> Sequence[NumberedRecord]:
        """Returns the records of the hand with this number in the game, which the entry `end` ended."""
        return [*self.by_hand.get(hand, ()), *self.by_end.get(end, ())]

    def has_later_end(self, hand: int, end: int, *, next_place: float) -> bool:
        """Whether the hand with this number was recorded as ended later than by `end`, which is before `next_place`."""
        if earlier_records := self.by_hand.get(hand):
            return earlier_records[0][0] > next_place
        later = (records for number, records in self.by_end.items() if number > end)
        return end not in self.by_end and any(record.hand == hand for records in later for _, record in records)


def records_in(entries: Sequence[Entry]) -> Records:
    """Returns the recorded settlements, without those that earlier versions recorded after a foul was logged.

    Such a record contains the cost of the foul, which would be charged twice, and lacks the start of its hand.
    """
    by_end, by_hand = defaultdict[int, list[NumberedRecord]](list), defaultdict[int, list[NumberedRecord]](list)
    has_foul = False
    for entry in effective_entries(entries):
        body = entry.body
        has_foul = has_foul or isinstance(body, FoulLogged)
        if isinstance(body, SettlementRecorded) and not (has_foul and body.start is None):
            found = by_hand[body.hand] if body.end is None else by_end[body.end]
            found.append((entry.number, body))
    return Records(by_end, by_hand)


def _changes_results(body: Body) -> bool:
    """Whether an entry may change the points after a finished hand: an edit of its result, or a swap of its seats."""
    match body:
        case Corrected(event=event) | Inserted(event=event):
            return isinstance(event, ResultDeclared)
        case Reseated(moves_results=moves_results):
            return moves_results
        case _:
            return False


def _with_edit_mark(after: FoldedGame, records: Sequence[NumberedRecord], *, is_edited: bool) -> FoldedGame:
    """Returns the game, marked as edited if the hand that just ended has another settlement than when it was played."""
    settlement_as_played = records[0][1].settlement if records else None
    is_changed = settlement_as_played != after.state.history[-1].settlement
    return replace(after, is_edited=True) if is_changed and (records or is_edited) else after


def _after_event(
    game: FoldedGame, effective: EffectiveEvent, records: Records, last_edit: int, *, next_place: float
) -> FoldedGame:
    entry = replace(effective.first, number=effective.place)
    event = effective.event
    try:
        event = adapted_event(game, event, effective.latest.envelope.source, effective.first.number)
        after = add_step(game, advance(game.state, event, game.ruleset), entry, effective.amendments)
    except RulesError as error:
        if isinstance(event, WaitDeclared):  # private, so nobody else is asked about it
            return game
        if (after_record := _with_refused_result(game, event, entry, records, last_edit)) is not None:
            return after_record
        rejection = RejectedEntry(
            entry=effective.latest.number, message=str(error), says=error.says, values=error.values
        )
        return replace(game, rejected_entries=(*game.rejected_entries, rejection))
    if after.hand == game.hand:
        return after
    if isinstance(event, ClaimsConfirmed) and records.has_later_end(game.hand, entry.number, next_place=next_place):
        return game  # an older program went on with the hand
    kept = _with_recorded_settlement(game, after, entry, records, last_edit)
    is_deal_left = isinstance(event, HandStarted) and kept is not after
    return _after_event(kept, effective, records, last_edit, next_place=next_place) if is_deal_left else kept


def adapted_event(game: FoldedGame, event: Event, source: Source, number: int) -> Event:
    """Returns the event; the start of a hand is adapted to an edit of the hand before.

    A start that the program computed follows entirely from the hand before. If a camera saw the deal, dealer and honba
    stay as played, and only points and sticks follow from an edited hand.

    Args:
        game: the game before it.
        event: the event as it is in the journal.
        source: where it comes from.
        number: the number of the entry that recorded it first.

    Raises:
        ImpossibleEventError: the start was computed, and the game now ends with the edited hand.
    """
    next_start = game.state.next_start
    if not isinstance(event, HandStarted):
        return event
    is_computed = source is Source.TABLE
    if is_computed and next_start is not None:
        return replace(next_start, dora_indicator=event.dora_indicator)
    is_after_change = number > game.first_change and game.state.history and next_start is not None
    if not game.is_edited and (is_computed or not is_after_change):
        return event
    if is_computed:
        raise ImpossibleEventError("expected a game in progress, got one that has ended", says="game_over")
    start = next_start or game.state
    return replace(event, scores=start.scores, deposits=start.deposits, deposit_points=start.deposit_points)


def _with_recorded_settlement(
    before: FoldedGame, after: FoldedGame, entry: Entry, records: Records, last_edit: int
) -> FoldedGame:
    """Keeps a confirmed settlement, unless people edited that hand later, or an earlier edit changed its start."""
    record = _record_in_force(before, entry.number, records, last_edit)
    if record is None or record[1].settlement == after.state.history[-1].settlement:
        return after
    return _settled_as_recorded(record, before, entry) or after


def _with_refused_result(
    before: FoldedGame, event: Event, entry: Entry, records: Records, last_edit: int
) -> FoldedGame | None:
    """Returns the game after a declared result that these rules refuse, though an older program confirmed it.

    None if the event is no result, or has no record in force.
    """
    record = _record_in_force(before, entry.number, records, last_edit)
    return (
        None if record is None or not isinstance(event, ResultDeclared) else _settled_as_recorded(record, before, entry)
    )


def _after_confirmation(
    before: FoldedGame,
    after: FoldedGame,
    effective: EffectiveEvent,
    records: Records,
    last_edit: int,
    *,
    next_place: float,
) -> FoldedGame:
    """Returns the game after a confirmation, as recorded if an older program settled the hand by it."""
    record = _record_in_force(before, effective.place, records, last_edit)
    numbers = [number for number, _ in records.of_hand(before.hand, effective.place)]
    if record is None or not any(effective.place < number < next_place for number in numbers):
        return after
    return _settled_as_recorded(record, before, replace(effective.first, number=effective.place)) or after


def _record_in_force(before: FoldedGame, end: int, records: Records, last_edit: int) -> NumberedRecord | None:
    """Returns the last recorded settlement of the hand that the entry `end` ends, unless an edit has outdated it."""
    *_, (number, record) = ((0, None), *records.of_hand(before.hand, end))
    if record is None or last_edit > number or not _has_same_start(record.start, before.state.present_start):
        return None
    return number, record


def _settled_as_recorded(record: NumberedRecord, before: FoldedGame, entry: Entry) -> FoldedGame | None:
    """Returns the game after a recorded settlement, with the note that it differs; None if these rules refuse it."""
    number, settlement_record = record
    try:
        step = advance(before.state, HandSettled(settlement=settlement_record.settlement), before.ruleset)
    except RulesError:
        return None
    game = add_step(before, step, entry)
    message = f"hand {before.hand + 1} keeps its confirmed settlement; these rules would settle it differently"
    return replace(game, rejected_entries=(*game.rejected_entries, RejectedEntry(entry=number, message=message)))


def _has_same_start(recorded_start: HandStarted | None, start: HandStarted | None) -> bool:
    """Whether a hand has the same dealer, counters and sticks as when it was confirmed; scores may differ."""
    if recorded_start is None or start is None:
        return True
    return replace(recorded_start, scores=start.scores, dora_indicator=start.dora_indicator) == start
