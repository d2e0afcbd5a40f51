"""The cameras of a machine, by name."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from tests.fakes.waiting import PATIENCE_S
from vision.cameras.attached.found_cameras import FoundCamera, captures, found_cameras, is_camera, product_name

RIBBON = {"Model": "imx708", "Id": "/base/axi/pcie@1000120000/rp1/i2c@88000/imx708@1a", "Num": 0}
"""As picamera2 tells of a Camera Module 3."""
WEBCAM = {"Model": "HD Pro Webcam C920", "Id": "/base/axi/pcie@120000/rp1/usb@200000-1:1.0-046d:082d", "Num": 1}
"""As it tells of a USB camera."""


def device(folder: Path, number: int, name: str) -> None:
    node = folder / f"video{number}"
    node.mkdir(parents=True)
    (node / "name").write_text(f"{name}\n")


def answer(driver: bytes, all_nodes: int, this_node: int) -> bytes:
    """What a device says of itself, as `struct v4l2_capability` has it."""
    numbers = b"".join(each.to_bytes(4, "little") for each in (0x060600, all_nodes, this_node, 0, 0, 0))
    return (
        driver.ljust(16, b"\0")
        + b"HD Pro Webcam C920".ljust(32, b"\0")
        + b"usb-0000:01:00.0-1.2".ljust(32, b"\0")
        + numbers
    )


def test_cameras_are_told_by_name_and_by_the_number_that_the_configuration_counts(tmp_path: Path) -> None:
    for number, name in ((10, "Elgato Facecam"), (2, "HD Pro Webcam C920"), (3, "HD Pro Webcam C920")):
        device(tmp_path, number, name)
    found = found_cameras(
        pi_cameras=lambda: [RIBBON, WEBCAM], devices=tmp_path, can_capture=lambda path: path != "/dev/video3"
    )
    assert found == (
        FoundCamera(source="picamera", number=0, name="Camera Module 3"),
        FoundCamera(source="usb", number=2, name="HD Pro Webcam C920"),
        FoundCamera(source="usb", number=10, name="Elgato Facecam"),
    )


def link(links: Path, kind: str, name: str, number: int) -> str:
    """A link as udev makes it."""
    path = links / kind / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(f"../../video{number}")
    return str(path)


def test_usb_cameras_are_known_by_what_stays_the_same_after_each_start(tmp_path: Path) -> None:
    devices, links = tmp_path / "devices", tmp_path / "v4l"
    for number, name in (
        (0, "HD Pro Webcam C920"),
        (1, "HD Pro Webcam C920"),
        (2, "Facecam"),
        (4, "Facecam"),
        (6, "?"),
    ):
        device(devices, number, name)
    serial = link(links, "by-id", "usb-046d_HD_Pro_Webcam_C920_8F2A3B1F-video-index0", 0)
    link(links, "by-path", "pci-0000:01:00.0-usb-0:1:1.0-video-index0", 0)
    link(links, "by-id", "usb-Facecam-video-index0", 4)  # two of one make, without serial numbers
    sockets = [link(links, "by-path", f"pci-0000:01:00.0-usb-0:{number}:1.0-video-index0", number) for number in (2, 4)]
    found = found_cameras(pi_cameras=list, devices=devices, links=links, can_capture=lambda path: path != "/dev/video1")
    assert found is not None
    assert [(each.number, each.address) for each in found] == [(0, serial), (2, sockets[0]), (4, sockets[1]), (6, "")]


def test_a_machine_without_picamera2_and_without_devices_has_none(tmp_path: Path) -> None:
    def absent() -> list[dict[str, object]]:
        raise ModuleNotFoundError("No module named 'picamera2'")

    assert found_cameras(pi_cameras=absent, devices=tmp_path / "none") == ()


def test_a_driver_that_hangs_is_not_waited_for(tmp_path: Path) -> None:
    on = threading.Event()

    def hang() -> list[dict[str, object]]:
        on.wait(PATIENCE_S)
        return []

    assert found_cameras(pi_cameras=hang, devices=tmp_path, patience_s=0.05) is None
    on.set()
    for thread in threading.enumerate():
        if thread.name == "cameras found":
            thread.join()  # it still lists the devices, in a folder that goes with the test


@pytest.mark.parametrize(
    ("driver", "all_nodes", "this_node", "expected"),
    [
        (b"uvcvideo", 0x84A00001, 0x04200001, True),
        (b"uvcvideo", 0x84A00001, 0x04A00000, False),
        (b"old", 0x04000001, 0, True),
        (b"unicam", 0x85A00001, 0x05200001, False),
        (b"bcm2835-isp", 0x84201001, 0x04201001, False),
    ],
    ids=["a USB camera", "its node of times alone", "an old driver", "a Pi's ribbon", "a Pi's own converter"],
)
def test_only_what_gives_pictures_and_is_none_of_a_pi_s_own_parts_is_a_camera(
    driver: bytes, all_nodes: int, this_node: int, expected: bool
) -> None:
    assert is_camera(answer(driver, all_nodes, this_node)) is expected


def test_sensors_are_called_as_in_shops() -> None:
    assert product_name("imx708_wide_noir") == "Camera Module 3 Wide NoIR"
    assert product_name("ov9281") == "ov9281"


def test_what_is_no_device_is_no_camera(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert not captures(str(tmp_path / "file"))
    assert not captures(str(tmp_path / "none"))
