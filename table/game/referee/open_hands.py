"""Reads open hands: their tiles, and which of these is the winning one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, pairwise
from math import cos, radians, sin

from table.game.commands.declared_melds import declared_melds
from table.game.referee import felt_in_seats
from table.rules.aspects.exhaustive_draw import TENPAI_ABORTS
from table.rules.events import HandShown, WinKind
from table.rules.scoring.waits import is_complete, waits
from table.rules.state import Claim, HandState, Phase
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile
from vision.confidence import CONCEIVABLE, CONCEIVABLE_IF_SURPLUS
from vision.felt import Felt, LyingTile, Outcome

MOST_STRAYS = 2
"""The most stray tiles that may be beside an open hand."""
GAP_FACTOR = 1.35
"""Tiles further apart than the usual distance times this factor are not in one row."""


def shown_hand(hand: HandState, seat: Seat, felt: Felt) -> tuple[HandShown, tuple[LyingTile, ...]] | None:
    """Returns the open hand of a seat with the tiles that it is based on; None until it is complete."""
    size = 13 - 3 * len(hand.melds[seat])
    claim = next((claim for claim in hand.claims if claim.seat == seat), None)
    is_tsumo = claim is not None and claim.kind is WinKind.TSUMO
    row = felt_in_seats.open_hand(felt, seat)
    if claim is not None:
        row = _without_strays(row, size + is_tsumo, claim, len(hand.melds[seat]))
    if len(row) not in ({size + 1} if is_tsumo else {size, size + 1}):
        return None
    if len(row) == size:
        concealed = _waiting_hand(row, hand, claim, len(hand.melds[seat]))
        return HandShown(seat=seat, tiles=concealed, melds=declared_melds(hand, seat)), row
    discard = claim.laid_tile.tile if claim is not None and claim.laid_tile is not None else None
    winning_index = winning_place(row, seat, discard)
    tiles = _complete_hand(row, (), len(hand.melds[seat])) if claim is not None else _tiles(row)
    concealed = tiles[:winning_index] + tiles[winning_index + 1 :]
    return HandShown(
        seat=seat, tiles=concealed, winning_tile=tiles[winning_index], melds=declared_melds(hand, seat)
    ), row


def winning_place(row: Sequence[LyingTile], seat: Seat, discard: Tile | None) -> int:
    """Returns the index of the winning tile in a row of fourteen (eleven, …): the one apart, or else the last.

    Args:
        row: the tiles from the owner's left.
        seat: the owner of the hand.
        discard: the claimed discard, if the winner put it beside the hand.
    """
    if discard is not None:
        equal_places = [place for place, tile in enumerate(row) if felt_in_seats.tile_of(tile) == discard]
        if equal_places:
            return equal_places[-1]
    sideways_places = [place for place, tile in enumerate(row) if tile.is_sideways]
    if len(sideways_places) == 1:
        return sideways_places[0]
    positions = [_position_mm(tile, seat) for tile in row]
    steps = [right - left for left, right in pairwise(positions)]
    usual_step = sorted(steps)[len(steps) // 2] if steps else 0.0
    return (
        0
        if steps and steps[0] > GAP_FACTOR * usual_step and max(steps[1:], default=0.0) < GAP_FACTOR * usual_step
        else len(row) - 1
    )


def _without_strays(row: tuple[LyingTile, ...], size: int, claim: Claim, melds: int) -> tuple[LyingTile, ...]:
    """Returns the row without one or two stray tiles, such as those of another meld, if the rest is a complete hand."""
    winning_tiles = () if claim.laid_tile is None else (claim.laid_tile.tile,)
    if not 0 < len(row) - size <= MOST_STRAYS:
        return row
    for tiles in combinations(row, size):
        if is_complete((*_tiles(tiles), *winning_tiles), melds):
            return tiles
    return row


def _waiting_hand(row: Sequence[LyingTile], hand: HandState, claim: Claim | None, melds: int) -> tuple[Tile, ...]:
    """Returns the tiles of a hand without a winning tile: of a claimed ron, or of one that is laid open at a draw."""
    if claim is not None:
        return _complete_hand(row, (claim.laid_tile.tile,), melds) if claim.laid_tile is not None else _tiles(row)
    is_at_draw = hand.phase is Phase.ENDING or (hand.tiles_left == 0 and hand.turn is None)
    if not is_at_draw or hand.abort not in TENPAI_ABORTS:
        return _tiles(row)
    return _with_corrected_face(row, lambda tiles: bool(waits(tiles, melds)))


def _complete_hand(row: Sequence[LyingTile], winning_tiles: tuple[Tile, ...], melds: int) -> tuple[Tile, ...]:
    """Returns the tiles of a claimed win, which is complete together with `winning_tiles`."""
    return _with_corrected_face(row, lambda tiles: is_complete((*tiles, *winning_tiles), melds))


def _with_corrected_face(row: Sequence[LyingTile], is_valid: Callable[[tuple[Tile, ...]], bool]) -> tuple[Tile, ...]:
    """Returns the tiles of a hand, with one face replaced by a possible other if those as read are not valid.

    Of the readings that make it so, the most probable counts.
    """
    tiles_as_read = _tiles(row)
    if is_valid(tiles_as_read):
        return tiles_as_read
    replacements = (
        (score, place, tile)
        for place, lying_tile in enumerate(row)
        for tile, score in felt_in_seats.alternatives_of(lying_tile)
        if score >= (CONCEIVABLE_IF_SURPLUS if lying_tile.reading.outcome is Outcome.SURPLUS else CONCEIVABLE)
    )
    for _, place, tile in sorted(replacements, key=lambda replacement: -replacement[0]):
        tiles = (*tiles_as_read[:place], tile, *tiles_as_read[place + 1 :])
        if is_valid(tiles):
            return tiles
    return tiles_as_read


def _position_mm(tile: LyingTile, seat: Seat) -> float:
    """Returns the position of a tile toward its owner's right, in millimetres."""
    turn = radians(90 * int(seat))
    return tile.x_mm * cos(turn) + tile.y_mm * sin(turn)


def _tiles(row: Sequence[LyingTile]) -> tuple[Tile, ...]:
    return tuple(felt_in_seats.tile_of(tile) for tile in row)
