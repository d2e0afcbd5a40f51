"""What lies, stands and moves on a table at one moment: the input of the synthetic camera.

Felt coordinates throughout: millimetres, origin at the table's centre, x right, y up in the image, z up from
the felt, angles counter-clockwise degrees. A scene holds things and places, but no turns and no winds.
"""

from dataclasses import dataclass
from enum import Enum

from vision.art import STICK_VALUES, UnknownStickError
from vision.errors import VisionError
from vision.geometry.sides import SIDES


class SceneError(VisionError, ValueError):
    """A scene that is impossible: an unknown side, a tile below the felt."""


class Pose(Enum):
    """How a tile rests."""

    FACE_UP = "face_up"
    FACE_DOWN = "face_down"
    STANDING = "standing"
    """On its lower short edge, as in a hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneTile:
    """One tile."""

    face: str
    """Tile text, or any name known to the renderer's faces; a standing tile's face is never drawn."""
    x_mm: float
    y_mm: float
    z_mm: float = 0.0
    """Height of its underside above the felt."""
    angle_deg: float = 0.0
    """Where the glyph's top points; 0 is +y. For a standing tile, as if its owner had laid it down: at 0 its face
    looks to -y.
    """
    pose: Pose = Pose.FACE_UP

    def __post_init__(self) -> None:
        """Refuses a tile below the felt."""
        if self.z_mm < 0:
            raise SceneError(f"expected a tile on or above the felt, got z_mm {self.z_mm!r} for {self.face!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneStick:
    """One point stick."""

    value: int
    x_mm: float
    y_mm: float
    z_mm: float = 0.0
    angle_deg: float = 0.0
    """0 or 180 along x."""

    def __post_init__(self) -> None:
        """Refuses a value that no stick has."""
        if self.value not in STICK_VALUES:
            raise UnknownStickError(f"expected a stick of {STICK_VALUES} points, got {self.value!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """An arm that reaches in over the table."""

    side: int
    """The side of the table it comes from."""
    x_mm: float
    """The position of the fingertips."""
    y_mm: float
    holds: SceneTile | None = None
    """The tile between its fingers; the tile's own position is ignored."""

    def __post_init__(self) -> None:
        """Refuses an arm from an unknown side."""
        if self.side not in SIDES:
            raise SceneError(f"expected an arm from side 0-3, got {self.side!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Everything on the table that the camera can see."""

    tiles: tuple[SceneTile, ...] = ()
    sticks: tuple[SceneStick, ...] = ()
    arms: tuple[Arm, ...] = ()
