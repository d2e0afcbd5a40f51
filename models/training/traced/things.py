"""The elements of a path-traced scene as plain data: shapes with a material and a place, lamps and a camera.

Coordinates are in millimetres, with the origin at the table's centre on the felt, x right, y up in the picture, z up
from the felt. The renderer (`blender`) gets exactly this data, as JSON, and knows nothing about mahjong.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

Place = tuple[float, float, float]
Rgb = tuple[float, float, float]
"""Red, green, blue as sRGB, 0-1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """The material of a surface."""

    kind: str = "plain"
    """`plain`, `cloth` or `wood` (with grain), `glow` (emits light), or `printed` (with a picture of an atlas)."""
    colour: Rgb = (0.8, 0.8, 0.8)
    roughness: float = 0.5
    metallic: float = 0.0
    coat: float = 0.0
    """The strength of a clear coat."""
    grain: float = 0.0
    """The variation of brightness of `cloth` and `wood`, and the strength of `glow`."""
    relief_mm: float = 0.0
    """The depth of the bumps of `cloth` and of the engraving of `printed`."""
    under: Rgb = (0.8, 0.8, 0.8)
    """For `printed`, the colour below the seam."""
    seam: float = 0.0
    """For `printed`, the fraction of the height below the seam."""
    inset_mm: float = 0.0
    """For `printed`, the blank margin around the picture."""
    atlas: str = ""
    """For `printed`, the name of the atlas with its pictures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """A shape with a material and a place."""

    shape: str
    """`box` (rounded), `cylinder`, `ring`, `tubes` (round strokes) or `text`."""
    material: str
    at: Place = (0.0, 0.0, 0.0)
    """The place of its middle."""
    turn_deg: Place = (0.0, 0.0, 0.0)
    """Turns about x, y and z, in this order."""
    size: Place = (1.0, 1.0, 1.0)
    """The sizes along its own x, y and z; for a `ring` twice the width, then the thickness; for a `text` first the
    height of its letters."""
    edge_mm: float = 0.0
    """Radius of a box's rounded edges."""
    cell: int = 0
    """The number of its picture in the material's atlas."""
    text: str = ""
    strokes: tuple[tuple[tuple[float, float, float, float], ...], ...] = ()
    """For `tubes`, lines of x, y, z and radius."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lamp:
    """A luminous rectangle."""

    at: Place
    aims_at: Place
    size_mm: tuple[float, float]
    colour: Rgb
    lux: float
    """The illumination of a level surface at `aims_at`; 1 gives white paper a brightness of 0.32."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Eye:
    """The camera: a pinhole with a round aperture."""

    at: Place
    right: Place
    up: Place
    """The unit vectors of the picture's axes."""
    focal_px: float
    width_px: int
    height_px: int
    opening_mm: float
    """The aperture, which blurs objects nearer or farther than `focus_mm`."""
    focus_mm: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """All elements of one picture."""

    eye: Eye
    things: tuple[Thing, ...]
    materials: Mapping[str, Material]
    lamps: tuple[Lamp, ...]
    around: Rgb
    """The linear colour of the ambient light."""
    around_lux: float
    seed: int = 0
    atlases: Mapping[str, str] = field(default_factory=dict)
    """The paths of pictures of cells by name; beside each is NAME_relief with the heights."""
    atlas_cells: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """The columns and rows of the atlases by name."""

    def to_json(self) -> dict[str, Any]:
        """Returns plain data for the renderer."""
        return asdict(self)
