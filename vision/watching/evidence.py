"""Combines several readings of one object."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from vision.arrays import Image
from vision.confidence import RIVER_FACE
from vision.felt import BACK, CLASSES, NOT_A_TILE, Reading

ALTERNATIVES: Final = 3
KEPT: Final = 3
"""Pictures of a tile that are kept, the newest ones."""
_INDEX: Final = {name: index for index, name in enumerate(CLASSES)}
_FLOOR: Final = 1e-4
"""No look makes a face less likely than this: one bad crop must not decide for ever."""

Chances = npt.NDArray[np.float64]
Reading_contra = TypeVar("Reading_contra", contravariant=True)


class Evidence(Protocol[Reading_contra]):
    """The combined readings of one object."""

    @property
    def frames(self) -> int:
        """How many looks there were."""
        ...

    @property
    def verdict(self) -> str:
        """What it is believed to be, as text."""
        ...

    @property
    def confidence(self) -> float:
        """How likely the verdict is."""
        ...

    def chance(self, verdict: str) -> float:
        """How likely another verdict is."""
        ...

    def merge(self, other: Any) -> None:
        """Takes in the looks of other evidence of the same kind."""
        ...

    def add(self, reading: Reading_contra) -> None:
        """Takes one more look in."""
        ...


class TileEvidence:
    """Adds up readings of one tile.

    Log-probabilities add up, but looks at the same tile in the same light err alike: n looks count as much as the
    square root of n independent ones.
    """

    def __init__(self) -> None:
        self._logs = np.zeros(len(CLASSES))
        self._turned = 0
        self.frames = 0
        self.crops: deque[Image] = deque(maxlen=KEPT)
        """The last pictures that looks read, as `vision.reading.reader.crops` cuts them: upright, or all half
        turned."""

    @property
    def upright(self) -> Image | None:
        """The last picture, the glyph upright; None where none was kept."""
        if not self.crops:
            return None
        return np.ascontiguousarray(self.crops[-1][::-1, ::-1]) if self._turned > 0 else self.crops[-1]

    @property
    def shows_face(self) -> bool:
        """Whether it is believed to be a face at all."""
        return self.verdict not in (BACK, NOT_A_TILE)

    def read_again(self, readings: Sequence[Reading]) -> TileEvidence:
        """What the kept pictures say by other readings of them."""
        again = TileEvidence()
        for reading in readings:
            again.add(reading)
        again.crops = self.crops
        return again

    def add(self, reading: Reading) -> None:
        """Takes one more reading in."""
        named = {reading.tile: reading.score, **dict(reading.alternatives)}
        rest = max(1.0 - sum(named.values()), 0.0) / max(len(CLASSES) - len(named), 1)
        chances = np.full(len(CLASSES), max(rest, _FLOOR))
        for tile, chance in named.items():
            chances[_INDEX[tile]] = max(chance, _FLOOR)
        self._logs += np.log(chances / chances.sum())
        self._turned += 1 if reading.turned else -1
        self.frames += 1

    @property
    def verdict(self) -> str:
        """The face that is most likely."""
        return CLASSES[int(np.argmax(self._logs))]

    @property
    def confidence(self) -> float:
        """How likely that face is; 0 before the first look."""
        return self.reading().score if self.frames else 0.0

    def chance(self, verdict: str) -> float:
        """How likely a face is."""
        return float(self._chances()[_INDEX[verdict]])

    def merge(self, other: TileEvidence) -> None:
        """Takes in the looks of other evidence."""
        self._logs = self._logs + other._logs
        self._turned += other._turned
        self.frames += other.frames
        self.crops.extend(other.crops)

    def reading(self) -> Reading:
        """Returns what all looks together say."""
        chances = self._chances()
        order = np.argsort(-chances, kind="stable")[: ALTERNATIVES + 1]
        (tile, score), *others = [(CLASSES[index], float(chances[index])) for index in order]
        return Reading(tile=tile, score=score, alternatives=tuple(others), turned=self._turned > 0)

    def _chances(self) -> Chances:
        logs = self._logs / np.sqrt(max(self.frames, 1))
        powers = np.exp(logs - logs.max())
        return np.asarray(powers / powers.sum(), dtype=np.float64)


class StickEvidence:
    """Adds up looks at one stick: each is a value, 0 when it cannot be told, and a score."""

    def __init__(self) -> None:
        self._votes: Counter[int] = Counter()
        self._score = 0.0
        self.frames = 0

    def add(self, reading: tuple[int, float]) -> None:
        """Takes one more look in."""
        value, score = reading
        self._votes[value] += 1
        self._score += score
        self.frames += 1

    @property
    def value(self) -> int:
        """The value most looks told; one that could be told goes before 0."""
        counted = [(count, value) for value, count in self._votes.items() if value]
        return max(counted)[1] if counted else 0

    @property
    def verdict(self) -> str:
        """The value as text."""
        return str(self.value)

    @property
    def confidence(self) -> float:
        """The mean score of the looks; 0 before the first."""
        return self._score / self.frames if self.frames else 0.0

    def chance(self, verdict: str) -> float:
        """Which share of the looks told this value."""
        return self._votes[int(verdict)] / self.frames if self.frames else 0.0

    def merge(self, other: StickEvidence) -> None:
        """Takes in the looks of other evidence."""
        self._votes += other._votes
        self._score += other._score
        self.frames += other.frames


def face_up(reading: Reading) -> Reading:
    """The same look at a tile of a river, where nobody lays one face down: what may be a face is no back.

    In yellow light a haku looks like a pale back.
    """
    chances = {reading.tile: reading.score, **dict(reading.alternatives)}
    back = chances.pop(BACK, 0.0)
    if max((chance for tile, chance in chances.items() if tile != NOT_A_TILE), default=0.0) < RIVER_FACE:
        return reading
    (tile, score), *others = ((tile, min(chance / (1.0 - back), 1.0)) for tile, chance in chances.items())
    return replace(reading, tile=tile, score=score, alternatives=tuple(others))
