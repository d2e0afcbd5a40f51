"""What lies on the felt, in millimetres and sides of the table: no seats, no winds, no turns.

Coordinates: origin at the table's centre, x right, y up in the image, angles in degrees counter-clockwise.
Angle 0 means that the glyph's top points to +y. Sides are numbered 0-3 counter-clockwise seen from above, 0 at the
image's bottom edge; a side's own "up" points from it to the centre.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

BACK: Final = "back"
"""The face of a tile that lies face down."""
NOT_A_TILE: Final = "?"
FACES: Final = (
    *(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)),
    *(f"{rank}z" for rank in range(1, 8)),
    "0m",
    "0p",
    "0s",
)
"""The 37 printed faces in mpsz, red fives last."""
HAKU: Final = "5z"
"""The white dragon, on most sets a blank face."""
COPIES: Final = 4
"""How many tiles of a kind a set has, red fives included."""
CLASSES: Final = (*FACES, BACK, NOT_A_TILE)
"""The reader's classes, in the order of its output."""
CLASS_INDEX: Final = {name: index for index, name in enumerate(CLASSES)}


class Zone(Enum):
    """The part of a side's area in which something lies."""

    RIVER = "river"
    MELD = "meld"
    HAND = "hand"
    """A hand laid open in its place."""
    WALL = "wall"
    """Face-up tiles on a wall: dora and ura indicators."""
    STICKS = "sticks"
    ELSEWHERE = "elsewhere"


class Outcome(Enum):
    """The effect of the set check on one reading (`vision.reading.set_consistency`)."""

    CORRECTED = "corrected"
    """It is certainly another face."""
    UPHELD = "upheld"
    """It was doubtful, but all copies of its alternatives are elsewhere."""
    DOUBTED = "doubted"
    """It or another of its kind is wrong; which one is unknown."""
    SURPLUS = "surplus"
    """One of more copies than the set has, all clearly read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The reading of a tile in one frame."""

    tile: str
    """The best class: mpsz, `back` or `?`."""
    score: float
    """Calibrated probability of `tile`."""
    alternatives: tuple[tuple[str, float], ...] = ()
    """The next best classes with their probabilities, best first."""
    turned: bool = False
    """Whether the glyph is upside down in the quad that was read."""
    outcome: Outcome | None = None
    """The effect of the set check; None if the reading stands."""

    @property
    def is_face(self) -> bool:
        """Whether `tile` is a face: neither `back` nor `?`."""
        return self.tile not in (BACK, NOT_A_TILE)

    @property
    def chances(self) -> dict[str, float]:
        """The probabilities of the best class and of the next best ones."""
        return {self.tile: self.score, **dict(self.alternatives)}


@dataclass(frozen=True, slots=True, kw_only=True)
class LyingTile:
    """A tile at rest, face up or down."""

    id: int
    """Identifies the physical tile as long as it is tracked; never reused."""
    reading: Reading
    x_mm: float
    y_mm: float
    angle_deg: float
    """Direction of the glyph's top; modulo 180 if a half turn does not change the face."""
    side: int
    """The side of the table that it belongs to."""
    zone: Zone
    is_sideways: bool
    """Whether it is rotated by a quarter turn against the tiles of that side and zone."""
    order: int
    """Its place in the river or hand, counted from 0 in laying order; for a meld from its left end; else 0."""
    group: int = 0
    """The number of the meld on its side, counted from 0 in the order in which melds were laid; else 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LyingStick:
    """A point stick at rest on the felt."""

    id: int
    value: int
    """1000, 100, 5000, 10000, or 0 if unknown."""
    score: float
    x_mm: float
    y_mm: float
    angle_deg: float
    side: int
    """The side whose stick zone it lies in, or the nearest side."""
    zone: Zone = Zone.STICKS
    """`STICKS` between a river and the centre; `ELSEWHERE` for counters by the rail, payments, spare sticks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TileLaid:
    """A tile came to rest that was not there before."""

    tile: LyingTile


@dataclass(frozen=True, slots=True, kw_only=True)
class TileTaken:
    """A tile was taken away."""

    tile: LyingTile


@dataclass(frozen=True, slots=True, kw_only=True)
class TileReread:
    """The same tile with a changed face, place in the zone, posture, or result of the set check."""

    before: LyingTile
    tile: LyingTile


@dataclass(frozen=True, slots=True, kw_only=True)
class StickLaid:
    """A stick came to rest."""

    stick: LyingStick


@dataclass(frozen=True, slots=True, kw_only=True)
class StickTaken:
    """A stick was taken away."""

    stick: LyingStick


FeltChange = TileLaid | TileTaken | TileReread | StickLaid | StickTaken


@dataclass(frozen=True, slots=True, kw_only=True)
class Felt:
    """Everything believed to lie on the felt at one moment."""

    tiles: tuple[LyingTile, ...] = ()
    sticks: tuple[LyingStick, ...] = ()
    covered: frozenset[tuple[int, Zone]] = frozenset()
    """The sides and zones that an arm covers or where something moves: what is said about them is the last belief."""
    walls: int = 0
    """How many backs lie where walls stand; they are not among `tiles`."""

    def in_zone(self, side: int, zone: Zone) -> tuple[LyingTile, ...]:
        """Returns the tiles of one zone, sorted by group and order."""
        found = [tile for tile in self.tiles if tile.side == side and tile.zone is zone]
        return tuple(sorted(found, key=lambda tile: (tile.group, tile.order)))


@dataclass(frozen=True, slots=True, kw_only=True)
class FeltReport:
    """The changes of a judged frame, with the felt after it.

    Reports come for frames with changes, for the first judged frame, and, without changes, twice when a lost camera is
    back.
    """

    frame: int
    """The frame in which the change was committed."""
    t_ns: int
    changes: tuple[FeltChange, ...]
    felt: Felt
    moved_mm: float = 0.0
    """How far the camera or the table was pushed since the last report; a push does not change the felt."""
