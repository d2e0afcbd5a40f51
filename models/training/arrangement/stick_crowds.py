"""Adds sticks that are hard to read to a scene: they cross, touch, or have an end below a tile or a hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from models.training.arrangement.laid_sticks import on_top
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.scene import Arm, Scene, SceneStick
from vision.geometry.sides import SIDES

_GROUPS: Final = (3, 9)
"""How many groups are added: the least number, and the first number above the range."""
_KINDS: Final = {"crossing": 0.35, "touching": 0.35, "below a tile": 0.2, "below a hand": 0.1}
"""The kinds of groups, with their chances."""
_VALUES: Final = (100, 1000, 5000, 10000)
_VALUE_CHANCES: Final = (0.2, 0.2, 0.28, 0.32)
_HALF_MM: Final = 38.0
"""Half the length of a stick, roughly."""


def with_stick_crowds(appearance: Appearance, scene: Scene, rng: np.random.Generator) -> Scene:
    """Returns a scene with additional groups of sticks that are hard to read, in any place."""
    sticks, arms = list(scene.sticks), list(scene.arms)
    for _ in range(int(rng.integers(*_GROUPS))):
        kind = rng.choice(list(_KINDS), p=list(_KINDS.values()))
        if kind == "crossing":
            sticks += _crossing_sticks(appearance, rng)
        elif kind == "touching":
            sticks += _bundle(appearance, rng)
        elif kind == "below a tile" and scene.tiles:
            tile = scene.tiles[rng.integers(len(scene.tiles))]
            sticks.append(_end_at(tile.x_mm, tile.y_mm, rng))
        elif len(arms) < len(SIDES):
            stick = _random_stick(appearance, rng)
            sticks.append(stick)
            arms.append(_hand_on(stick, rng))
    return replace(scene, sticks=tuple(sticks), arms=tuple(arms))


def _value(rng: np.random.Generator) -> int:
    return int(rng.choice(_VALUES, p=_VALUE_CHANCES))


def _random_stick(appearance: Appearance, rng: np.random.Generator) -> SceneStick:
    x, y = rng.uniform(-0.47, 0.47, 2) * appearance.felt_mm
    degrees = float(rng.choice([0, 90]) + rng.normal(0, 4)) if rng.random() < 0.6 else float(rng.uniform(0, 180))
    return SceneStick(value=_value(rng), x_mm=float(x), y_mm=float(y), angle_deg=degrees)


def _stick_beside(stick: SceneStick, along: float, across: float, lean_deg: float, value: int) -> SceneStick:
    """Returns a stick moved by millimetres along and across another one, and rotated against it."""
    turn = np.radians(stick.angle_deg)
    return SceneStick(
        value=value,
        x_mm=stick.x_mm + float(along * np.cos(turn) - across * np.sin(turn)),
        y_mm=stick.y_mm + float(along * np.sin(turn) + across * np.cos(turn)),
        angle_deg=stick.angle_deg + lean_deg,
    )


def _crossing_sticks(appearance: Appearance, rng: np.random.Generator) -> list[SceneStick]:
    """Returns one to three sticks that lie across a first one at a small angle."""
    group = [_random_stick(appearance, rng)]
    for _ in range(int(rng.integers(1, 4))):
        lean = float(rng.choice([-1, 1]) * rng.uniform(5, 40))
        along, across = float(rng.normal(0, 18)), float(rng.normal(0, 9))
        group.append(on_top(_stick_beside(group[0], along, across, lean, _value(rng)), group, appearance))
    return group


def _bundle(appearance: Appearance, rng: np.random.Generator) -> list[SceneStick]:
    """Returns a bundle, of one value or mixed, perhaps with a stick across it."""
    first, count = _random_stick(appearance, rng), int(rng.integers(2, 8))
    is_mixed, slip = rng.random() < 0.4, float(rng.choice([0.6, 4.0]))
    group = [first]
    for number in range(1, count):
        pitch = appearance.stick_breadth_mm + float(rng.uniform(0.0, 0.4))
        value = _value(rng) if is_mixed else first.value
        group.append(_stick_beside(first, float(rng.normal(0, slip)), number * pitch, float(rng.normal(0, 0.3)), value))
    if rng.random() < 0.25:
        lean, along = float(rng.normal(0, 30)), float(rng.normal(0, 12))
        middle = (count - 1) * appearance.stick_breadth_mm / 2
        group.append(on_top(_stick_beside(first, along, middle, lean, _value(rng)), group, appearance))
    return group


def _end_at(x_mm: float, y_mm: float, rng: np.random.Generator) -> SceneStick:
    """Returns a stick with an end about a place, at any angle."""
    degrees = float(rng.choice([0, 90, 180, 270]) + rng.normal(0, 8)) if rng.random() < 0.5 else rng.uniform(0, 360)
    turn, distance = np.radians(degrees), _HALF_MM - float(rng.uniform(-10, 18))
    return SceneStick(
        value=_value(rng),
        x_mm=x_mm + distance * float(np.cos(turn)),
        y_mm=y_mm + distance * float(np.sin(turn)),
        angle_deg=float(degrees),
    )


def _hand_on(stick: SceneStick, rng: np.random.Generator) -> Arm:
    """Returns an arm with its fingertips on an end of a stick."""
    turn, distance = np.radians(stick.angle_deg), float(rng.choice([-1, 1]) * (_HALF_MM - rng.uniform(-5, 22)))
    return Arm(
        side=int(rng.integers(len(SIDES))),
        x_mm=stick.x_mm + distance * float(np.cos(turn)),
        y_mm=stick.y_mm + distance * float(np.sin(turn)),
    )
