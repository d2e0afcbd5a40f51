"""Where things physically go on a riichi table: rivers, melds, hands, walls and sticks, slightly misplaced.

It turns the terms of the felt (side 2's third discard, sideways) into scene tiles. All numbers follow measured tables:
rows of six that abut the centre, melds in the owner's right corner, walls in a pinwheel. One layout always puts the
same thing in the same place, so what nobody touched does not move from scene to scene.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import cos, radians, sin
from zlib import crc32

import numpy as np

from vision.arrays import Floats
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.scene import Pose, SceneError, SceneStick, SceneTile
from vision.felt import BACK

_ROW = 6
_ROWS = 3
_FIRST_ROW_MM = 84.0
"""Distance from the table's centre to the middle of a river's first row, if the centre unit leaves room."""
_STICK_MM = 54.0
"""Distance of riichi sticks from the centre on a table without a centre unit."""
_RIM_MM = 5.0
"""Gap between melds and the rim."""
_HAND_INSIDE_MM = 38.0
"""Distance from the rim to the middle of a standing hand."""
_WALL_MM = 199.0
_STACKS = 17
_RING = 4 * _STACKS
_DEAD_STACKS = 7
_NEW_RIVER_TILT_DEG = 1.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Discard:
    """One tile in a river."""

    face: str
    is_sideways: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Meld:
    """The tiles of one meld as they lie, from the owner's left to right."""

    faces: tuple[str, ...]
    """Tile texts from left to right, `back` for face down."""
    turned_index: int | None = None
    """Which tile lies sideways, counted from 0."""
    added: str | None = None
    """The fourth tile of an added kan, laid against the sideways one's long side, or on top of it."""
    is_on_top: bool = False
    """Whether the added tile lies on top of the sideways one."""

    def __post_init__(self) -> None:
        """Refuses a sideways tile that does not exist, or an added one without it."""
        if self.turned_index is not None and self.turned_index not in range(len(self.faces)):
            raise SceneError(f"expected a turned tile 0-{len(self.faces) - 1}, got {self.turned_index!r}")
        if self.added is not None and self.turned_index is None:
            raise SceneError(f"expected a turned tile for the added {self.added!r} to lie against, got none")

    @classmethod
    def from_call(cls, own_faces: Sequence[str], called_face: str, *, from_left: int) -> "Meld":
        """Returns a chi, pon or open kan; the called tile came from the side `from_left` places to the left, 1-3."""
        if from_left not in (1, 2, 3):
            raise SceneError(f"expected a call from 1, 2 or 3 places to the left, got {from_left!r}")
        index = {1: 0, 2: 1, 3: len(own_faces)}[from_left]
        return cls(faces=(*own_faces[:index], called_face, *own_faces[index:]), turned_index=index)

    @classmethod
    def closed_kan(cls, faces: Sequence[str], *, are_outer_down: bool = True) -> "Meld":
        """Returns a closed kan with its outer or inner two tiles face down."""
        down = (0, 3) if are_outer_down else (1, 2)
        return cls(faces=tuple(BACK if i in down else face for i, face in enumerate(faces)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Wall:
    """The remaining wall.

    Stacks are counted clockwise seen from above, as tiles are drawn, from the right end of `break_side`.
    """

    break_side: int
    break_stack: int
    """Number of stacks to the right of the break: the sum of the dice."""
    drawn: int = 0
    """Number of tiles taken from the live wall, including the deal."""
    rinshan: int = 0
    """Number of replacement tiles taken from the dead wall's end."""
    indicators: tuple[str, ...] = ()
    """The open dora indicators, the first one first."""
    ura: tuple[str, ...] = ()
    """The indicators below them, shown after a win."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Places things on the table of one appearance."""

    appearance: Appearance = field(default_factory=Appearance.default)
    seed: int = 0
    untidiness: float = 1.0
    """0 places everything exactly, 1 as people place it; higher is messier."""
    melds_per_row: int = 4
    """Number of melds side by side along the rim, before the next ones go in front of them."""

    def river(self, side: int, discards: Sequence[Discard]) -> tuple[SceneTile, ...]:
        """Returns the river of one side in laying order: two rows of six, the rest in a third."""
        tiles: list[SceneTile] = []
        for row in range(_ROWS):
            end = None if row == _ROWS - 1 else (row + 1) * _ROW
            tiles.extend(self._river_row(side, row, discards[row * _ROW : end]))
        return tuple(tiles)

    def melds(self, side: int, melds: Sequence[Meld]) -> tuple[SceneTile, ...]:
        """Returns all melds of one side, the first in the corner; an added tile follows its meld's others."""
        tiles: list[SceneTile] = []
        for index, meld in enumerate(melds):
            row, place = divmod(index, self.melds_per_row)
            right = self._inside(_RIM_MM)
            for earlier in melds[row * self.melds_per_row : index]:
                right -= self._meld_width(earlier) + 3.0
            tiles.extend(self._meld(side, meld, right, row, name=f"meld {index} {place}"))
        return tuple(tiles)

    def standing_hand(self, side: int, count: int, *, has_drawn: bool = False) -> tuple[SceneTile, ...]:
        """Returns `count` standing tiles; with `has_drawn` the last one stands apart on the right."""
        gap = self.appearance.tile_width_mm * 0.5 if has_drawn else 0.0
        return tuple(
            self._tile(
                side,
                BACK,
                self._hand_start() + (i + 0.5) * self._pitch() + (gap if i == count - 1 else 0.0),
                self._hand_distance(),
                name=f"hand {i}",
                calm=0.4,
                pose=Pose.STANDING,
            )
            for i in range(count)
        )

    def open_hand(self, side: int, faces: Sequence[str], *, winning: str | None = None) -> tuple[SceneTile, ...]:
        """Returns a hand laid face up in front of its place, with the winning tile apart on the right."""
        distance = self._hand_distance() - self.appearance.tile_depth_mm / 2 - self.appearance.tile_height_mm / 2 - 3.0
        tiles = [
            self._tile(side, face, self._hand_start() + (i + 0.5) * self._pitch(), distance, name=f"open {i}", calm=0.6)
            for i, face in enumerate(faces)
        ]
        if winning is not None:
            along = self._hand_start() + (len(faces) + 1.2) * self._pitch()
            tiles.append(self._tile(side, winning, along, distance, name="winning"))
        return tuple(tiles)

    def riichi_stick(self, side: int, *, value: int = 1000) -> SceneStick:
        """Returns the stick between the river and the centre; it lies on the unit if no felt is free."""
        appearance = self.appearance
        inner = self._first_row() - appearance.tile_height_mm / 2
        free = inner - appearance.unit_mm / 2
        if appearance.unit_mm == 0:
            return self._stick(side, value, along=0.0, distance=_STICK_MM, name="riichi")
        if free >= appearance.stick_breadth_mm + 3:
            return self._stick(side, value, along=0.0, distance=inner - free / 2, name="riichi")
        distance = appearance.unit_mm / 2 - appearance.stick_breadth_mm / 2 - 2
        return self._stick(side, value, along=0.0, distance=distance, name="riichi", z_mm=appearance.unit_height_mm)

    def counters(self, side: int, count: int) -> tuple[SceneStick, ...]:
        """Returns the 100-point sticks that count honba, on the dealer's right between melds and the next hand."""
        first = self._inside(2 * self.appearance.tile_width_mm + self.appearance.stick_breadth_mm / 2 + 12)
        along = self._inside(self.appearance.stick_length_mm / 2 + 8)
        pitch = self.appearance.stick_breadth_mm + 2
        return tuple(
            self._stick(side, 100, along=along, distance=first - i * pitch, name=f"honba {i}") for i in range(count)
        )

    def wall(self, wall: Wall) -> tuple[SceneTile, ...]:
        """Returns the remaining tiles of the wall, upper tiles after lower ones."""
        left = self._wall_left(wall)
        tiles = [self._wall_tile(ring, level, BACK) for ring, level in sorted(left, key=lambda p: p[1])]
        for number, face in enumerate(wall.indicators):
            tiles.append(self._wall_tile(_indicator_ring(wall, number), 1, face))
        for number, face in enumerate(wall.ura):
            tiles.append(self._shown_ura(_indicator_ring(wall, number), face))
        return tuple(tiles)

    def _river_row(self, side: int, row: int, discards: Sequence[Discard]) -> list[SceneTile]:
        appearance = self.appearance
        tilt = self._chance(f"river {side} tilt", 1.0)[0] * _NEW_RIVER_TILT_DEG * self.untidiness
        start = self._chance(f"river {side} row {row}", 4.0)[0] * self.untidiness
        edge = -_ROW / 2 * appearance.tile_width_mm + start
        distance = self._first_row() + row * (appearance.tile_height_mm + 1.0)
        tiles = []
        for place, discard in enumerate(discards):
            width = appearance.tile_height_mm if discard.is_sideways else appearance.tile_width_mm
            along, away = _rotated(edge + width / 2, distance, tilt)
            name = f"river {side} {row} {place} {discard.face}"
            turn = tilt + (90.0 if discard.is_sideways else 0.0)
            tiles.append(self._tile(side, discard.face, along, away, name=name, turn=turn))
            edge += width + self._gap(name)
        return tiles

    def _meld(self, side: int, meld: Meld, right: float, row: int, *, name: str) -> list[SceneTile]:
        """Places a meld leftward from `right`, its tiles' lower edges on one line."""
        appearance = self.appearance
        base = self._inside(_RIM_MM) - row * (2 * appearance.tile_width_mm + 3.0)
        tiles, edge, turned_at = [], right - self._meld_width(meld), 0.0
        for place, face in enumerate(meld.faces):
            is_turned = place == meld.turned_index
            width, height = self._footprint(is_turned=is_turned)
            along = edge + width / 2
            turned_at = along if is_turned else turned_at
            turn = 90.0 if is_turned else 0.0
            key = f"{name} {side} {place} {face}"
            tiles.append(self._tile(side, face, along, base - height / 2, name=key, turn=turn, calm=0.5))
            edge += width + 0.4
        if meld.added is not None:
            tiles.append(self._added(side, meld, turned_at, base, key=f"{name} {side} added"))
        return tiles

    def _added(self, side: int, meld: Meld, along: float, base: float, *, key: str) -> SceneTile:
        """Places the fourth tile of an added kan beside the turned one, on its centre side, or on top of it."""
        width, face = self.appearance.tile_width_mm, meld.added or BACK
        if not meld.is_on_top:
            return self._tile(side, face, along, base - 1.5 * width - 0.6, name=key, turn=90.0, calm=0.5)
        height = self.appearance.tile_depth_mm
        return self._tile(side, face, along, base - 0.5 * width, name=key, turn=90.0, calm=1.5, z_mm=height)

    def _meld_width(self, meld: Meld) -> float:
        widths = (self._footprint(is_turned=i == meld.turned_index)[0] for i in range(len(meld.faces)))
        return sum(widths) + 0.4 * (len(meld.faces) - 1)

    def _footprint(self, *, is_turned: bool) -> tuple[float, float]:
        width, height = self.appearance.tile_width_mm, self.appearance.tile_height_mm
        return (height, width) if is_turned else (width, height)

    def _wall_left(self, wall: Wall) -> set[tuple[int, int]]:
        """Returns which places of the ring still hold a face-down tile: (stack in drawing order, level)."""
        live = [(wall.break_stack + i // 2, 1 - i % 2) for i in range(2 * (_RING - _DEAD_STACKS))]
        dead = [(wall.break_stack - 1 - i // 2, 1 - i % 2) for i in range(2 * _DEAD_STACKS)]
        left = {(_side_ring(wall, ring), level) for ring, level in (*live[wall.drawn :], *dead[wall.rinshan :])}
        left -= {(_indicator_ring(wall, number), 1) for number in range(len(wall.indicators))}
        return left - {(_indicator_ring(wall, number), 0) for number in range(len(wall.ura))}

    def _wall_tile(self, ring: int, level: int, face: str) -> SceneTile:
        """Places a tile of the ring; the pinwheel shifts every wall one tile to its owner's right."""
        appearance = self.appearance
        side, stack = (-(ring // _STACKS)) % 4, ring % _STACKS
        tilt = 1.5 * self._chance(f"wall {side}", 1.0)[0] * self.untidiness
        along = (_STACKS / 2 - stack + 0.5) * (appearance.tile_width_mm + 0.1)
        along, distance = _rotated(along, self._wall_distance(), tilt)
        return self._tile(
            side,
            face,
            along,
            distance,
            name=f"wall {ring} {level}",
            turn=tilt,
            calm=0.3,
            z_mm=level * appearance.tile_depth_mm,
            pose=Pose.FACE_DOWN if face == BACK else Pose.FACE_UP,
        )

    def _shown_ura(self, ring: int, face: str) -> SceneTile:
        """Lays an ura indicator on the felt outside the wall, apart from the dora that covered it."""
        side, stack = (-(ring // _STACKS)) % 4, ring % _STACKS
        along = (_STACKS / 2 - stack + 0.5) * (self.appearance.tile_width_mm + 0.1)
        distance = self._wall_distance() + 1.3 * self.appearance.tile_height_mm
        return self._tile(side, face, along, distance, name=f"ura {ring}")

    def _tile(
        self,
        side: int,
        face: str,
        along: float,
        distance: float,
        *,
        name: str,
        turn: float = 0.0,
        calm: float = 1.0,
        z_mm: float = 0.0,
        pose: Pose | None = None,
    ) -> SceneTile:
        """Returns a tile `along` to the side's right and `distance` from the centre, a little off."""
        dx, dy, yaw = self._chance(f"{side} {name}", 0.45) * self.untidiness * calm
        # Neighbours touch: tiles hardly stray along the row, but the gaps between them do.
        x, y = _on_felt(side, along + 0.4 * dx, distance + dy)
        down = pose or (Pose.FACE_DOWN if face == BACK else Pose.FACE_UP)
        angle = 90.0 * side + turn + 2.4 * yaw
        return SceneTile(face=face, x_mm=x, y_mm=y, z_mm=z_mm, angle_deg=angle, pose=down)

    def _stick(
        self, side: int, value: int, *, along: float, distance: float, name: str, z_mm: float = 0.0
    ) -> SceneStick:
        dx, dy, yaw = self._chance(f"{side} {name}", 1.0) * self.untidiness
        x, y = _on_felt(side, along + 2 * dx, distance + 0.5 * dy)
        return SceneStick(value=value, x_mm=x, y_mm=y, z_mm=z_mm, angle_deg=90.0 * side + yaw)

    def _chance(self, name: str, spread: float) -> Floats:
        """Returns three numbers around 0, at most 2.5 times `spread`, always the same for a name."""
        normals: Floats = _dice(self.seed, name)[0] * spread
        return normals

    def _gap(self, name: str) -> float:
        return (0.2 + 0.8 * _dice(self.seed, name)[1]) * self.untidiness

    def _first_row(self) -> float:
        """Distance of the first row, clear of the unit and, with large tiles, of the neighbours' first rows."""
        appearance = self.appearance
        unit = appearance.unit_mm / 2 + appearance.tile_height_mm / 2 + 2.0
        neighbours = _ROW / 2 * appearance.tile_width_mm + appearance.tile_height_mm / 2 + 9.0
        return max(_FIRST_ROW_MM, unit, neighbours)

    def _wall_distance(self) -> float:
        """Distance at which the pinwheel's corners do not overlap."""
        appearance = self.appearance
        river_end = self._first_row() + (_ROWS - 0.5) * (appearance.tile_height_mm + 1.0)
        pinwheel = (_STACKS / 2 - 1) * appearance.tile_width_mm + appearance.tile_height_mm / 2 + 4.0
        return max(_WALL_MM, river_end + appearance.tile_height_mm / 2 + 4.0, pinwheel)

    def _hand_distance(self) -> float:
        return self._inside(_HAND_INSIDE_MM)

    def _hand_start(self) -> float:
        """The left end of a hand, left of the middle so that melds have room on the right."""
        return -8.0 * self._pitch()

    def _pitch(self) -> float:
        return self.appearance.tile_width_mm + 0.3

    def _inside(self, mm: float) -> float:
        """Returns the distance from the centre of a point `mm` inside the rim."""
        return self.appearance.felt_mm / 2 - mm


@lru_cache(maxsize=16384)
def _dice(seed: int, name: str) -> tuple[Floats, float]:
    """Returns the random numbers of a name: three normal ones within 2.5 and one between 0 and 1."""
    rng = np.random.default_rng([seed, crc32(name.encode())])
    return np.clip(rng.standard_normal(3), -2.5, 2.5), float(rng.random())


def _side_ring(wall: Wall, place: int) -> int:
    """Converts a stack counted from the break side to one counted clockwise from side 0."""
    return ((-wall.break_side % 4) * _STACKS + place) % _RING


def _indicator_ring(wall: Wall, number: int) -> int:
    """Returns the stack of an indicator; the first lies on the third stack from the dead wall's end at the break."""
    return _side_ring(wall, wall.break_stack - 3 - number)


def _on_felt(side: int, along: float, distance: float) -> tuple[float, float]:
    """Converts a place as its side sees it to felt millimetres."""
    turn = radians(90.0 * side)
    return along * cos(turn) + distance * sin(turn), along * sin(turn) - distance * cos(turn)


def _rotated(along: float, distance: float, degrees: float) -> tuple[float, float]:
    """Rotates a place of a row counter-clockwise about the point where the row crosses the side's middle."""
    turn = radians(degrees)
    return along * cos(turn), distance - along * sin(turn)
