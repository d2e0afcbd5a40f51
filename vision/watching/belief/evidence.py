"""Combines several readings of one object."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from typing import Final, Protocol, Self, TypeVar

import numpy as np
import numpy.typing as npt

from vision.arrays import Image
from vision.felt import BACK, CLASS_INDEX, CLASSES, NOT_A_TILE, Reading

ALTERNATIVES: Final = 3
"""Number of alternatives in a combined reading."""
MOST_CROPS: Final = 3
"""Limit of a tile's kept pictures; the newest are kept."""
_FLOOR: Final = 1e-4
"""The least probability of a face after a look: one bad crop must not decide for ever."""

_AGREEING: Final = 0.7
"""Looks contradict each other if no face was seen in this share of them."""

Chances = npt.NDArray[np.float64]
Reading_contra = TypeVar("Reading_contra", contravariant=True)


class Evidence(Protocol[Reading_contra]):
    """The combined readings of one object."""

    @property
    def frames(self) -> int:
        """The number of looks."""
        ...

    @property
    def verdict(self) -> str:
        """What it most probably is, as text."""
        ...

    @property
    def confidence(self) -> float:
        """The probability of the verdict."""
        ...

    @property
    def confidence_of_a_look(self) -> float:
        """The probability of the verdict according to a typical look."""
        ...

    def chance(self, verdict: str) -> float:
        """Returns the probability of a verdict."""
        ...

    def merge(self, other: Self) -> None:
        """Adds the looks of other evidence of the same kind."""
        ...

    def add(self, reading: Reading_contra) -> None:
        """Adds one more look."""
        ...


class TileEvidence:
    """Adds up readings of one tile.

    Log-probabilities add up, but looks at the same tile in the same light err alike: n looks count as much as the
    square root of n independent ones. If looks contradict each other, no face is sure, and the number of
    looks that showed each face counts too.
    """

    def __init__(self) -> None:
        self._logs = np.zeros(len(CLASSES))
        self._upside_down_votes = 0
        self._faces: Counter[str] = Counter()
        """How many looks showed each face."""
        self.frames = 0
        self.crops: deque[Image] = deque(maxlen=MOST_CROPS)
        """The pictures of the last looks, cut by `vision.reading.reader.crops`: all upright, or all upside down."""
        self._verdict: str | None = None
        self._reading: Reading | None = None
        """Both are kept until the next look, as they are needed with every frame."""

    @property
    def upright(self) -> Image | None:
        """The last picture with the glyph upright; None if there is none."""
        if not self.crops:
            return None
        return self.crops[-1][::-1, ::-1] if self._upside_down_votes > 0 else self.crops[-1]

    @property
    def shows_face(self) -> bool:
        """Whether the verdict is a face, and neither a back nor no tile."""
        return self.verdict not in (BACK, NOT_A_TILE)

    def read_again(self, readings: Sequence[Reading]) -> TileEvidence:
        """Returns the evidence with these readings of the kept pictures in place of the earlier ones."""
        again = TileEvidence()
        for reading in readings:
            again.add(reading)
        again.crops = self.crops
        return again

    def add(self, reading: Reading) -> None:
        """Adds one more reading."""
        scores = reading.chances
        other_chance = max(1.0 - sum(scores.values()), 0.0) / (len(CLASSES) - len(scores))
        chances = np.full(len(CLASSES), max(other_chance, _FLOOR))
        for tile, chance in scores.items():
            chances[CLASS_INDEX[tile]] = max(chance, _FLOOR)
        self._logs += np.log(chances / chances.sum())
        self._upside_down_votes += 1 if reading.turned else -1
        if reading.is_face:
            self._faces[reading.tile] += 1
        self.frames += 1
        self._verdict = self._reading = None

    @property
    def verdict(self) -> str:
        """The most probable face."""
        if self._verdict is None:
            self._verdict = CLASSES[int(np.argmax(self._chances() if self._is_contested else self._logs))]
        return self._verdict

    @property
    def confidence(self) -> float:
        """The probability of that face; 0 before the first look."""
        return self.reading().score if self.frames else 0.0

    @property
    def confidence_of_a_look(self) -> float:
        """The geometric mean of that face's probabilities in the looks; 0 before the first."""
        return float(_shares(self._logs / self.frames)[CLASS_INDEX[self.verdict]]) if self.frames else 0.0

    def chance(self, verdict: str) -> float:
        """Returns the probability of a face."""
        return float(self._chances()[CLASS_INDEX[verdict]])

    def merge(self, other: TileEvidence) -> None:
        """Adds the looks of other evidence."""
        self._logs = self._logs + other._logs
        self._upside_down_votes += other._upside_down_votes
        self._faces += other._faces
        self.frames += other.frames
        self.crops.extend(other.crops)
        self._verdict = self._reading = None

    def reading(self) -> Reading:
        """Returns the combined reading of all looks."""
        if self._reading is None:
            self._reading = self._combined()
        return self._reading

    def _combined(self) -> Reading:
        chances = self._chances()
        order = np.argsort(-chances, kind="stable")[: ALTERNATIVES + 1]
        (tile, score), *others = [(CLASSES[index], float(chances[index])) for index in order]
        return Reading(tile=tile, score=score, alternatives=tuple(others), turned=self._upside_down_votes > 0)

    def _chances(self) -> Chances:
        chances = _shares(self._logs / np.sqrt(max(self.frames, 1)))
        if not self._is_contested:
            return chances
        for face, count in self._faces.items():
            chances[CLASS_INDEX[face]] += count / self._faces.total()
        return np.asarray(chances / chances.sum(), dtype=np.float64)

    @property
    def _is_contested(self) -> bool:
        """Whether looks contradict each other about the face."""
        return bool(self._faces) and max(self._faces.values()) < _AGREEING * self._faces.total()


class StickEvidence:
    """Adds up looks at one stick: each is a value, 0 if unknown, and a score."""

    def __init__(self) -> None:
        self._votes: Counter[int] = Counter()
        self._score = 0.0
        self.frames = 0

    def add(self, reading: tuple[int, float]) -> None:
        """Adds one more look."""
        value, score = reading
        self._votes[value] += 1
        self._score += score
        self.frames += 1

    @property
    def value(self) -> int:
        """The value of most looks; a known value takes precedence over 0."""
        counts = [(count, value) for value, count in self._votes.items() if value]
        return max(counts)[1] if counts else 0

    @property
    def verdict(self) -> str:
        """The value as text."""
        return str(self.value)

    @property
    def confidence(self) -> float:
        """The mean score of the looks; 0 before the first."""
        return self._score / self.frames if self.frames else 0.0

    @property
    def confidence_of_a_look(self) -> float:
        """The mean score, since looks at a stick do not add up."""
        return self.confidence

    def chance(self, verdict: str) -> float:
        """Returns the share of looks with this value; 1 if either value is unknown, as it may be the same."""
        if not (self.value and int(verdict)):
            return 1.0
        return self._votes[int(verdict)] / self.frames

    def merge(self, other: StickEvidence) -> None:
        """Adds the looks of other evidence."""
        self._votes += other._votes
        self._score += other._score
        self.frames += other.frames


def _shares(logs: Chances) -> Chances:
    """Returns the probabilities that have these logarithms, scaled to a sum of 1."""
    powers = np.exp(logs - logs.max())
    return np.asarray(powers / powers.sum(), dtype=np.float64)
