"""Keeps the pictures behind beliefs for a while after the tiles are gone, for learning from corrections.

Only what was read as a lying face is kept, so never a standing tile.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import Final

from vision.arrays import Image
from vision.watching.beliefs import TrackedThing
from vision.watching.evidence import TileEvidence

MOST: Final = 400
"""Pictures that are kept, the latest: those of two hands."""


class Examples:
    """One picture of each tile that was believed of late."""

    def __init__(self) -> None:
        """Begins with none."""
        self._crops: OrderedDict[int, Image] = OrderedDict()

    def keep(self, things: Iterable[TrackedThing[TileEvidence]]) -> None:
        """Keeps what is believed to be a face as it was seen last."""
        for thing in things:
            crop = thing.evidence.upright if thing.evidence.shows_face else None
            if thing.id is not None and crop is not None:
                self._crops[thing.id] = crop
                self._crops.move_to_end(thing.id)
        while len(self._crops) > MOST:
            self._crops.popitem(last=False)

    def of(self, number: int) -> Image | None:
        """The picture [64, 48, 3] of a tile by its id, glyph upright; None where there is none any more.

        May be called by any thread.
        """
        return self._crops.get(number)
