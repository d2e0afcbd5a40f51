"""Watches a table with the shipped models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from vision.geometry.calibration import Calibration
from vision.geometry.plane_geometry import TileSize
from vision.reading.locator import Locator
from vision.reading.sticks.strips import StripReader
from vision.tilesets.set_selector import SetSelector, reader_of
from vision.watching.watcher import Watcher


def make_watcher(
    calibration: Calibration,
    tile: TileSize,
    *,
    reds: Mapping[str, int] | None = None,
    tilesets: Sequence[Path] = (),
    reader: SetSelector | None = None,
) -> Watcher:
    """Returns a watcher with the shipped models, adapted to the sets in the files `tilesets`.

    `reds` is the number of red fives of each suit, if known; `reader` replaces the shipped model.

    Raises:
        TileSetError: a file is not a tile set.
        ModelError: a model does not match its manifest.
    """
    reader = reader or reader_of(tilesets)
    return Watcher(
        locator=Locator.from_above(),
        reader=reader,
        calibration=calibration,
        tile=tile,
        reds=reds,
        strips=StripReader(),
    )
