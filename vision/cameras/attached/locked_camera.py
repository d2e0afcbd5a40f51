"""A camera that measures its settings and locks them: the interface."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from vision.geometry.calibration_file import LockedSettings


@runtime_checkable
class LockedCamera(Protocol):
    """A camera that reports its settings."""

    locked: LockedSettings | None
    """The locked settings, once frames arrive."""
    asked_size: tuple[int, int] | None
    """The width and height of the pictures requested from the driver."""
