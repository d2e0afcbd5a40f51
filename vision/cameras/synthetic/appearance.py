"""How a rendered table looks: sizes, colours, light, lens and sensor, fixed or drawn at random by seed.

The random ranges are those measured or estimated for real tables: tiles of 25.5-33 mm, felts of 600-730 mm,
centre units of 100-180 mm or none, cameras 0.6-1.4 m above the felt.
"""

from dataclasses import dataclass
from math import hypot
from typing import Any

import numpy as np

from vision.errors import VisionError
from vision.geometry.plane_geometry import TileSize

Colour = tuple[int, int, int]
"""Blue, green, red."""

_FELTS: tuple[Colour, ...] = ((62, 96, 24), (92, 70, 28), (110, 58, 22), (70, 60, 62), (96, 104, 20), (48, 40, 92))
_BACKS: tuple[Colour, ...] = (
    (44, 160, 226),
    (170, 92, 28),
    (72, 130, 34),
    (34, 108, 230),
    (42, 38, 172),
    (42, 40, 38),
)
_RAILS: tuple[Colour, ...] = ((36, 44, 60), (58, 84, 124), (30, 30, 32), (226, 228, 230), (70, 70, 74))
_FLOORS: tuple[Colour, ...] = ((70, 86, 104), (110, 116, 122), (46, 50, 58), (84, 110, 148))
_STICKS: dict[int, Colour] = {
    10000: (60, 60, 190),
    5000: (60, 180, 220),
    1000: (190, 120, 50),
    100: (235, 238, 238),
}
"""Bodies of automatic tables' sticks."""


def in_light(colour: Colour, factor: float) -> Colour:
    """Returns a colour in light that is this many times as strong."""
    blue, green, red = (round(channel * factor) for channel in colour)
    return blue, green, red


class AppearanceError(VisionError, ValueError):
    """An appearance that cannot be drawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Appearance:
    """Everything that decides a picture except what lies on the table."""

    seed: int = 0
    """The seed of textures and noise."""
    width_px: int = 1600
    height_px: int = 1600

    tile_height_mm: float = 26.5
    tile_width_mm: float = 20.0
    tile_depth_mm: float = 16.0
    edge_mm: float = 1.6
    """Radius of a tile's rounded edges."""
    back_share: float = 0.42
    """The share of a tile's depth that has the back's colour."""
    body: Colour = (226, 240, 245)
    back: Colour = (44, 160, 226)
    ink_inset_mm: float = 0.8
    """Blank margin between a tile's outline and the printed picture."""
    stick_length_mm: float = 93.0
    stick_breadth_mm: float = 9.0
    are_sticks_coloured: bool = False
    """Whether sticks are coloured by value, as on automatic tables; else they are white."""

    felt: Colour = (62, 96, 24)
    felt_mm: float = 720.0
    felt_grain: float = 0.05
    """Standard deviation of the felt's texture, relative to its brightness."""
    rail: Colour = (36, 44, 60)
    rail_mm: float = 45.0
    rail_height_mm: float = 12.0
    floor: Colour = (70, 86, 104)
    unit_mm: float = 100.0
    """Edge of the square centre unit; 0 for none."""
    unit_height_mm: float = 5.0

    camera_x_mm: float = 0.0
    camera_y_mm: float = -30.0
    camera_height_mm: float = 1000.0
    aim_x_mm: float = 0.0
    aim_y_mm: float = 0.0
    """Where the optical axis meets the felt; together with the camera's position, this is its tilt."""
    turn_deg: float = 0.0
    """Counter-clockwise turn of the camera about its axis."""
    covered_mm: float = 830.0
    """Length of the picture's shorter side on the plane through the aim, perpendicular to the axis, in millimetres."""

    distortion: tuple[float, float] = (0.0, 0.0)
    """The lens's radial distortion k1, k2 in OpenCV's convention; negative values give barrel distortion."""

    exposure: float = 1.0
    warmth: float = 0.0
    """-1 bluish to 1 yellowish."""
    light_deg: float = 60.0
    """The direction of the light's source, counter-clockwise from +x."""
    light_elevation_deg: float = 62.0
    light_slope: float = 0.10
    """By how much the picture's lit edge is brighter than its middle."""
    vignette: float = 0.12
    shadow: float = 0.45
    """The darkness of cast shadows, 0-1."""
    shadow_blur_mm: float = 3.0
    glare: float = 0.10
    """Brightness of the lamp's mirror image on tiles, 0-1."""

    blur_px: float = 0.5
    noise: float = 2.0
    """Standard deviation of the sensor noise in grey levels."""
    jpeg_quality: int = 0
    """1-100; 0 leaves the picture uncompressed."""

    def __post_init__(self) -> None:
        """Refuses values that no camera could have."""
        for name in ("width_px", "height_px", "tile_height_mm", "tile_width_mm", "tile_depth_mm", "felt_mm"):
            if getattr(self, name) <= 0:
                raise AppearanceError(f"expected {name} above 0, got {getattr(self, name)!r}")
        if self.camera_height_mm <= 100:
            raise AppearanceError(f"expected a camera over 100 mm above the felt, got {self.camera_height_mm!r}")

    @property
    def tile_size(self) -> TileSize:
        """The size of the tiles."""
        return TileSize(width_mm=self.tile_width_mm, height_mm=self.tile_height_mm, depth_mm=self.tile_depth_mm)

    @property
    def focal_px(self) -> float:
        """The focal length in pixels."""
        sideways = hypot(self.camera_x_mm - self.aim_x_mm, self.camera_y_mm - self.aim_y_mm)
        return hypot(sideways, self.camera_height_mm) * self.px_per_mm

    @property
    def px_per_mm(self) -> float:
        """Scale of the felt around the aim."""
        return min(self.width_px, self.height_px) / self.covered_mm

    def stick_colour(self, value: int) -> Colour:
        """The body colour of a point stick."""
        return _STICKS[value] if self.are_sticks_coloured else self.body

    @classmethod
    def default(cls) -> "Appearance":
        """A green table in good light, seen from almost straight above."""
        return cls()

    @classmethod
    def random(cls, seed: int, *, width_px: int = 1600, height_px: int = 1600) -> "Appearance":
        """Returns one of many plausible tables and cameras; the same seed gives the same one."""
        rng = np.random.default_rng([seed, 0x100C])
        table = _random_table(rng)
        return cls(
            seed=seed,
            width_px=width_px,
            height_px=height_px,
            **table,
            **_random_camera(rng, table["felt_mm"]),
            **_random_light(rng),
        )


