"""What a Pi runs, tried where picamera2 is the real one and libcamera's types its own: inside a Debian trixie.

The played camera and its faults are the same as outside; only there nothing of libcamera's Python module is stood in
for. Where the root cannot be made, this skips and says so: no stand-in takes its place.
"""

from __future__ import annotations

import re

import pytest

from tests.pi.trixie_root import RootUnavailableError, TrixieRoot, trixie_root

PATIENCE_S = 500.0
INSIDE = "tests/pi/inside"


@pytest.fixture(scope="module")
def trixie() -> TrixieRoot:
    try:
        return trixie_root()
    except RootUnavailableError as why:
        pytest.skip(f"NO TRIXIE: the real picamera2 is NOT TRIED: {why}")


def passed_count(trixie: TrixieRoot, *arguments: str) -> int:
    """How many tests passed inside; all must, and none may skip."""
    done = trixie.run(["-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments], timeout_s=PATIENCE_S)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert "skipped" not in done.stdout
    found = re.search(r"(\d+) passed", done.stdout)
    assert found is not None
    return int(found[1])


def test_libcamera_is_the_distributions_own(trixie: TrixieRoot) -> None:
    done = trixie.run(["-c", "import libcamera; print(libcamera.__file__)"], timeout_s=PATIENCE_S)
    assert done.stdout.startswith("/usr/lib/python3/dist-packages/libcamera/"), done.stderr


def test_the_pis_camera_does_over_the_real_types_what_it_does_over_ours(trixie: TrixieRoot) -> None:
    assert passed_count(trixie, "tests/vision/cameras/attached/test_real_picamera2.py") >= 8


@pytest.mark.long
def test_no_fault_of_a_camera_ends_the_evening(trixie: TrixieRoot) -> None:
    assert passed_count(trixie, INSIDE) >= 8


@pytest.mark.long
def test_an_evening_of_faults_at_random_loses_nothing_and_ends_in_no_restart(trixie: TrixieRoot) -> None:
    done = trixie.run(["-m", "tests.pi.inside.fault_evening", "300"], timeout_s=2 * PATIENCE_S)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-6000:]
