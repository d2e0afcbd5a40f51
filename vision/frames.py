"""The stream of pictures: what every camera gives, whatever it is made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self, runtime_checkable

import numpy as np

from vision.arrays import Image


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Frame:
    """One picture and when it was taken."""

    k: int
    """Its number in the stream, counted from 0; a lost frame leaves a gap."""
    t_ns: int
    """Monotonic nanoseconds; in a recording counted from its first frame, so that replays are equal."""
    image: Image
    """Shape [height, width, 3], BGR, as the camera gave it: lens distortion is still in it. Never written to."""

    def __post_init__(self) -> None:
        if self.image.dtype != np.uint8 or self.image.ndim != 3 or self.image.shape[2] != 3:
            raise ValueError(
                f"expected a BGR picture of uint8, got {self.image.dtype} {self.image.shape}, in frame {self.k}"
            )


@runtime_checkable
class Camera(Protocol):
    """Anything that gives frames: the Pi's camera, a file, a recording, a drawn table."""

    def frames(self) -> Iterator[Frame]:
        """Gives frames in order until the source ends or the camera is closed; may be started once.

        A damaged frame or one of another size is left out and logged.
        """
        ...

    def close(self) -> None:
        """Lets the source go; closing twice does nothing."""
        ...

    def __enter__(self) -> Self:
        """Returns itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closes it."""
        self.close()
