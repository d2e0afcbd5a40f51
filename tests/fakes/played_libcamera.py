"""A played camera, below the real picamera2: a sensor made of Python, with a cable to pull and calls that can hang.

Sizes, controls, colour spaces, requests' states and all else that libcamera's Python module defines are its own where
it is installed, as in the Debian root of `tests/pi`; elsewhere the few that picamera2 asks for are stood in for. Other
modules that it imports for files and previews are stood in for everywhere. picamera2 is no dependency (parts of it are
compiled): to run what needs this outside that root, `pip install --no-deps picamera2`.
"""

from __future__ import annotations

import mmap
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import numpy as np
import pytest

from tests.fakes.libcamera_types import module_contents
from tests.fakes.waiting import PATIENCE_S

try:
    import libcamera
except ImportError:
    libcamera = None

LIB: Any = libcamera or SimpleNamespace(**module_contents())
FULL = (4608, 2592)
ABSENT = ("pidng", "pidng.core", "pidng.camdefs", "piexif", "av", "prctl", "videodev2", "PIL", "pykms")
FILE_FORMATS = {"XBGR8888": 4, "XRGB8888": 4, "RGB888": 3, "BGR888": 3}
DAYLIGHT_US = 13_000
"""What the sensor exposes by itself at `light` 1, with gain 2."""


class NewerControl:
    """A control that an older libcamera does not know."""

    def __init__(self, name: str) -> None:
        self.name, self.type = name, LIB.ControlType.Integer32


def control(name: str) -> Any:
    """A control of libcamera by its name."""
    found = getattr(LIB.controls, name, None)
    if found is None:
        found = NewerControl(name)
        setattr(LIB.controls, name, found)
    return found


class Key:
    """What buffers are told apart by."""

    def __init__(self, configuration: Stream) -> None:
        self.configuration = configuration


class Stream:
    """One stream's configuration."""

    def __init__(self) -> None:
        self.size, self.pixel_format, self.buffer_count = LIB.Size(640, 480), "XBGR8888", 4
        self.stride = self.frame_size = 0
        self.color_space: Any = None
        self.stream = Key(self)
        sizes = [LIB.Size(1536, 864), LIB.Size(2304, 1296), LIB.Size(*FULL)]
        self.formats = SimpleNamespace(pixel_formats=["SRGGB10_CSI2P"], sizes=lambda _: sizes)


class Configuration:
    def __init__(self, roles: list[Any], adjusted_to: tuple[int, int] | None = None) -> None:
        self._adjusted_to = adjusted_to
        self.streams = [Stream() for _ in roles]
        self.orientation: Any = None
        self.sensor_config: Any = None

    def at(self, index: int) -> Stream:
        return self.streams[index]

    def __iter__(self) -> Iterator[Stream]:
        return iter(self.streams)

    def validate(self) -> Any:
        for stream in self.streams:
            if self._adjusted_to is not None and str(stream.pixel_format) in FILE_FORMATS:
                stream.size = LIB.Size(*self._adjusted_to)
            name, width, height = str(stream.pixel_format), stream.size.width, stream.size.height
            if name == "YUV420":
                stream.stride, stream.frame_size = width, width * height * 3 // 2
            elif name in FILE_FORMATS:
                stream.stride = width * FILE_FORMATS[name]
                stream.frame_size = stream.stride * height
            else:  # raw
                stream.stride, stream.frame_size = 5760, 5760 * 8
        return LIB.CameraConfiguration.Status.Adjusted


class Request:
    def __init__(self, cookie: int) -> None:
        self.cookie, self.status = cookie, LIB.Request.Status.Pending
        self.buffers: dict[Any, Any] = {}
        self.metadata: dict[Any, Any] = {}
        self.controls: dict[str, Any] = {}

    def add_buffer(self, stream: Any, buffer: Any) -> None:
        self.buffers[stream] = buffer

    def reuse(self) -> None:
        self.metadata, self.controls, self.status = {}, {}, LIB.Request.Status.Pending

    def set_control(self, control: Any, value: Any) -> None:
        self.controls[control.name] = value


