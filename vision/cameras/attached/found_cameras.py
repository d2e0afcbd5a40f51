"""Lists the cameras of this machine by name: those on a Pi's ribbon cables, and those on USB.

A driver may hang when queried, so the query runs in a thread of its own, and the caller waits for a limited time.
"""

from __future__ import annotations

import fcntl
import logging
import os
import re
import struct
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from vision.errors import reason_and_place

PATIENCE_S: Final = 5.0
DEVICES: Final = Path("/sys/class/video4linux")
LINKS: Final = Path("/dev/v4l")
"""The folder of udev's links to devices: `by-id` by the camera's make and serial number, `by-path` by its socket."""
_QUERY: Final = 0x80685600
"""VIDIOC_QUERYCAP of videodev2.h."""
_CAPABILITY: Final = struct.Struct("16s32s32sIII12x")
"""The answer to it: driver, card, bus, version, the device's capabilities, and those of this node."""
_CAPTURES: Final = 0x00000001
_PER_NODE: Final = 0x80000000
_OF_A_PI: Final = ("bcm2835", "unicam", "rp1", "pisp", "rpi", "codec")
"""How the names of a Pi's own drivers begin; picamera2 operates their cameras."""
PRODUCTS: Final = {
    "ov5647": "Camera Module 1",
    "imx219": "Camera Module 2",
    "imx708": "Camera Module 3",
    "imx477": "HQ Camera",
    "imx500": "AI Camera",
    "imx296": "Global Shutter Camera",
}
"""Product names of the Pi's sensors."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundCamera:
    """A camera that can be chosen."""

    source: Literal["picamera", "usb"]
    number: int
    """Its number among cameras of its kind, as in the configuration."""
    name: str
    address: str = ""
    """A USB camera's permanent path, while its number may change with each start; empty if there is none."""


def found_cameras(
    *,
    pi_cameras: Callable[[], list[dict[str, Any]]] | None = None,
    devices: Path = DEVICES,
    links: Path = LINKS,
    can_capture: Callable[[str], bool] | None = None,
    patience_s: float = PATIENCE_S,
) -> tuple[FoundCamera, ...] | None:
    """Returns the cameras that are present now; None if a driver does not answer in time.

    Args:
        pi_cameras: lists the Pi's cameras, as `Picamera2.global_camera_info` does.
        devices: the folder in which the kernel lists video devices.
        links: the folder in which udev keeps links to them.
        can_capture: returns whether the device at a path is a camera.
        patience_s: how long to wait.
    """
    found: list[tuple[FoundCamera, ...]] = []

    def list_cameras() -> None:
        of_pi = _pi_cameras(pi_cameras or _picamera2_cameras)
        found.append((*of_pi, *_usb_cameras(devices, links, can_capture or captures)))

    thread = threading.Thread(target=list_cameras, name="cameras found", daemon=True)
    thread.start()
    thread.join(patience_s)
    return found[0] if found else None


def captures(path: str) -> bool:
    """Returns whether a device delivers pictures of a camera other than a Pi's own; not all nodes of a camera do."""
    answer = bytearray(_CAPABILITY.size)
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.ioctl(descriptor, _QUERY, answer)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return is_camera(bytes(answer))


def is_camera(answer: bytes) -> bool:
    """Returns whether a driver's answer to VIDIOC_QUERYCAP is that of a device as in `captures`."""
    driver, _, _, _, all_nodes, this_node = _CAPABILITY.unpack(answer)
    capabilities = this_node if all_nodes & _PER_NODE else all_nodes
    return bool(capabilities & _CAPTURES) and not driver.decode(errors="replace").startswith(_OF_A_PI)


def _pi_cameras(list_pi_cameras: Callable[[], list[dict[str, Any]]]) -> Iterator[FoundCamera]:
    try:
        infos = list_pi_cameras()
    except Exception as error:  # picamera2 is missing, or raises errors of any kind
        _log.info("Pi cameras cannot be listed: %s", reason_and_place(error))
        return
    for number, info in enumerate(infos):
        if "usb" not in str(info.get("Id", "")).lower():  # libcamera lists USB cameras too
            yield FoundCamera(source="picamera", number=number, name=product_name(str(info.get("Model", ""))))


def product_name(model: str) -> str:
    """Returns the product name of a sensor: `Camera Module 3 Wide` for `imx708_wide`; unchanged if unknown."""
    sensor, *kinds = model.split("_")
    names = {"noir": "NoIR"}
    return (
        " ".join((PRODUCTS[sensor], *(names.get(kind, kind.title()) for kind in kinds)))
        if sensor in PRODUCTS
        else model
    )


def _picamera2_cameras() -> list[dict[str, Any]]:
    from picamera2 import Picamera2  # noqa: PLC0415 - only a Pi has it

    infos: list[dict[str, Any]] = Picamera2.global_camera_info()
    return infos


def _usb_cameras(devices: Path, links: Path, can_capture: Callable[[str], bool]) -> Iterator[FoundCamera]:
    cameras = list(_numbered_cameras(devices, can_capture))
    names = [name for _, name in cameras]
    for number, name in cameras:
        # Two cameras of one make may have the same serial number; their common link then leads to only one of them.
        kinds = ("by-id", "by-path") if names.count(name) == 1 else ("by-path",)
        address = next((link for kind in kinds for link in _links_to(links / kind, number)), "")
        yield FoundCamera(source="usb", number=number, name=name, address=address)


def _links_to(folder: Path, number: int) -> list[str]:
    return sorted(str(link) for link in folder.glob("*") if Path(os.path.realpath(link)).name == f"video{number}")


def _numbered_cameras(devices: Path, can_capture: Callable[[str], bool]) -> Iterator[tuple[int, str]]:
    numbered = [
        (int(found[1]), device)
        for device in devices.glob("video*")
        if (found := re.fullmatch(r"video(\d+)", device.name))
    ]
    for number, device in sorted(numbered):
        try:
            name = (device / "name").read_text("utf-8", errors="replace").strip()
        except OSError:  # unplugged in the meantime
            continue
        if number < 64 and can_capture(f"/dev/video{number}"):
            yield number, name
