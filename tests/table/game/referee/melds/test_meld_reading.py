from __future__ import annotations

from dataclasses import replace

import pytest

from table.game.referee.melds.meld_reading import SeenMeld, read_meld
from table.rules.terms.melds import MeldKind
from table.rules.terms.seats import Seat
from table.rules.terms.tiles import Tile
from tests.table.game.referee.felt_by_hand import FeltByHand
from vision.felt import Reading, Zone


def read(text: str, expected: str | None = None, sureness: float = 1.0) -> SeenMeld | None:
    """The group of faces: `<` turned, `/` before the second most likely face."""
    row = []
    for tile, face in zip(FeltByHand().row(1, Zone.MELD, text.split()), text.split(), strict=True):
        likeliest, _, other = face.removeprefix("<").partition("/")
        reading = Reading(tile=likeliest, score=0.55 if other else 0.97, alternatives=((other, 0.4),) if other else ())
        row.append(replace(tile, reading=reading, is_sideways=face.startswith("<")))
    return read_meld(row, Seat.RIGHT, None if expected is None else Tile(expected), sureness)


@pytest.mark.parametrize(
    ("group", "kind", "tiles"),
    [
        ("<5z 6z/5z 7z/5z", MeldKind.PON, "5z 5z 5z"),
        ("<8m 9m 1p/7m", MeldKind.CHI, "8m 9m 7m"),
        ("back <3p 3p back", MeldKind.CLOSED_KAN, "3p 3p 3p 3p"),
        ("<3p <3p 3p 3p", MeldKind.ADDED_KAN, "3p 3p 3p 3p"),
    ],
    ids=["honours make no chi", "nor do two suits", "a closed kan of which one is askew", "an added kan"],
)
def test_tiles_are_the_likeliest_meld_that_there_can_be(group: str, kind: MeldKind, tiles: str) -> None:
    meld = read(group)
    assert meld is not None
    assert (meld.kind, " ".join(tile.text for tile in meld.tiles)) == (kind, tiles)


@pytest.mark.parametrize(
    ("group", "expected", "kind", "tiles"),
    [
        ("<8p 9p 9p", "9p", MeldKind.PON, "9p 9p 9p"),
        ("9p 8p <9p", "9p", MeldKind.PON, "9p 8p 9p"),
        ("8p 9p 9p", "9p", MeldKind.PON, "9p 9p 9p"),
        ("2m 3m 3m", "4m", MeldKind.CHI, "2m 4m 3m"),
        ("7p 8p 9p", "9p", MeldKind.CHI, "7p 8p 9p"),
        ("1z 5s 9p", "9p", MeldKind.CHI, "1z 5s 9p"),
    ],
    ids=["turned", "only the turned one", "none turned", "none turned, a chi", "legal as read", "nothing fits"],
)
def test_the_called_tile_is_the_discard_that_makes_a_meld_with_the_others(
    group: str, expected: str, kind: MeldKind, tiles: str
) -> None:
    meld = read(group, expected)
    assert meld is not None
    assert (meld.kind, " ".join(tile.text for tile in meld.tiles)) == (kind, tiles)


@pytest.mark.parametrize(
    ("group", "expected", "sureness", "tiles"),
    [
        ("<5z/2m 2m/5z 2m/5z", "5z", 0.99, "5z 5z 5z"),
        ("<5z/2m 2m/5z 2m/5z", "5z", 0.4, "2m 2m 2m"),
        ("<2m 2m 2m", "5z", 0.99, "2m 2m 2m"),
        ("<9m 7m 8m", "6m", 0.99, "9m 7m 8m"),
    ],
    ids=["worn hakus", "a doubtful discard", "a misread discard", "an overlooked discard"],
)
def test_a_discard_that_was_read_surely_says_more_of_the_meld_than_doubtful_readings(
    group: str, expected: str, sureness: float, tiles: str
) -> None:
    meld = read(group, expected, sureness)
    assert meld is not None
    assert " ".join(tile.text for tile in meld.tiles) == tiles


@pytest.mark.parametrize("group", ["<3p <3p 3p", "<3p 3p", "<3p 3p 3p 3p 3p"])
def test_tiles_that_are_no_whole_meld_are_none_yet(group: str) -> None:
    assert read(group) is None
