"""A camera as people name one: by its number, its device, its address in the network, a file or a folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

from table.config import CameraConfig
from vision.cameras.stream_camera import is_stream
from vision.recording.recording import SETTINGS

EXAMPLES: Final = "picamera, 0, /dev/video2, rtsp://192.168.1.7/live, a video, a recording's folder, drawn or none"


def camera_at(address: str, config: CameraConfig) -> CameraConfig:
    """Returns the configuration with this camera in place of its own; the rest of it stays.

    What is nothing else is taken for a video's file.
    """
    match address:
        case "picamera" | "drawn" | "none":
            return replace(config, source=address)
    if address.isdecimal():
        return replace(config, source="usb", device=int(address), address="")
    if address.startswith("/dev/"):
        return replace(config, source="usb", address=address)
    if is_stream(address):
        return replace(config, source="stream", address=address)
    if (Path(address) / SETTINGS).is_file():
        return replace(config, source="recording", file=address)
    return replace(config, source="video", file=address)
