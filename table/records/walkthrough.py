"""Follows a hand in the event notation through `advance`: the result of each event, and the final state.

An event that cannot be parsed, or cannot have happened, is reported with its reason and leaves the game unchanged.

A question about one moment need not include the events before it. Without a `start`, the game's first hand is dealt
automatically; if another seat than its dealer then acts first, the seats before it are assumed to have made unknown
discards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, cast

from table.records.foul_clauses import check_clause
from table.rules.advance import advance, new_game
from table.rules.aspects.furiten import causes
from table.rules.events import ClosedKan, Discarded, Event, FoulLogged, HandStarted, WinClaimed, WinKind
from table.rules.notation.event_notation import parse_event
from table.rules.ruleset import Ruleset
from table.rules.scoring.waits import waits
from table.rules.state import Furiten, GameState, HandState, LoggedFoul, Phase, Step
from table.rules.terms.results import Settlement, Win
from table.rules.terms.rule_errors import RulesError
from table.rules.terms.seats import SEATS, Seat, seats_from
from table.rules.terms.tiles import UNKNOWN
from table.rules.transitions.hand_end import preview_settlement

PlayJson = dict[str, Any]
"""One line of the contract `rules_play.schema.json` as a JSON object."""
_LONGEST_FIRST: Final = (Furiten.RIICHI, Furiten.DISCARD, Furiten.TEMPORARY)


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowedEvent:
    """The result of one event."""

    text: str
    """The event as it was written."""
    event: Event | None
    """The event; None if it cannot be read."""
    step: Step
    """The game after it, with announcements and suspicions; after an error, the unchanged game."""
    error: str | None = None
    """The reason why it cannot be read or cannot have happened; None if it was applied."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndPosition:
    """The state of a game at the end."""

    state: GameState
    hand: HandState
    """The hand on the table with the settlement that a confirmation would propose; empty and over if the game ended."""

    @property
    def settlement(self) -> Settlement | None:
        """The settlement of the last settled hand; None if no hand was settled."""
        lines = reversed(self.state.history)
        return next((line.settlement for line in lines if line.settlement is not None), None)


class Walkthrough:
    """A game that follows events one by one."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.state: GameState = new_game(ruleset)
        self._first = self._start = cast(HandStarted, self.state.next_start)

    def follow(self, text: str) -> FollowedEvent:
        """Applies one event."""
        event = None
        try:
            event = parse_event(text)
            if isinstance(event, FoulLogged):  # the rules themselves accept any clause
                check_clause(event.clause, self.ruleset.penalties, text)
            step = advance(self._ready_for(event), event, self.ruleset)
        except RulesError as error:
            return FollowedEvent(text=text, event=event, step=Step(state=self.state), error=str(error))
        self.state = step.state
        self._start = self._start if self.state.hand is None else self.state.hand.start
        return FollowedEvent(text=text, event=event, step=step)

    def end(self) -> EndPosition:
        """Returns the final state, with the first hand dealt even if nothing happened."""
        state = self._ready_for(None)
        hand = preview_settlement(state, self.ruleset) or state.hand
        return EndPosition(state=state, hand=hand or HandState(start=self._start, phase=Phase.SETTLED))

    def _ready_for(self, event: Event | None) -> GameState:
        """Returns the game with the unstated events that must have preceded this one."""
        state = self.state
        if state.hand is None and state.next_start is not None and not isinstance(event, HandStarted):
            state = advance(state, state.next_start, self.ruleset).state
        hand, seat = state.live, _seat_in_turn(event)
        if seat is not None and hand is not None and hand.start is self._first and not hand.laid_tiles:
            for skipped_seat in seats_from(hand.dealer)[: seat.after(hand.dealer)]:
                state = advance(state, Discarded(seat=skipped_seat, tile=UNKNOWN), self.ruleset).state
        return state


def _seat_in_turn(event: Event | None) -> Seat | None:
    """Returns the seat whose turn the event implies; None for events that are possible at any time."""
    match event:
        case Discarded(seat=seat) | ClosedKan(seat=seat) | WinClaimed(seat=seat, kind=WinKind.TSUMO):
            return seat
    return None


def logged_foul(state: GameState, event: FoulLogged) -> LoggedFoul:
    """Returns the foul that this event has just logged: in the hand that it names, in play, or just settled."""
    if state.live is not None and event.hand in (None, len(state.history)):
        return state.live.fouls[-1]
    return state.history[-1 if event.hand is None else event.hand].fouls[-1]


def event_line(followed: FollowedEvent) -> PlayJson:
    """Returns the result of one event, as in the contract."""
    step = followed.step
    return {
        "event": followed.text,
        "announcements": [
            {"id": announcement.id.value, "seat": None if announcement.seat is None else int(announcement.seat)}
            for announcement in step.announcements
        ],
        "suspicions": [{"article": suspicion.clause, "seat": int(suspicion.seat)} for suspicion in step.suspicions],
        "error": followed.error,
    }


def end_line(end: EndPosition, ruleset: Ruleset) -> PlayJson:
    """Returns the final state, as in the contract."""
    state, hand, settlement = end.state, end.hand, end.settlement
    start = state.next_start or hand.start
    return {
        "scores": list(state.scores),
        "deposits": state.deposits,
        "round": repr(start.round),
        "honba": start.honba,
        "phase": hand.phase.value,
        "riichi": [riichi.stage.value for riichi in hand.riichi],
        "ippatsu": [ippatsu.is_open for ippatsu in hand.ippatsu],
        "furiten": [None if kind is None else kind.value for kind in known_furiten(hand, ruleset)],
        "missing": [str(fact) for fact in hand.missing],
        "result": None if settlement is None else _result_line(settlement),
    }


def known_furiten(hand: HandState, ruleset: Ruleset) -> tuple[Furiten | None, ...]:
    """Returns each seat's longest-lasting furiten, if its wait was declared or its hand shown; else None."""
    return tuple(_furiten(hand, seat, ruleset) for seat in SEATS)


def _furiten(hand: HandState, seat: Seat, ruleset: Ruleset) -> Furiten | None:
    known_waits = _known_waits(hand, seat)
    if not known_waits:
        return None
    ronned = next((claim.laid_tile.laid_index for claim in hand.claims if claim.laid_tile is not None), None)
    found = causes(hand, seat, ruleset, before=ronned).of(known_waits)
    return next((kind for kind in _LONGEST_FIRST if kind in found), None)


def _known_waits(hand: HandState, seat: Seat) -> frozenset[int]:
    """Returns the seat's waits by its shown hand, which cannot have changed, or else those that it declared."""
    shown_hand, melds = hand.shown_hands[seat], hand.melds[seat]
    declared_waits = hand.declared_waits[seat] or frozenset()
    if shown_hand is None or hand.phase is Phase.PLAY:
        return declared_waits
    return (
        waits(shown_hand.tiles, len(melds), in_melds=[tile for meld in melds for tile in meld.tiles]) or declared_waits
    )


def _result_line(settlement: Settlement) -> PlayJson:
    return {
        "kind": settlement.kind.value,
        "deltas": list(settlement.deltas),
        "wins": [_win_line(win) for win in settlement.wins],
        **({} if settlement.chips is None else {"chips": list(settlement.chips)}),
    }


def _win_line(win: Win) -> PlayJson:
    return {
        "seat": int(win.seat),
        "from": int(win.from_seat),
        "han": win.han,
        "fu": win.fu,
        "points": win.points,
        "yaku": [list(pair) for pair in win.yaku],
    }
