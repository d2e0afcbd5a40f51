"""Rivers: lays discards, and marks called ones. Called tiles stay in the river's data."""

from __future__ import annotations

from dataclasses import replace

from table.rules import hand_phase
from table.rules.draft import Draft, replace_at
from table.rules.events import Discarded
from table.rules.foul_totals import all_extra_draws
from table.rules.state import LaidKind, LaidTile, RiverTile
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
    draft.rivers = replace_at(draft.rivers, event.seat, (*draft.rivers[event.seat], tile))
    draft.discards += 1
    lay(draft, event.tile, event.seat, LaidKind.DISCARD)


def lay(draft: Draft, tile: Tile, seat: Seat, kind: LaidKind) -> None:
    """Lays a tile where others may claim it."""
    laid_tile = LaidTile(
        tile=tile,
        seat=seat,
        kind=kind,
        laid_index=len(draft.laid_tiles),
        ippatsu=draft.ippatsu,
        dora_due=draft.dora_due,
        tiles_left_without_fouls=draft.tiles_left + all_extra_draws(draft.fouls),
        foul_count=len(draft.fouls),
    )
    draft.laid_tiles = (*draft.laid_tiles, laid_tile)
    hand_phase.lay(draft, laid_tile)


def call_away(draft: Draft, laid_tile: LaidTile, caller: Seat) -> None:
    """Marks a seat's last discard as called; `laid_tile` is that tile as the meld shows it."""
    river = draft.rivers[laid_tile.seat]
    river_tile = replace(river[-1], tile=laid_tile.tile, called_by=caller)
    draft.rivers = replace_at(draft.rivers, laid_tile.seat, (*river[:-1], river_tile))
    draft.laid_tiles = replace_at(draft.laid_tiles, laid_tile.laid_index, laid_tile)


def newest_laid(draft: Draft, seat: Seat) -> LaidTile | None:
    """Returns the last tile that `seat` laid, discard or kan; None before its first."""
    return next((laid_tile for laid_tile in reversed(draft.laid_tiles) if laid_tile.seat is seat), None)


def newest_discard(draft: Draft, seat: Seat) -> LaidTile | None:
    """Returns the last tile that `seat` discarded; None before its first."""
    return next(
        (laid_tile for laid_tile in reversed(draft.laid_tiles) if laid_tile.seat is seat and not laid_tile.kind.is_kan),
        None,
    )


def replace_laid(draft: Draft, laid_tile: LaidTile) -> None:
    """Replaces a laid tile by its corrected reading, also for claims on it."""
    draft.laid_tiles = replace_at(draft.laid_tiles, laid_tile.laid_index, laid_tile)
    hand_phase.replace_reading(draft, laid_tile)
