"""Adds unseen draws and turns to a record, for readers that expect every one.

Their tiles are unknown, except draws that were discarded right after being drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from table.records.formats.game_record import AcceptedWithoutStick, Drawn, GameRecord, HandRecord, Move
from table.rules.events import AddedKan, Called, CallKind, ClosedKan, Discarded, DoraTurned, Origin, StickPlaced
from table.rules.terms.results import AbortReason, ResultKind
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import UNKNOWN, Tile

_BESIDE_TURNS: Final = (StickPlaced, AcceptedWithoutStick, DoraTurned)
"""Moves that are no part of a turn."""


def with_draws(record: GameRecord) -> GameRecord:
    """Returns the record with a drawn tile before each act that requires one; hands that have any do not change."""
    return replace(record, hands=tuple(_hand_with_draws(hand) for hand in record.hands))


def with_every_turn(record: GameRecord) -> GameRecord:
    """Returns the record with draws, and an unknown discard of each seat whose turn went unseen, between others'."""
    return with_draws(replace(record, hands=tuple(map(_hand_with_every_turn, record.hands))))


def _hand_with_every_turn(hand: HandRecord) -> HandRecord:
    acts = [move for move in hand.moves if not isinstance(move, _BESIDE_TURNS)]
    if not acts or any(isinstance(move, Drawn) for move in acts):
        return hand
    moves: list[Move] = []
    turn = hand.deal.dealer
    for move in hand.moves:
        if isinstance(move, Called):
            if turn is not move.from_seat.next:
                moves += [*_unseen_discards(turn, move.from_seat), Discarded(seat=move.from_seat, tile=move.tile)]
            turn = move.seat
        elif not isinstance(move, _BESIDE_TURNS):
            moves += _unseen_discards(turn, move.seat)
            turn = move.seat.next if isinstance(move, Discarded) else move.seat
        moves.append(move)
    for last_draw in _last_draw(hand):
        if isinstance(acts[-1], Called) and acts[-1].kind is not CallKind.OPEN_KAN:
            moves.append(Discarded(seat=turn, tile=UNKNOWN))
            turn = turn.next
        moves += _unseen_discards(turn, last_draw.seat)
    return replace(hand, moves=tuple(moves))


def _unseen_discards(turn: Seat, until: Seat) -> Iterator[Discarded]:
    """Yields an unknown discard of each seat whose turn comes before that of another."""
    while turn is not until:
        yield Discarded(seat=turn, tile=UNKNOWN)
        turn = turn.next


def _hand_with_draws(hand: HandRecord) -> HandRecord:
    if any(isinstance(move, Drawn) for move in hand.moves):
        return hand
    moves: list[Move] = []
    caller: Seat | None = None
    """The seat that discards without drawing, since it called."""
    for move in hand.moves:
        if isinstance(move, Discarded | AddedKan | ClosedKan):
            if caller is not move.seat:
                moves.append(Drawn(seat=move.seat, tile=_drawn_tile(move)))
            caller = None
        elif isinstance(move, Called):
            caller = None if move.kind is CallKind.OPEN_KAN else move.seat
        moves.append(move)
    return replace(hand, moves=(*moves, *_last_draw(hand)))


def _drawn_tile(move: Discarded | AddedKan | ClosedKan) -> Tile:
    return move.tile if isinstance(move, Discarded) and move.origin is Origin.DRAWN else UNKNOWN


def _last_draw(hand: HandRecord) -> list[Drawn]:
    """Returns the draw on which a hand ended: the tsumo, or the tile before nine terminals were called."""
    if hand.kind is ResultKind.TSUMO:
        return [Drawn(seat=hand.wins[0].seat, tile=hand.wins[0].winning_tile)]
    if hand.reason is AbortReason.NINE_TERMINALS and hand.claimants:
        return [Drawn(seat=hand.claimants[0], tile=UNKNOWN)]
    return []
