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
    for yakuman, set_kinds in (("big_three_dragons", DRAGONS), ("big_four_winds", WINDS)):
        if newest.kind is not MeldKind.CHI and newest.tiles[0].kind in set_kinds and kinds >= set_kinds:
            _make_liable(draft, caller, from_seat, yakuman)
    if _is_fourth_kan(melds):
        _make_liable(draft, caller, from_seat, "four_kans")


def is_unclear(draft: Draft, claim: Claim) -> bool:
    """Whether a seat may be liable for a win by a meld that people reported afterwards, without who fed it."""
    hand = draft.shown_hands[claim.seat]
    reported_melds = () if hand is None else hand.melds
    if not reported_melds:
        return False
    known_yakuman = {pao.yakuman for pao in draft.pao if pao.winner is claim.seat}
    fed_before = () if draft.gap is None else tuple(_pon_origin(meld) for meld in draft.gap.melds[claim.seat])
    return any(
        yakuman not in known_yakuman
        and any(meld in reported_melds for meld in needed)
        and any(meld.is_open and _pon_origin(meld) not in fed_before for meld in needed)
        for yakuman, needed in _liability_melds(draft.melds[claim.seat], draft.rules)
    )


def _pon_origin(meld: Meld) -> tuple[tuple[int, ...], Seat | None]:
    """Returns the first three kinds of a meld and who fed it, which an added kan shares with its pon."""
    return tuple(tile.kind for tile in meld.tiles[:3]), meld.from_seat


def _liability_melds(melds: tuple[Meld, ...], rules: Ruleset) -> Iterator[tuple[str, tuple[Meld, ...]]]:
    """Yields each yakuman with liability that the melds complete, with the melds that it needs."""
    for yakuman, set_kinds in (("big_three_dragons", DRAGONS), ("big_four_winds", WINDS)):
        needed = tuple(meld for meld in melds if meld.kind is not MeldKind.CHI and meld.tiles[0].kind in set_kinds)
        if yakuman in rules.pao_yakuman and len(needed) == len(set_kinds):
            yield yakuman, needed
    if "four_kans" in rules.pao_yakuman and sum(meld.kind.is_kan for meld in melds) == 4:
        yield "four_kans", melds


def _is_fourth_kan(melds: tuple[Meld, ...]) -> bool:
    return melds[-1].kind is MeldKind.OPEN_KAN and sum(meld.kind.is_kan for meld in melds) == 4


def _make_liable(draft: Draft, winner: Seat, liable: Seat, yakuman: str) -> None:
    draft.pao = (*draft.pao, Pao(winner=winner, liable=liable, yakuman=yakuman))
