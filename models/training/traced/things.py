"""What a path-traced scene is made of, in plain data: shapes of a material at a place, lamps and a camera.

Felt coordinates: millimetres, origin at the table's centre on the felt, x right, y up in the picture, z up from
the felt. The renderer (`blender`) gets exactly this, as JSON, and knows nothing of mahjong.
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
    """How a surface takes light."""

    kind: str = "plain"
    """`plain`, `cloth` or `wood` (with grain), `glow` (shines by itself), or `printed` (with a picture of an atlas)."""
    colour: Rgb = (0.8, 0.8, 0.8)
    roughness: float = 0.5
    metallic: float = 0.0
    coat: float = 0.0
    """Share of a clear lacquer."""
    grain: float = 0.0
    """How much brightness varies over `cloth` and `wood`; how strongly `glow` shines."""
    relief_mm: float = 0.0
    """Depth of the bumps of `cloth`, and of the engraving of `printed`."""
    under: Rgb = (0.8, 0.8, 0.8)
    """Of `printed`: the colour below the seam."""
    seam: float = 0.0
    """Of `printed`: how much of its height lies below the seam."""
    inset_mm: float = 0.0
    """Of `printed`: blank margin around the picture."""
    atlas: str = ""
    """Of `printed`: which atlas its pictures are in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """A shape of a material at a place."""

    shape: str
    """`box` (rounded), `cylinder`, `ring`, `tubes` (strokes that are round) or `text`."""
    material: str
    at: Place = (0.0, 0.0, 0.0)
    """Its middle."""
    turn_deg: Place = (0.0, 0.0, 0.0)
    """Turns about x, y and z, in this order."""
    size: Place = (1.0, 1.0, 1.0)
    """Along its own x, y and z; of a `ring`: across, across, thickness; of a `text`: height of its letters first."""
    edge_mm: float = 0.0
    """Radius of a box's rounded edges."""
    cell: int = 0
    """Which picture of its material's atlas it shows."""
    text: str = ""
    strokes: tuple[tuple[tuple[float, float, float, float], ...], ...] = ()
    """Of `tubes`: lines of x, y, z and radius."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lamp:
    """A rectangle that shines."""

    at: Place
    aims_at: Place
    size_mm: tuple[float, float]
    colour: Rgb
    lux: float
    """How brightly it lights a level surface at `aims_at`; 1 makes white paper 0.32 bright."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Eye:
    """The camera: a pinhole behind a round opening."""

    at: Place
    right: Place
    up: Place
    """Unit vectors of the picture's axes."""
    focal_px: float
    width_px: int
    height_px: int
    opening_mm: float
    """What lies nearer or farther than `focus_mm` is blurred by this width of the lens."""
    focus_mm: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """Everything that is rendered in one picture."""

    eye: Eye
    things: tuple[Thing, ...]
    materials: Mapping[str, Material]
    lamps: tuple[Lamp, ...]
    around: Rgb
    """Colour of the light from everywhere, linear."""
    around_lux: float
    seed: int = 0
    atlases: Mapping[str, str] = field(default_factory=dict)
    """By name, the path of a picture of cells; beside it lies NAME_relief with their heights."""
    atlas_cells: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """By name, columns and rows of an atlas."""

    def to_json(self) -> dict[str, Any]:
        """Plain data for the renderer."""
        return asdict(self)
