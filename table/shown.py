"""The camera's own view with what was understood drawn over it; standing hands are painted out before anybody looks."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Final, Protocol

import cv2
import numpy as np

from vision import overlay
from vision.calibration import Calibration
from vision.felt import Felt, FeltReport, LyingStick, LyingTile
from vision.frames import Frame, Image
from vision.geometry import Floats, TileSize
from vision.overlay import Quad
from vision.rectify import TopView
from vision.zones import Zones

STICK_MM: Final = (93.0, 9.0)
CROP_PX: Final = (96, 128)
"""Width and height of one tile's picture."""
QUALITY: Final = 80
"""Of the JPEG."""
_HIDDEN: Final = (38, 34, 30)
"""What is painted over the places of hands, BGR."""


class Sees(Protocol):
    """What looks at frames and believes something about the felt: `vision.pipeline.Watcher`."""

    def look(self, frame: Frame) -> FeltReport | None:
        """Looks at the next frame."""

    @property
    def felt(self) -> Felt:
        """What is believed to lie there."""

    @property
    def judged(self) -> int:
        """The last frame that was judged whole."""


@dataclass(frozen=True, slots=True)
class _Marked:
    """A tile or stick as the overlay draws it."""

    tile: str
    value: int
    quad: Quad
    score: float


class Shown:
    """Watches as its watcher does, and keeps the last frame for whoever wants to see, on any thread."""

    def __init__(self, eyes: Sees, calibration: Calibration, tile: TileSize) -> None:
        """Takes the watcher, and where the table lies in its frames."""
        self._eyes = eyes
        self._tile = tile
        self._view = TopView(calibration, height_mm=tile.depth_mm, margin_mm=0.0)
        self._open_mm = Zones(side_mm=calibration.side_mm, size=tile).rail_start
        self._lock = threading.Lock()
        self._last: tuple[Image, Felt] | None = None

    @property
    def judged(self) -> int:
        """As the watcher says."""
        return self._eyes.judged

    def look(self, frame: Frame) -> FeltReport | None:
        """Looks as the watcher does, and remembers the frame."""
        report = self._eyes.look(frame)
        with self._lock:
            self._last = frame.image, self._eyes.felt
        return report

    def picture(self) -> bytes | None:
        """Returns the latest view as a JPEG; None before the first frame."""
        with self._lock:
            last = self._last
        if last is None:
            return None
        image, felt = last
        view = self._blinded(self._view.picture(image), felt)
        tiles = [self._tile_mark(each) for each in felt.tiles]
        sticks = [self._stick_mark(each) for each in felt.sticks]
        return cv2.imencode(".jpg", overlay.draw(view, tiles, sticks), [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()

    def tile_picture(self, number: int) -> bytes | None:
        """Returns a lying tile as the camera sees it, upright, as a JPEG; None where it does not lie there any more."""
        with self._lock:
            last = self._last
        tile = None if last is None else next((each for each in last[1].tiles if each.id == number), None)
        if last is None or tile is None:
            return None
        corners = np.array(self._tile_mark(tile, margin=1.25).quad, np.float32)
        width, height = CROP_PX
        upright = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        turn = cv2.getPerspectiveTransform(corners, upright)
        crop = cv2.warpPerspective(self._view.picture(last[0]), turn, CROP_PX, flags=cv2.INTER_CUBIC)
        return cv2.imencode(".jpg", crop, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()

    def _blinded(self, view: Image, felt: Felt) -> Image:
        """Paints over the places where hands stand, but for the tiles that are known to lie open there."""
        hidden = np.full(view.shape[:2], 255, np.uint8)
        corner = self._open_mm
        inner = self._view.from_felt([[-corner, corner], [corner, -corner]]).round().astype(int)
        (left, top), (right, bottom) = inner
        hidden[top:bottom, left:right] = 0
        for tile in felt.tiles:
            cv2.fillConvexPoly(hidden, np.round(self._tile_mark(tile).quad).astype(np.int32), 0)
        blinded = view.copy()
        blinded[hidden > 0] = _HIDDEN
        return blinded

    def _tile_mark(self, tile: LyingTile, margin: float = 1.0) -> _Marked:
        size = margin * self._tile.width_mm, margin * self._tile.height_mm
        quad = self._quad(tile.x_mm, tile.y_mm, tile.angle_deg - 90.0, size)
        return _Marked(tile.reading.tile, 0, quad, tile.reading.score)

    def _stick_mark(self, stick: LyingStick) -> _Marked:
        return _Marked("", stick.value, self._quad(stick.x_mm, stick.y_mm, stick.angle_deg, STICK_MM), stick.score)

    def _quad(self, x_mm: float, y_mm: float, turned_deg: float, size: tuple[float, float]) -> Quad:
        """The corners in pixels, clockwise from the top left of something turned counter-clockwise."""
        half: Floats = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]], np.float64) * size / 2
        angle = np.radians(turned_deg)
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        corners = self._view.from_felt(half @ turn + (x_mm, y_mm))
        return tuple((float(x), float(y)) for x, y in corners)
