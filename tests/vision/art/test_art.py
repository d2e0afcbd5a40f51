"""The project's own tile faces and sticks."""

import re
from itertools import combinations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.art import (
    ALL_FACES,
    STICK_VALUES,
    UnknownFaceError,
    UnknownStickError,
    draw_face,
    draw_stick,
    face_svg,
    stick_svg,
)
from vision.errors import VisionError

INKED = tuple(face for face in ALL_FACES if face not in ("5z", "back"))


def painted(face: str, width: int = 30, height: int = 40) -> NDArray[np.float64]:
    """The ink over a white body, (height, width, 3)."""
    ink = draw_face(face, width, height).astype(np.float64)
    opacity = ink[..., 3:] / 255
    return np.asarray(ink[..., :3] * opacity + 240 * (1 - opacity))


def test_there_are_37_printed_faces_and_a_back() -> None:
    assert len(set(ALL_FACES)) == 38


@pytest.mark.parametrize("face", INKED)
def test_every_printed_face_but_haku_shows_ink(face: str) -> None:
    opacity = draw_face(face, 30, 40)[..., 3]
    assert opacity.shape == (40, 30)
    assert 0.05 < opacity.mean() / 255 < 0.6


@pytest.mark.parametrize("face", ["5z", "back"])
def test_haku_and_the_back_carry_no_ink(face: str) -> None:
    assert not draw_face(face, 30, 40).any()


def test_no_two_faces_look_alike_at_camera_size() -> None:
    pictures = {face: painted(face) for face in INKED}
    differences = {(a, b): np.abs(pictures[a] - pictures[b]).mean() for a, b in combinations(INKED, 2)}
    closest = min(differences, key=lambda pair: differences[pair])
    assert differences[closest] > 4, closest


@pytest.mark.parametrize(("red", "common"), [("0m", "5m"), ("0p", "5p"), ("0s", "5s")])
def test_a_red_five_is_its_common_five_all_in_red(red: str, common: str) -> None:
    red_ink, common_ink = draw_face(red, 60, 80), draw_face(common, 60, 80)
    assert np.array_equal(red_ink[..., 3], common_ink[..., 3])
    solid = red_ink[red_ink[..., 3] == 255].astype(int)
    assert (solid[:, 2] > solid[:, 0] + 60).all()


def test_ink_stays_inside_the_face() -> None:
    for face in ALL_FACES:
        opacity = draw_face(face, 300, 400)[..., 3]
        edge = np.concatenate([opacity[:6].ravel(), opacity[-6:].ravel(),
                               opacity[:, :6].ravel(), opacity[:, -6:].ravel()])  # fmt: skip
        assert not edge.any(), face


@pytest.mark.parametrize("face", ALL_FACES)
def test_a_face_is_a_small_svg_of_shapes_only(face: str) -> None:
    text = face_svg(face)
    assert 'viewBox="0 0 300 400"' in text
    assert set(re.findall(r"<([^ />]+)", text)) <= {"svg", "rect", "path", "circle"}
    assert text.endswith("</svg>")
    assert len(text) < 16_000


@pytest.mark.parametrize("value", STICK_VALUES)
def test_a_stick_is_an_svg_with_as_many_dots_as_are_drawn(value: int) -> None:
    dots = re.findall("<circle", stick_svg(value))
    opaque = (draw_stick(value, 930, 90)[..., 3] > 127).astype(np.uint8)
    assert cv2.connectedComponents(opaque)[0] - 1 == len(dots)


def test_a_thousand_stick_has_one_red_dot_and_a_hundred_stick_eight_black_ones() -> None:
    thousand = re.findall(r"<circle[^>]* fill=(\S+)/>", stick_svg(1000))
    hundred = re.findall(r"<circle[^>]* fill=(\S+)/>", stick_svg(100))
    assert (len(thousand), len(hundred)) == (1, 8)
    assert set(thousand).isdisjoint(hundred)


def test_what_names_no_face_or_stick_is_refused_with_what_was_expected() -> None:
    with pytest.raises(UnknownFaceError, match=r"expected a tile text .* got '8z'"):
        draw_face("8z", 30, 40)
    with pytest.raises(VisionError, match="got '1x'"):
        face_svg("1x")
    with pytest.raises(UnknownStickError, match="got 500"):
        draw_stick(500, 93, 9)
