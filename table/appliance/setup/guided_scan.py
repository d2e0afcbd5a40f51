"""Learns the tiles under the table's own camera: one picture to learn from, a second to test the result."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from table.dashboard.wizard.setup_port import ScanStatus
from vision.arrays import Image
from vision.confidence import UNREAD_TILE_IN_SCAN
from vision.errors import TileSetError
from vision.geometry.calibration_file import StoredCalibration
from vision.geometry.plane_geometry import TileSize
from vision.photo.photo_reader import read_photo
from vision.photo.tables.table_photo import TableView
from vision.reading.locator import Locator
from vision.reading.reader import TileReader
from vision.tilesets import tileset
from vision.tilesets.set_scan import ScannedSet, scan
from vision.tilesets.tileset import SetReader, TileSet

FILE: Final = "scanned.tileset"
NAME: Final = "scanned"


class SetScan:
    """One guided scan. Thread-safe; one picture at a time."""

    def __init__(self, path: Path, tile: TileSize, on_learnt: Callable[[Path], None]) -> None:
        """Takes the file of the set, and a callback that is called once it has been written."""
        self._path, self._tile, self._on_learnt = path, tile, on_learnt
        self._lock = threading.Lock()
        self._scans: list[ScannedSet] = []
        self._images: list[Image] = []
        self._set: TileSet | None = None

    def begin(self) -> None:
        """Discards the pictures so far."""
        with self._lock:
            self._scans, self._images, self._set = [], [], None

    def scan_frame(self, image: Image, place: StoredCalibration) -> None:
        """Scans a BGR picture of the faces laid out in order on the calibrated table.

        Raises:
            VisionError: the picture does not show every face in order, the tiles have not been moved, or the set cannot
                be written; the picture is then discarded.
        """
        with self._lock:
            locator, reader = Locator.from_above(), TileReader()
            view = TableView(corners_px=place.corners_px, side_mm=place.side_mm, tile=self._tile)
            found = read_photo(image, locator=locator, reader=reader, view=view, unread_score=UNREAD_TILE_IN_SCAN)
            scanned = scan(image, found, reader, source=f"look {len(self._scans) + 1}")
            if any(_is_same(image, other) for other in self._images):
                raise TileSetError("expected the tiles moved for the second look, got them where they were")
            scans = [*self._scans, scanned]
            learnt = _learnt_set(scans, reader) if len(scans) > 1 else None
            if learnt is not None:
                tileset.save(learnt, self._path)
            self._scans, self._images, self._set = scans, [*self._images, image], learnt
            if learnt is not None:
                self._on_learnt(self._path)

    def status(self) -> ScanStatus:
        """Returns the progress: pictures, faces misread without the scan, readiness, and faces still confused."""
        scans, learnt = tuple(self._scans), self._set  # `begin` may replace both meanwhile
        if not scans:
            return ScanStatus()
        readiness = None if learnt is None else learnt.readiness
        return ScanStatus(scans=len(scans), faces=len(scans[0].examples), misread=scans[0].misread, readiness=readiness)


def _learnt_set(scans: Sequence[ScannedSet], reader: TileReader) -> TileSet:
    """Learns from the first picture, tests with the last, then learns from all."""
    learnt = TileSet(name=NAME, examples=scans[0].examples)
    readiness = tileset.measure(SetReader(reader, learnt), scans[-1].examples)
    for other in scans[1:]:
        learnt = learnt.having(other.examples)
    return replace(learnt, readiness=readiness)


def _is_same(image: Image, other: Image) -> bool:
    """Returns whether the tiles stayed where they were between two pictures; moved tiles differ by more than noise."""
    if image.shape != other.shape:
        return False
    step = image[::8, ::8].astype(np.int16) - other[::8, ::8]
    return float((np.abs(step).max(axis=2) > 40).mean()) < 0.004
