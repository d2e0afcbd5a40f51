"""Rivers: laying discards, and marking called ones. Called tiles stay in the river's data."""

from __future__ import annotations

from dataclasses import replace

from table.rules import hand_phase
from table.rules.draft import Draft, put
from table.rules.events import Discarded
from table.rules.state import Claimable, LaidKind, RiverTile
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile


def lay_discard(draft: Draft, event: Discarded, *, is_declaration: bool) -> None:
    """Adds a discard to its river; others may claim it from now on."""
    tile = RiverTile(
        tile=event.tile,
        discard_number=draft.discards,
        sideways=event.sideways,
        is_declaration=is_declaration,
        origin=event.origin,
    )
    draft.rivers = put(draft.rivers, event.seat, (*draft.rivers[event.seat], tile))
    draft.discards += 1
    lay(draft, event.tile, event.seat, LaidKind.DISCARD)


def lay(draft: Draft, tile: Tile, seat: Seat, kind: LaidKind) -> None:
    """Lays a tile where others may claim it."""
    claimable = Claimable(
        tile=tile,
        seat=seat,
        kind=kind,
        laid_index=len(draft.laid),
        ippatsu=draft.ippatsu,
        dora_due=draft.dora_due,
        tiles_left=draft.tiles_left,
    )
    draft.laid = (*draft.laid, claimable)
    hand_phase.lay(draft, claimable)


def call_away(draft: Draft, laid: Claimable, caller: Seat) -> None:
    """Marks a seat's last discard as called; `laid` is that tile as the meld shows it."""
    river = draft.rivers[laid.seat]
    called = replace(river[-1], tile=laid.tile, called_by=caller)
    draft.rivers = put(draft.rivers, laid.seat, (*river[:-1], called))
    draft.laid = put(draft.laid, laid.laid_index, laid)


def newest_laid(draft: Draft, seat: Seat) -> Claimable | None:
    """Returns the last tile that `seat` laid, discard or kan; None before its first."""
    return next((laid for laid in reversed(draft.laid) if laid.seat is seat), None)


def newest_discard(draft: Draft, seat: Seat) -> Claimable | None:
    """Returns the last tile that `seat` discarded; None before its first."""
    return next((laid for laid in reversed(draft.laid) if laid.seat is seat and not laid.kind.is_kan), None)


def replace_laid(draft: Draft, laid: Claimable) -> None:
    """Replaces a laid tile by its corrected reading, also for claims on it."""
    draft.laid = put(draft.laid, laid.laid_index, laid)
    hand_phase.replace_reading(draft, laid)
