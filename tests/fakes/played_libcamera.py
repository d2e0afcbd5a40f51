"""A played libcamera, below the real picamera2: a sensor made of Python, with a cable to pull and calls that can hang.

Only what picamera2 asks of libcamera for a video with two streams; other modules that it imports for files and previews
are stood in for where they are absent. picamera2 is no dependency (parts of it are compiled): to run what needs this,
`pip install --no-deps picamera2`.
"""

from __future__ import annotations

import mmap
import os
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from enum import Enum
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest

from tests.fakes.waiting import PATIENCE_S

FULL = (4608, 2592)
ABSENT = ("pidng", "pidng.core", "pidng.camdefs", "piexif", "simplejpeg", "av", "prctl", "videodev2", "PIL", "pykms")
FILE_FORMATS = {"XBGR8888": 4, "XRGB8888": 4, "RGB888": 3, "BGR888": 3}


class Id:
    """A control's or a property's name."""

    def __init__(self, name: str, kind: object = None) -> None:
        self.name, self.type = name, kind


class Names:
    """Controls or properties, each the same whenever it is asked for."""

    def __init__(self) -> None:
        self.draft: Any = self

    def __getattr__(self, name: str) -> Id:
        if name.endswith("Enum") or name.startswith("__"):
            raise AttributeError(name)
        made = Id(name, ControlType.Rectangle if name.startswith("ScalerCrop") else ControlType.Integer32)
        setattr(self, name, made)
        return made


class ControlType(Enum):
    Rectangle = 1
    Size = 2
    Integer32 = 3


class Shape:
    """A size or a rectangle."""

    def __init__(self, *numbers: int) -> None:
        self.numbers = numbers


class Size(Shape):
    width = property(lambda self: self.numbers[0])
    height = property(lambda self: self.numbers[1])


class Rectangle(Shape):
    x = property(lambda self: self.numbers[0])
    y = property(lambda self: self.numbers[1])
    width = property(lambda self: self.numbers[2])
    height = property(lambda self: self.numbers[3])


class Transform:
    def __init__(self, other: Any = None, **turned: int) -> None:
        self.hflip, self.vflip, self.transpose = (
            turned.get(name, getattr(other, name, 0)) for name in ("hflip", "vflip", "transpose")
        )

    def __str__(self) -> str:
        return f"<Transform {self.hflip} {self.vflip} {self.transpose}>"

    def __hash__(self) -> int:
        return hash((self.hflip, self.vflip, self.transpose))


class ColorSpace:
    YcbcrEncoding = Enum("YcbcrEncoding", "Null")
    Range = Enum("Range", "Full")

    def __init__(self, other: Any = None, *, name: str = "") -> None:
        self.primaries = self.transferFunction = getattr(other, "primaries", name)
        self.ycbcrEncoding, self.range = object(), object()

    def __str__(self) -> str:
        return f"<ColorSpace {self.primaries}>"

    def __hash__(self) -> int:
        return hash(self.primaries)


for _name in ("Sycc", "Smpte170m", "Rec709", "Raw"):
    setattr(ColorSpace, _name, classmethod(lambda cls, name=_name: cls(name=name)))


class Orientation(Enum):
    Rotate0 = 0
    Rotate0Mirror = 1
    Rotate90 = 2
    Rotate90Mirror = 3
    Rotate180 = 4
    Rotate180Mirror = 5
    Rotate270 = 6
    Rotate270Mirror = 7


Done = Enum("Done", "Pending Complete Cancelled")
Status = Enum("Status", "Valid Adjusted Invalid")
Good = Enum("Good", "Success Error")


class Key:
    """What buffers are told apart by."""

    def __init__(self, configuration: Stream) -> None:
        self.configuration = configuration


