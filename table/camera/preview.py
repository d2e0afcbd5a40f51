"""The camera's own view with what was understood drawn over it, and what each tile looked like when it was believed.

Standing hands are in none of these pictures (`vision.privacy.redaction`).
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

import cv2
import numpy as np

from vision.felt import Felt, FeltReport, LyingStick, LyingTile, TileLaid, TileReread
from vision.frames import Frame, Image
from vision.geometry.calibration import Calibration
from vision.geometry.plane_geometry import TileSize, turn
from vision.geometry.rectify import TopView
from vision.photo import overlay
from vision.photo.overlay import Quad
from vision.privacy.redaction import Blinds

STICK_MM: Final = (93.0, 9.0)
QUALITY: Final = 80
"""Of the JPEGs."""
MOST_TILES: Final = 400
"""Pictures of tiles that are kept, the latest: those of two hands."""


Keep = Callable[[Frame, Felt, Blinds], None]
"""Takes a frame, what is believed to lie there, and what must be drawn over the frame before anybody sees it."""


class Sees(Protocol):
    """What looks at frames and believes something about the felt: `vision.watching.watcher.Watcher`."""

    def look(self, frame: Frame) -> FeltReport | None:
        """Looks at the next frame."""

    @property
    def felt(self) -> Felt:
        """What is believed to lie there."""

    @property
    def judged(self) -> int:
        """The last frame that was judged whole."""

    @property
    def calibration(self) -> Calibration:
        """Where the table lies in the frames."""


@dataclass(frozen=True, slots=True)
class _Marked:
    """A tile or stick as the overlay draws it."""

    tile: str
    value: int
    quad: Quad
    score: float


class Shown:
    """Watches as its watcher does, and keeps for whoever wants to see, on any thread: the last frame, each tile."""

    def __init__(self, eyes: Sees, tile: TileSize, *, keep: Keep | None = None) -> None:
        """Takes the watcher, how big the tiles are, and who gets every frame after it was looked at."""
        self._eyes = eyes
        self._keep = keep
        self._tile = tile
        self._see_by(eyes.calibration)
        self._lock = threading.Lock()
        self._last: tuple[Image, Felt, TopView, Blinds] | None = None
        self._tiles: OrderedDict[int, bytes] = OrderedDict()

    def _see_by(self, calibration: Calibration) -> None:
        self._view = TopView(calibration, height_mm=self._tile.depth_mm, margin_mm=0.0)
        self._blinds = Blinds(calibration, self._tile)

    @property
    def judged(self) -> int:
        """As the watcher says."""
        return self._eyes.judged

    @property
    def felt(self) -> Felt:
        """As the watcher believes."""
        return self._eyes.felt

    def look(self, frame: Frame) -> FeltReport | None:
        """Looks as the watcher does, and remembers what is to be shown."""
        report = self._eyes.look(frame)
        height, width = frame.image.shape[:2]
        if (width, height) != self._eyes.calibration.size:
            return report
        if self._eyes.calibration is not self._view.calibration:
            self._see_by(self._eyes.calibration)
        with self._lock:
            self._last = frame.image, self._eyes.felt, self._view, self._blinds
        if self._keep is not None:
            self._keep(frame, self._eyes.felt, self._blinds)
        for change in () if report is None else report.changes:
            if isinstance(change, TileLaid | TileReread):
                self._remember(change.tile, frame.image)
        return report

    def _remember(self, tile: LyingTile, image: Image) -> None:
        picture = _jpeg(self._blinds.tile(image, tile))
        with self._lock:
            self._tiles[tile.id] = picture
            self._tiles.move_to_end(tile.id)
            if len(self._tiles) > MOST_TILES:
                self._tiles.popitem(last=False)

    def picture(self) -> bytes | None:
        """Returns the latest view as a JPEG; None before the first frame."""
        with self._lock:
            last = self._last
        if last is None:
            return None
        image, felt, view, blinds = last
        seen = view.picture(blinds.drawn(image, felt.tiles))
        tiles = [self._tile_mark(each, view) for each in felt.tiles]
        sticks = [_stick_mark(each, view) for each in felt.sticks]
        return _jpeg(overlay.draw(seen, tiles, sticks))

    def tile_picture(self, number: int) -> bytes | None:
        """Returns a tile, upright, as it was when it was believed, as a JPEG; None where it never was, or long ago."""
        with self._lock:
            return self._tiles.get(number)

    def _tile_mark(self, tile: LyingTile, view: TopView) -> _Marked:
        size = self._tile.width_mm, self._tile.height_mm
        return _Marked(tile.reading.tile, 0, _quad(view, tile, size), tile.reading.score)


def _stick_mark(stick: LyingStick, view: TopView) -> _Marked:
    return _Marked("", stick.value, _quad(view, stick, STICK_MM), stick.score)


def _quad(view: TopView, thing: LyingTile | LyingStick, size: tuple[float, float]) -> Quad:
    """The corners in pixels, clockwise from the top left of something turned counter-clockwise."""
    half = np.array([[-0.5, 0.5], [0.5, 0.5], [0.5, -0.5], [-0.5, -0.5]]) * size
    corners = view.from_felt(turn(half, thing.angle_deg) + (thing.x_mm, thing.y_mm))
    return tuple((float(x), float(y)) for x, y in corners)


def _jpeg(image: Image) -> bytes:
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
