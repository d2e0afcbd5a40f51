"""Marks every copy of a face as doubtful if a photo shows more of them than a set has: it is unknown which is misread.

Things that are no tiles, such as plates with six dots, may be read as surely as tiles, and often come in numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from vision.confidence import DOUBTED, MARK_BELOW
from vision.felt import BACK, COPIES, NOT_A_TILE, Outcome
from vision.photo.photo_things import ReadTile
from vision.reading.set_consistency import Remark


def with_surplus_doubted(
    tiles: Sequence[ReadTile], remarks: Sequence[Remark]
) -> tuple[list[ReadTile], tuple[Remark, ...]]:
    """Returns the tiles and the remarks about them, with all copies of a face doubted if there are more than four.

    `remarks` are those of the check of the whole set. How many red fives the set has is unknown: here they count as
    plain fives.
    """
    sure = {index: _face(tile) for index, tile in enumerate(tiles) if tile.score >= MARK_BELOW}
    copies = Counter(sure.values())
    remark_of = {remark.index: remark for remark in remarks}
    surplus = {index for index, remark in remark_of.items() if remark.outcome is Outcome.SURPLUS}
    surplus |= {index for index, face in sure.items() if face not in {BACK, NOT_A_TILE} and copies[face] > COPIES}
    checked = list(tiles)
    for index in surplus:
        tile = checked[index] = replace(tiles[index], score=min(tiles[index].score, DOUBTED))
        before = remark_of[index].before if index in remark_of else tile.tile
        remark_of[index] = Remark(index=index, before=before, now=tile.tile, chance=tile.score, outcome=Outcome.SURPLUS)
    return checked, tuple(remark_of[index] for index in sorted(remark_of))


def _face(tile: ReadTile) -> str:
    """Returns the face of which a tile is a copy: a red five is one of the four fives."""
    return tile.tile.replace("0", "5")
