from __future__ import annotations

from dataclasses import replace

import pytest

from table.game.referee.melds.meld_reading import SeenMeld, read_meld
from table.rules.terms.melds import MeldKind
from table.rules.terms.seats import Seat
from tests.table.game.referee.felt_by_hand import FeltByHand
from vision.felt import Reading, Zone


def read(text: str) -> SeenMeld | None:
    """The group of faces: `<` turned, `/` before the second most likely face."""
    row = []
    for tile, face in zip(FeltByHand().row(1, Zone.MELD, text.split()), text.split(), strict=True):
        likeliest, _, other = face.removeprefix("<").partition("/")
        reading = Reading(tile=likeliest, score=0.55 if other else 0.97, alternatives=((other, 0.4),) if other else ())
        row.append(replace(tile, reading=reading, is_sideways=face.startswith("<")))
    return read_meld(row, Seat.RIGHT, None)


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


@pytest.mark.parametrize("group", ["<3p <3p 3p", "<3p 3p", "<3p 3p 3p 3p 3p"])
def test_tiles_that_are_no_whole_meld_are_none_yet(group: str) -> None:
    assert read(group) is None
