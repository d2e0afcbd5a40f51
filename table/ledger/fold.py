"""The fold: a game's state and everything said in it, made from nothing but its journal.

A correction does not change the past in place: the fold runs again with it. A confirmed settlement stands as it was
recorded, whatever a newer program would compute, until people edit that hand; a difference is reported, not hidden.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from table.ledger.entries import Corrected, Entry, GameOpened, SettlementRecorded, Source
from table.rules.advance import advance, new_game
from table.rules.announcements import Announcement, Suspicion
from table.rules.errors import RulesError
from table.rules.events import Event, HandSettled, HandStarted
from table.rules.ruleset import Ruleset
from table.rules.state import GameState, Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One announcement with its place in the journal."""

    key: str
    """Hand, id, seat and causing entry: the same statement keeps it through every refold."""
    announcement: Announcement
    cause: tuple[int, ...]
    frame: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspected:
    """One suspicion with the entry that gave rise to it."""

    suspicion: Suspicion
    entry: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Unfit:
    """An entry that does not fit the hand as it is now believed to be: kept, and put to people as a question."""

    entry: int
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """A game as its journal tells it, up to the entry `last`."""

    ruleset: Ruleset
    state: GameState
    last: int
    began: int
    """The entry before the current hand's first."""
    told: tuple[Told, ...] = ()
    suspected: tuple[Suspected, ...] = ()
    unfit: tuple[Unfit, ...] = ()

    @property
    def hand(self) -> int:
        """Which hand of the game is being played or comes next, from 0."""
        return len(self.state.history)


def opened(entry: Entry) -> Folded:
    """Returns the game as it stands right after its opening entry.

    Raises:
        TypeError: the entry opens no game.
    """
    if not isinstance(entry.body, GameOpened):
        raise TypeError(f"expected a journal that begins with its rules, got {entry!r}")
    return Folded(ruleset=entry.body.ruleset, state=new_game(entry.body.ruleset), last=entry.number, began=entry.number)


def noted(folded: Folded, step: Step, entry: Entry, because: tuple[int, ...] = ()) -> Folded:
    """Takes over what `entry` led to; `because` names the corrections that made it what it is."""
    told = tuple(
        Told(
            key=f"{folded.hand}.{said.saying.value}.{'-' if said.seat is None else int(said.seat)}.{entry.number}",
            announcement=said,
            cause=(entry.number, *because),
            frame=entry.envelope.frame,
        )
        for said in step.announcements
    )
    suspected = tuple(Suspected(suspicion=each, entry=entry.number) for each in step.suspicions)
    return replace(
        folded,
        state=step.state,
        last=entry.number,
        began=_began(folded, step, entry),
        told=folded.told + told,
        suspected=folded.suspected + suspected,
    )


def _began(folded: Folded, step: Step, entry: Entry) -> int:
    """A hand begins after the entry that ended the one before; dealt over an unsettled one, with its own start."""
    if len(step.state.history) == folded.hand:
        return folded.began
    return folded.last if isinstance(entry.body, HandStarted) else entry.number


def fold(start: Folded, entries: Sequence[Entry]) -> Folded:
    """Folds `entries`, which follow `start`, with all corrections among them applied."""
    corrections = {entry.body.entry: entry for entry in entries if isinstance(entry.body, Corrected)}
    records = {entry.body.hand: entry for entry in entries if isinstance(entry.body, SettlementRecorded)}
    folded = start
    for entry in entries:
        if not isinstance(entry.body, Corrected | SettlementRecorded | GameOpened):
            folded = _refolded(folded, entry, entry.body, corrections, records)
        folded = replace(folded, last=entry.number)
    return folded


def _refolded(
    folded: Folded, entry: Entry, event: Event, corrections: Mapping[int, Entry], records: Mapping[int, Entry]
) -> Folded:
    correction = corrections.get(entry.number)
    because: tuple[int, ...] = ()
    if correction is not None and isinstance(correction.body, Corrected):
        if correction.body.event is None:
            return folded
        event, because = correction.body.event, (correction.number,)
    try:
        after = noted(folded, advance(folded.state, event, folded.ruleset), entry, because)
    except RulesError as error:
        return replace(folded, unfit=(*folded.unfit, Unfit(entry=entry.number, message=str(error))))
    return after if after.hand == folded.hand else _as_recorded(folded, after, entry, corrections, records)


def _as_recorded(
    before: Folded, after: Folded, entry: Entry, corrections: Mapping[int, Entry], records: Mapping[int, Entry]
) -> Folded:
    record = records.get(before.hand)
    if record is None or not isinstance(record.body, SettlementRecorded):
        return after
    if record.body.settlement == after.state.history[-1].settlement:
        return after
    if _people_edited(range(before.began + 1, entry.number + 1), record.number, corrections):
        return after
    step = advance(before.state, HandSettled(settlement=record.body.settlement), before.ruleset)
    settled = noted(before, step, entry)
    message = f"hand {before.hand + 1} stands as confirmed; these rules would settle it otherwise"
    return replace(settled, unfit=(*settled.unfit, Unfit(entry=record.number, message=message)))


def _people_edited(hand: range, since: int, corrections: Mapping[int, Entry]) -> bool:
    return any(
        target in hand and correction.number > since and correction.envelope.source is Source.PRESS
        for target, correction in corrections.items()
    )
