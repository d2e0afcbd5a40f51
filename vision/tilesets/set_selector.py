"""Reads a table with one of several learnt sets, since automatic tables alternate between two.

Each confidently read tile votes for the set whose example of that face it resembles most; a back votes by its colour.
The latest votes decide, and votes of an earlier hand no longer count once the table was cleared. While the set is
undecided, tiles are read with both sets combined.
"""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from vision.arrays import Floats32, Image
from vision.confidence import INDICATIVE
from vision.felt import BACK, CLASSES, NOT_A_TILE, Reading
from vision.reading.backs import UNLIKE, colour_of
from vision.reading.reader import TileReader, crops
from vision.tilesets.corrections import load_taught
from vision.tilesets.tileset import SetReader, TileSet

_MEMORY: Final = 60
"""How many of the latest votes count: fewer than half of a set's tiles."""
_QUORUM: Final = 5
_MAJORITY: Final = 2 / 3

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _LearntSets:
    """What was learnt of some sets, in order."""

    lesson: int
    """Number of times that sets were learnt."""
    names: tuple[str, ...]
    readers: tuple[SetReader, ...]
    faces: tuple[dict[str, Floats32], ...]
    backs: tuple[Floats32 | None, ...]


class SetSelector:
    """Reads with the set that is on the table, and detects by itself which one that is."""

    def __init__(self, reader: TileReader, sets: Sequence[TileSet] = ()) -> None:
        """Learns every set; without any, it reads as `reader` does."""
        self._reader = reader
        self._votes: deque[int] = deque(maxlen=_MEMORY)
        self._logged_name: str | None = None
        self._lessons = 0
        self.learn(sets)

    def learn(self, sets: Sequence[TileSet]) -> None:
        """Reads with these sets from now on. May be called by another thread than the reading one."""
        self._lessons += 1
        self._learnt = _LearntSets(
            lesson=self._lessons,
            names=tuple(tiles.name for tiles in sets),
            readers=tuple(SetReader(self._reader, tiles) for tiles in sets),
            faces=tuple(_faces(self._reader, tiles) for tiles in sets),
            backs=tuple(_back(tiles) for tiles in sets),
        )

    @property
    def name(self) -> str | None:
        """The name of the set on the table; None while it is undecided."""
        index = self._leader(self._learnt)
        return None if index is None else self._learnt.names[index]

    @property
    def lying(self) -> int | None:
        """The index of the set on the table; None while it is undecided."""
        return self._leader(self._learnt)

    @property
    def reader_version(self) -> object:
        """Identifies the learnt sets and the one in use; changes whenever readings may."""
        learnt = self._learnt
        return learnt.lesson, self._leader(learnt)

    def reset(self) -> None:
        """Forgets which set was on the table, since another may follow."""
        self._votes.clear()

    def read(self, image: Image, quads: npt.ArrayLike) -> list[Reading]:
        """Reads quads [N, 4, 2] of a BGR picture, in order."""
        return self.read_crops(crops(image, quads))

    def read_crops(self, cut: Image) -> list[Reading]:
        """Reads crops [N, 64, 48, 3]."""
        if len(cut) == 0:
            return []
        learnt, (probabilities, turned, embedded) = self._learnt, self._reader.outputs(cut)
        if len(learnt.names) > 1:
            for crop, row, vector in zip(cut, probabilities, embedded, strict=True):
                vote = _vote(learnt, crop, row, vector)
                if vote is not None:
                    self._votes.append(vote)
            self._log_change()
        return self._readings(learnt, probabilities, turned, embedded)

    def reread(self, cut: Image) -> list[Reading]:
        """Reads crops [N, 64, 48, 3] that have voted before, with the set known now."""
        return self._readings(self._learnt, *self._reader.outputs(cut)) if len(cut) else []

    def _leader(self, learnt: _LearntSets) -> int | None:
        if len(learnt.names) < 2:
            return 0 if learnt.names else None
        (leader, count), *_ = Counter(self._votes).most_common(1) or [(0, 0)]
        return leader if count >= max(_QUORUM, _MAJORITY * len(self._votes)) else None

    def _readings(
        self, learnt: _LearntSets, probabilities: Floats32, turned: Floats32, embedded: Floats32
    ) -> list[Reading]:
        leader = self._leader(learnt)
        readers = learnt.readers if leader is None else (learnt.readers[leader],)
        if readers:
            probabilities = np.stack([reader.corrected(probabilities, embedded) for reader in readers]).mean(axis=0)
        return self._reader.readings(probabilities, turned)

    def _log_change(self) -> None:
        name = self.name
        if name not in (None, self._logged_name):
            self._logged_name = name
            _log.info("the tiles on the table are of the set %s", name)


def _vote(learnt: _LearntSets, crop: Image, chances: Floats32, vector: Floats32) -> int | None:
    """Returns the set that one tile votes for; None if it does not decide."""
    face = CLASSES[int(chances.argmax())]
    if face == NOT_A_TILE or chances.max() < INDICATIVE:
        return None
    if face == BACK:
        return _vote_by_colour(learnt.backs, crop)
    vectors = [faces.get(face) for faces in learnt.faces]
    if any(example is None for example in vectors):
        return None
    likeness = [float((example @ vector).max()) for example in vectors if example is not None]
    return int(np.argmax(likeness))


def _vote_by_colour(set_backs: Sequence[Floats32 | None], crop: Image) -> int | None:
    backs = [back for back in set_backs if back is not None]
    if len(backs) < len(set_backs):
        return None
    least_distance = min(float(np.linalg.norm(a - b)) for i, a in enumerate(backs) for b in backs[:i])
    if least_distance < UNLIKE:
        return None
    colour = colour_of(crop)
    return int(np.argmin([np.linalg.norm(colour - back) for back in backs]))


def reader_of(paths: Sequence[Path]) -> SetSelector:
    """Returns the shipped reader with the sets in these files and their corrections.

    Raises:
        TileSetError: a file is missing or cannot be used.
    """
    return SetSelector(TileReader(), sets_of(paths))


def sets_of(paths: Sequence[Path]) -> list[TileSet]:
    """Returns the sets in these files with their corrections; a file may have none (see `load_taught`).

    Raises:
        TileSetError: a file is missing or cannot be used.
    """
    return [tiles for tiles in map(load_taught, paths) if tiles is not None]


def _faces(reader: TileReader, tiles: TileSet) -> dict[str, Floats32]:
    """Returns the unit embeddings of each face's examples, [n, D]."""
    _, _, embedded = reader.outputs(np.stack([example.crop for example in tiles.examples]))
    units = embedded / np.linalg.norm(embedded, axis=1, keepdims=True)
    return {
        face: units[[index for index, example in enumerate(tiles.examples) if example.face == face]]
        for face in tiles.faces
    }


def _back(tiles: TileSet) -> Floats32 | None:
    colours = [colour_of(example.crop) for example in tiles.examples if example.face == BACK]
    return np.asarray(np.mean(colours, axis=0), np.float32) if colours else None
