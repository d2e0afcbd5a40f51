"""The surface of picamera2 that `vision.cameras.attached.picamera` uses, as strict as the real one.

What it checks is what the real library and the hardware behind it check: request counts that may not go below nought,
buffers that run out when requests are kept, streams in formats and sizes that a Pi 4 refuses, unknown controls.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

CONTROLS = {
    "AeEnable",
    "AfMode",
    "AfTrigger",
    "AnalogueGain",
    "AwbEnable",
    "ColourGains",
    "ExposureTime",
    "FrameDurationLimits",
    "LensPosition",
    "ScalerCrop",
}
LENS = {"AfMode", "AfTrigger", "LensPosition"}


class Request:
    def __init__(self, camera: Picamera2, number: int) -> None:
        self._camera = camera
        self._number = number
        self._count = 1

    def make_array(self, name: str) -> np.ndarray[Any, Any]:
        assert self._count > 0, "used after its release"
        if name not in self._camera.config:
            raise RuntimeError(f"Stream {name!r} is not defined")
        width, height = self._camera.config[name]["size"]
        value = self._number % 256 if self._camera.brightness is None else self._camera.brightness
        return np.full((height, width, 3), value, np.uint8)

    def get_metadata(self) -> dict[str, Any]:
        assert self._count > 0, "used after its release"
        return {
            "SensorTimestamp": 5_000_000_000 + self._number * self._camera.frame_ns,
            **self._camera.measured,
            "ColourGains": (2.1, 1.7),
            **self._camera.lens(),
        }

    def release(self) -> None:
        self._count -= 1
        if self._count < 0:
            raise RuntimeError("CompletedRequest: lock now has negative ref_count")
        self._camera.free += 1


class Job:
    """What a capture that nobody waited for comes to; older versions know no timeout here."""

    def __init__(self, request: Request | None) -> None:
        self._request = request

    def get_result(self) -> Request:
        assert self._request is not None, "would wait for ever"
        return self._request


class Picamera2:
    @staticmethod
    def global_camera_info() -> list[dict[str, Any]]:
        return [{"Model": "imx708", "Num": 0}]

    sensor_resolution = (4608, 2592)
    BUFFERS = 3

    def __init__(self, number: int = 0, *, has_lens: bool = True, ends_after: int | None = None) -> None:
        self.camera_controls = dict.fromkeys(CONTROLS - (set() if has_lens else LENS), (0, 1, 0))
        self.config: dict[str, Any] = {}
        self.free = 0
        self.frame_ns = 100_000_000
        self.measured: dict[str, Any] = {"ExposureTime": 13_000, "AnalogueGain": 2.0}
        self.brightness: int | None = None
        """Of the next frames; None: each frame has its number."""
        self.sharp_at: float | None = 1.25
        """Where autofocus finds the picture sharp, in dioptres; None: nowhere."""
        self.set: list[dict[str, Any]] = []
        self.calls: list[str] = []
        self._ends_after = ends_after
        self._frame_count = self._searching = 0
        self._waiting: list[Job] = []
        """Captures that no frame came for: whatever is asked for later waits behind them."""

    def create_video_configuration(self, *, main: Any, sensor: Any, buffer_count: int, controls: Any) -> dict[str, Any]:
        return {"main": main, "sensor": sensor, "buffer_count": buffer_count, "controls": controls}

    def configure(self, config: dict[str, Any]) -> None:
        assert config["main"]["size"][0] % 64 == 0, "rows would be padded"
        x, y, width, height = config["controls"]["ScalerCrop"]
        assert x + width <= self.sensor_resolution[0]
        assert y + height <= self.sensor_resolution[1]
        self._check(config["controls"])
        self.config = config
        self.free = config["buffer_count"]

    def start(self) -> None:
        assert self.config, "configured first"
        self.calls.append("start")

    def set_controls(self, controls: dict[str, Any]) -> None:
        self._check(controls)
        self.set.append(controls)

    def lens(self) -> dict[str, Any]:
        """What a frame tells of the lens: idle where it is moved by hand, searching for a while, then found or not."""
        now = self.config["controls"] | {name: value for each in self.set for name, value in each.items()}
        if "LensPosition" not in now:
            return {}
        if (now["AfMode"], now.get("AfTrigger")) != (1, 0):
            return {"AfState": 0, "LensPosition": now["LensPosition"]}
        self._searching += 1
        if self._searching < 4:
            return {"AfState": 1, "LensPosition": 3.0}
        return (
            {"AfState": 3, "LensPosition": 9.0}
            if self.sharp_at is None
            else {"AfState": 2, "LensPosition": self.sharp_at}
        )

    def _check(self, controls: dict[str, Any]) -> None:
        for name in controls:
            if name not in self.camera_controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")

    def capture_request(self, wait: bool | None = None, signal_function: Callable[[Job], object] | None = None) -> Job:
        """Without waiting, as a job that signals when a frame is there; it never does where none comes."""
        assert wait is False, "a camera that hangs would hold its thread for ever"
        job = Job(None)
        if self.free and (self._ends_after is None or self._frame_count < self._ends_after):
            self.free -= 1
            job = Job(Request(self, self._frame_count))
            self._frame_count += 1
            assert signal_function is not None
            signal_function(job)
        else:
            self._waiting.append(job)
        return job

    def cancel_all_and_flush(self) -> None:
        self._waiting.clear()

    def stop(self) -> None:
        self.calls.append("hangs" if self._waiting else "stop")

    def close(self) -> None:
        self.calls.append("hangs" if self._waiting else "close")
