"""Infers what records omit from their acts: the reason of a draw, accepted riichi, and robbed kans."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from table.records.formats.game_record import Drawn, Move
from table.records.formats.hidden_hands import HiddenHands
from table.rules.events import AddedKan, Called, CallKind, ClosedKan, Discarded, StickPlaced
from table.rules.state import DRAWS
from table.rules.terms.results import AbortReason, Deltas
from table.rules.terms.seats import Seat

_MOST_FOR_NOTEN: Final = 3000
"""The most that noten hands pay, or a tenpai one receives, in other programs; nagashi mangan moves more."""


def likely_reason(moves: Sequence[Move]) -> AbortReason | None:
    """Returns the likely reason of a draw, from acts with every drawn tile; None if the wall was exhausted.

    Also returns None if the acts have no drawn tiles.
    """
    discards = [move for move in moves if isinstance(move, Discarded)]
    draws = sum(isinstance(move, Drawn) for move in moves)
    if draws >= DRAWS or not draws:
        return None
    if isinstance(moves[-1], Drawn):
        return AbortReason.NINE_TERMINALS
    if sum(isinstance(move, AddedKan | ClosedKan) or _is_open_kan(move) for move in moves) >= 4:
        return AbortReason.FOUR_KANS
    if sum(move.sideways for move in discards) == 4:
        return AbortReason.FOUR_RIICHI
    if len(discards) == 4 and len({move.tile for move in discards}) == 1:
        return AbortReason.FOUR_WINDS
    return AbortReason.TRIPLE_RON


def is_likely_nagashi(moves: Sequence[Move], payments: Deltas | None) -> bool:
    """Whether a draw was likely nagashi mangan: it pays more than noten hands do, and a river allows it."""
    if payments is None or max(map(abs, payments)) <= _MOST_FOR_NOTEN:
        return False
    discards = [move for move in moves if isinstance(move, Discarded)]
    spoiled = {move.seat for move in discards if move.tile.is_known and not move.tile.is_orphan}
    called = {move.from_seat for move in moves if isinstance(move, Called)}
    return bool({move.seat for move in discards} - spoiled - called)


def with_sticks(moves: Sequence[Move], *, is_ronned: bool) -> list[Move]:
    """Returns the acts with the stick of each riichi after its tile, unless the hand ended by a ron on that tile."""
    result: list[Move] = []
    for index, move in enumerate(moves):
        result.append(move)
        is_last = index == len(moves) - 1
        if isinstance(move, Discarded) and move.sideways and not (is_last and is_ronned):
            result.append(StickPlaced(seat=move.seat))
    return result


def robbed_kan(moves: Sequence[Move], hidden: HiddenHands, winner: Seat, loser: Seat) -> AddedKan | None:
    """Returns the added kan, omitted in the record, that a ron between draw and discard must have robbed; else None."""
    if not moves or not isinstance(moves[-1], Drawn) or moves[-1].seat is not loser or winner is loser:
        return None
    winning_kinds = hidden.waits(winner)
    tiles = (tile for tile in hidden.concealed(loser) if tile.kind in winning_kinds and hidden.has_pon(loser, tile))
    tile = next(tiles, None)
    return None if tile is None else AddedKan(seat=loser, tile=tile)


def _is_open_kan(move: Move) -> bool:
    return isinstance(move, Called) and move.kind is CallKind.OPEN_KAN