class Stream:
    """One stream's configuration."""

    def __init__(self) -> None:
        self.size, self.pixel_format, self.buffer_count = Size(640, 480), "XBGR8888", 4
        self.stride = self.frame_size = 0
        self.color_space: Any = None
        self.stream = Key(self)
        sizes = [Size(1536, 864), Size(2304, 1296), Size(*FULL)]
        self.formats = SimpleNamespace(pixel_formats=["SRGGB10_CSI2P"], sizes=lambda _: sizes)


class Configuration:
    Status = Status

    def __init__(self, roles: list[Any]) -> None:
        self.streams = [Stream() for _ in roles]
        self.orientation: Any = None
        self.sensor_config: Any = None

    def at(self, index: int) -> Stream:
        return self.streams[index]

    def __iter__(self) -> Iterator[Stream]:
        return iter(self.streams)

    def validate(self) -> Enum:
        for each in self.streams:
            name, width, height = str(each.pixel_format), each.size.width, each.size.height
            if name == "YUV420":
                each.stride, each.frame_size = width, width * height * 3 // 2
            elif name in FILE_FORMATS:
                each.stride = width * FILE_FORMATS[name]
                each.frame_size = each.stride * height
            else:  # raw
                each.stride, each.frame_size = 5760, 5760 * 8
        return Status.Adjusted


class Request:
    Status = Done

    def __init__(self, cookie: int) -> None:
        self.cookie, self.status = cookie, Done.Pending
        self.buffers: dict[Any, Any] = {}
        self.metadata: dict[Id, Any] = {}

    def add_buffer(self, stream: Any, buffer: Any) -> None:
        self.buffers[stream] = buffer

    def reuse(self) -> None:
        self.metadata, self.status = {}, Done.Pending

    def set_control(self, control: Id, value: Any) -> None:
        """Takes it: the picture is the same whatever is set."""


class Sensor:
    """The camera. `hangs` names the calls that do not come back until `on` is set."""

    id = "/base/axi/pcie@1000120000/rp1/i2c@88000/imx708@1a"

    def __init__(self, manager: Manager, controls: Names, properties: Names) -> None:
        self.manager, self.names = manager, controls
        self.has_cable, self.is_held, self.is_running = True, False, False
        self.hangs: set[str] = set()
        self.on = threading.Event()
        self.queue: list[Request] = []
        self.lock = threading.Lock()
        self.properties = {
            properties.Model: "imx708",
            properties.PixelArraySize: Size(*FULL),
            properties.ColorFilterArrangement: 0,
        }
        limits = {"FrameDurationLimits": (33333, 120000, None), "LensPosition": (0.0, 15.0, 1.0)}
        names = ("AeEnable", "ExposureTime", "AnalogueGain", "AwbEnable", "ColourGains", "ScalerCrop", "AfMode")
        self.controls = {
            getattr(controls, name): SimpleNamespace(min=low, max=high, default=usual)
            for name, (low, high, usual) in {**dict.fromkeys(names, (0, 1, 0)), **limits}.items()
        }

    def _step(self, name: str) -> None:
        if name in self.hangs:
            assert self.on.wait(PATIENCE_S)

    def acquire(self) -> None:
        self._step("acquire")
        if self.is_held:
            raise RuntimeError("Failed to acquire camera: Device or resource busy")
        self.is_held = True

    def release(self) -> None:
        self._step("release")
        self.is_held = False

    def generate_configuration(self, roles: list[Any]) -> Configuration:
        return Configuration(roles)

    def configure(self, configuration: Configuration) -> int:
        return 0

    def start(self, controls: Mapping[Id, Any]) -> None:
        self._step("start")
        self.is_running = True
        threading.Thread(target=self._expose, daemon=True).start()

    def stop(self) -> None:
        self._step("stop")
        self.is_running = False
        with self.lock:
            for request in self.queue:
                request.status = Done.Cancelled
                self.manager.done(request)
            self.queue = []

    def create_request(self, cookie: int) -> Request:
        return Request(cookie)

    def queue_request(self, request: Request) -> None:
        with self.lock:
            self.queue.append(request)

    def _expose(self) -> None:
        while self.is_running:
            time.sleep(0.002)
            with self.lock:
                if not self.has_cable or not self.queue:
                    continue
                request = self.queue.pop(0)
            measured = {"ExposureTime": 13000, "AnalogueGain": 2.0, "ColourGains": (2.1, 1.7)}
            request.metadata = {getattr(self.names, name): value for name, value in measured.items()}
            request.metadata[self.names.SensorTimestamp] = time.monotonic_ns()
            request.status = Done.Complete
            self.manager.done(request)


