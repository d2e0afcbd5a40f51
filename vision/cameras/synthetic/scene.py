"""What lies, stands and moves on a table at one moment: the input of the synthetic camera.

Felt coordinates throughout: millimetres, origin at the table's centre, x right, y up in the image, z up from
the felt, angles counter-clockwise degrees. A scene knows things and places, no turns and no winds.
"""

from dataclasses import dataclass
from enum import Enum

from vision.art import STICK_VALUES, UnknownStickError
from vision.errors import VisionError

SIDES = range(4)


class SceneError(VisionError, ValueError):
    """A scene that cannot be: an unknown side, a tile below the felt."""


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
    """Tile text, or any name that the renderer's faces know; a standing tile's face is never drawn."""
    x_mm: float
    y_mm: float
    z_mm: float = 0.0
    """Height of its underside above the felt."""
    angle_deg: float = 0.0
    """Where the glyph's top points, 0 being +y. A standing tile turns with the owner who would lay it so: at 0
    its face looks to -y."""
    pose: Pose = Pose.FACE_UP

    def __post_init__(self) -> None:
        """Refuses a tile under the table."""
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
    """0 or 180 when it lies along x."""

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
    """Where the fingertips are."""
    y_mm: float
    holds: SceneTile | None = None
    """The tile between its fingers; its own place is ignored."""

    def __post_init__(self) -> None:
        """Refuses an arm from nowhere."""
        if self.side not in SIDES:
            raise SceneError(f"expected an arm from side 0-3, got {self.side!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """All that the camera can see on the table."""

    tiles: tuple[SceneTile, ...] = ()
    sticks: tuple[SceneStick, ...] = ()
    arms: tuple[Arm, ...] = ()