class Sensor:
    """The camera. `hangs` names the calls that do not come back until `on` is set, `fails` those that raise."""

    id = "/base/axi/pcie@1000120000/rp1/i2c@88000/imx708@1a"

    def __init__(self, manager: Manager) -> None:
        self.manager = manager
        self.has_cable, self.is_held, self.is_running = True, False, False
        self.hangs: set[str] = set()
        self.fails: set[str] = set()
        self.on = threading.Event()
        self.queue: list[Request] = []
        self.lock = threading.Lock()
        self.frame_s = 0.002
        self.light = 1.0
        """How bright the room is."""
        self.sharp_at = 1.25
        """Dioptres at which autofocus finds the table sharp."""
        self.is_damaged = False
        """Whether frames come with the status of an error."""
        self.is_frozen = False
        """Whether the last picture comes again and again, with its time."""
        self._frozen_ns = 0
        self.adjusts_to: tuple[int, int] | None = None
        """The size that the driver gives from the next configuration on, whatever is asked for."""
        self.pace = 1
        """How much faster than the clock the sensor's own time goes."""
        self.picture: Callable[[], Any] | None = None
        """Draws the next frame, BGR of the main stream's size or smaller; without it frames are black."""
        self.set: dict[str, Any] = {}
        """The newest controls."""
        self.memory: Any = None
        """The allocator that was made last: where each buffer's bytes are."""
        self.properties = {
            LIB.properties.Model: "imx708",
            LIB.properties.PixelArraySize: LIB.Size(*FULL),
            LIB.properties.draft.ColorFilterArrangement: 0,
        }
        limits = {"FrameDurationLimits": (33333, 1_200_000, None), "LensPosition": (0.0, 15.0, 1.0)}
        names = ["AeEnable", "ExposureTime", "AnalogueGain", "AwbEnable", "ColourGains", "ScalerCrop", "AfMode"]
        names += ["AfTrigger", "ExposureTimeMode", "AnalogueGainMode"]
        self.controls = {
            control(name): SimpleNamespace(min=low, max=high, default=default)
            for name, (low, high, default) in {**dict.fromkeys(names, (0, 1, 0)), **limits}.items()
        }

    def _step(self, name: str) -> None:
        if name in self.hangs:
            assert self.on.wait(PATIENCE_S)
        if name in self.fails:
            raise RuntimeError(f"Failed to {name} camera: Input/output error")

    def acquire(self) -> None:
        self._step("acquire")
        if self.is_held:
            raise RuntimeError("Failed to acquire camera: Device or resource busy")
        self.is_held = True

    def release(self) -> None:
        self._step("release")
        self.is_held = False

    def generate_configuration(self, roles: list[Any]) -> Configuration:
        self._step("generate_configuration")
        return Configuration(roles, self.adjusts_to)

    def configure(self, configuration: Configuration) -> int:
        self._step("configure")
        return 0

    def start(self, controls: Mapping[Any, Any]) -> None:
        self._step("start")
        self.set = {each.name: value for each, value in controls.items()}
        self.is_running = True
        self._exposure = threading.Thread(target=self._expose, daemon=True)
        self._exposure.start()

    def stop(self) -> None:
        """Stops, and as the real one does, delivers no picture afterwards."""
        self._step("stop")
        self.is_running = False
        self._exposure.join(PATIENCE_S)
        with self.lock:
            self._cancel()

    def _cancel(self) -> None:
        for request in self.queue:
            request.status = LIB.Request.Status.Cancelled
            self.manager.done(request)
        self.queue = []

    def create_request(self, cookie: int) -> Request:
        return Request(cookie)

    def queue_request(self, request: Request) -> None:
        with self.lock:
            self.queue.append(request)

    def _expose(self) -> None:
        while self.is_running:
            time.sleep(self.frame_s)
            with self.lock:
                if not self.has_cable or not self.queue:
                    continue
                request = self.queue.pop(0)
            self._take(request)
            self.manager.done(request)

    def _take(self, request: Request) -> None:
        self.set |= request.controls
        measured = {"ExposureTime": round(DAYLIGHT_US / self.light), "AnalogueGain": 2.0, "ColourGains": (2.1, 1.7)}
        if self.set.get("AeEnable") is False:
            measured |= {name: self.set[name] for name in measured if name in self.set}
        if self.set.get("AfTrigger") == 0 and self.set.get("AfMode") == 1:
            self.set["LensPosition"] = self.sharp_at
            measured["AfState"] = 2
        measured["LensPosition"] = self.set.get("LensPosition", 1.0)
        request.metadata = {control(name): value for name, value in measured.items()}
        if not self.is_frozen:
            self._frozen_ns = time.monotonic_ns() * self.pace
        request.metadata[control("SensorTimestamp")] = self._frozen_ns
        status = LIB.FrameMetadata.Status
        for stream, buffer in request.buffers.items():
            buffer.metadata.status = status.Error if self.is_damaged else status.Success
            if self.picture is not None and str(stream.configuration.pixel_format) == "RGB888":
                self._draw(self.memory.mapped_buffers[buffer], stream.configuration)
        request.status = LIB.Request.Status.Complete

    def _draw(self, memory: mmap.mmap, stream: Stream) -> None:
        assert self.picture is not None
        pixels = np.frombuffer(memory, np.uint8).reshape(stream.size.height, stream.stride)
        image = np.asarray(self.picture(), np.uint8)[: stream.size.height, : stream.size.width]
        pixels[: len(image), : image.shape[1] * 3] = image.reshape(len(image), -1)


