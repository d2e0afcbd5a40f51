"""Kans: how many, and which closed kans a riichi hand allows (R58-R64).

The strict rule: complete the hand with each wait in turn; in every interpretation of every completed hand, the tile
must be in exactly one concealed triplet, and no copy of it, including the fourth, in a sequence or pair. The fourth
copy matters if the drawn tile is itself a wait. The looser rule only requires that the waits stay the same; the kan's
own tile cannot be a wait any more, since the seat holds all four.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from table.rules.draft import Draft
from table.rules.scoring.waits import readings, waits
from table.rules.terms.announcements import AnnouncementId
from table.rules.terms.melds import Meld, MeldKind
from table.rules.terms.results import AbortReason
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import KIND_TILES, Tile

KanRule = Literal["strict", "waits_only", "never"]


def count_kan(draft: Draft, seat: Seat) -> None:
    """Counts a kan; raises a suspicion about a fifth kan, for which there is no replacement tile."""
    draft.kans = (*draft.kans, seat)
    draft.say(AnnouncementId.KAN_COUNT, AbortReason.FOUR_KANS.names.rule, seat, count=len(draft.kans))
    if len(draft.kans) > 4:
        draft.suspect("7-05-02", seat, "a fifth kan was made")


KanFault = Literal["never", "other_reading", "changes_waits"]
"""Why a riichi hand may not make a closed kan."""


def kan_fault(concealed: Sequence[Tile], melds: Sequence[Meld], kind: int, rule: KanRule) -> KanFault | None:
    """Returns why a riichi hand may not make a closed kan, or None if it may.

    Args:
        concealed: the concealed tiles before the draw, including three of the kind.
        melds: the closed kans already made.
        kind: the kind of tile of the kan.
        rule: how strictly the kan is judged.
    """
    if rule == "never":
        return "never"
    in_melds = [tile for meld in melds for tile in meld.tiles]
    before = waits(concealed, len(melds), in_melds=in_melds)
    if rule == "waits_only":
        left = [tile for tile in concealed if tile.kind != kind]
        after = waits(left, len(melds) + 1, in_melds=[*in_melds, *(KIND_TILES[kind],) * 4])
        return None if after == before else "changes_waits"
    return None if all(_is_only_triplet(concealed, wait, kind, len(melds)) for wait in before) else "other_reading"


def illegal_kan_in_riichi(draft: Draft, seat: Seat, concealed: Sequence[Tile]) -> tuple[Tile, KanFault] | None:
    """Returns the tile of the last closed kan that the shown riichi hand did not allow, and why; None without one."""
    melds = draft.melds[seat]
    for place in range(len(melds) - 1, -1, -1):
        if melds[place].kind is not MeldKind.CLOSED_KAN or not _was_in_riichi(draft, seat, place):
            continue
        tile = melds[place].tiles[0].without_red
        concealed_then = [*concealed, *(meld.tiles[0].without_red for meld in melds[place:] for _ in range(3))]
        if (
            fault := kan_fault(concealed_then, melds[:place], tile.kind, draft.rules.closed_kan_after_riichi)
        ) is not None:
            return tile, fault
    return None


def _was_in_riichi(draft: Draft, seat: Seat, place: int) -> bool:
    """Whether the seat's meld at that place was laid after its riichi, by the order of melds and laid tiles."""
    riichi = draft.riichi[seat]
    if not riichi.is_declared or riichi.laid_index is None:
        return False
    tile = draft.melds[seat][place].tiles[0]
    return any(
        laid_tile.seat is seat and laid_tile.tile.kind == tile.kind
        for laid_tile in draft.laid_tiles[riichi.laid_index + 1 :]
        if laid_tile.kind.is_kan
    )


def _is_only_triplet(concealed: Sequence[Tile], wait: int, kind: int, melds: int) -> bool:
    complete = (*concealed, KIND_TILES[wait])
    return all([block for block in reading if kind in block] == [(kind,) * 3] for reading in readings(complete, melds))
