"""Reads a table on which one of several learnt sets lies: automatic tables take turns with two.

Each tile that is surely read votes for the set whose look at that face it resembles most; a back votes by its colour.
The last votes decide, so that the reader follows when the sets change between hands.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.felt import BACK, CLASSES, NOT_A_TILE, Reading
from vision.read import HEIGHT, WIDTH, TileReader, crops
from vision.tileset import SetReader, TileSet, load

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

_MEMORY: Final = 60
"""Votes that count: less than half of a table."""
_QUORUM: Final = 5
_MAJORITY: Final = 2 / 3
_SURE: Final = 0.8
_UNLIKE: Final = 20.0
"""Distance of two backs in CIE Lab from which light alone does not make one of the other."""


class SetsReader:
    """Reads as the set does that lies on the table; which it is, it tells by itself."""

    def __init__(self, reader: TileReader, sets: Sequence[TileSet]) -> None:
        """Learns every set.

        Raises:
            ValueError: there is none.
        """
        if not sets:
            raise ValueError("expected one set or more, got none")
        self._reader = reader
        self._names = [tiles.name for tiles in sets]
        self._readers = [SetReader(reader, tiles) for tiles in sets]
        self._known = [_faces(reader, tiles) for tiles in sets]
        self._backs = [_back(tiles) for tiles in sets]
        self._votes: deque[int] = deque(maxlen=_MEMORY)

    @property
    def name(self) -> str | None:
        """Which set lies on the table; None while that is open."""
        (leader, count), *_ = Counter(self._votes).most_common(1) or [(0, 0)]
        is_told = count >= max(_QUORUM, _MAJORITY * len(self._votes)) or len(self._names) == 1
        return self._names[leader] if is_told else None

    def read(self, image: Image, quads: npt.ArrayLike) -> list[Reading]:
        """Reads quads [N, 4, 2] of a BGR picture, in order."""
        return self.read_crops(crops(image, quads))

    def read_crops(self, cut: Image) -> list[Reading]:
        """Reads crops [N, 64, 48, 3]."""
        if len(cut) == 0:
            return []
        probabilities, turned, embedded = self._reader.outputs(cut)
        for crop, row, vector in zip(cut, probabilities, embedded, strict=True):
            vote = self._vote(crop, row, vector)
            if vote is not None:
                self._votes.append(vote)
        leader = self._names.index(self.name) if self.name is not None else None
        if leader is not None:
            probabilities = self._readers[leader].corrected(probabilities, embedded)
        return [self._reader.reading(row, half) for row, half in zip(probabilities, turned, strict=True)]

    def _vote(self, crop: Image, chances: Floats, vector: Floats) -> int | None:
        """The set that one tile speaks for, if it speaks for one."""
        face = CLASSES[int(chances.argmax())]
        if face == NOT_A_TILE or chances.max() < _SURE:
            return None
        if face == BACK:
            return self._vote_by_colour(crop)
        looks = [known.get(face) for known in self._known]
        if any(look is None for look in looks):
            return None
        likeness = [float((look @ vector).max()) for look in looks if look is not None]
        return int(np.argmax(likeness))

    def _vote_by_colour(self, crop: Image) -> int | None:
        backs = [back for back in self._backs if back is not None]
        if len(backs) < len(self._backs) or len(backs) < 2:
            return None
        apart = min(float(np.linalg.norm(a - b)) for i, a in enumerate(backs) for b in backs[:i])
        if apart < _UNLIKE:
            return None
        colour = _colour(crop)
        return int(np.argmin([np.linalg.norm(colour - back) for back in backs]))


def reader_of(paths: Sequence[Path]) -> TileReader | SetsReader:
    """The shipped reader; with files of sets, one that has learnt them all.

    Raises:
        TileSetError: a file is not of the format.
    """
    shipped = TileReader()
    return SetsReader(shipped, [load(path) for path in paths]) if paths else shipped


def _faces(reader: TileReader, tiles: TileSet) -> dict[str, Floats]:
    """Every face's looks as unit embeddings, [n, D]."""
    _, _, embedded = reader.outputs(np.stack([look.crop for look in tiles.looks]))
    units = embedded / np.linalg.norm(embedded, axis=1, keepdims=True)
    return {face: units[[index for index, look in enumerate(tiles.looks) if look.face == face]] for face in tiles.faces}


def _back(tiles: TileSet) -> Floats | None:
    colours = [_colour(look.crop) for look in tiles.looks if look.face == BACK]
    return np.asarray(np.mean(colours, axis=0), np.float32) if colours else None


def _colour(crop: Image) -> Floats:
    """The colour of a crop's middle in CIE Lab."""
    middle = crop[HEIGHT // 4 : -HEIGHT // 4, WIDTH // 4 : -WIDTH // 4].astype(np.float32) / 255
    mean = middle.mean(axis=(0, 1), dtype=np.float32).reshape(1, 1, 3)
    return np.asarray(cv2.cvtColor(mean, cv2.COLOR_BGR2LAB)[0, 0], np.float32)
