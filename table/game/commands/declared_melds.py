"""Melds that nobody saw being called, as people declare them with a winning hand."""

from __future__ import annotations

from collections.abc import Sequence

from table.rules.notation.hand_text import read_melds
from table.rules.state import HandState
from table.rules.terms.melds import Meld
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile
from table.runtime.table_errors import PressError


def declared_melds(hand: HandState, seat: Seat) -> tuple[Meld, ...]:
    """Returns the melds that people declared with a seat's hand, since nobody saw them being called."""
    shown_hand = hand.shown_hands[seat]
    return () if shown_hand is None else shown_hand.melds


def unseen_melds(texts: Sequence[str], hand: HandState, seat: Seat) -> tuple[Meld, ...]:
    """Returns the melds of a hand other than those that were seen being called.

    Args:
        texts: all melds of the hand, as in `tachiai score --melds`; empty for those on record.
        hand: the hand in play.
        seat: whose melds they are.

    Raises:
        PressError: a meld that was seen is not among `texts`.
    """
    declared = declared_melds(hand, seat)
    if not texts:
        return declared
    unseen = list(read_melds(",".join(texts)))
    for meld in (own for own in hand.melds[seat] if own not in declared):
        equal_meld = next((other for other in unseen if _faces(other) == _faces(meld)), None)
        if equal_meld is None:
            raise PressError(f"expected {meld.text} among the melds, which was seen, got others", says="unreadable")
        unseen.remove(equal_meld)
    return tuple(unseen)


def _faces(meld: Meld) -> tuple[bool, list[Tile]]:
    return meld.is_open, sorted(tile.without_red for tile in meld.tiles)
