"""Makes scripts of recorded hands, so that any real game can be filmed."""

from __future__ import annotations

from collections.abc import Iterator

from table.camera.simulation.script import (
    Abort,
    Act,
    Call,
    Discard,
    Dora,
    Draw,
    KanFromHand,
    Ron,
    ScriptedHand,
    ScriptError,
    Tsumo,
    WallOut,
)
from table.records.formats.game_record import AcceptedWithoutStick, Drawn, HandRecord, Move
from table.rules.events import AddedKan, Called, ClosedKan, Discarded, DoraTurned, StickPlaced
from table.rules.terms.results import AbortReason, ResultKind
from table.rules.terms.seats import SEATS, Seat
from table.rules.terms.tiles import Tile

ANY_URA = Tile("1z")
"""Stands for ura indicators that nobody turned and no record contains."""


def scripted_hand(hand: HandRecord, *, pace_s: float) -> ScriptedHand:
    """Returns a recorded hand as a script, with a discard every `pace_s` seconds.

    Raises:
        ScriptError: the record lacks the tiles of some hand, or the points after it.
    """
    deal = hand.deal
    if not all(tile.is_known for tiles in deal.hands for tile in tiles):
        raise ScriptError(f"expected a record of all four hands, got hidden tiles in {deal.round!r}")
    if hand.scores is None:
        raise ScriptError(f"expected a record of the points after the hand, got none in {deal.round!r}")
    ura = next((win.ura for win in hand.wins if win.ura), ())
    return ScriptedHand(
        round=deal.round,
        honba=deal.honba,
        sticks=deal.deposits,
        dora=deal.indicator,
        ura=ura[0] if ura else ANY_URA,
        pace_s=pace_s,
        deals=deal.hands,
        acts=(*_acts(hand, ura), *_end(hand)),
        scores=hand.scores,
    )


def _acts(hand: HandRecord, ura: tuple[Tile, ...]) -> Iterator[Act]:
    indicator_count = 0
    for move in _before_the_end(hand):
        match move:
            case Drawn():
                yield Draw(seat=move.seat, tile=move.tile)
            case Discarded():
                yield Discard(seat=move.seat, tile=move.tile, riichi=move.sideways)
            case Called():
                yield Call(seat=move.seat, kind=move.kind, own=move.own)
            case AddedKan():
                yield KanFromHand(seat=move.seat, tiles=(move.tile,))
            case ClosedKan():
                yield KanFromHand(seat=move.seat, tiles=move.tiles)
            case DoraTurned():
                indicator_count += 1
                yield Dora(tile=move.indicator, ura=ura[indicator_count] if indicator_count < len(ura) else ANY_URA)
            case StickPlaced() | AcceptedWithoutStick():
                pass  # it follows the riichi tile


def _before_the_end(hand: HandRecord) -> tuple[Move, ...]:
    """Returns the moves without the draw that won."""
    if hand.kind is not ResultKind.TSUMO:
        return hand.moves
    last = max(place for place, move in enumerate(hand.moves) if isinstance(move, Drawn))
    return hand.moves[:last] + hand.moves[last + 1 :]


def _end(hand: HandRecord) -> tuple[Act, ...]:
    showing_seats = tuple(seat for seat in SEATS if hand.shown_hands[seat] is not None)
    if hand.kind is ResultKind.TSUMO:
        (win,) = hand.wins
        return (Tsumo(seat=win.seat, tile=win.winning_tile),)
    if hand.wins:
        return tuple(Ron(seat=win.seat) for win in hand.wins)
    if hand.kind is ResultKind.DRAW or hand.reason is None:
        return (WallOut(tenpai=showing_seats),)
    return (*_claims(hand), Abort(reason=hand.reason, showing_seats=_seats_showing(hand, showing_seats)))


def _claims(hand: HandRecord) -> tuple[Ron, ...]:
    return tuple(Ron(seat=seat) for seat in hand.claimants) if hand.reason is AbortReason.TRIPLE_RON else ()


def _seats_showing(hand: HandRecord, showing_seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Returns who lays a hand open for an abort, besides those who declared a win."""
    if hand.reason is AbortReason.NINE_TERMINALS:
        return hand.claimants
    return () if hand.reason is AbortReason.TRIPLE_RON else showing_seats
