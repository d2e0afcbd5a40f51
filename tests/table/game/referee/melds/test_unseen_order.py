from __future__ import annotations

from table.game.referee.melds.unseen_order import Place, UnseenCall, place_of
from table.rules.terms.seats import SEATS, Seat
from tests.table.game.referee.felt_by_hand import FeltByHand
from vision.felt import Zone


def test_a_call_is_placed_even_among_the_calls_and_tiles_of_a_whole_hand() -> None:
    """Tried one by one, the orders in which these turns can go on would never end."""
    across = [UnseenCall(giver, giver.plus(2)) for giver in (*SEATS, *SEATS)]
    rows = FeltByHand()
    rivers = [rows.row(seat, Zone.RIVER, ["1m"] * (11 if seat is Seat.FAR else 12)) for seat in SEATS]
    assert place_of(across[0], across, rivers) is Place.LATER
