"""Figures for the quality of a reader, with their confidence intervals."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from math import log10, sqrt
from typing import Final

import numpy as np
import numpy.typing as npt

from vision.arrays import Floats

_Z: Final = 1.959964
BINS: Final = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 1.0)
"""The edges of the bins of a reliability table, finer near likely thresholds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """A rate as a count of a total, with Wilson's 95 % interval."""

    right: int
    total: int

    def __post_init__(self) -> None:
        if not 0 <= self.right <= self.total:
            raise ValueError(f"expected 0 <= right <= total, got {self.right} of {self.total}, in a rate")

    @property
    def part(self) -> float:
        """The rate itself; 0 for a total of 0."""
        return self.right / self.total if self.total else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The lower and upper end of Wilson's interval; 0 and 1 for a total of 0."""
        if self.total == 0:
            return 0.0, 1.0
        n, p = self.total, self.part
        middle = (p + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
        half = _Z / (1 + _Z**2 / n) * sqrt(p * (1 - p) / n + _Z**2 / (4 * n**2))
        return max(0.0, middle - half), min(1.0, middle + half)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.right}/{self.total} = {100 * self.part:.1f} % ({100 * low:.1f}-{100 * high:.1f})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """One row of a reliability table."""

    low: float
    high: float
    count: int
    predicted: float
    """Mean score in the bin."""
    observed: float
    """The fraction of the bin that was right."""


def reliability(scores: npt.ArrayLike, right: npt.ArrayLike) -> tuple[tuple[Bin, ...], float]:
    """Returns the non-empty bins, and the expected calibration error of scores, given which were right."""
    predicted, observed = np.asarray(scores, dtype=np.float64), np.asarray(right, dtype=np.float64)
    bins = []
    for low, high in pairwise(BINS):
        inside = (predicted > low) & (predicted <= high)
        if inside.any():
            count = int(inside.sum())
            bins.append(
                Bin(
                    low=low,
                    high=high,
                    count=count,
                    predicted=float(predicted[inside].mean()),
                    observed=float(observed[inside].mean()),
                )
            )
    total = sum(row.count for row in bins)
    error = sum(row.count * abs(row.predicted - row.observed) for row in bins) / total if total else 0.0
    return tuple(bins), error


def diagram(bins: tuple[Bin, ...]) -> str:
    """Returns the reliability diagram as SVG: predicted on x, observed on y, with discs sized by their bins' counts.

    Both axes are stretched towards 1, where the thresholds are: the error rate falls tenfold from tick to tick.
    """
    ticks = (0.0, 0.5, 0.9, 0.99, 0.999)
    most_count = max((row.count for row in bins), default=1)
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 360 360" font-family="sans-serif" font-size="11">',
        '<rect width="360" height="360" fill="#fff"/>',
        '<path d="M40 320 L340 20" stroke="#999" stroke-dasharray="4 4"/>',
        '<path d="M40 20 V320 H340" fill="none" stroke="#333"/>',
    ]
    for tick in ticks:
        along = 300 * _stretched(tick)
        parts.append(f'<text x="{40 + along:.0f}" y="336" text-anchor="middle">{tick:g}</text>')
        parts.append(f'<text x="36" y="{324 - along:.0f}" text-anchor="end">{tick:g}</text>')
    parts.append('<text x="190" y="354" text-anchor="middle">predicted</text><text x="44" y="14">observed</text>')
    for row in bins:
        x, y = 40 + 300 * _stretched(row.predicted), 320 - 300 * _stretched(row.observed)
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{3 + 9 * sqrt(row.count / most_count):.1f}" fill="#1a6fb5" '
            f'fill-opacity="0.7"><title>{row.count}: predicted {row.predicted:.3f}, '
            f"observed {row.observed:.3f}</title></circle>"
        )
    return "\n".join([*parts, "</svg>", ""])


def _stretched(part: float) -> float:
    """Returns the place of a probability on an axis from 0 to 1."""
    return min(1.0, -log10(max(1 - part, 1e-3) * (1 - 1e-9)) / 3)


def temperature(logits: npt.ArrayLike, labels: npt.ArrayLike) -> float:
    """Returns the divisor of the logits, 0.3 to 4, that makes the labels most likely."""
    rows, answers = np.asarray(logits, dtype=np.float64), np.asarray(labels)
    candidates = np.exp(np.linspace(np.log(0.3), np.log(4.0), 120))
    return float(min(candidates, key=lambda value: _surprise(rows / value, answers)))


def _surprise(logits: Floats, answers: npt.NDArray[np.int64]) -> float:
    shifted = logits - logits.max(axis=1, keepdims=True)
    log_sum = np.log(np.exp(shifted).sum(axis=1))
    return float((log_sum - shifted[np.arange(len(answers)), answers]).mean())


def confusions(truth: list[str], read: list[str], *, limit: int = 12) -> list[tuple[str, str, int]]:
    """Returns the most frequent mistakes: truth, reading, and count."""
    pairs = Counter((a, b) for a, b in zip(truth, read, strict=True) if a != b)
    return [(a, b, count) for (a, b), count in pairs.most_common(limit)]
