"""A river whose tiles are taken up and laid back in other places."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table.game.commands.game_commands import ClaimRon
from tests.table.game.table_by_hand import TableByHand
from vision.felt import LyingTile, Zone

FACES = ("9m", "9p", "9s", "1z", "2z", "3z", "4z", "5z", "1m", "1p", "1s", "2m")


@pytest.fixture
def played(by_hand: TableByHand) -> TableByHand:
    """Three discards of each player."""
    return by_hand.discard(*((number % 4, face) for number, face in enumerate(FACES)))


def take_up(by_hand: TableByHand, side: int, first: int) -> list[LyingTile]:
    """Takes the tiles of a river from the `first` up; returns them."""
    taken = [tile for tile in by_hand.felt.in_zone(side, Zone.RIVER) if tile.order >= first]
    by_hand.observe(replace(by_hand.felt, tiles=tuple(tile for tile in by_hand.felt.tiles if tile not in taken)))
    return taken


def lay_back(by_hand: TableByHand, tiles: list[LyingTile]) -> None:
    """Lays tiles back farther to the right, as others of the same faces."""
    moved = tuple(replace(tile, id=tile.id + 500, x_mm=tile.x_mm + 30.0) for tile in tiles)
    by_hand.observe(replace(by_hand.felt, tiles=(*by_hand.felt.tiles, *moved)))


@pytest.mark.parametrize("side", range(4))
@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("is_one_by_one", [True, False])
def test_a_tidied_river_holds_no_new_discards(played: TableByHand, side: int, first: int, is_one_by_one: bool) -> None:
    tiles = take_up(played, side, first)
    for part in [[tile] for tile in tiles] if is_one_by_one else [tiles]:
        lay_back(played, part)
    for _ in range(4):
        played.observe(played.felt)
    played.discard((0, "6z"), (1, "7z"))
    assert played.discards == [*FACES, "6z", "7z"]
    assert played.table.folded_game.suspicions == ()


@pytest.mark.parametrize("side", range(4))
def test_a_single_tile_that_is_laid_back_elsewhere_is_no_discard(played: TableByHand, side: int) -> None:
    lay_back(played, take_up(played, side, 2))
    for _ in range(4):
        played.observe(played.felt)
    played.discard((0, "6z"), (1, "7z"))
    assert played.discards == [*FACES, "6z", "7z"]


def test_another_copy_that_is_won_on_while_the_first_is_out_of_sight_is_a_discard(played: TableByHand) -> None:
    lay_back(played, take_up(played, 0, 2))
    played.press(ClaimRon, 1)
    assert played.discards == [*FACES, "1m"]


def test_another_copy_is_a_discard_once_the_first_is_seen_again(played: TableByHand) -> None:
    (tile,) = take_up(played, 0, 2)
    lay_back(played, [tile])
    for _ in range(3):
        played.observe(played.felt)
    assert played.discards == [*FACES]
    second = replace(played.felt.in_zone(0, Zone.RIVER)[-1], order=3)
    others = tuple(lying for lying in played.felt.tiles if lying.id != second.id)
    for _ in range(4):
        played.observe(replace(played.felt, tiles=(*others, replace(tile, id=999), second)))
    assert played.discards == [*FACES, "1m"]
