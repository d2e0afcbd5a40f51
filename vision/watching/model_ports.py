"""The interfaces through which a watcher uses its models."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from vision.arrays import Image
from vision.felt import Reading
from vision.geometry.roi import Roi
from vision.reading.locator import Located


class LocatesTiles(Protocol):
    """Finds tiles and sticks in a picture: `vision.reading.locator.Locator`."""

    def locate(self, image: Image, *, tile_px: float | None, roi: Roi | None = None) -> Located:
        """Returns what it finds in a BGR picture, or a window of it; a tile is `tile_px` wide, None if unknown."""
        ...


@runtime_checkable
class LearningReader(Protocol):
    """A reader that also learns sets of tiles: `vision.tilesets.set_selector.SetSelector`."""

    @property
    def reader_version(self) -> object:
        """Identifies the present way of reading; once this changes, the same picture may be read differently."""
        ...

    def reread(self, cut: Image) -> list[Reading]:
        """Reads crops [N, 64, 48, 3] that it has read before."""
        ...

    def reset(self) -> None:
        """Notes that the table was cleared, so other tiles may follow."""
        ...
