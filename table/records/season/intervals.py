"""95 % confidence intervals, so that figures from few games do not look as certain as those from many.

A share has Wilson's score interval (E. B. Wilson, 1927), an average Student's t interval.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Final

CONFIDENCE: Final = 0.95
"""The confidence level."""
LARGE_FREEDOM: Final = 200
"""Degrees of freedom above which the quantile is expanded around the normal one, exact to a millionth."""
Interval = tuple[float, float]


def share_interval(hits: int, cases: int) -> Interval | None:
    """Returns Wilson's interval of a share; None if there are no cases."""
    if not cases:
        return None
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    share, weight = hits / cases, z * z / cases
    centre = share + weight / 2
    half_width = z * math.sqrt(share * (1 - share) / cases + weight / (4 * cases))
    low, high = (centre - half_width) / (1 + weight), (centre + half_width) / (1 + weight)
    return (low if hits else 0.0), (high if hits < cases else 1.0)


def mean_interval(count: int, total: float, squares: float) -> Interval | None:
    """Returns Student's interval of an average, from the sums of values and squares.

    Returns None for fewer than two values, and for equal values, which do not show how far others may differ.
    """
    if count < 2 or squares * count == total * total:
        return None
    mean = total / count
    variance = (squares * count - total * total) / (count * (count - 1))
    half_width = student(count - 1) * math.sqrt(variance / count)
    return mean - half_width, mean + half_width


def student(freedom: int) -> float:
    """Returns the half-width of the interval in standard errors, for the given degrees of freedom."""
    if freedom > LARGE_FREEDOM:
        z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
        return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
    low, high = 0.0, math.pi / 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _probability(middle, freedom) < CONFIDENCE else (low, middle)
    return math.tan(low) * math.sqrt(freedom)


def _probability(angle: float, freedom: int) -> float:
    """Returns the probability of |t| ≤ tan(angle) √freedom: the finite series of Abramowitz and Stegun, 26.7.3–4."""
    cosine = math.cos(angle)
    first = freedom % 2
    power, total = (cosine if first else 1.0), 0.0
    for step in range(first, freedom - 1, 2):
        total += power
        power *= cosine * cosine * (step + 1) / (step + 2)
    total *= math.sin(angle)
    return (angle + total) * 2 / math.pi if first else total