class Manager:
    """Tells which requests are done, through a pipe as the real one does."""

    version = "played"

    def __init__(self) -> None:
        self.event_fd, self._write_fd = os.pipe2(os.O_NONBLOCK)
        self._ready: list[Request] = []
        self._is_closed = False
        self._lock = threading.Lock()
        self.sensor = Sensor(self)
        self.cameras = [self.sensor]

    def done(self, request: Request) -> None:
        with self._lock:
            self._ready.append(request)
        if not self._is_closed:
            os.write(self._write_fd, b"\0")

    def get_ready_requests(self) -> list[Request]:
        with suppress(BlockingIOError):
            os.read(self.event_fd, 4096)
        with self._lock:
            ready, self._ready = self._ready, []
        return ready

    def close(self) -> None:
        self._is_closed = True
        self.sensor.is_running = False
        for end in (self.event_fd, self._write_fd):
            os.close(end)


def _memory(base: type[Any], sync: type[Any], sensor: Sensor) -> type[Any]:
    """An allocator like picamera2's own, with buffers in plain memory."""

    class Mapped(sync):  # type: ignore[misc]
        def __init__(self, allocator: Any, buffer: Any, write: bool) -> None:
            self._map = allocator.mapped_buffers[buffer]

        def __enter__(self) -> Any:
            return self._map

        def __exit__(self, *_: object) -> None:
            """The memory stays."""

    class Memory(base):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.mapped_buffers: dict[Any, mmap.mmap] = {}
            self.frame_buffers: dict[Any, list[Any]] = {}
            self.sync = Mapped
            sensor.memory = self

        def allocate(self, configuration: Configuration, use: object) -> None:
            for each in configuration:
                buffers = [MagicMock() for _ in range(each.buffer_count)]
                for buffer in buffers:
                    buffer.metadata.status = LIB.FrameMetadata.Status.Success
                    self.mapped_buffers[buffer] = mmap.mmap(-1, each.frame_size)
                self.frame_buffers[each.stream] = buffers

        def buffers(self, stream: Any) -> list[Any]:
            return self.frame_buffers[stream]

    return Memory


def _module(manager: Manager) -> Any:
    """What `import libcamera` gives picamera2."""
    module: Any = ModuleType("libcamera")
    for name, value in vars(LIB).items():
        setattr(module, name, value)
    module.CameraManager = SimpleNamespace(singleton=lambda: manager)
    module.SensorConfiguration = SimpleNamespace
    for name, stand_in in {"Camera": Sensor, "FrameBuffer": MagicMock}.items():
        module.__dict__.setdefault(name, stand_in)
    return module


@contextmanager
def played_manager() -> Iterator[Manager]:
    """Lets the real picamera2 be imported above a played camera; afterwards neither is there."""
    manager = Manager()
    with pytest.MonkeyPatch.context() as patch:
        for name in (name for name in tuple(sys.modules) if name.split(".")[0] == "picamera2"):
            patch.delitem(sys.modules, name)
        for name in ABSENT:
            patch.setitem(sys.modules, name, MagicMock())
        patch.setitem(sys.modules, "libcamera", _module(manager))
        import picamera2.picamera2 as real  # noqa: PLC0415 - only now can it be imported
        from picamera2.allocators.allocator import Allocator, Sync  # noqa: PLC0415

        patch.setattr(real, "DmaAllocator", _memory(Allocator, Sync, manager.sensor))
        yield manager
        manager.close()
        for name in (name for name in tuple(sys.modules) if name.split(".")[0] == "picamera2"):
            del sys.modules[name]
