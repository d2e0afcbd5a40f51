from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.arrays import Image
from vision.geometry.calibration import calibrate
from vision.geometry.plane_geometry import Lens
from vision.geometry.rectify import TopView
from vision.geometry.roi import Roi
from vision.watching.detection import Detection
from vision.watching.looks.top_look import TopLook

SIZE = (640, 480)
SLANTED = [[170.0, 60.0], [470.0, 75.0], [600.0, 430.0], [40.0, 415.0]]
LENS = Lens(
    matrix=np.array([[520.0, 0, 320], [0, 520, 240], [0, 0, 1]]), distortion=np.array([-0.2, 0.04, 0.0, 0.0, 0.0])
)


@pytest.fixture(scope="module", params=[None, LENS], ids=["straight", "bent lens"])
def view(request: pytest.FixtureRequest) -> TopView:
    calibration = calibrate(SLANTED, size=SIZE, side_mm=720.0, lens=request.param)
    return TopView(calibration, height_mm=16.0)


@pytest.fixture(scope="module")
def image() -> Image:
    noise = np.random.default_rng(5).integers(0, 256, (SIZE[1], SIZE[0], 3), np.uint8)
    return np.asarray(cv2.blur(noise, (3, 3)), np.uint8)


@pytest.mark.parametrize(
    "window", [(slice(0, 1), slice(0, 64)), (slice(320, 512), slice(96, 800)), (slice(0, None), slice(0, None))]
)
def test_a_window_shows_what_the_whole_view_shows_there_and_nothing_beside_it(
    view: TopView, image: Image, window: tuple[slice, slice]
) -> None:
    rows, columns = (slice(*part.indices(view.side_px)) for part in window)
    seen = TopLook(view, image).window(Roi(rows=rows, columns=columns, side_px=view.side_px))
    whole = view.picture(image)
    assert (seen[rows, columns] == whole[rows, columns]).all()
    assert int(seen.sum(dtype=np.int64)) == int(whole[rows, columns].sum(dtype=np.int64))


@pytest.mark.parametrize("place", [(0.0, 0.0), (-310.5, 120.25), (397.0, -399.0)])
def test_a_place_looks_as_in_the_whole_view_also_at_its_edge(
    view: TopView, image: Image, place: tuple[float, float]
) -> None:
    thing = Detection(x_mm=place[0], y_mm=place[1], angle_deg=31.0, half_mm=(10.0, 13.0))
    look, whole = TopLook(view, image), view.picture(image)
    smooth = cv2.blur(cv2.cvtColor(whole, cv2.COLOR_BGR2GRAY), (3, 3))
    points = thing.grid(scale=0.9, steps=14)
    columns, rows = np.clip(np.rint(view.from_felt(points)).astype(int), 0, view.side_px - 1).T
    assert (look.patch(thing) == smooth[rows, columns]).all()
    assert (look.colours(points[None])[0] == whole[rows, columns]).all()
