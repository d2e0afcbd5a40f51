"""Frames, and the interface of cameras."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self, runtime_checkable

import numpy as np

from vision.arrays import Image
from vision.errors import ImageError


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Frame:
    """One picture with its time."""

    k: int
    """The frame's number, counted from 0; a lost frame leaves a gap."""
    t_ns: int
    """Monotonic nanoseconds; in a recording relative to its first frame, so that replays are identical."""
    image: Image
    """Shape [height, width, 3], BGR, unmodified, including lens distortion. Must not be written to."""

    def __post_init__(self) -> None:
        check_picture(self.image, f", in frame {self.k}")


def check_picture(image: object, ending: str = "") -> None:
    """Checks that a value is a BGR picture of uint8, as OpenCV reads it; `ending` ends the message.

    Raises:
        ImageError: it is another kind of array, such as a grey or an RGBA picture, or no array.
    """
    if not isinstance(image, np.ndarray):
        raise ImageError(f"expected a BGR picture of uint8, got {type(image).__name__}{ending}")
    if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3:
        raise ImageError(f"expected a BGR picture of uint8, got {image.dtype} {image.shape}{ending}")


@runtime_checkable
class Camera(Protocol):
    """A source of frames: the Pi's camera, a file, a recording, a drawn table."""

    def frames(self) -> Iterator[Frame]:
        """Yields frames in order until the source ends or the camera is closed; may be called once.

        A damaged frame, or one of another size, is logged and skipped.
        """
        ...

    def close(self) -> None:
        """Releases the source; closing twice does nothing."""
        ...

    def __enter__(self) -> Self:
        """Returns itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closes it."""
        self.close()
