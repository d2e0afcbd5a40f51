"""Where cameras may stand beside a table, held against the synthetic camera."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.places import ROOT
from tests.vision.beside_table import seen_from
from tests.vision.true_calibration import calibration_of
from vision.cameras.synthetic.appearance import Appearance
from vision.cameras.synthetic.drawing.optics import lens_of
from vision.geometry.mounting.beside import RAIL_MM, TripodCamera, beside_table, nearest_stand
from vision.geometry.visibility.table_cut import scales

PHONE = TripodCamera(name="phone", view_deg=(67.4, 53.1), columns=1280)
"""A focal length of 0.75 of the longer side."""


@pytest.mark.parametrize(("lean", "bearing"), [(25.0, -90.0), (35.0, -45.0), (45.0, -45.0)])
def test_the_nearest_place_is_where_the_drawn_camera_sees_the_whole_table(lean: float, bearing: float) -> None:
    table = replace(Appearance(), width_px=1280, height_px=960, rail_mm=RAIL_MM, tile_height_mm=20.01)
    camera = seen_from(table, lean=lean, bearing=bearing, focal=0.75)
    stand = nearest_stand(PHONE, lean_deg=lean, direction_deg=bearing, side_mm=table.felt_mm)
    assert stand is not None
    assert np.linalg.norm(stand.camera_mm - lens_of(camera).position) < 65.0
    place = calibration_of(camera)
    assert stand.px_per_mm == pytest.approx(scales(place)[0], rel=0.1)


def test_a_camera_that_sees_too_little_stands_nowhere() -> None:
    narrow = TripodCamera(name="narrow", view_deg=(12, 9), columns=1280)
    assert nearest_stand(narrow, lean_deg=30, direction_deg=-45, side_mm=720) is None


def test_the_documented_places_are_the_computed_ones() -> None:
    assert beside_table(720) in (ROOT / "firmware-config" / "README.md").read_text(encoding="utf-8")
