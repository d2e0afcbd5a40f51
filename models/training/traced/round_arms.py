"""Arms over the table: round limbs with sleeves, and sometimes a ring, in the places used by `vision.cameras`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from models.training.traced.things import Material, Thing
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.arm_shape import limbs_of
from vision.cameras.synthetic.scene import Arm

_SLEEVE: Final = 0
_LAST_FINGER_BUT_ONE: Final = 5


def arm_things(arm: Arm, appearance: Appearance, rng: np.random.Generator) -> tuple[list[Thing], dict[str, Material]]:
    """Returns the limbs of one arm as tubes, and the materials of skin and cloth."""
    things: list[Thing] = []
    materials: dict[str, Material] = {}
    for number, limb in enumerate(limbs_of(arm, appearance)):
        blue, green, red = limb.colour
        name = f"arm {arm.side} {'sleeve' if number == _SLEEVE else 'skin'}"
        cloth = number == _SLEEVE
        materials[name] = Material(
            kind="cloth" if cloth else "plain",
            colour=(red / 255, green / 255, blue / 255),
            roughness=0.95 if cloth else 0.5,
            grain=0.3,
            relief_mm=0.6,
        )
        stroke = tuple((float(x), float(y), limb.height_mm, float(width) / 2) for x, y, width in limb.track)
        things.append(Thing(shape="tubes", material=name, strokes=(stroke,)))
        if number == _LAST_FINGER_BUT_ONE and rng.random() < 0.4:
            things += _ring(stroke)
            materials["gold"] = Material(colour=(0.9, 0.68, 0.3), roughness=0.2, metallic=1.0)
    return things, materials


def _ring(finger: tuple[tuple[float, float, float, float], ...]) -> Iterator[Thing]:
    (x, y, z, radius), (to_x, to_y, *_) = finger[:2]
    angle_deg = float(np.degrees(np.arctan2(to_y - y, to_x - x)))
    middle = ((x + to_x) / 2, (y + to_y) / 2, z)
    yield Thing(
        shape="ring",
        material="gold",
        at=middle,
        turn_deg=(90.0, 0.0, angle_deg + 90.0),
        size=(2 * radius + 1, 2 * radius + 1, 2.2),
    )
