"""Keeps the pictures behind beliefs for a while after the tiles are gone, for learning from corrections.

Only what was read as a lying face is kept, never a standing tile.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import Final

import numpy as np

from vision.arrays import Image
from vision.felt import BACK, HAKU
from vision.watching.belief.evidence import TileEvidence
from vision.watching.belief.tracked_thing import TrackedThing
from vision.watching.model_ports import LearningReader

MOST_CROPS: Final = 400
"""Limit of kept pictures, those of about two hands; the latest are kept."""


class Examples:
    """One picture of each recently believed tile."""

    def __init__(self) -> None:
        """Starts without pictures."""
        self._crops: OrderedDict[int, Image] = OrderedDict()

    def keep(self, things: Iterable[TrackedThing[TileEvidence]]) -> None:
        """Keeps the last picture of each thing believed to be a face."""
        for thing in things:
            crop = thing.evidence.upright if thing.evidence.shows_face else None
            if thing.id is not None and crop is not None:
                self._crops[thing.id] = crop
                self._crops.move_to_end(thing.id)
        while len(self._crops) > MOST_CROPS:
            self._crops.popitem(last=False)

    def of(self, number: int) -> Image | None:
        """Returns the picture [64, 48, 3] of the tile with this id, glyph upright; None if there is none any more.

        Thread-safe.
        """
        crop = self._crops.get(number)
        return None if crop is None else np.ascontiguousarray(crop)


def read_again(tiles: Iterable[TrackedThing[TileEvidence]], reader: LearningReader) -> bool:
    """Reads faces again from their kept pictures; returns whether there were any pictures."""
    things = [thing for thing in tiles if thing.evidence.shows_face and thing.evidence.crops]
    crops = [crop for thing in things for crop in thing.evidence.crops]
    readings = iter(reader.reread(np.stack(crops)) if crops else [])
    for thing in things:
        again = thing.evidence.read_again([next(readings) for _ in thing.evidence.crops])
        is_blank = (thing.evidence.verdict, again.verdict) == (HAKU, BACK)
        if not is_blank:  # a picture alone cannot distinguish these
            thing.evidence = again
    return bool(things)
