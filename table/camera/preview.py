"""The camera's view with the readings drawn over it, and a picture of each tile at the time it was believed.

None of these pictures shows standing hands (`vision.privacy.redaction`). While the table is not in its place (the
camera was turned, lifted or pushed), the place of the hands is unknown, and everything is black.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from concurrent.futures import CancelledError
from dataclasses import dataclass
from functools import partial
from typing import Final, Self

import cv2
import numpy as np

from table.game.input_feed import FrameWatcher
from table.runtime.threads import JobThread
from vision.arrays import Image
from vision.felt import Felt, FeltReport, LyingStick, LyingTile, TileLaid, TileReread
from vision.frames import Frame
from vision.geometry.plane_geometry import TileSize, turn
from vision.geometry.rectify import TopView
from vision.photo import overlay
from vision.photo.photo_things import Quad, ReadStick, ReadTile
from vision.privacy.redaction import HandRedaction

STICK_MM: Final = (93.0, 9.0)
"""A stick's length and breadth, which a `LyingStick` does not have."""
QUALITY: Final = 80
"""Quality of the JPEGs."""
MOST_TILES: Final = 400
"""Number of the latest tile pictures that are kept: those of two hands."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _View:
    """The last frame, and its redaction."""

    number: int
    """Counts the views."""
    image: Image | None
    """None if the table is not in its place."""
    felt: Felt
    view: TopView
    redaction: HandRedaction


class Preview:
    """Keeps the last frame, and each tile's picture at the time it was believed. Thread-safe.

    A context manager: the thread that draws ends with the context, after which `picture` returns None.
    """

    def __init__(self, tile: TileSize) -> None:
        """Takes the size of the tiles."""
        self._tile = tile
        self._lock = threading.Lock()
        self._last_view: _View | None = None
        self._drawing_lock = threading.Lock()
        self._drawing = JobThread("preview")
        """Draws in a separate thread: OpenCV holds 6 MB of fonts for each thread that draws text into a picture."""
        self._last_jpeg: tuple[int, bytes] | None = None
        """The number of the last view that somebody wanted to see, and its JPEG; its frame is not kept."""
        self._tiles: OrderedDict[int, bytes] = OrderedDict()

    def observe(self, frame: Frame, report: FeltReport | None, watcher: FrameWatcher) -> None:
        """Adds a processed frame."""
        calibration, last = watcher.calibration, self._last_view
        if last is not None and last.view.calibration is calibration:
            view, redaction = last.view, last.redaction
        else:
            view = TopView(calibration, height_mm=self._tile.depth_mm, margin_mm=0.0)
            redaction = HandRedaction(calibration, self._tile)
        image = frame.image if watcher.is_in_place and frame.image.shape[1::-1] == calibration.size else None
        number = 0 if last is None else last.number + 1
        self._last_view = _View(number=number, image=image, felt=watcher.felt, view=view, redaction=redaction)
        if image is None:
            return
        for change in () if report is None else report.changes:
            if isinstance(change, TileLaid | TileReread):
                self._remember(change.tile, frame.image, redaction)

    def _remember(self, tile: LyingTile, image: Image, redaction: HandRedaction) -> None:
        picture = _jpeg(redaction.tile(image, tile))
        with self._lock:
            self._tiles[tile.id] = picture
            self._tiles.move_to_end(tile.id)
            if len(self._tiles) > MOST_TILES:
                self._tiles.popitem(last=False)

    def picture(self) -> bytes | None:
        """Returns the latest view as a JPEG; black while the table is not in its place; None before the first.

        It is drawn once for all viewers, one at a time and in one thread, since each drawing takes memory.
        """
        with self._drawing_lock:
            last, last_jpeg = self._last_view, self._last_jpeg
            if last is None:
                return None
            if last_jpeg is None or last_jpeg[0] != last.number:
                try:
                    picture = self._drawing.submit(partial(self._picture_of, last)).result()
                except CancelledError:  # the preview is closed
                    return None
                self._last_jpeg = last_jpeg = (last.number, picture)
            return last_jpeg[1]

    def _picture_of(self, last: _View) -> bytes:
        if last.image is None:
            return _jpeg(np.zeros((last.view.side_px, last.view.side_px, 3), dtype=np.uint8))
        picture = last.view.picture(last.redaction.applied_to(last.image, last.felt.tiles))
        tiles = [self._tile_mark(tile, last.view) for tile in last.felt.tiles]
        sticks = [_stick_mark(stick, last.view) for stick in last.felt.sticks]
        return _jpeg(overlay.draw(picture, tiles, sticks))

    def tile_picture(self, number: int) -> bytes | None:
        """Returns an upright picture of a tile when it was believed, as a JPEG; None if unknown or too long ago."""
        with self._lock:
            return self._tiles.get(number)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._drawing.close()
        with self._drawing_lock:
            self._last_view = None

    def _tile_mark(self, tile: LyingTile, view: TopView) -> ReadTile:
        size = self._tile.width_mm, self._tile.height_mm
        return ReadTile(tile=tile.reading.tile, quad=_quad(view, tile, size), score=tile.reading.score)


def _stick_mark(stick: LyingStick, view: TopView) -> ReadStick:
    return ReadStick(value=stick.value, quad=_quad(view, stick, STICK_MM), score=stick.score)


def _quad(view: TopView, item: LyingTile | LyingStick, size: tuple[float, float]) -> Quad:
    """Returns the corners in pixels, clockwise from the top left, of an object rotated counter-clockwise."""
    half = np.array([[-0.5, 0.5], [0.5, 0.5], [0.5, -0.5], [-0.5, -0.5]]) * size
    corners = view.from_felt(turn(half, item.angle_deg) + (item.x_mm, item.y_mm))
    return tuple((float(x), float(y)) for x, y in corners)


def _jpeg(image: Image) -> bytes:
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
