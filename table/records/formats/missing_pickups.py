"""Adds unseen draws to a record, for readers that expect every draw.

They are unknown tiles, except those that were discarded right after being drawn.
"""

from __future__ import annotations

from dataclasses import replace

from table.records.formats.game_record import Drawn, GameRecord, HandRecord, Move
from table.rules.events import AddedKan, Called, CallKind, ClosedKan, Discarded, Origin
from table.rules.terms.results import AbortReason, ResultKind
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import UNKNOWN, Tile


def with_draws(record: GameRecord) -> GameRecord:
    """Returns the record with a drawn tile before each act that requires one; hands that have any do not change."""
    return replace(record, hands=tuple(_hand_with_draws(hand) for hand in record.hands))


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


def _last_draw(hand: HandRecord) -> list[Move]:
    """Returns the draw on which a hand ended: the tsumo, or the tile before nine terminals were called."""
    if hand.kind is ResultKind.TSUMO:
        return [Drawn(seat=hand.wins[0].seat, tile=hand.wins[0].winning_tile)]
    if hand.reason is AbortReason.NINE_TERMINALS and hand.claimants:
        return [Drawn(seat=hand.claimants[0], tile=UNKNOWN)]
    return []
