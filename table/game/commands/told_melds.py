"""Melds that nobody saw being called, as people tell them with a winning hand."""

from __future__ import annotations

from collections.abc import Sequence

from table.rules.notation.hand_text import read_melds
from table.rules.state import HandState
from table.rules.terms.melds import Meld
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile
from table.runtime.table_errors import PressError


def told_melds(hand: HandState, seat: Seat) -> tuple[Meld, ...]:
    """Returns the melds of a seat that people told with its hand, since nobody saw them being called."""
    shown = hand.shown_hands[seat]
    return () if shown is None else shown.melds


def melds_beside_seen(named: Sequence[str], hand: HandState, seat: Seat) -> tuple[Meld, ...]:
    """Returns the melds of a hand beside those that were seen being called.

    Args:
        named: all melds of the hand, as in `tachiai score --melds`; empty for those on record.
        hand: the hand in play.
        seat: whose melds they are.

    Raises:
        PressError: one that was seen is not among them.
    """
    earlier = told_melds(hand, seat)
    if not named:
        return earlier
    left = list(read_melds(",".join(named)))
    for meld in (each for each in hand.melds[seat] if each not in earlier):
        same = next((each for each in left if _faces(each) == _faces(meld)), None)
        if same is None:
            raise PressError(f"expected {meld.text} among the melds, which was seen, got others", says="unreadable")
        left.remove(same)
    return tuple(left)


def _faces(meld: Meld) -> tuple[bool, list[Tile]]:
    return meld.is_open, sorted(tile.without_red for tile in meld.tiles)
