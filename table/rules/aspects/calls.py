"""Calls: whether a meld's tiles fit (7-05-02), the direction of its turned tile (7-05-04), swap calling (7-05-05)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from table.rules.aspects import dora, tile_copies
from table.rules.draft import Draft, replace_at
from table.rules.events import Called, CallKind, HandShown
from table.rules.ruleset import Ruleset
from table.rules.terms.announcements import AnnouncementId, Scope
from table.rules.terms.melds import Meld, MeldKind
from table.rules.terms.rule_errors import ImpossibleEventError
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile

MELD_KINDS = {CallKind.CHI: MeldKind.CHI, CallKind.PON: MeldKind.PON, CallKind.OPEN_KAN: MeldKind.OPEN_KAN}
"""The kind of meld that each call makes."""
MOST_MELDS: Final = 4
MELD_NAMES = {CallKind.CHI: "chi", CallKind.PON: "pon", CallKind.OPEN_KAN: "kan"}


def check_call(draft: Draft, event: Called, *, is_last: bool) -> None:
    """Raises suspicions about a wrong call: its tiles, a chi not from the left, a call of the last discard."""
    tiles = (event.tile, *event.own)
    if all(tile.is_known for tile in tiles) and not _fits(event.kind, tiles):
        tiles_text = " ".join(tile.text for tile in tiles)
        draft.suspect("7-05-02", event.seat, f"a {MELD_NAMES[event.kind]} was made of {tiles_text}")
    if event.kind is CallKind.CHI and event.seat is not event.from_seat.next:
        draft.suspect("7-05-02", event.seat, "a chi was made of a discard that was not the left-hand player's")
    if is_last and not draft.has_gap:
        draft.suspect("7-05-02", event.seat, "the last discard was called")
    if event.points_at is not None and event.points_at is not event.from_seat:
        args: dict[str, object] = {"points_at": int(event.points_at), "from": int(event.from_seat)}
        draft.say(AnnouncementId.MELD_POINTS_WRONG_WAY, "7-05-04", event.seat, Scope.PUBLIC, **args)


def lay_reported_melds(draft: Draft, shown_hand: HandShown, earlier: HandShown | None) -> None:
    """Adds the melds that people reported with a shown hand, since nobody saw the calls, to those on record.

    They replace the melds reported with the hand shown `earlier`.

    Raises:
        ImpossibleEventError: every discard was seen, so that calls are events with a discarder; or for more melds than
            a hand has, or more copies of a tile than the set has.
    """
    seat, before = shown_hand.seat, () if earlier is None else earlier.melds
    if shown_hand.melds == before:
        return
    if draft.laid_tiles and shown_hand.melds and not draft.has_gap:
        raise ImpossibleEventError("expected the calls of a hand whose discards were seen, got its melds alone")
    melds = (*(meld for meld in draft.melds[seat] if meld not in before), *shown_hand.melds)
    if len(melds) > MOST_MELDS:
        raise ImpossibleEventError(f"expected {MOST_MELDS} melds of a hand at most, got {len(melds)}")
    tile_copies.remove(draft, [tile for meld in before for tile in meld.tiles])
    tile_copies.add(draft, [tile for meld in shown_hand.melds for tile in meld.tiles])
    draft.melds = replace_at(draft.melds, seat, melds)
    draft.is_interrupted = any(draft.melds)
    _count_reported_kans(draft, seat, before, shown_hand.melds)


def _count_reported_kans(draft: Draft, seat: Seat, before: Sequence[Meld], melds: Sequence[Meld]) -> None:
    """Counts the kans among a seat's reported `melds`, and their indicators, instead of those reported `before`."""
    kans = list(draft.kans)
    for meld in before:
        if meld.kind.is_kan:
            kans.remove(seat)
    kans += [seat for meld in melds if meld.kind.is_kan]
    if tuple(kans) != draft.kans:
        draft.kans = tuple(kans)
        dora.make_newest_due(draft, is_closed=True)


def beaten_chi(draft: Draft, event: Called) -> Seat | None:
    """Returns the seat whose chi of the same discard this pon or kan overrides; None if there is none."""
    caller = draft.turn
    if event.kind is CallKind.CHI or caller is None or caller is event.seat or draft.claimable_tile is not None:
        return None
    last = draft.melds[caller][-1] if draft.melds[caller] else None
    is_beaten = last is not None and last.kind is MeldKind.CHI and last.from_seat is event.from_seat
    return caller if is_beaten else None


def barred_kinds(event: Called, ruleset: Ruleset) -> frozenset[int]:
    """Returns the kinds that may not be discarded right after the call: the called one, and its other end at a chi."""
    kind = event.tile.kind
    if ruleset.kuikae == "allowed" or event.kind is CallKind.OPEN_KAN or kind < 0:
        return frozenset()
    own_kinds = sorted(tile.kind for tile in event.own)
    if (
        ruleset.kuikae == "same_tile_forbidden"
        or event.kind is CallKind.PON
        or own_kinds[1] - own_kinds[0] != 1
        or own_kinds[0] < 0
    ):
        return frozenset((kind,))
    other = own_kinds[1] + 1 if kind < own_kinds[0] else own_kinds[0] - 1
    is_in_suit = other // 9 == kind // 9 and other < 27
    return frozenset((kind, other)) if is_in_suit else frozenset((kind,))


def check_swap(draft: Draft, tile: Tile) -> None:
    """Raises a suspicion about a discard that the call just made forbids."""
    if tile.kind in draft.barred_kinds and draft.turn is not None:
        draft.suspect("7-05-05", draft.turn, f"{tile} was discarded right after the call")


def _fits(kind: CallKind, tiles: tuple[Tile, ...]) -> bool:
    kinds = sorted(tile.kind for tile in tiles)
    if kind is not CallKind.CHI:
        return kinds[0] == kinds[-1]
    first, second, third = kinds
    return third < 27 and first // 9 == third // 9 and (second, third) == (first + 1, first + 2)
