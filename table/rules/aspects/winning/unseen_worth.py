"""The yaku that unseen play may have given a win, which only people know."""

from __future__ import annotations

from collections.abc import Iterator

from table.rules.aspects.winning.shown_hand import ippatsu_window, may_be_last_tile
from table.rules.draft import Draft
from table.rules.events import WinKind
from table.rules.ruleset import Ruleset
from table.rules.state import HandState, Ippatsu
from table.rules.terms.melds import MeldKind
from table.rules.terms.seats import Seat


def unseen_worth(hand: Draft | HandState, seat: Seat, ruleset: Ruleset) -> Iterator[str]:
    """Yields what unseen play may have given a winner, by the names of the check boxes of a result entered by hand."""
    claim = next(claim for claim in hand.claims if claim.seat is seat)
    riichi, is_ron = hand.riichi[seat], claim.kind is WinKind.RON
    is_in_riichi, window = riichi.is_declared, ippatsu_window(hand, claim)
    if riichi.may_be_double:
        yield "double_riichi"
    if claim.laid_tile is not None or not hand.is_behind:  # only a riichi and the count of tiles may be uncertain
        if window is Ippatsu.UNSURE:
            yield "ippatsu"
        if may_be_last_tile(hand, claim):
            yield "last_tile"
        return
    if not is_in_riichi and all(meld.kind is MeldKind.CLOSED_KAN for meld in hand.melds[seat]):
        yield "riichi"
    if is_in_riichi and ruleset.ippatsu and window is not Ippatsu.CLOSED:
        yield "ippatsu"
    yield "last_tile"
    yield "robbing_kan" if is_ron else "after_kan"
    is_first = not hand.is_interrupted and not is_in_riichi and hand.discards <= seat.after(hand.start.dealer)
    if is_first and not (is_ron and (ruleset.renhou == "none" or seat is hand.start.dealer)):
        yield "first_turn"
