"""The events of presses in the hand being played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from table.game.commands import game_commands as commands
from table.game.commands.declared_melds import unseen_melds
from table.game.commands.game_commands import UNNAMED_FOUL, HandPress
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
    RiichiReported,
    RiichiVoiced,
    TenpaiStated,
    TilePassed,
    WaitDeclared,
    WinClaimed,
    WinKind,
    WinWithdrawn,
)
from table.rules.ruleset import Ruleset
from table.rules.state import GameState, HandState, Phase
from table.rules.terms.results import AbortReason
from table.rules.terms.rule_errors import RulesError
from table.rules.terms.seats import SEATS, Seat
from table.runtime.table_errors import PressError


def events_of(
    press: HandPress,
    hand: HandState,
    *,
    is_watched: bool = True,
    is_complete: bool = False,
    is_claim_pressed: bool = True,
) -> Iterator[Event]:
    """Yields the events of a press.

    Args:
        press: the press.
        hand: the hand that it is about.
        is_watched: whether a camera watches; if not, riichi is valid by people's word.
        is_complete: whether no discard can have gone unseen, however many tiles are left to draw.
        is_claim_pressed: whether people pressed the seat's claim on record; if not, the same claim is made anew.

    Raises:
        PressError: it is not possible now; the message names what is missing.
    """
    match press:
        case commands.ClaimRon() | commands.ClaimTsumo():
            yield from _win_events(press, hand, is_claim_pressed=is_claim_pressed)
        case commands.CallDraw():
            yield DrawReached(is_watched=bool(hand.discards) and not is_complete)
        case commands.CallAbort():
            yield _abort_called(press, hand)
        case commands.DeclareRiichi(seat=seat):
            yield RiichiVoiced(seat=seat) if is_watched else RiichiReported(seat=seat)
        case commands.StateTenpai(seat=seat):
            yield TenpaiStated(seat=seat, is_tenpai=True)
        case commands.StateNoten(seat=seat):
            yield TenpaiStated(seat=seat, is_tenpai=False)
        case commands.PassTile():
            yield TilePassed()
        case commands.Confirm():
            yield ClaimsConfirmed()
        case commands.CancelWin(seat=seat):
            yield WinWithdrawn(seat=_last_claim(hand) if seat is None else seat)
        case commands.CancelFoul(foul=foul, reason=reason):
            yield FoulCancelled(foul=foul, reason=reason, by=press.by, hand=press.hand)
        case commands.LogFoul(seat=seat, option=option, facts=facts, reason=note):
            clause = press.clause or UNNAMED_FOUL
            yield FoulLogged(
                seat=seat, clause=clause, option=option, note=note, facts=facts, by=press.by, hand=press.hand
            )
        case commands.OpenRiichi():
            yield _riichi_opened(press)
        case commands.DeclareWait(seat=seat, tiles=tiles):
            yield WaitDeclared(seat=seat, tiles=tiles)
        case _:
            assert_never(press)


def hand_for(press: HandPress, state: GameState) -> HandState:
    """Returns the hand that a press is about; between hands, only presses about fouls have one.

    Raises:
        PressError: there is no such hand.
    """
    if isinstance(press, commands.LogFoul) and state.hand is None and state.next_start is not None:
        return HandState(start=state.next_start)
    hand = state.hand if isinstance(press, commands.LogFoul | commands.CancelFoul) else state.live
    if hand is None:
        raise PressError(f"expected a hand in play for {press.word!r}, got none", says="no_hand")
    return hand


def check_possible(presses: Iterable[HandPress], state: GameState, ruleset: Ruleset) -> None:
    """Checks that presses about fouls could be carried out now, one after another; nothing is changed.

    Raises:
        PressError: a press is not possible.
    """
    for press in presses:
        try:
            for event in events_of(press, hand_for(press, state)):
                state = advance(state, event, ruleset).state
        except RulesError as error:
            raise PressError(f"{press.word} is not possible now: {error}") from error


def _win_events(
    press: commands.ClaimRon | commands.ClaimTsumo, hand: HandState, *, is_claim_pressed: bool
) -> Iterator[Event]:
    seat = press.seat
    kind = WinKind.RON if isinstance(press, commands.ClaimRon) else WinKind.TSUMO
    if any(other.seat is not seat and other.kind is not kind for other in hand.claims):
        raise PressError(f"expected no {kind.value} in addition to the claimed win, got one", says="one_win")
    claim = next((own_claim for own_claim in hand.claims if own_claim.seat == seat and own_claim.kind is kind), None)
    has_new_value = press.han is not None and claim is not None and (claim.han, claim.fu) != (press.han, press.fu)
    named_discarder = press.discarder if isinstance(press, commands.ClaimRon) else None
    has_new_discarder = named_discarder is not None and claim is not None and named_discarder is not claim.from_seat
    if claim is None or not is_claim_pressed or has_new_value or has_new_discarder:
        claimed_discarder = None if claim is None or kind is WinKind.TSUMO else claim.from_seat
        discarder = claimed_discarder if named_discarder is None else named_discarder
        value = claim if claim is not None and press.han is None else press
        yield WinClaimed(seat=seat, kind=kind, from_seat=discarder, han=value.han, fu=value.fu)
    if press.tiles:
        tiles, winning_tile = press.hand_and_winning_tile
        melds = unseen_melds(press.melds, hand, seat)
        yield HandShown(seat=seat, tiles=tiles, winning_tile=winning_tile, melds=melds)


def _riichi_opened(press: commands.OpenRiichi) -> RiichiOpened:
    try:
        return RiichiOpened(seat=press.seat, tiles=press.tiles)
    except RulesError as error:
        raise PressError(f"in an 'open' press: {error}") from error


def _last_claim(hand: HandState) -> Seat:
    if not hand.claims:
        raise PressError("expected a claimed win to cancel, got none", says="no_win")
    return hand.claims[-1].seat


def _abort_called(press: commands.CallAbort, hand: HandState) -> AbortCalled:
    if press.reason is not None:
        return AbortCalled(reason=_reason(press.reason), seat=press.seat)
    if hand.pending_abort is not None:
        return AbortCalled(reason=hand.pending_abort, seat=press.seat)
    if hand.lapsed_aborts and hand.abort is None:
        return AbortCalled(reason=hand.lapsed_aborts[-1], seat=press.seat)
    if press.seat is not None:
        return AbortCalled(reason=AbortReason.NINE_TERMINALS, seat=press.seat)
    if hand.abort is not None and hand.abort is not AbortReason.NINE_TERMINALS:
        return AbortCalled(reason=hand.abort)
    if len(hand.claims) == len(SEATS) - 1:
        return AbortCalled(reason=AbortReason.TRIPLE_RON)
    if (seat := _nine_terminals_caller(hand)) is not None:
        return AbortCalled(reason=AbortReason.NINE_TERMINALS, seat=seat)
    raise PressError("expected a reason or a seat for 'abort', got neither", says="no_abort")


def _nine_terminals_caller(hand: HandState) -> Seat | None:
    """Returns the player in turn, or next if nobody claims the last tile, before a first discard without any call."""
    if not hand.was_seen or hand.has_gap or hand.phase is not Phase.PLAY or hand.is_interrupted:
        return None
    seat = hand.claimable_tile.seat.next if hand.turn is None and hand.claimable_tile is not None else hand.turn
    return None if seat is None or hand.rivers[seat] else seat


def _reason(text: str) -> AbortReason:
    try:
        return AbortReason(text)
    except ValueError:
        allowed = ", ".join(reason.value for reason in AbortReason)
        raise PressError(f"expected a reason out of {allowed}, got {text!r}", says="no_abort") from None
