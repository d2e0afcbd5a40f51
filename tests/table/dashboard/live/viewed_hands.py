"""Hands as the page shows them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from table.dashboard.live.table_view import table_view
from table.game.snapshot import Snapshot
from table.i18n import catalogue
from table.rules.events import HandStarted
from table.rules.state import GameState, HandState, Riichi
from table.rules.terms.results import ResultKind, Settlement, Win
from table.rules.terms.seats import Round, Seat

ENGLISH = catalogue()
START = HandStarted(round=Round.parse("E2"), dealer=Seat.RIGHT, scores=(20000, 30000, 25000, 25000), honba=2)
HAND = HandState(start=START)
GAME = GameState(scores=(20000, 30000, 24000, 25000), deposits=1, hand=HAND)
NONE_RIICHI = Riichi()
RON = Settlement(
    kind=ResultKind.RON,
    deltas=(-3900, 0, 3900, 0),
    wins=(
        Win(
            seat=Seat.FAR,
            from_seat=Seat.NEAR,
            han=3,
            fu=30,
            yaku=(("riichi", 1), ("dora", 2)),
            yakuman=0,
            points=3900,
        ),
    ),
)


def view(hand: HandState | None = HAND, *, game: GameState = GAME, **fields: Any) -> dict[str, Any]:
    return table_view(Snapshot(version=7, game=replace(game, hand=hand), **fields), ENGLISH)


def by_seat(at: Seat, value: Any, other: Any) -> tuple[Any, ...]:
    return tuple(value if seat == at else other for seat in Seat)
