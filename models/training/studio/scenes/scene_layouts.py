"""The layout of the locator's scenes: rivers, hands, walls, heaps, sticks, and other objects."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from models.training.faces.tile_skins import TileSet
from models.training.studio.scenes.scene_solids import FACE_DOWN, FACE_UP, ON_SIDE, STANDING, Box, turn_x, turn_z
from models.training.studio.scenes.table_clutter import clutter_box, stick_box
from vision.arrays import Floats

REACH: Final = 420.0
"""The distance from the origin in millimetres beyond which nothing is placed."""
_CELL: Final = 2.0


class Ground:
    """The plane being filled; boxes that would intersect existing ones are left out."""

    def __init__(self, rng: np.random.Generator, sets: list[TileSet], extent: float) -> None:
        self.rng = rng
        self.sets = sets
        self.extent = min(extent, REACH)
        self.boxes: list[Box] = []
        height = rng.uniform(25.5, 33.0)
        self.tile = (float(height / rng.uniform(1.28, 1.42)), float(height), float(rng.uniform(14.0, 18.5)))
        cells = int(2 * REACH / _CELL)
        self._occupied: npt.NDArray[np.uint8] = np.zeros((cells, cells), np.uint8)

    def tile_box(self, x: float, y: float, yaw: float, pose: Floats, *, base: float = 0.0, lean: float = 0.0) -> Box:
        """Returns a tile of the scene's sets whose lowest point is at z = `base`."""
        chosen = self.sets[self.rng.integers(len(self.sets))] if self.rng.random() < 0.1 else self.sets[0]
        axes = turn_z(yaw) @ turn_x(lean) @ pose
        half = np.array(self.tile) / 2
        rise = float(np.abs(axes[2]) @ half)
        is_upright = pose is STANDING or pose is ON_SIDE
        return Box(
            kind="tile",
            centre=np.array([x, y, base + rise]),
            axes=axes,
            size=self.tile,
            face=chosen.faces[self.rng.integers(len(chosen.faces))],
            back=chosen.back,
            body=chosen.body,
            cover=chosen.cover,
            seam=chosen.seam,
            tags=frozenset({"standing"} if is_upright else ()),
        )

    def put(self, boxes: Iterable[Box], *, shrink: float = 1.6) -> list[Box]:
        """Adds the boxes for which there is room, and returns them."""
        added = []
        for box in boxes:
            footprint = self._footprint(box, shrink)
            if np.abs(box.centre[:2]).max() > self.extent or self._is_occupied(footprint):
                continue
            cv2.fillConvexPoly(self._occupied, footprint, 1)
            added.append(box)
        self.boxes += added
        return added

    def _footprint(self, box: Box, shrink: float) -> npt.NDArray[np.int32]:
        corners = box.corners()[:, :2]
        middle = corners.mean(axis=0)
        inner = middle + (corners - middle) * (1 - shrink / max(box.size[0], 1.0))
        cells = np.rint((inner + REACH) / _CELL).astype(np.int32)
        return np.asarray(cv2.convexHull(cells), np.int32).reshape(-1, 1, 2)

    def _is_occupied(self, footprint: npt.NDArray[np.int32]) -> bool:
        x, y, width, height = cv2.boundingRect(footprint)
        x, y = max(x, 0), max(y, 0)
        patch = self._occupied[y : y + height, x : x + width]
        mask = np.zeros_like(patch)
        cv2.fillConvexPoly(mask, footprint - np.array([x, y], np.int32), 1)
        return bool((patch & mask).any())


def fill(ground: Ground, *, is_photo: bool) -> list[Box]:
    """Places a few random groups and returns all boxes; photos have more standing tiles that face the viewer."""
    rng = ground.rng
    clutter = rng.random() < 0.5
    if clutter and rng.random() < 0.5:
        _clutter(ground)
    for _ in range(int(rng.integers(2, 8))):
        _GROUPS[rng.choice(len(_GROUPS), p=_PHOTO_WEIGHTS if is_photo else _WEIGHTS)](ground)
    if rng.random() < 0.6:
        _sticks(ground)
    if clutter:
        _clutter(ground)
    return ground.boxes


def _place(ground: Ground) -> tuple[float, float, float]:
    rng = ground.rng
    x, y = rng.normal(0, ground.extent * 0.45, 2)
    yaw = float(rng.choice([0, 0.5, 1.0, 1.5]) * np.pi) if rng.random() < 0.5 else float(rng.uniform(0, 2 * np.pi))
    return float(x), float(y), yaw + float(rng.normal(0, 0.04))


