"""Liability (pao): whoever feeds the meld that makes three dragons, four winds or four kans visible pays for it."""

from __future__ import annotations

from typing import Final

from table.rules.draft import Draft
from table.rules.state import Pao
from table.rules.terms.melds import Meld, MeldKind
from table.rules.terms.seats import Seat

WINDS: Final = frozenset(range(27, 31))
DRAGONS: Final = frozenset(range(31, 34))


def on_call(draft: Draft, caller: Seat, from_seat: Seat) -> None:
    """Checks the caller's newest meld, made with a discard of `from_seat`."""
    melds = draft.melds[caller]
    kinds = {meld.tiles[0].kind for meld in melds if meld.kind is not MeldKind.CHI}
    newest = melds[-1]
    for yakuman, wanted in (("big_three_dragons", DRAGONS), ("big_four_winds", WINDS)):
        if newest.kind is not MeldKind.CHI and newest.tiles[0].kind in wanted and kinds >= wanted:
            _make_liable(draft, caller, from_seat, yakuman)
    if _is_fourth_kan(melds):
        _make_liable(draft, caller, from_seat, "four_kans")


def _is_fourth_kan(melds: tuple[Meld, ...]) -> bool:
    return melds[-1].kind is MeldKind.OPEN_KAN and sum(meld.kind.is_kan for meld in melds) == 4


def _make_liable(draft: Draft, winner: Seat, liable: Seat, yakuman: str) -> None:
    draft.pao = (*draft.pao, Pao(winner=winner, liable=liable, yakuman=yakuman))
