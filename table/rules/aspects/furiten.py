"""Furiten: the tiles that prevent a seat from winning by ron, by kind of furiten.

Nothing is stored: `HandState.laid_tiles` holds every claimable tile in order, and the causes at any moment follow.
Temporary furiten comes from tiles that others laid since the seat's own last tile (with its draw or call in between);
riichi furiten from those laid since the declaration. Own discards count permanently, called away or not.

`winning.shown_hand` calls `causes` for a ron, the evidence of fouls for the wins that a hand could have made, and
`rules play` for seats whose wait is known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from table.rules.aspects import tile_copies
from table.rules.draft import Draft, replace_at
from table.rules.events import Discarded, Origin
from table.rules.ruleset import Ruleset
from table.rules.state import Furiten, LaidKind, LaidTile, Riichi
from table.rules.terms.announcements import AnnouncementId, Scope
from table.rules.terms.seats import SEATS, Seat
from table.rules.terms.tiles import KIND_TILES

UNREAD_KIND: Final = -1
"""The kind of a tile that could not be read or was not seen, which makes furiten possible but not certain."""
_RULES: Final = {Furiten.DISCARD: "R50", Furiten.TEMPORARY: "R52", Furiten.RIICHI: "R51"}


class FuritenFacts(Protocol):
    """The facts that furiten depends on: a hand or a draft."""

    @property
    def laid_tiles(self) -> tuple[LaidTile, ...]:
        """Every tile that others could claim."""

    @property
    def claimable_tile(self) -> LaidTile | None:
        """The last of these tiles; None once it cannot be claimed any more."""

    @property
    def has_passed(self) -> bool:
        """Whether nobody claims that tile, as far as is known."""

    @property
    def riichi(self) -> tuple[Riichi, ...]:
        """Each seat's riichi."""

    @property
    def missed_at(self) -> tuple[int | None, ...]:
        """For each seat, the number of tiles laid before its last missed discard; None if no discard was missed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Causes:
    """The kinds of tile that make a seat furiten if it waits for them; -1 stands for an unread or missed tile."""

    discard: frozenset[int]
    temporary: frozenset[int]
    riichi: frozenset[int]

    def of(self, waits: frozenset[int]) -> dict[Furiten, frozenset[int]]:
        """Returns the tiles of a wait that cause furiten, by kind of furiten; empty if the seat may ron.

        A tile that went by after riichi causes only riichi furiten: it lasts, so it is not temporary as well (R53).
        """
        temporary = self.temporary - self.riichi
        by_kind = {Furiten.DISCARD: self.discard, Furiten.TEMPORARY: temporary, Furiten.RIICHI: self.riichi}
        return {kind: found for kind, kinds in by_kind.items() if (found := kinds & waits)}

    @property
    def has_unread(self) -> bool:
        """Whether an unread or missed tile is among them."""
        return any(UNREAD_KIND in kinds for kinds in (self.discard, self.temporary, self.riichi))


def causes(
    hand: FuritenFacts, seat: Seat, ruleset: Ruleset, *, before: int | None = None, closed_kans: bool = False
) -> Causes:
    """Returns the causes of furiten for the seat.

    A missed discard of its own ends temporary furiten, like one that was seen.

    Args:
        hand: the hand so far.
        seat: the seat.
        ruleset: determines whether kan tiles count, and who discarded a wrongly turned meld tile.
        before: judge a ron on the tile at this index of `hand.laid_tiles`; None for now.
        closed_kans: whether tiles of closed kans count, for thirteen orphans that may rob them.
    """
    laid_tiles = hand.laid_tiles[:before]
    missed_at = _missed_before(hand, len(laid_tiles))
    claimable_index = _claimable_index(hand) if before is None else None
    passed_tiles = [
        laid_tile
        for laid_tile in laid_tiles
        if laid_tile.seat is not seat
        and laid_tile.laid_index != claimable_index
        and _counts(laid_tile, ruleset, closed_kans)
    ]
    return Causes(
        discard=_discarded_kinds(laid_tiles, missed_at, seat, ruleset),
        temporary=_kinds_since_own_tile(laid_tiles, passed_tiles, missed_at, seat),
        riichi=_kinds_since_riichi(passed_tiles, missed_at, hand.riichi[seat]),
    )


def _discarded_kinds(
    laid_tiles: Sequence[LaidTile], missed_at: Mapping[Seat, int], seat: Seat, ruleset: Ruleset
) -> frozenset[int]:
    """Returns the kinds that the seat has discarded."""
    own_kinds = frozenset(laid_tile.tile.kind for laid_tile in laid_tiles if _discarder(laid_tile, ruleset) is seat)
    return own_kinds | {UNREAD_KIND} if seat in missed_at else own_kinds


def _kinds_since_own_tile(
    laid_tiles: Sequence[LaidTile], passed_tiles: Sequence[LaidTile], missed_at: Mapping[Seat, int], seat: Seat
) -> frozenset[int]:
    """Returns the kinds that the seat let pass since its own last tile, seen or missed."""
    own_index = max((laid_tile.laid_index for laid_tile in laid_tiles if laid_tile.seat is seat), default=-1)
    since = max(own_index + 1, missed_at.get(seat, 0))
    kinds = frozenset(laid_tile.tile.kind for laid_tile in passed_tiles if laid_tile.laid_index >= since)
    return kinds | {UNREAD_KIND} if any(at > own_index for at in missed_at.values()) else kinds


def _kinds_since_riichi(
    passed_tiles: Sequence[LaidTile], missed_at: Mapping[Seat, int], riichi: Riichi
) -> frozenset[int]:
    """Returns the kinds that the seat let pass since its declaration tile."""
    declared_at = riichi.laid_index
    if not riichi.is_declared or declared_at is None:
        return frozenset()
    kinds = frozenset(laid_tile.tile.kind for laid_tile in passed_tiles if laid_tile.laid_index > declared_at)
    return kinds | {UNREAD_KIND} if any(at > declared_at for at in missed_at.values()) else kinds


def _missed_before(hand: FuritenFacts, before: int) -> dict[Seat, int]:
    """Returns, for each seat with a missed discard before the tile at index `before`, the place of the last one."""
    return {seat: at for seat in SEATS if (at := hand.missed_at[seat]) is not None and at <= before}


def declare_wait(draft: Draft, seat: Seat, waits: frozenset[int]) -> None:
    """Records a wait that a seat declared or laid open, and announces its furiten state."""
    draft.declared_waits = replace_at(draft.declared_waits, seat, waits)
    draft.declared_furiten = replace_at(draft.declared_furiten, seat, frozenset())
    _announce(draft, seat, waits, has_new_unread=True)


def forget_wait(draft: Draft, seat: Seat) -> None:
    """Forgets the wait of a seat whose hand has changed."""
    if draft.declared_waits[seat] is not None:
        draft.declared_waits = replace_at(draft.declared_waits, seat, None)
        draft.declared_furiten = replace_at(draft.declared_furiten, seat, frozenset())


def on_discard(draft: Draft, event: Discarded) -> None:
    """Forgets a declared wait if the discard may have changed the hand: not for a drawn tile, nor in riichi (R21)."""
    riichi = draft.riichi[event.seat]
    if event.origin is not Origin.DRAWN and not riichi.is_declared:
        forget_wait(draft, event.seat)


def announce_all(draft: Draft) -> None:
    """Announces changes of furiten to each seat with a declared wait: privately, or publicly for an open riichi."""
    has_new_unread = draft.counts[tile_copies.UNREAD_INDEX] > draft.hand.counts[tile_copies.UNREAD_INDEX]
    for seat in SEATS:
        if (waits := draft.declared_waits[seat]) is not None:
            _announce(draft, seat, waits, has_new_unread=has_new_unread)


def _announce(draft: Draft, seat: Seat, waits: frozenset[int], *, has_new_unread: bool) -> None:
    found = causes(draft, seat, draft.rules)
    by_cause = found.of(waits)
    announced = draft.declared_furiten[seat]
    scope = Scope.PUBLIC if draft.riichi[seat].is_laid_open else Scope.PRIVATE
    for cause, tile_kinds in by_cause.items():
        if cause not in announced:
            tiles = [KIND_TILES[kind].text for kind in sorted(tile_kinds)]
            draft.say(AnnouncementId.FURITEN, _RULES[cause], seat, scope, kind=cause.value, tiles=tiles)
    if has_new_unread and found.has_unread and not by_cause:
        draft.say(AnnouncementId.POSSIBLE_FURITEN, "R52", seat, scope)
    if by_cause.keys() != announced:
        draft.declared_furiten = replace_at(draft.declared_furiten, seat, frozenset(by_cause))


def _claimable_index(hand: FuritenFacts) -> int | None:
    """Returns the index of the tile that may still be claimed, which has not passed yet."""
    last = hand.claimable_tile
    return last.laid_index if last is not None and not hand.has_passed else None


def _discarder(laid_tile: LaidTile, ruleset: Ruleset) -> Seat | None:
    if laid_tile.kind is not LaidKind.DISCARD:
        return None
    return (
        laid_tile.pointed_seat
        if ruleset.pointed_seat_discarded and laid_tile.pointed_seat is not None
        else laid_tile.seat
    )


def _counts(laid_tile: LaidTile, ruleset: Ruleset, closed_kans: bool) -> bool:
    if laid_tile.kind is LaidKind.DISCARD:
        return True
    return ruleset.passed_kan_is_furiten and (closed_kans or laid_tile.kind is LaidKind.ADDED_KAN)
