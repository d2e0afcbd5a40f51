"""The objects in a photo: tiles and point sticks, each with its quad."""

from __future__ import annotations

from dataclasses import dataclass

Quad = tuple[tuple[float, float], ...]
"""Four corners in pixels, clockwise."""


def scaled(quad: Quad, factor: float) -> Quad:
    """Returns the same corners in the pixels of a picture that is `factor` times as wide and high."""
    # The middles of pixels have whole numbers.
    return quad if factor == 1 else tuple(((x + 0.5) * factor - 0.5, (y + 0.5) * factor - 0.5) for x, y in quad)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadTile:
    """A tile in a photo."""

    tile: str
    """mpsz, `back`, or `?` for anything that is not a tile of the set."""
    quad: Quad
    """The printed face in pixels, clockwise from the glyph's top left."""
    score: float
    """Calibrated probability of `tile`."""
    alternatives: tuple[tuple[str, float], ...] = ()
    """The next most probable faces, best first."""
    found: float = 1.0
    """The locator's score: how surely something lies there."""
    is_doubted: bool = False
    """Whether the things around it speak against its being a tile, however surely it was read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadStick:
    """A point stick in a photo."""

    value: int
    """1000, 100, 5000, 10000, or 0 if unknown."""
    quad: Quad
    """Its upper side in pixels, clockwise, first side short."""
    score: float
