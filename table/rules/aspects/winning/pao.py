"""Liability (pao): whoever feeds the meld that makes three dragons, four winds or four kans visible pays for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from table.rules.draft import Draft
from table.rules.ruleset import Ruleset
from table.rules.state import Claim, Pao
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


def is_unclear(draft: Draft, claim: Claim) -> bool:
    """Whether a seat may be liable for a win, but people told of a meld that makes it so, and thus not who fed it."""
    shown = draft.shown[claim.seat]
    told = () if shown is None else shown.melds
    if not told:
        return False
    known = {each.yakuman for each in draft.pao if each.winner is claim.seat}
    before = () if draft.gap is None else tuple(_fed_as(meld) for meld in draft.gap.melds[claim.seat])
    return any(
        yakuman not in known
        and any(meld in told for meld in needed)
        and any(meld.is_open and _fed_as(meld) not in before for meld in needed)
        for yakuman, needed in _completed(draft.melds[claim.seat], draft.rules)
    )


def _fed_as(meld: Meld) -> tuple[tuple[int, ...], Seat | None]:
    """Returns what an added kan has in common with its pon: its kinds, and who fed it."""
    return tuple(tile.kind for tile in meld.tiles[:3]), meld.from_seat


def _completed(melds: tuple[Meld, ...], rules: Ruleset) -> Iterator[tuple[str, tuple[Meld, ...]]]:
    """Yields each yakuman with liability that the melds complete, with those that it takes."""
    for yakuman, wanted, has_pao in (
        ("big_three_dragons", DRAGONS, rules.pao_dragons),
        ("big_four_winds", WINDS, rules.pao_winds),
    ):
        needed = tuple(meld for meld in melds if meld.kind is not MeldKind.CHI and meld.tiles[0].kind in wanted)
        if has_pao and len(needed) == len(wanted):
            yield yakuman, needed
    if rules.pao_kans and sum(meld.kind.is_kan for meld in melds) == 4:
        yield "four_kans", melds


def _is_fourth_kan(melds: tuple[Meld, ...]) -> bool:
    return melds[-1].kind is MeldKind.OPEN_KAN and sum(meld.kind.is_kan for meld in melds) == 4


def _make_liable(draft: Draft, winner: Seat, liable: Seat, yakuman: str) -> None:
    draft.pao = (*draft.pao, Pao(winner=winner, liable=liable, yakuman=yakuman))