def _between(rng: np.random.Generator, low: float, high: float) -> float:
    return float(rng.uniform(low, high))


def _tinted(rng: np.random.Generator, colours: tuple[Colour, ...], spread: float) -> Colour:
    base = np.array(colours[rng.integers(len(colours))]) * rng.uniform(0.8, 1.2)
    blue, green, red = (int(v) for v in np.clip(base + rng.normal(0, spread, 3), 5, 250))
    return blue, green, red


def _random_table(rng: np.random.Generator) -> dict[str, Any]:
    height = float(rng.choice([26.0, 28.0, _between(rng, 25.5, 33.0)], p=[0.35, 0.35, 0.3]))
    white = _between(rng, 212, 246)
    return {
        "tile_height_mm": height,
        "tile_width_mm": height / _between(rng, 1.30, 1.42),
        "tile_depth_mm": _between(rng, 15.0, 18.0),
        "edge_mm": _between(rng, 1.0, 3.0),
        "back_share": _between(rng, 0.3, 0.5),
        "body": (int(white - rng.uniform(0, 34)), int(white - rng.uniform(0, 8)), int(white)),
        "back": _tinted(rng, _BACKS, 8),
        "ink_inset_mm": _between(rng, 0.4, 1.8),
        "stick_length_mm": _between(rng, 63, 95),
        "stick_breadth_mm": _between(rng, 6, 10),
        "are_sticks_coloured": bool(rng.random() < 0.3),
        "felt": _tinted(rng, _FELTS, 8),
        "felt_mm": _between(rng, 600, 730),
        "felt_grain": _between(rng, 0.02, 0.10),
        "rail": _tinted(rng, _RAILS, 8),
        "rail_mm": _between(rng, 25, 90),
        "rail_height_mm": _between(rng, 4, 18),
        "floor": _tinted(rng, _FLOORS, 12),
        "unit_mm": 0.0 if rng.random() < 0.3 else _between(rng, 100, 150),
        "unit_height_mm": _between(rng, 1, 7),
    }


def _random_camera(rng: np.random.Generator, felt_mm: float) -> dict[str, Any]:
    height = _between(rng, 600, 1400)
    margin = _between(rng, 1.08, 1.35)
    tilted = rng.random() < 0.4
    offset = height * (_between(rng, 0.1, 0.45) if tilted else _between(rng, 0.0, 0.06))
    direction = _between(rng, 0, 2 * np.pi)
    return {
        "camera_x_mm": offset * float(np.cos(direction)),
        "camera_y_mm": offset * float(np.sin(direction)),
        "camera_height_mm": height,
        "aim_x_mm": _between(rng, -15, 15),
        "aim_y_mm": _between(rng, -15, 15),
        "turn_deg": _between(rng, -4, 4),
        "covered_mm": felt_mm * margin + 0.35 * offset,
    }


def _random_light(rng: np.random.Generator) -> dict[str, Any]:
    return {
        "exposure": _between(rng, 0.55, 1.12),
        "warmth": _between(rng, -0.8, 1.0),
        "light_deg": _between(rng, 0, 360),
        "light_elevation_deg": _between(rng, 40, 82),
        "light_slope": _between(rng, 0.0, 0.3),
        "vignette": _between(rng, 0.0, 0.35),
        "shadow": _between(rng, 0.15, 0.7),
        "shadow_blur_mm": _between(rng, 1.0, 8.0),
        "glare": _between(rng, 0.0, 0.45),
        "blur_px": _between(rng, 0.3, 1.2),
        "noise": _between(rng, 0.5, 7.0),
        "jpeg_quality": int(rng.integers(60, 96)),
    }
