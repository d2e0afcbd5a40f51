"""The heights at which cameras hang, held against tables that are drawn as such cameras would see them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.places import ROOT
from vision.arrays import Floats, Image
from vision.geometry.calibration import FoundTable, find_table
from vision.geometry.markers import CELLS, INSIDE, RAIL, MarkerKind
from vision.geometry.mounting.overhead import (
    MODULES,
    OFF_DEG,
    OFF_MM,
    CameraModule,
    Markers,
    Placement,
    lowest_height_mm,
    mount,
    mounting_table,
)
from vision.geometry.plane_geometry import apply, homography_between

SIDE_MM = 720.0
DRAWN_MM = 1400.0
PX_PER_MM = 2.0
ROWS = 1280
TRIES = 24
CORNERS = np.array([[-1.0, 1], [1, 1], [1, -1], [-1, -1]])
BY_NAME = {camera.name: camera for camera in MODULES}
STANDARD = BY_NAME["Camera Module 3"]


def on_paper(points_mm: Floats) -> Floats:
    """Where points of the table are in the drawing of it."""
    return np.asarray((points_mm * [1, -1] + DRAWN_MM / 2) * PX_PER_MM, dtype=np.float64)


def marker_at(kind: MarkerKind, corner: int) -> Floats:
    """The centre of a marker's paper, laid as the sheet says."""
    inner = CORNERS[corner] * SIDE_MM / 2
    beyond = kind.side_mm / 2 if kind is RAIL else -kind.paper_mm / 2
    return np.asarray(inner + CORNERS[corner] * beyond, dtype=np.float64)


def drawn_table(kind: MarkerKind, corners: tuple[int, ...] = (0, 1, 2, 3)) -> Image:
    """A table on a floor: rail, felt, and markers at some corners, each turned another way."""
    picture = np.full((round(DRAWN_MM * PX_PER_MM),) * 2 + (3,), (90, 100, 110), np.uint8)
    for reach, colour in ((SIDE_MM / 2 + 55, (35, 50, 80)), (SIDE_MM / 2, (60, 110, 40))):
        low, high = on_paper(np.array([[-reach, reach], [reach, -reach]])).round().astype(int)
        cv2.rectangle(picture, low.tolist(), high.tolist(), colour, -1)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for corner in corners:
        paper_px = round(kind.paper_mm * PX_PER_MM)
        paper = np.full((paper_px, paper_px), 255, np.uint8)
        at, side = round(kind.margin_mm * PX_PER_MM), round(kind.side_mm * PX_PER_MM)
        black = cv2.aruco.generateImageMarker(dictionary, kind.first + corner, CELLS)
        paper[at : at + side, at : at + side] = cv2.resize(black, (side, side), interpolation=cv2.INTER_NEAREST)
        x, y = (on_paper(marker_at(kind, corner)) - paper_px / 2).round().astype(int)
        picture[y : y + paper_px, x : x + paper_px] = np.rot90(paper, corner)[..., None]
    return picture


def plane_of(place: Placement, camera: CameraModule) -> Floats:
    """What takes millimetres of the felt to pixels of the camera's picture."""
    focal = ROWS / 2 / camera.half
    lens = np.array([[focal, 0, ROWS / 2], [0, focal, ROWS / 2], [0, 0, 1.0]])
    return np.asarray(lens @ place.pose()[:, [0, 1, 3]], dtype=np.float64)


def camera_picture(table: Image, place: Placement, camera: CameraModule) -> Image:
    """The camera's picture of the drawing."""
    corners = CORNERS * 600.0
    plane = homography_between(on_paper(corners), apply(plane_of(place, camera), corners))
    picture = cv2.warpPerspective(table, plane, (ROWS, ROWS), flags=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.7), dtype=np.uint8)