def _offset_place(x: float, y: float, yaw: float, u: float, v: float) -> tuple[float, float]:
    c, s = np.cos(yaw), np.sin(yaw)
    return float(x + c * u - s * v), float(y + s * u + c * v)


def _river(ground: Ground) -> None:
    rng = ground.rng
    x, y, yaw = _place(ground)
    width, height, _ = ground.tile
    down = rng.random() < 0.06
    for row in range(int(rng.integers(1, 4))):
        u, tilt = rng.normal(0, 8), rng.normal(0, 0.025)
        v = row * (height + rng.uniform(-0.5, 4))
        sideways = int(rng.integers(0, 14))
        for index in range(int(rng.integers(3, 8))):
            is_turned = index == sideways
            across = height if is_turned else width
            spot = _offset_place(x, y, yaw + tilt, u + across / 2, v + rng.normal(0, 0.5))
            angle = yaw + tilt + rng.normal(0, 0.025) + (np.pi / 2 if is_turned else 0)
            angle += np.pi if rng.random() < 0.1 else 0
            pose = FACE_DOWN if down or rng.random() < 0.02 else FACE_UP
            ground.put([ground.tile_box(*spot, float(angle), pose)])
            u += across + abs(rng.normal(0, 0.6))


def _hand(ground: Ground) -> None:
    rng = ground.rng
    x, y, yaw = _place(ground)
    width = ground.tile[0]
    pose, count = FACE_UP, int(rng.integers(5, 15))
    half = np.pi if rng.random() < 0.5 else 0.0
    gap = 0.0 if rng.random() < 0.7 else float(rng.uniform(0, 6))
    lean = float(rng.uniform(0, 0.05))
    for index in range(count):
        spot = _offset_place(
            x, y, yaw, (index - count / 2) * (width + gap + abs(rng.normal(0, 0.2))), rng.normal(0, 0.6)
        )
        upside = np.pi if rng.random() < 0.15 else 0.0
        ground.put([ground.tile_box(*spot, float(yaw + half + upside + rng.normal(0, 0.012)), pose, lean=lean)])


def _standing(ground: Ground) -> None:
    rng = ground.rng
    x, y, yaw = _place(ground)
    if rng.random() < 0.7:
        yaw = float(rng.normal(0, 0.3))
    width, height, _ = ground.tile
    pose = STANDING if rng.random() < 0.9 else ON_SIDE
    pitch = width if pose is STANDING else height
    gap = 0.0 if rng.random() < 0.7 else float(rng.uniform(0, 12))
    for index in range(int(rng.integers(1, 15))):
        spot = _offset_place(x, y, yaw, (index - 6) * (pitch + gap + abs(rng.normal(0, 0.3))), rng.normal(0, 0.8))
        ground.put([ground.tile_box(*spot, float(yaw + rng.normal(0, 0.015)), pose)])


def _wall(ground: Ground) -> None:
    rng = ground.rng
    x, y, yaw = _place(ground)
    width, _, depth = ground.tile
    count = int(rng.integers(3, 18))
    for index in range(count):
        spot = _offset_place(x, y, yaw, (index - count / 2) * (width + abs(rng.normal(0, 0.15))), rng.normal(0, 0.4))
        if not ground.put([ground.tile_box(*spot, float(yaw + rng.normal(0, 0.008)), FACE_DOWN)]):
            continue
        if rng.random() < 0.93:
            pose = FACE_UP if rng.random() < 0.06 else FACE_DOWN
            nudge = rng.normal(0, 0.5, 2)
            ground.boxes.append(
                ground.tile_box(
                    spot[0] + nudge[0], spot[1] + nudge[1], float(yaw + rng.normal(0, 0.01)), pose, base=depth
                )
            )


def _grid(ground: Ground) -> None:
    rng = ground.rng
    x, y, yaw = _place(ground)
    width, height, _ = ground.tile
    gap = 0.0 if rng.random() < 0.6 else float(rng.uniform(0, 8))
    down = rng.choice([0.0, 0.1, 0.5, 1.0], p=[0.6, 0.2, 0.1, 0.1])
    for row in range(int(rng.integers(1, 5))):
        shift = rng.normal(0, 1.0)
        for column in range(int(rng.integers(2, 10))):
            u = (column - 4) * (width + gap) + shift + rng.normal(0, 0.3)
            v = (row - 2) * (height + gap) + rng.normal(0, 0.4)
            pose = FACE_DOWN if rng.random() < down else FACE_UP
            ground.put([ground.tile_box(*_offset_place(x, y, yaw, u, v), float(yaw + rng.normal(0, 0.02)), pose)])


