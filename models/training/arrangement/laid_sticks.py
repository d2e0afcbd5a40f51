"""Sticks as players lay them: in front of the river, on the unit, in its slot, half over its edge; payments, honba."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.solids import STICK_DEPTH_MM, stick_solid, tile_solid
from vision.cameras.synthetic.scene import SceneStick, SceneTile

RIICHI_PLACES: Final = ("felt", "unit", "slot", "edge")
"""The places of riichi sticks: in front of the river, on the unit, in its slot, half over the unit's edge."""
_VALUES: Final = (100, 1000, 5000, 10000)
_TRIES: Final = 12
_PILES: Final = 4
_CROSSED: Final = 30.0
"""The overlap in square millimetres above which one stick of a pile lies on another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidSticks:
    """All sticks of a scene, and the sides with riichi sticks."""

    sticks: tuple[SceneStick, ...]
    riichi_place: str
    riichi_sides: tuple[int, ...]
    """The sides with a riichi stick."""


def laid_sticks(
    appearance: Appearance, tiles: tuple[SceneTile, ...], honba: tuple[SceneStick, ...], rng: np.random.Generator
) -> LaidSticks:
    """Returns the 100-point sticks of `honba` with riichi sticks, payments and others, all clear of tiles."""
    place = str(rng.choice(RIICHI_PLACES)) if appearance.unit_mm else "felt"
    footprints = [tile_solid(tile, appearance).footprint for tile in tiles]
    sticks: list[SceneStick] = [stick for stick in honba if stick.value == 100]
    footprints += [stick_solid(stick, appearance).footprint for stick in sticks]
    sides = tuple(
        side
        for side in range(4)
        if rng.random() < 0.5 and _lay([_riichi(appearance, side, place, rng)], appearance, footprints, sticks)
    )
    for _ in range(_PILES):
        for _ in range(_TRIES):
            if _lay(_pile(appearance, rng), appearance, footprints, sticks):
                break
    return LaidSticks(sticks=tuple(sticks), riichi_place=place, riichi_sides=sides)


def slot_middle_mm(appearance: Appearance) -> float:
    """Returns the distance of the middle of a unit's slot from the table's centre."""
    return appearance.unit_mm / 2 - appearance.stick_breadth_mm / 2 - 5.0


def _lay(
    new_sticks: list[SceneStick], appearance: Appearance, footprints: list[Floats], sticks: list[SceneStick]
) -> bool:
    """Adds the new sticks if they are clear of everything; returns whether they are."""
    plans = [stick_solid(stick, appearance).footprint for stick in new_sticks]
    if any(_overlap(plan, other) for plan in plans for other in footprints):
        return False
    footprints += plans
    sticks += new_sticks
    return True


def _overlap(one: Floats, other: Floats, *, at_least: float = 1.0) -> bool:
    """Whether two outlines overlap by at least that many square millimetres."""
    shared_area, _ = cv2.intersectConvexConvex(_packed(one), _packed(other))
    return bool(shared_area > at_least)


def _packed(plan: Floats) -> npt.NDArray[np.float32]:
    return plan.astype(np.float32).reshape(-1, 1, 2)


def _riichi(appearance: Appearance, side: int, place: str, rng: np.random.Generator) -> SceneStick:
    value = int(rng.choice(_VALUES, p=[0.04, 0.9, 0.03, 0.03]))
    half, breadth = appearance.unit_mm / 2, appearance.stick_breadth_mm
    lean, slip = rng.normal(0, 1.5), rng.normal(0, 3)
    if place == "slot":
        return _at(side, value, (slip / 3, slot_middle_mm(appearance), lean / 6), z_mm=appearance.unit_height_mm)
    if place == "unit":
        return _at(side, value, (slip, float(rng.uniform(0.55, 0.8)) * half, 2 * lean), z_mm=appearance.unit_height_mm)
    if place == "edge":
        distance = half + breadth * float(rng.uniform(-0.15, 0.3))
        return _at(side, value, (slip, distance, 2 * lean), z_mm=appearance.unit_height_mm)
    inner = 54.0 if not half else half + breadth / 2 + float(rng.uniform(1, 4))
    return _at(side, value, (slip, inner, lean), z_mm=0.0)


def _pile(appearance: Appearance, rng: np.random.Generator) -> list[SceneStick]:
    """Returns a payment or honba between a wall and its owner: equal sticks that touch, or mixed ones."""
    side, breadth = int(rng.integers(4)), appearance.stick_breadth_mm
    value, count = int(rng.choice(_VALUES, p=[0.55, 0.2, 0.13, 0.12])), int(rng.integers(1, 6))
    is_tidy = rng.random() < 0.6
    pitch = breadth + (float(rng.uniform(0.05, 0.6)) if is_tidy else float(rng.uniform(1, 8)))
    along = float(rng.uniform(-0.3, 0.3)) * appearance.felt_mm
    first = appearance.felt_mm / 2 - float(rng.uniform(60, 150))
    across = rng.random() < 0.3
    sticks: list[SceneStick] = []
    for number in range(count):
        lean = rng.normal(0, 0.4) if is_tidy else rng.normal(0, 12)
        stick_value = value if is_tidy else int(rng.choice(_VALUES))
        step = number * pitch
        spot = (along + step, first, 90.0) if across else (along, first - step, 0.0)
        place = (spot[0] + float(rng.normal(0, 1)), spot[1], spot[2] + lean)
        stick = _at(side, stick_value, place, z_mm=0.0)
        sticks.append(on_top(stick, sticks, appearance))
    return sticks


def on_top(stick: SceneStick, below: list[SceneStick], appearance: Appearance) -> SceneStick:
    """Returns the stick raised onto the sticks of its pile that it crosses."""
    plan = stick_solid(stick, appearance).footprint
    crossed = [
        other.z_mm for other in below if _overlap(plan, stick_solid(other, appearance).footprint, at_least=_CROSSED)
    ]
    return replace(stick, z_mm=max(crossed) + STICK_DEPTH_MM) if crossed else stick


def _at(side: int, value: int, place: tuple[float, float, float], *, z_mm: float) -> SceneStick:
    """Returns a stick at a place relative to its side: to the right, from the centre, and degrees of rotation."""
    along, distance, lean_deg = place
    turn = np.radians(90.0 * side)
    return SceneStick(
        value=value,
        x_mm=float(along * np.cos(turn) + distance * np.sin(turn)),
        y_mm=float(along * np.sin(turn) - distance * np.cos(turn)),
        z_mm=z_mm,
        angle_deg=90.0 * side + float(lean_deg),
    )
