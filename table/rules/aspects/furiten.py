"""Furiten: the tiles that keep a seat from winning by ron, by kind of furiten.

Nothing is stored: everything that could be claimed lies in order in `HandState.laid`, so the causes at any moment are
read from it. A seat's temporary furiten is what others laid since its own last tile (its draw or call lies in between);
in riichi, what others laid since the declaration. Own discards count for good, called away or not.
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
"""The kind of a tile that nobody could read: it makes furiten possible, not certain."""


class Seen(Protocol):
    """What furiten depends on: a hand, finished or being worked on."""

    @property
    def laid(self) -> tuple[Claimable, ...]:
        """Every tile that others could claim."""

    @property
    def claimable(self) -> Claimable | None:
        """The last of them while it may be claimed."""

    @property
    def has_passed(self) -> bool:
        """Whether nobody claims that one, as far as is known."""

    @property
    def riichi(self) -> tuple[Riichi, ...]:
        """Each seat's riichi."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Causes:
    """Kinds of tile that cause each furiten if the seat waits for them; -1 stands for an unread tile."""

    discard: frozenset[int]
    temporary: frozenset[int]
    riichi: frozenset[int]

    def of(self, waits: frozenset[int]) -> dict[Furiten, frozenset[int]]:
        """Returns the tiles of a wait that cause furiten, by kind of it; empty if the seat is free to ron."""
        by_kind = {Furiten.DISCARD: self.discard, Furiten.TEMPORARY: self.temporary, Furiten.RIICHI: self.riichi}
        return {kind: found for kind, kinds in by_kind.items() if (found := kinds & waits)}

    @property
    def has_unread(self) -> bool:
        """Whether a tile that nobody could read lies among them."""
        return UNREAD in self.discard or UNREAD in self.temporary or UNREAD in self.riichi


def causes(hand: Seen, seat: Seat, ruleset: Ruleset, *, before: int | None = None, closed_kans: bool = False) -> Causes:
    """Returns what would make the seat furiten.

    Args:
        hand: what was laid so far.
        seat: whose furiten.
        ruleset: whether kan tiles count, and who counts as discarder of a wrongly turned meld tile.
        before: judge a ron on the tile at this place of `hand.laid`; None: now.
        closed_kans: count tiles of closed kans too, for thirteen orphans that may rob them.
    """
    open_place = _open_place(hand) if before is None else None
    own = {laid.tile.kind for laid in hand.laid[:before] if _discarder(laid, ruleset) is seat}
    place = hand.riichi[seat].place if hand.riichi[seat].is_declared else None
    temporary: set[int] = set()
    passed: set[int] = set()
    is_recent = True
    for laid in reversed(hand.laid[:before]):
        if laid.seat is seat:
            is_recent = False
        elif laid.place != open_place and _counts(laid, ruleset, closed_kans):
            if is_recent:
                temporary.add(laid.tile.kind)
            if place is not None and laid.place > place:
                passed.add(laid.tile.kind)
        if not is_recent and (place is None or laid.place <= place):
            break
    return Causes(discard=frozenset(own), temporary=frozenset(temporary), riichi=frozenset(passed))


def declare_wait(draft: Draft, seat: Seat, waits: frozenset[int]) -> None:
    """Notes a wait that a seat told of itself or laid open, and tells it how it stands."""
    draft.declared_waits = put(draft.declared_waits, seat, waits)
    draft.declared_furiten = put(draft.declared_furiten, seat, frozenset())
    _announce(draft, seat, waits, has_new_unread=True)


def shape_changed(draft: Draft, seat: Seat) -> None:
    """Forgets the wait of a seat whose hand is another now."""
    if draft.declared_waits[seat] is not None:
        draft.declared_waits = put(draft.declared_waits, seat, None)
        draft.declared_furiten = put(draft.declared_furiten, seat, frozenset())


def discards(draft: Draft, event: Discarded) -> None:
    """Forgets a declared wait if the discard may have changed the hand: not when drawn, nor in riichi (R21)."""
    own = draft.riichi[event.seat]
    if event.origin is not Origin.DRAWN and not own.is_accepted and not own.is_open:
        shape_changed(draft, event.seat)


def announce_all(draft: Draft) -> None:
    """Tells each seat that told its wait what has become of it: privately, of an open riichi to all."""
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
    """Returns the place of the tile that may still be claimed: it was not let pass yet."""
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
