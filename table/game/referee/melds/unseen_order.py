"""Finds the places that turns leave for a call that nobody saw, between the discards found in the same look."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from table.rules.terms.seats import Seat
from vision.felt import LyingTile


class UnseenCall(NamedTuple):
    """A meld whose discard nobody saw."""

    giver: Seat
    caller: Seat


class Place(Enum):
    """The place of an unseen call, when it is its giver's turn."""

    FIRST = "first"
    """Before what lies new in the giver's river."""
    OPEN = "open"
    """Taken to be first, though only people know whether it was before a riichi, or whether its tile declared it."""
    LATER = "later"
    """After the giver's next new tile, or unknown, while no riichi depends on it."""


def place_of(call: UnseenCall, calls: Sequence[UnseenCall], rivers: Sequence[Sequence[LyingTile]]) -> Place:
    """Returns the place of a call; `calls` are all unseen ones, `rivers` the new tiles of each seat."""
    counts, giver = tuple(len(river) for river in rivers), call.giver
    if call not in calls or not _can_follow(call.caller, _without(calls, call), counts):
        return Place.LATER
    if counts[giver] and _can_follow(giver.next, tuple(calls), _less_one(counts, giver)):
        is_riichi_new = any(tile.is_sideways for river in rivers for tile in river)
        return Place.OPEN if is_riichi_new else Place.LATER
    return Place.OPEN if any(tile.is_sideways for tile in rivers[giver][:1]) else Place.FIRST


@lru_cache(maxsize=2**14)
def _can_follow(turn: Seat, calls: tuple[UnseenCall, ...], tiles: tuple[int, ...]) -> bool:
    """Whether turns from this seat on can use up all calls and tiles; remembered, since many orders meet again."""
    if not calls and not any(tiles):
        return True
    if any(_can_follow(call.caller, _without(calls, call), tiles) for call in set(calls) if call.giver is turn):
        return True
    return tiles[turn] > 0 and _can_follow(turn.next, calls, _less_one(tiles, turn))


def _without(calls: Sequence[UnseenCall], call: UnseenCall) -> tuple[UnseenCall, ...]:
    place = calls.index(call)
    return (*calls[:place], *calls[place + 1 :])


def _less_one(tiles: Sequence[int], seat: Seat) -> tuple[int, ...]:
    return tuple(count - (owner == seat) for owner, count in enumerate(tiles))
