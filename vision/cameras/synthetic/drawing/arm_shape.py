"""The shape of an arm that reaches over the table."""

from dataclasses import dataclass

import numpy as np

from vision.arrays import Floats
from vision.art.shapes import brush
from vision.cameras.synthetic.appearance import Appearance, Colour
from vision.cameras.synthetic.drawing.optics import Lens
from vision.cameras.synthetic.scene import Arm

_ARM_MM = 75.0
"""Height of the forearm above the felt."""
FINGERS_MM = 42.0
_SHOULDER_MM = 330.0
"""How far outside the felt the shoulder is."""
_SKINS: tuple[Colour, ...] = ((150, 180, 226), (120, 158, 212), (176, 200, 236), (72, 104, 158))
_SLEEVES: tuple[Colour, ...] = ((60, 48, 44), (150, 96, 60), (200, 204, 208), (60, 60, 130), (92, 104, 88))
_FINGERS = ((-19.0, -6.0), (-7.0, 4.0), (6.0, 2.0), (18.0, -9.0))
"""Sideways position of each fingertip and its reach, in millimetres."""
FIRST_FINGER = 3
"""The index of the first finger among the limbs; fingers are drawn over what the hand holds."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Limb:
    """A stroke of skin or cloth above the felt."""

    track: Floats
    """(n, 3) rows of x, y and width in millimetres."""
    height_mm: float
    colour: Colour

    def outline(self, lens: Lens) -> Floats:
        """Returns its outline in pixels, (m, 2)."""
        return lens.project_flat(brush(self.track, colour="").points, self.height_mm)


def limbs_of(arm: Arm, appearance: Appearance) -> list[Limb]:
    """Returns sleeve, forearm, thumb and fingers, lower ones first; each side's person looks different."""
    rng = np.random.default_rng([appearance.seed, 0xA2, arm.side])
    skin, sleeve = _SKINS[rng.integers(len(_SKINS))], _SLEEVES[rng.integers(len(_SLEEVES))]
    tip = np.array([arm.x_mm, arm.y_mm])
    shoulder = _shoulder(arm.side, appearance, lean_mm=float(rng.uniform(40, 130)))
    along = (tip - shoulder) / np.linalg.norm(tip - shoulder)
    across = np.array([along[1], -along[0]])
    palm, wrist, cuff = tip - 78 * along, tip - 135 * along, tip - 190 * along
    thumb = ((palm - 22 * across, 24), (tip - 40 * along - 38 * across, 20), (tip - 14 * along - 17 * across, 15))
    forearm = ((tip - 215 * along, 62), (wrist, 50), (palm, 66), (tip - 55 * along, 62))
    return [
        _limb(((shoulder, 110), (cuff, 82)), _ARM_MM, sleeve),
        _limb(forearm, _ARM_MM - 8, skin),
        _limb(thumb, FINGERS_MM, skin),
        *(_finger(tip, along, across, place, skin) for place in _FINGERS),
    ]


def _finger(tip: Floats, along: Floats, across: Floats, place: tuple[float, float], skin: Colour) -> Limb:
    sideways, reach = place
    knuckle = tip - 58 * along + sideways * 1.1 * across
    end = tip + reach * along + sideways * 0.8 * across
    middle = (knuckle + end) / 2 + 2 * across * np.sign(sideways)
    return _limb(((knuckle, 19), (middle, 17), (end, 13)), FINGERS_MM, skin)


def _limb(points: tuple[tuple[Floats, float], ...], height_mm: float, colour: Colour) -> Limb:
    track = np.array([(*place, width) for place, width in points])
    return Limb(track=track, height_mm=height_mm, colour=colour)


def _shoulder(side: int, appearance: Appearance, *, lean_mm: float) -> Floats:
    turn = side * np.pi / 2
    right = np.array([np.cos(turn), np.sin(turn)])
    up = np.array([-right[1], right[0]])
    place: Floats = right * lean_mm - up * (appearance.felt_mm / 2 + _SHOULDER_MM)
    return place
