"""The pictures of a season, drawn by the server as small SVGs in the page's colours.

They contain only numbers, so that they fit any language; each has a text beside it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Final
from xml.sax.saxutils import escape, quoteattr

WIDTH, HEIGHT, EDGE = 340, 150, 34
"""A picture's size in units of a page that is 390 pixels wide, and the space for numbers on its left."""
Point = tuple[float, float]
MIDDLE: Final[Point] = (WIDTH / 2, 105.0)
RADIUS: Final = 72.0
"""Centre and radius of the picture of a style."""
POINTS: Final = 200
"""Maximum number of points on a line; with more games, only every n-th is drawn."""
AXES: Final = ("wins", "calls", "riichi", "deal_ins", "win_value")
"""The axes of the picture of a style, clockwise from the top."""
RIM_VALUES: Final[Mapping[str, float]] = {
    "wins": 0.35,
    "calls": 0.6,
    "riichi": 0.35,
    "deal_ins": 0.25,
    "win_value": 10_000,
}
"""The value at the rim of each axis: more than people reach over many games."""


def picture(body: str, alt: str, *, height: int = HEIGHT) -> str:
    """Returns an SVG picture with its alternative text."""
    head = f'<svg class="season-picture" viewBox="0 0 {WIDTH} {height}" role="img" aria-label={quoteattr(alt)}>'
    return f"{head}{body}</svg>"


def line_of_points(results: Sequence[int], alt: str) -> str:
    """Draws the cumulative points over games, starting at 0, with a base line at 0."""
    sums = [0, *accumulate(results)]
    step = max(1, math.ceil((len(sums) - 1) / POINTS))
    indexes = [*range(0, len(sums) - 1, step), len(sums) - 1]
    low, high = min(sums), max(sums)
    span = max(high - low, 1)
    corners = " ".join(
        f"{EDGE + index * (WIDTH - EDGE - 4) / max(1, len(sums) - 1):.1f},{_level(sums[index], low, span):.1f}"
        for index in indexes
    )
    zero = _level(0, low, span)
    marks = "".join(
        _number(EDGE - 4, _level(value, low, span) + 4, _thousands(value)) for value in _marked_values(low, high)
    )
    return picture(
        f'<line class="base" x1="{EDGE}" x2="{WIDTH - 4}" y1="{zero:.1f}" y2="{zero:.1f}"/>{marks}'
        f'<polyline class="line" points="{corners}"/>',
        alt,
    )


def _marked_values(low: int, high: int) -> list[int]:
    """Returns the numbers at the left: both ends, and 0 if it lies clearly between them."""
    least_distance = max(high - low, 1) / 6
    return [low, high, *([0] if min(abs(low), abs(high)) > least_distance else [])] if low != high else [low]


def _level(value: int, low: int, span: int) -> float:
    return HEIGHT - 12 - (value - low) * (HEIGHT - 24) / span


def _thousands(value: int) -> str:
    return f"{value / 1000:+.0f}".replace("-", "−").replace("+0", "0").replace("−0", "0")


def bars(counts: Sequence[tuple[str, int]], alt: str) -> str:
    """Draws a bar for each label, with its number above."""
    highest = max((count for _, count in counts), default=0) or 1
    width = (WIDTH - 8) / max(1, len(counts))
    body = ""
    for index, (label, count) in enumerate(counts):
        middle = 4 + (index + 0.5) * width
        height = (HEIGHT - 44) * count / highest
        top = HEIGHT - 22 - height
        left = middle - width * 0.35
        if count:
            body += (
                f'<rect class="pillar" x="{left:.1f}" y="{top:.1f}" width="{width * 0.7:.1f}" height="{height:.1f}"/>'
            )
            body += _number(middle, top - 4, str(count), anchor="middle")
        body += _number(middle, HEIGHT - 6, label, anchor="middle", kind="label")
    return picture(body, alt)


def radar(values: Mapping[str, float | None], names: Mapping[str, str], alt: str) -> str:
    """Draws a style as a polygon with a corner per known value, farther out for larger values."""
    body = "".join(
        f'<polygon class="ring" points="{_points_text(_ring(RADIUS * part))}"/>' for part in (0.25, 0.5, 0.75, 1.0)
    )
    for axis, (x, y) in zip(AXES, _ring(RADIUS), strict=True):
        body += f'<line class="base" x1="{MIDDLE[0]:g}" y1="{MIDDLE[1]:g}" x2="{x:.1f}" y2="{y:.1f}"/>'
        body += _axis_name(names[axis], x, y)
    shares = {
        index: value / RIM_VALUES[axis] for index, axis in enumerate(AXES) if (value := values.get(axis)) is not None
    }
    corners = [_corner(RADIUS * min(1.0, max(0.03, part)), index) for index, part in shares.items()]
    if len(corners) > 2:
        body += f'<polygon class="area" points="{_points_text(corners)}"/>'
    body += "".join(f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="3"/>' for x, y in corners)
    return picture(body, alt, height=210)


def _axis_name(name: str, x: float, y: float) -> str:
    """Writes a name outside the rim: above the top, beside or below the other corners."""
    side = round((x - MIDDLE[0]) / RADIUS, 1)
    if not side:
        return _number(x, y - 6, name, anchor="middle", kind="label")
    if y > MIDDLE[1]:  # long names need space toward the edges
        return _number(x, y + 16, name, anchor="middle", kind="label")
    return _number(x + (6 if side > 0 else -6), y + 4, name, anchor="start" if side > 0 else "end", kind="label")


def _corner(radius: float, index: int) -> Point:
    angle = 2 * math.pi * index / len(AXES) - math.pi / 2
    return MIDDLE[0] + radius * math.cos(angle), MIDDLE[1] + radius * math.sin(angle)


def _ring(radius: float) -> list[Point]:
    return [_corner(radius, index) for index in range(len(AXES))]


def _points_text(points: Sequence[Point]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _number(x: float, y: float, text: str, *, anchor: str = "end", kind: str = "number") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
