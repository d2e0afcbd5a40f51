"""Open riichi: the waiting tiles are laid open with the declaration, so that the wait is public.

They may be laid open before or after the declaration tile, until the seat's next discard. The hand is worth one more
han, and a ron from a seat without a valid riichi may be a yakuman. If open riichi is not played, the tiles raise a
suspicion like any exposed tiles (7-06-01, which excludes open riichi).
"""

from __future__ import annotations

from dataclasses import replace

from table.rules.aspects import furiten, tile_copies
from table.rules.draft import Draft, replace_at
from table.rules.events import RiichiOpened
from table.rules.penalties.foul_effects import EXPOSED_TILES, NOTEN_RIICHI
from table.rules.scoring.waits import waits_of_part
from table.rules.state import Riichi
from table.rules.terms.amounts import amount
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import KIND_TILES, Tile


def on_riichi_opened(draft: Draft, event: RiichiOpened) -> None:
    """Records the tiles that a seat lays open for its riichi, or raises a suspicion about them.

    Raises:
        ImpossibleEventError: for more copies than the set has.
    """
    seat, current = event.seat, draft.riichi[event.seat]
    _check_copies(draft, event.tiles)
    if not draft.rules.open_riichi:
        hand_text = f"a hand of {amount(len(event.tiles), 'tile')}"
        draft.suspect(EXPOSED_TILES, seat, f"{hand_text} was laid open, but these rules have no open riichi")
    elif (
        current.is_declared
        and current.discard_number is not None
        and draft.rivers[seat][-1].discard_number > current.discard_number
    ):
        draft.suspect(EXPOSED_TILES, seat, "tiles were laid open after the discard that follows the riichi")
    else:
        draft.riichi = replace_at(draft.riichi, seat, replace(current, open_tiles=event.tiles))
        announce_wait(draft, seat)


def announce_wait(draft: Draft, seat: Seat) -> None:
    """Announces the wait of a declared open riichi, and whether it is furiten."""
    current = draft.riichi[seat]
    if not current.is_laid_open:
        return
    kinds = waits_of_part(current.open_tiles)
    tiles = [KIND_TILES[kind].text for kind in sorted(kinds)]
    draft.say(AnnouncementId.OPEN_RIICHI, "open riichi", seat, tiles=tiles, known=bool(kinds))
    if not kinds and _is_whole(draft, seat, current.open_tiles):
        draft.suspect(NOTEN_RIICHI, seat, "the hand laid open in riichi waits for nothing")
    furiten.declare_wait(draft, seat, kinds)


def has_declared_wait(riichi: Riichi, wait: frozenset[int] | None) -> bool:
    """Whether `wait` is the wait shown by the tiles of an open riichi."""
    return riichi.is_laid_open and wait == waits_of_part(riichi.open_tiles)


def on_undeclared_discard(draft: Draft, seat: Seat) -> None:
    """Raises a suspicion about tiles laid open before a discard that does not declare riichi."""
    current = draft.riichi[seat]
    if current.open_tiles:
        draft.suspect(EXPOSED_TILES, seat, "tiles were laid open, but the discard is not sideways")
        draft.riichi = replace_at(draft.riichi, seat, replace(current, open_tiles=()))


def _is_whole(draft: Draft, seat: Seat, tiles: tuple[Tile, ...]) -> bool:
    return len(tiles) == 13 - 3 * len(draft.melds[seat]) and all(tile.is_known for tile in tiles)


def _check_copies(draft: Draft, tiles: tuple[Tile, ...]) -> None:
    tile_copies.add(draft, tiles)
    tile_copies.remove(draft, tiles)
