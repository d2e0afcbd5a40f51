"""A recorded hand while the rules follow it, as a table would see it.

`table.records.audit.seen_events` provides what a table sees of a hand; everything else is left to the rules.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from table.game.journal.fold import LoggedAnnouncement
from table.records.audit.seen_events import seen_events
from table.records.formats.game_record import HandRecord
from table.rules import events
from table.rules.advance import advance
from table.rules.events import Event
from table.rules.ruleset import Ruleset
from table.rules.state import GameState
from table.rules.terms.announcements import Suspicion
from table.rules.terms.results import AbortReason, DeclaredResult, ResultKind, Settlement
from table.rules.terms.rule_errors import RulesError
from table.rules.terms.seats import SEATS, Seat
from table.rules.transitions.aborts import PLAY_ABORTS
from table.runtime.table_errors import RecordError

CONFIRMATIONS: Final = 2
"""How often people confirm a hand at most: the first time, the rules may ask for a missing fact."""


@dataclass(slots=True)
class Play:
    """One hand while the rules follow it."""

    state: GameState
    rules: Ruleset
    number: int
    """The number of the hand in the game, from 0."""
    event_count: int = 0
    ippatsu: tuple[Seat, ...] = ()
    announcements: list[LoggedAnnouncement] = field(default_factory=list)
    suspicions: list[Suspicion] = field(default_factory=list)

    @classmethod
    def after(cls, state: GameState, rules: Ruleset) -> Play:
        """Returns the next hand of a game; one in play then ends unsettled."""
        return cls(state=state, rules=rules, number=len(state.history) + (state.live is not None))

    @property
    def settlement(self) -> Settlement | None:
        """The settlement of the hand; None while it is being played."""
        history = self.state.history
        return history[-1].settlement if len(history) > self.number else None

    @property
    def final_settlement(self) -> Settlement:
        """The settlement of the hand.

        Raises:
            ValueError: the hand is still being played.
        """
        if self.settlement is None:
            raise ValueError("expected a hand that was played to its end, got one in play")
        return self.settlement

    @property
    def accepted_riichi(self) -> list[Seat]:
        """The seats whose riichi was accepted, in order."""
        hand = self.state.hand
        if hand is None:
            return []
        seats = (seat for seat in SEATS if hand.riichi[seat].is_accepted)
        return sorted(seats, key=lambda seat: hand.riichi[seat].discard_number or 0)

    def feed(self, event: Event) -> None:
        """Applies one event."""
        self.event_count += 1
        if isinstance(event, events.ClaimsConfirmed):
            self.ippatsu = open_windows(self.state)
        step = advance(self.state, event, self.rules)
        self.state = step.state
        self.suspicions += step.suspicions
        for announcement in step.announcements:
            self.announcements.append(
                LoggedAnnouncement.of_hand(self.number, announcement, self.event_count, cause=(self.event_count,))
            )


def play_hand(state: GameState, hand: HandRecord, rules: Ruleset, place: str) -> Play:
    """Plays a recorded hand to its end by the rules.

    Facts that a record lacks (a stick, indicators) are requested once and then ignored, as at a table.
    An abort that the rules do not have is declared by people, since the record ends with it.

    Args:
        state: the game before the hand.
        hand: the recorded hand.
        rules: the rules to play by.
        place: the hand's name in messages.

    Raises:
        RecordError: the hand cannot have happened, or its record lacks an indispensable fact.
    """
    play = Play.after(state, rules)
    for event in seen_events(hand, rules):
        try:
            play.feed(event)
        except RulesError as error:
            raise RecordError(f"{place}, event {play.event_count}, {event}: {error}") from error
    settle(play, hand, place)
    return play


def settle(play: Play, hand: HandRecord, place: str) -> None:
    """Confirms a hand at the end of its record.

    Raises:
        RecordError: an indispensable fact is missing.
    """
    for _ in range(CONFIRMATIONS):
        if play.settlement is None:
            play.feed(closing_event(play.state, hand, play.rules))
    if play.settlement is None:
        missing = play.state.hand.missing if play.state.hand else ()
        raise RecordError(
            f"{place}: expected a settled hand, got one that lacks {', '.join(map(str, missing)) or 'an end'}"
        )


def closing_event(state: GameState, hand: HandRecord, rules: Ruleset) -> Event:
    """Returns how people end a hand at the end of its record: an abort that the rules lack is declared."""
    is_unknown = hand.reason is not None and hand.reason in PLAY_ABORTS and not rules.has_abort(hand.reason)
    return _declared_abort(state, hand.reason) if is_unknown else events.ClaimsConfirmed()


def _declared_abort(state: GameState, reason: AbortReason | None) -> events.ResultDeclared:
    riichi = () if state.hand is None else tuple(seat for seat in SEATS if state.hand.riichi[seat].is_declared)
    return events.ResultDeclared(result=DeclaredResult(kind=ResultKind.ABORT, reason=reason, riichi=riichi))


def open_windows(state: GameState) -> tuple[Seat, ...]:
    """Returns the seats for which a win would now surely score ippatsu."""
    hand = state.hand
    return () if hand is None else tuple(seat for seat in SEATS if hand.ippatsu[seat].is_open)
