"""Furiten: the tiles that prevent a seat from winning by ron, by kind of furiten.

Nothing is stored: `HandState.laid` holds every claimable tile in order, and the causes at any moment follow from it.
Temporary furiten comes from tiles that others laid since the seat's own last tile (with its draw or call in between);
riichi furiten from those laid since the declaration. Own discards count permanently, called away or not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from table.rules.aspects import tile_copies
from table.rules.draft import Draft, put
from table.rules.events import Discarded, Origin
from table.rules.ruleset import Ruleset
from table.rules.state import Claimable, Furiten, LaidKind, Riichi
from table.rules.terms.announcements import AnnouncementId, Scope
from table.rules.terms.seats import SEATS, Seat
from table.rules.terms.tiles import KIND_TILES

UNREAD = -1
"""The kind of a tile that could not be read or was not seen, which makes furiten possible but not certain."""


class Seen(Protocol):
    """The facts that furiten depends on: a hand or a draft."""

    @property
    def laid(self) -> tuple[Claimable, ...]:
        """Every tile that others could claim."""

    @property
    def claimable(self) -> Claimable | None:
        """The last of these tiles, while it may be claimed."""

    @property
    def has_passed(self) -> bool:
        """Whether nobody claims that tile, as far as is known."""

    @property
    def riichi(self) -> tuple[Riichi, ...]:
        """Each seat's riichi."""

    @property
    def missed(self) -> tuple[int | None, ...]:
        """Before which of these tiles a discard of each seat was missed last; None if none was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Causes:
    """The kinds of tile that cause each furiten if the seat waits for them; -1 stands for an unread or missed tile."""

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
        return UNREAD in self.discard or UNREAD in self.temporary or UNREAD in self.riichi


def causes(hand: Seen, seat: Seat, ruleset: Ruleset, *, before: int | None = None, closed_kans: bool = False) -> Causes:
    """Returns the causes of furiten for the seat; what it let pass before a missed discard of its own is none any more.

    Args:
        hand: the hand so far.
        seat: the seat.
        ruleset: determines whether kan tiles count, and who discarded a wrongly turned meld tile.
        before: judge a ron on the tile at this place of `hand.laid`; None for now.
        closed_kans: whether tiles of closed kans count, for thirteen orphans that may rob them.
    """
    open_place = _open_place(hand) if before is None else None
    missed = _missed(hand, len(hand.laid) if before is None else before)
    own = {laid.tile.kind for laid in hand.laid[:before] if _discarder(laid, ruleset) is seat}
    place = hand.riichi[seat].place if hand.riichi[seat].is_declared else None
    temporary: set[int] = set()
    passed: set[int] = set()
    is_recent = True
    for laid in reversed(hand.laid[:before]):
        is_recent = is_recent and laid.place >= missed.get(seat, 0)
        if laid.seat is seat:
            is_recent = False
        elif laid.place != open_place and _counts(laid, ruleset, closed_kans):
            if is_recent:
                temporary.add(laid.tile.kind)
            if place is not None and laid.place > place:
                passed.add(laid.tile.kind)
        if not is_recent and (place is None or laid.place <= place):
            break
    last = max((laid.place for laid in hand.laid[:before] if laid.seat is seat), default=-1)
    for other, at in missed.items():
        own |= {UNREAD} if other is seat else set()
        temporary |= {UNREAD} if at > last else set()
        passed |= {UNREAD} if place is not None and at > place else set()
    return Causes(discard=frozenset(own), temporary=frozenset(temporary), riichi=frozenset(passed))


def _missed(hand: Seen, before: int) -> dict[Seat, int]:
    """Returns before which tile a discard of each seat was missed last, of those missed before the tile at a place."""
    return {seat: at for seat in SEATS if (at := hand.missed[seat]) is not None and at <= before}


def declare_wait(draft: Draft, seat: Seat, waits: frozenset[int]) -> None:
    """Records a wait that a seat declared or laid open, and announces its furiten state."""
    draft.declared_waits = put(draft.declared_waits, seat, waits)
    draft.declared_furiten = put(draft.declared_furiten, seat, frozenset())
    _announce(draft, seat, waits, has_new_unread=True)


def shape_changed(draft: Draft, seat: Seat) -> None:
    """Forgets the wait of a seat whose hand has changed."""
    if draft.declared_waits[seat] is not None:
        draft.declared_waits = put(draft.declared_waits, seat, None)
        draft.declared_furiten = put(draft.declared_furiten, seat, frozenset())


def discards(draft: Draft, event: Discarded) -> None:
    """Forgets a declared wait if the discard may have changed the hand: not for a drawn tile, nor in riichi (R21)."""
    own = draft.riichi[event.seat]
    if event.origin is not Origin.DRAWN and not own.is_accepted and not own.is_open:
        shape_changed(draft, event.seat)


def announce_all(draft: Draft) -> None:
    """Announces changes of furiten to each seat with a declared wait: privately, or publicly for an open riichi."""
    has_new_unread = draft.counts[tile_copies.UNREAD] > draft.hand.counts[tile_copies.UNREAD]
    for seat in SEATS:
        if (waits := draft.declared_waits[seat]) is not None:
            _announce(draft, seat, waits, has_new_unread=has_new_unread)


def _announce(draft: Draft, seat: Seat, waits: frozenset[int], *, has_new_unread: bool) -> None:
    found = causes(draft, seat, draft.rules)
    by_kind = found.of(waits)
    declared = draft.declared_furiten[seat]
    scope = Scope.PUBLIC if draft.riichi[seat].is_open else Scope.PRIVATE
    for kind, kinds in by_kind.items():
        if kind not in declared:
            tiles = [KIND_TILES[each].text for each in sorted(kinds)]
            draft.say(AnnouncementId.FURITEN, _RULES[kind], seat, scope, kind=kind.value, tiles=tiles)
    if has_new_unread and found.has_unread and not by_kind:
        draft.say(AnnouncementId.POSSIBLE_FURITEN, "R52", seat, scope)
    if by_kind.keys() != declared:
        draft.declared_furiten = put(draft.declared_furiten, seat, frozenset(by_kind))


_RULES = {Furiten.DISCARD: "R50", Furiten.TEMPORARY: "R52", Furiten.RIICHI: "R51"}


def _open_place(hand: Seen) -> int | None:
    """Returns the place of the tile that may still be claimed, which has not passed yet."""
    last = hand.claimable
    return last.place if last is not None and not hand.has_passed else None


def _discarder(laid: Claimable, ruleset: Ruleset) -> Seat | None:
    if laid.kind is not LaidKind.DISCARD:
        return None
    return laid.pointed if ruleset.pointed_seat_discarded and laid.pointed is not None else laid.seat


def _counts(laid: Claimable, ruleset: Ruleset, closed_kans: bool) -> bool:
    if laid.kind is LaidKind.DISCARD:
        return True
    return ruleset.passed_kan_is_furiten and (closed_kans or laid.kind is LaidKind.ADDED_KAN)