def tries(height_mm: float) -> list[Placement]:
    """Cameras that were meant for a height, and hang anywhere within the tolerance."""
    chance = np.random.default_rng(19)
    offsets_mm, tilts_deg = chance.uniform(-OFF_MM, OFF_MM, (TRIES, 3)), chance.uniform(-OFF_DEG, OFF_DEG, (TRIES, 3))
    return [
        Placement(height_mm=height_mm + up, x_mm=x, y_mm=y, pitch=pitch, roll=roll, yaw=yaw)
        for (up, x, y), (pitch, roll, yaw) in zip(offsets_mm, tilts_deg, strict=True)
    ]


def found_at(height_mm: float, camera: CameraModule, kind: MarkerKind) -> list[FoundTable]:
    """What is found from each try by its markers."""
    table = drawn_table(kind)
    found = [(place, find_table([camera_picture(table, place, camera)])) for place in tries(height_mm)]
    by_markers = [(place, each) for place, each in found if each.by == "markers"]
    for place, marker in by_markers:
        truth = apply(plane_of(place, camera), CORNERS * SIDE_MM / 2)
        assert np.linalg.norm(marker.corners - truth, axis=1).max() < 2.5, place
    return [marker for _, marker in by_markers]


@pytest.mark.pictures
@pytest.mark.parametrize(("markers", "kind"), [(Markers.RAIL, RAIL), (Markers.INSIDE, INSIDE)], ids=["rail", "inside"])
@pytest.mark.parametrize("name", ["Camera Module 3", "HQ Camera, 6 mm lens"])
def test_from_the_height_in_the_table_every_try_sees_all_four_markers(
    name: str, markers: Markers, kind: MarkerKind
) -> None:
    height = lowest_height_mm(BY_NAME[name], SIDE_MM, markers)
    assert height is not None
    assert len(found_at(height, BY_NAME[name], kind)) == TRIES


@pytest.mark.pictures
def test_from_one_metre_the_markers_on_the_rail_are_never_seen() -> None:
    assert not [place for place in tries(1000.0) if place.shows(CORNERS * (SIDE_MM / 2 + RAIL.side_mm), STANDARD.half)]
    table = drawn_table(RAIL)
    assert find_table([camera_picture(table, Placement(height_mm=1200.0), STANDARD)]).by == "markers"


def test_an_hq_camera_with_six_millimetres_sees_less_than_the_table_from_ninety_centimetres() -> None:
    hq = BY_NAME["HQ Camera, 6 mm lens"]
    assert not any(place.shows(CORNERS * SIDE_MM / 2, hq.half) for place in tries(900.0))


@pytest.mark.parametrize("camera", MODULES, ids=lambda camera: camera.name)
@pytest.mark.parametrize("markers", Markers, ids=lambda markers: markers.value)
def test_five_centimetres_lower_is_too_low(camera: CameraModule, markers: Markers) -> None:
    found = mount(camera, SIDE_MM, markers)
    assert found is not None
    reach = CORNERS * markers.reach_mm(SIDE_MM)
    lower = [place.shows(reach, camera.half) for place in worst(found.height_mm - 50)]
    assert not all(lower)
    assert all(place.shows(reach, camera.half) for place in worst(found.height_mm))
    assert found.px_per_mm == pytest.approx(found.side_px / (2 * found.height_mm * camera.half))


def worst(height_mm: float) -> list[Placement]:
    """The far ends of the tolerance, told anew."""
    ends = [(a, b, c) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]
    return [
        Placement(height_mm=height_mm + up * 20, x_mm=x * 20, y_mm=y * 20, pitch=pitch * 2, roll=roll * 2, yaw=yaw * 2)
        for up, x, y in ends
        for pitch, roll, yaw in ends
    ]


def test_a_play_surface_that_no_arm_is_high_enough_for_is_said() -> None:
    narrow = CameraModule(name="a telescope", view_deg=5, rows=1000)
    assert mount(narrow, SIDE_MM, Markers.INSIDE) is None
    assert "does not see it" in mounting_table(SIDE_MM, (narrow,))


def test_the_manual_has_the_table_as_it_is_computed() -> None:
    assert mounting_table(SIDE_MM) in (ROOT / "firmware-config" / "README.md").read_text(encoding="utf-8")
