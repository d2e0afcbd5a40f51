"""Which finds are read again, straightened."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from vision.arrays import Image
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.ground_truth import corners_px
from vision.felt import NOT_A_TILE, Reading
from vision.geometry.calibration import calibrate
from vision.geometry.rectify import TopView
from vision.watching.beliefs import Detection
from vision.watching.straightened import read_straightened
from vision.zones.table_zones import Zones

TABLE = Appearance(width_px=400, height_px=400)
SIZE = TABLE.tile_size
VIEW = TopView(calibrate(corners_px(TABLE), size=(400, 400), side_mm=TABLE.felt_mm), height_mm=SIZE.depth_mm)
ZONES = Zones(side_mm=TABLE.felt_mm, size=SIZE)


class _SureOfAnything:
    def read(self, image: Image, quads: npt.ArrayLike) -> list[Reading]:
        return [Reading(tile="6z", score=0.95) for _ in np.asarray(quads)]


@pytest.mark.parametrize("seen", [Reading(tile="4z", score=0.6), Reading(tile=NOT_A_TILE, score=0.9)])
@pytest.mark.parametrize(("angle", "is_again"), [(3.0, False), (88.0, False), (28.0, True), (60.0, True)])
def test_only_what_was_found_askew_is_read_again(seen: Reading, angle: float, is_again: bool) -> None:
    """Read sideways, a doubtful face that lies upright may look like another, sideways as after a riichi."""
    place = Detection(x_mm=0.0, y_mm=-90.0, angle_deg=angle, half_mm=(SIZE.width_mm / 2, SIZE.height_mm / 2))
    image = np.zeros((400, 400, 3), np.uint8)
    found = read_straightened(_SureOfAnything(), image, VIEW, zones=ZONES, finds=[(place, seen)])
    assert bool(found) is is_again


def test_a_sure_face_is_not_read_again() -> None:
    place = Detection(x_mm=0.0, y_mm=-90.0, angle_deg=28.0, half_mm=(SIZE.width_mm / 2, SIZE.height_mm / 2))
    finds = [(place, Reading(tile="4z", score=0.99))]
    assert not read_straightened(_SureOfAnything(), np.zeros((400, 400, 3), np.uint8), VIEW, zones=ZONES, finds=finds)
