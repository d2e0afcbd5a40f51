"""The order of turns in a hand of tenhou.net/6: its lists name only each seat's draws or calls, and its discards.

The order is found by walking from seat to seat. A discard goes to a seat whose next call names it; if the walk then
leads nowhere, the discard was not called.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final

from table.records.formats.game_record import Drawn, Move
from table.records.tenhou.tenhou6_codes import CALLED_KAN, TSUMOGIRI, MeldCode, tile_of
from table.rules.events import AddedKan, Called, CallKind, ClosedKan, Discarded, DoraTurned, Origin, StickPlaced
from table.rules.ruleset import Ruleset
from table.rules.terms.seats import SEATS, Seat, four
from table.rules.terms.tiles import UNKNOWN, Tile

ListEntry = int | str
_CALLS: Final = {kind.tenhou: kind for kind in CallKind}


def moves_in_order(draws: list[list[ListEntry]], discards: list[list[ListEntry]], dealer: Seat) -> list[Move] | None:
    """Returns the draws, calls, kans and discards of a hand in their order; None if no order of turns fits the lists.

    Args:
        draws: the draws and calls of each seat.
        discards: the discards of each seat, with its own kans.
        dealer: who begins.
    """
    walk = _follow(_Walk(draws=draws, discards=discards), dealer, is_call=False)
    return None if walk is None else walk.moves


def with_kan_indicators(moves: Sequence[Move], indicators: Sequence[Tile], rules: Ruleset) -> tuple[Move, ...]:
    """Returns the acts with the indicators of kans, each when the rules turn it: a closed kan's at once.

    That of another kan is turned as `open_kan_dora` says: `at_once`, `with_discard` (before the next discard) or
    `after_discard`; if another kan comes before that discard, right after that kan. A robbed kan turns none, so there
    may be fewer indicators than kans.
    """
    indicator_moves = iter([DoraTurned(indicator=tile) for tile in indicators])
    result: list[Move] = []
    pending, due = 0, 0
    for move in moves:
        if not isinstance(move, StickPlaced):
            result += islice(indicator_moves, due)
            due = 0
        if isinstance(move, Discarded):
            if rules.open_kan_dora == "after_discard":
                due = pending
            else:
                result += islice(indicator_moves, pending)
            pending = 0
        result.append(move)
        if isinstance(move, ClosedKan | AddedKan):
            result += islice(indicator_moves, pending + isinstance(move, ClosedKan))
            pending = 0
        if isinstance(move, AddedKan) or (isinstance(move, Called) and move.kind is CallKind.OPEN_KAN):
            if rules.open_kan_dora == "at_once":
                result += islice(indicator_moves, 1)
            else:
                pending = 1
    return (*result, *islice(indicator_moves, due))


@dataclass(slots=True)
class _Walk:
    """The positions up to which the lists of a hand have been read."""

    draws: list[list[ListEntry]]
    discards: list[list[ListEntry]]
    positions: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    moves: list[Move] = field(default_factory=list)
    drawn: list[Tile | None] = field(default_factory=lambda: [None] * 4)

    def copy(self) -> _Walk:
        """Returns an independent copy."""
        return replace(self, positions=list(self.positions), moves=list(self.moves), drawn=list(self.drawn))

    def is_done(self) -> bool:
        """Whether every entry was read; after a tsumo there is one discard fewer than draws."""
        return all(position >= len(draws) for position, draws in zip(self.positions, self.draws, strict=True))

    def next_entry(self, seat: Seat) -> ListEntry | None:
        """Returns the seat's next draw or call."""
        draws, position = self.draws[seat], self.positions[seat]
        return draws[position] if position < len(draws) else None

    def next_discard(self, seat: Seat) -> ListEntry | None:
        """Returns the entry in the seat's discards after its next draw or call; None after a tsumo."""
        discards, position = self.discards[seat], self.positions[seat]
        return discards[position] if position < len(discards) else None


def _follow(walk: _Walk, seat: Seat, *, is_call: bool) -> _Walk | None:
    """Continues the walk from a seat's turn; returns None if the lists do not fit."""
    while (entry := walk.next_entry(seat)) is not None:
        if isinstance(entry, str) != is_call:
            return None
        _add_draw_or_call(walk, seat, entry)
        discard_entry = walk.next_discard(seat)
        walk.positions[seat] += 1
        is_call = False
        if discard_entry is None:
            break
        if _keeps_turn(walk, seat, discard_entry):
            continue
        discard = _discard(walk, seat, discard_entry)
        for caller in _callers(walk, discard):
            branch = walk.copy()
            if (done := _follow(branch, caller, is_call=True)) is not None:
                return done
        seat = seat.next
    return walk if walk.is_done() else None


def _add_draw_or_call(walk: _Walk, seat: Seat, entry: ListEntry) -> None:
    if isinstance(entry, str):
        meld = MeldCode.parse(entry)
        own_tiles, source = meld.tiles, meld.source(seat)
        walk.moves.append(Called(seat=seat, kind=_CALLS[meld.letter], tile=meld.tile, from_seat=source, own=own_tiles))
        walk.drawn[seat] = None
    else:
        walk.drawn[seat] = tile_of(entry)
        walk.moves.append(Drawn(seat=seat, tile=tile_of(entry)))


def _keeps_turn(walk: _Walk, seat: Seat, entry: ListEntry) -> bool:
    """Whether the entry is a kan (or stands for an open one): the seat then draws again."""
    last = walk.moves[-1]
    if entry == CALLED_KAN and isinstance(last, Called) and last.kind is CallKind.OPEN_KAN:
        return True
    if not isinstance(entry, str) or entry.startswith("r"):
        return False
    meld = MeldCode.parse(entry)
    if meld.letter == "k":
        walk.moves.append(AddedKan(seat=seat, tile=meld.tile))
    else:
        walk.moves.append(ClosedKan(seat=seat, tiles=four(sorted((*meld.tiles, meld.tile)))))
    return True


def _discard(walk: _Walk, seat: Seat, entry: ListEntry) -> Discarded:
    sideways = isinstance(entry, str)
    code = int(str(entry).removeprefix("r"))
    drawn = walk.drawn[seat]
    if code == TSUMOGIRI and drawn is None:
        raise ValueError(f"expected a drawn tile of seat {int(seat)} to discard, got none")
    tile = drawn if code == TSUMOGIRI and drawn is not None else tile_of(code)
    origin = Origin.DRAWN if code == TSUMOGIRI else Origin.HAND
    discard = Discarded(seat=seat, tile=tile, sideways=sideways, origin=origin)
    walk.moves.append(discard)
    return discard


def _callers(walk: _Walk, discard: Discarded) -> list[Seat]:
    """Returns the seats whose next entry calls that discard: pon and kan before chi."""
    found = []
    for seat in SEATS:
        entry = walk.next_entry(seat)
        if isinstance(entry, str) and seat != discard.seat:
            meld = MeldCode.parse(entry)
            if discard.tile in (meld.tile, UNKNOWN) and meld.source(seat) == discard.seat:
                found.append((meld.letter == "c", seat))
    return [seat for _, seat in sorted(found)]
