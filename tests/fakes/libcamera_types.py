"""The few types of libcamera's Python module that picamera2 asks for, where that module is not installed."""

from __future__ import annotations

from enum import Enum
from types import SimpleNamespace
from typing import Any


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
        control = Id(name, ControlType.Rectangle if name.startswith("ScalerCrop") else ControlType.Integer32)
        setattr(self, name, control)
        return control


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
    def __init__(self, other: Any = None, **flips: int) -> None:
        self.hflip, self.vflip, self.transpose = (
            flips.get(name, getattr(other, name, 0)) for name in ("hflip", "vflip", "transpose")
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


RequestStatus = Enum("RequestStatus", "Pending Complete Cancelled")
ConfigurationStatus = Enum("ConfigurationStatus", "Valid Adjusted Invalid")
FrameStatus = Enum("FrameStatus", "Success Error")


def module_contents() -> dict[str, Any]:
    """What `import libcamera` would give, but for the camera itself."""
    return {
        "controls": Names(),
        "properties": Names(),
        "ControlType": ControlType,
        "Size": Size,
        "Rectangle": Rectangle,
        "Transform": Transform,
        "ColorSpace": ColorSpace,
        "Orientation": Orientation,
        "Request": SimpleNamespace(Status=RequestStatus),
        "CameraConfiguration": SimpleNamespace(Status=ConfigurationStatus),
        "FrameMetadata": SimpleNamespace(Status=FrameStatus),
        "StreamRole": SimpleNamespace(Raw=0, StillCapture=1, VideoRecording=2, Viewfinder=3),
        "PixelFormat": str,
        "_libcamera": SimpleNamespace(ColorSpace=ColorSpace, Transform=Transform),
    }
