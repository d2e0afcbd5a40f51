"""Parses camera addresses: a number, a device, a network address, a file or a folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from table.config import CameraConfig
from table.runtime.table_errors import ConfigError
from vision.addresses import without_secrets
from vision.cameras.network.stream_camera import is_stream
from vision.recording.recording_files import SETTINGS


def camera_at(address: str, config: CameraConfig) -> CameraConfig:
    """Returns the configuration with its camera replaced by this one.

    Any other address is taken as a video file.

    Raises:
        ConfigError: the address looks like a stream's but is not a valid one.
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
    if "://" in address:
        safe_address = without_secrets(address)
        raise ConfigError(f"expected an address like rtsp://192.168.1.7/live or http://…, got {safe_address!r}")
    if (Path(address) / SETTINGS).is_file():
        return replace(config, source="recording", file=address)
    return replace(config, source="video", file=address)