def _scattered(ground: Ground) -> None:
    rng = ground.rng
    x, y, _ = _place(ground)
    spread = rng.uniform(25, 140)
    down = rng.choice([0.1, 0.5, 0.95], p=[0.5, 0.3, 0.2])
    for _ in range(int(rng.integers(4, 45))):
        spot = rng.normal((x, y), spread)
        pose = FACE_DOWN if rng.random() < down else FACE_UP
        if rng.random() < 0.06:
            pose = STANDING if rng.random() < 0.5 else ON_SIDE
        yaw = float(rng.uniform(0, 2 * np.pi))
        ground.put([ground.tile_box(float(spot[0]), float(spot[1]), yaw, pose)], shrink=1.0)


def _heap(ground: Ground) -> None:
    """Places tiles on top of one another, each slightly askew."""
    rng = ground.rng
    x, y, _ = _place(ground)
    depth = ground.tile[2]
    for _ in range(int(rng.integers(6, 25))):
        spot = rng.normal((x, y), rng.uniform(20, 60))
        pose = FACE_DOWN if rng.random() < 0.4 else FACE_UP
        base, lean = float(rng.uniform(0, depth)), float(rng.normal(0, 0.2))
        ground.boxes.append(
            ground.tile_box(
                float(spot[0]), float(spot[1]), float(rng.uniform(0, 2 * np.pi)), pose, base=base, lean=lean
            )
        )


def _melds(ground: Ground) -> None:
    rng = ground.rng
    x, y, yaw = _place(ground)
    width, height, _ = ground.tile
    u = 0.0
    for _ in range(int(rng.integers(1, 5))):
        sideways, count = int(rng.integers(0, 3)), int(rng.choice([3, 3, 4]))
        closed = count == 4 and rng.random() < 0.6
        hidden = ((0, 3) if rng.random() < 0.5 else (1, 2)) if closed else ()
        for index in range(count):
            is_turned = not closed and index == sideways
            across = height if is_turned else width
            v = (height - width) / 2 if is_turned else 0.0
            pose = FACE_DOWN if index in hidden else FACE_UP
            angle = yaw + (np.pi / 2 if is_turned else 0) + rng.normal(0, 0.02)
            ground.put([ground.tile_box(*_offset_place(x, y, yaw, u + across / 2, v), float(angle), pose)])
            u += across + abs(rng.normal(0, 0.3))
        u += rng.uniform(0, 12)


def _sticks(ground: Ground) -> None:
    rng = ground.rng
    length, breadth = float(rng.uniform(60, 97)), float(rng.uniform(6, 10.5))
    style = int(rng.integers(1 << 30))
    for _ in range(int(rng.integers(1, 4))):
        x, y, yaw = _place(ground)
        pitch = breadth + abs(rng.normal(0, 2))
        same = int(rng.choice([1000, 100, 5000, 10000, 0], p=[0.5, 0.25, 0.1, 0.08, 0.07]))
        for index in range(int(rng.choice([1, 1, 1, 2, 3, 6]))):
            spot = _offset_place(x, y, yaw, index * pitch, rng.normal(0, 3))
            angle = float(yaw + rng.normal(0, 0.03))
            value = same if rng.random() < 0.7 else int(rng.choice([1000, 100, 5000, 10000]))
            box = stick_box(rng, style=style, value=value, spot=spot, yaw=angle, size=(breadth, length))
            if rng.random() < 0.04:
                ground.boxes.append(box)
            else:
                ground.put([box], shrink=0.5)


def _clutter(ground: Ground) -> None:
    rng = ground.rng
    for _ in range(int(rng.integers(1, 6))):
        x, y, yaw = _place(ground)
        ground.put(clutter_box(rng, (x, y), yaw), shrink=0.0)


_GROUPS: Final[tuple[Callable[[Ground], None], ...]] = (
    _river, _hand, _standing, _wall, _grid, _scattered, _heap, _melds,
)  # fmt: skip
_WEIGHTS: Final = np.array([0.24, 0.14, 0.13, 0.12, 0.1, 0.13, 0.04, 0.1])
_PHOTO_WEIGHTS: Final = np.array([0.1, 0.16, 0.32, 0.08, 0.1, 0.15, 0.03, 0.06])
