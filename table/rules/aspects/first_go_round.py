"""The first go-round: for a seat until its first discard, and for all until anybody calls or makes a kan (R39).

Double riichi, blessings and nine terminals depend on it; a first discard that was called away counts (R37).
"""

from __future__ import annotations

from table.rules.draft import Draft
from table.rules.state import LaidTile
from table.rules.terms.seats import Seat

WINDS = frozenset((27, 28, 29, 30))
FOUR = 4


def is_first(draft: Draft, seat: Seat) -> bool:
    """Whether the seat has not discarded yet, as far as is known, and nobody has called or made a kan."""
    return draft.missed_at[seat] is None and may_be_first(draft, seat)


def may_be_first(draft: Draft, seat: Seat) -> bool:
    """Whether no discard on record ends the first go-round of the seat; some may have been missed."""
    return not draft.is_interrupted and not draft.rivers[seat]


def is_doubtful(draft: Draft, seat: Seat, before: int) -> bool:
    """Whether only play that went unseen before the tile at index `before` makes the seat's first turn doubtful."""
    missed_at = draft.missed_at[seat]
    return missed_at is not None and missed_at == draft.unseen_from and missed_at <= before


def is_seen(draft: Draft) -> bool:
    """Whether every discard so far was seen: the table saw part of the hand, and no discard may have been missed."""
    return draft.was_seen and not draft.has_gap


def was_interrupted(draft: Draft, laid_tile: LaidTile) -> bool:
    """Whether anybody had called or made a kan before that tile was laid."""
    before = draft.laid_tiles[: laid_tile.laid_index]
    discards = sum(not earlier.kind.is_kan for earlier in before)
    calls = (tile.called_by is not None and tile.discard_number < discards for river in draft.rivers for tile in river)
    return any(earlier.kind.is_kan for earlier in before) or any(calls)


def interrupt(draft: Draft) -> None:
    """Ends the first go-round for all: a meld was laid."""
    draft.is_interrupted = True


def are_four_winds(draft: Draft, *, unread: bool = False) -> bool:
    """Whether each seat's first discard is the same wind, and nothing else has happened.

    Args:
        draft: the hand.
        unread: whether unreadable tiles may be that wind.
    """
    # A gap after the first four discards does not matter.
    has_gap = any(place is not None and place < FOUR for place in draft.missed_at)
    if has_gap or draft.is_interrupted or draft.discards != FOUR or any(len(river) != 1 for river in draft.rivers):
        return False
    if unread:
        return may_be_four_winds(draft)
    kinds = {river[0].tile.kind for river in draft.rivers}
    return len(kinds) == 1 and kinds <= WINDS


def may_be_four_winds(draft: Draft) -> bool:
    """Whether no discard read so far excludes four equal winds as the first four; some may have been missed."""
    if draft.is_interrupted or any(len(river) > 1 for river in draft.rivers):
        return False
    kinds = {river_tile.tile.kind for river in draft.rivers for river_tile in river if river_tile.tile.is_known}
    return len(kinds) <= 1 and kinds <= WINDS