class Manager:
    """Tells which requests are done, through a pipe as the real one does."""

    def __init__(self, controls: Names, properties: Names) -> None:
        self.event_fd, self._write_fd = os.pipe2(os.O_NONBLOCK)
        self._ready: list[Request] = []
        self._lock = threading.Lock()
        self.sensor = Sensor(self, controls, properties)
        self.cameras = [self.sensor]

    def done(self, request: Request) -> None:
        with self._lock:
            self._ready.append(request)
        os.write(self._write_fd, b"\0")

    def get_ready_requests(self) -> list[Request]:
        with suppress(BlockingIOError):
            os.read(self.event_fd, 4096)
        with self._lock:
            ready, self._ready = self._ready, []
        return ready

    def close(self) -> None:
        for end in (self.event_fd, self._write_fd):
            os.close(end)


def _memory(base: type[Any], sync: type[Any]) -> type[Any]:
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

        def allocate(self, configuration: Configuration, use: object) -> None:
            for each in configuration:
                made = [MagicMock() for _ in range(each.buffer_count)]
                for buffer in made:
                    buffer.metadata.status = Good.Success
                    self.mapped_buffers[buffer] = mmap.mmap(-1, each.frame_size)
                self.frame_buffers[each.stream] = made

        def buffers(self, stream: Any) -> list[Any]:
            return self.frame_buffers[stream]

    return Memory


def _libcamera(manager: Manager, controls: Names, properties: Names) -> Any:
    module: Any = ModuleType("libcamera")
    for name, value in {
        "controls": controls,
        "properties": properties,
        "ControlType": ControlType,
        "Size": Size,
        "Rectangle": Rectangle,
        "Transform": Transform,
        "ColorSpace": ColorSpace,
        "Orientation": Orientation,
        "Request": Request,
        "CameraConfiguration": Configuration,
        "FrameMetadata": SimpleNamespace(Status=Good),
        "StreamRole": SimpleNamespace(Raw=0, StillCapture=1, VideoRecording=2, Viewfinder=3),
        "CameraManager": SimpleNamespace(singleton=lambda: manager),
        "SensorConfiguration": SimpleNamespace,
        "PixelFormat": str,
        "Camera": Sensor,
        "FrameBuffer": MagicMock,
        "_libcamera": SimpleNamespace(ColorSpace=ColorSpace, Transform=Transform),
    }.items():
        setattr(module, name, value)
    return module


@contextmanager
def installed() -> Iterator[Manager]:
    """Lets the real picamera2 be imported above a played libcamera; afterwards neither is there."""
    controls, properties = Names(), Names()
    manager = Manager(controls, properties)
    with pytest.MonkeyPatch.context() as patch:
        for name in (name for name in tuple(sys.modules) if name.split(".")[0] == "picamera2"):
            patch.delitem(sys.modules, name)
        for name in ABSENT:
            patch.setitem(sys.modules, name, MagicMock())
        patch.setitem(sys.modules, "libcamera", _libcamera(manager, controls, properties))
        import picamera2.picamera2 as real  # noqa: PLC0415 - only now can it be imported
        from picamera2.allocators.allocator import Allocator, Sync  # noqa: PLC0415

        patch.setattr(real, "DmaAllocator", _memory(Allocator, Sync))
        yield manager
        manager.close()
        for name in (name for name in tuple(sys.modules) if name.split(".")[0] == "picamera2"):
            del sys.modules[name]
