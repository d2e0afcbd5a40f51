"""What a press means in the hand being played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from table.game.presses import UNNAMED_FOUL, Press, PressKind
from table.rules.advance import advance
from table.rules.events import (
    AbortCalled,
    ClaimsConfirmed,
    DrawReached,
    Event,
    FoulCancelled,
    FoulLogged,
    HandShown,
    RiichiOpened,
    RiichiTold,
    RiichiVoiced,
    TenpaiStated,
    TilePassed,
    WaitTold,
    WinClaimed,
    WinKind,
    WinWithdrawn,
)
from table.rules.ruleset import Ruleset
from table.rules.state import GameState, HandState
from table.rules.terms.results import AbortReason
from table.rules.terms.rule_errors import RulesError
from table.rules.terms.seats import Seat
from table.runtime.table_errors import PressError


def events_of(press: Press, hand: HandState, *, is_watched: bool = True) -> Iterator[Event]:
    """Says which events a press makes; a `correct` press makes none.

    Args:
        press: what somebody pressed.
        hand: what it is about.
        is_watched: whether a camera looks: where none does, riichi stands by people's word.

    Raises:
        PressError: it has no meaning now; the message says what is missing.
    """
    match press.kind:
        case PressKind.RON | PressKind.TSUMO:
            yield from _win(press, hand)
        case PressKind.DRAW:
            yield DrawReached()
        case PressKind.ABORT:
            yield AbortCalled(reason=_reason(press, hand), seat=press.seat)
        case PressKind.RIICHI:
            seat = _seat(press)
            yield RiichiVoiced(seat=seat) if is_watched else RiichiTold(seat=seat)
        case PressKind.TENPAI | PressKind.NOTEN:
            yield TenpaiStated(seat=_seat(press), is_tenpai=press.kind is PressKind.TENPAI)
        case PressKind.PASS:
            yield TilePassed()
        case PressKind.CONFIRM:
            yield ClaimsConfirmed()
        case PressKind.CANCEL:
            yield _cancelled(press, hand)
        case PressKind.FOUL:
            yield _foul(press)
        case PressKind.OPEN:
            yield _opened(press)
        case PressKind.WAIT:
            yield WaitTold(seat=_seat(press), tiles=press.tiles or ())
        case PressKind.CORRECT:
            return
        case PressKind.FOUL_BUTTON | PressKind.TABLE_BUTTON | PressKind.NAME_FOUL | PressKind.AGREE | PressKind.DROP:
            raise PressError(f"expected a press about the hand, got {press.kind.value!r}: it is about a named foul")
        case _:
            assert_never(press.kind)


def hand_for(press: Press, state: GameState) -> HandState | None:
    """Returns the hand that a press is about; between hands only fouls are about one, and the first opens a game's."""
    if press.kind is PressKind.FOUL and state.hand is None and state.next_start is not None:
        return HandState(start=state.next_start)
    is_about_fouls = press.kind is PressKind.FOUL or (press.kind is PressKind.CANCEL and press.foul is not None)
    return state.hand if is_about_fouls else state.live


def check_possible(presses: Iterable[Press], state: GameState, ruleset: Ruleset) -> None:
    """Refuses presses about fouls that could not be carried out one after another now; changes nothing.

    Raises:
        PressError: as for carrying out the first of them that cannot be.
    """
    for press in presses:
        hand = hand_for(press, state)
        if hand is None:
            raise PressError(f"expected a hand in play for {press.kind.value!r}, got none", says="no_hand")
        try:
            for event in events_of(press, hand):
                state = advance(state, event, ruleset).state
        except RulesError as error:
            raise PressError(f"{press.kind.value} is not possible now: {error}") from error


def _seat(press: Press) -> Seat:
    if press.seat is None:
        raise PressError(f"expected a seat for {press.kind.value!r}, got none")
    return press.seat


def _win(press: Press, hand: HandState) -> Iterator[Event]:
    seat = _seat(press)
    kind = WinKind.RON if press.kind is PressKind.RON else WinKind.TSUMO
    if any(each.seat is not seat and each.kind is not kind for each in hand.claims):
        raise PressError(f"expected no {kind.value} beside the win that is claimed already, got one", says="one_win")
    claim = next((each for each in hand.claims if each.seat == seat and each.kind is kind), None)
    is_counted = press.han is not None and claim is not None and (claim.han, claim.fu) != (press.han, press.fu)
    if claim is None or is_counted:
        source = None if claim is None or kind is WinKind.TSUMO else claim.from_seat
        yield WinClaimed(seat=seat, kind=kind, from_seat=source, han=press.han, fu=press.fu)
    if press.tiles:
        yield HandShown(seat=seat, tiles=press.tiles[:-1], winning_tile=press.tiles[-1])


def _opened(press: Press) -> RiichiOpened:
    try:
        return RiichiOpened(seat=_seat(press), tiles=press.tiles or ())
    except RulesError as error:
        raise PressError(f"in an 'open' press: {error}") from error


def _foul(press: Press) -> FoulLogged:
    try:
        return FoulLogged(
            seat=_seat(press),
            clause=press.clause or UNNAMED_FOUL,
            option=press.option,
            note=press.reason or "",
            facts=press.facts or (),
            by=press.by or "",
            hand=press.hand,
        )
    except RulesError as error:
        raise PressError(f"in a 'foul' press: {error}") from error


def _cancelled(press: Press, hand: HandState) -> FoulCancelled | WinWithdrawn:
    if press.foul is not None:
        return FoulCancelled(foul=press.foul, reason=press.reason or "", by=press.by or "", hand=press.hand)
    return WinWithdrawn(seat=_withdrawn(press, hand))


def _withdrawn(press: Press, hand: HandState) -> Seat:
    if press.seat is not None:
        return press.seat
    if not hand.claims:
        raise PressError("expected a claimed win to cancel, got none")
    return hand.claims[-1].seat


def _reason(press: Press, hand: HandState) -> AbortReason:
    if press.reason is None:
        if hand.pending is not None:
            return hand.pending
        if press.seat is not None:
            return AbortReason.NINE_TERMINALS
        raise PressError("expected a reason or a seat for 'abort', got neither")
    try:
        return AbortReason(press.reason)
    except ValueError:
        allowed = ", ".join(reason.value for reason in AbortReason)
        raise PressError(f"expected a reason out of {allowed}, got {press.reason!r}") from None
