"""Reads phones' photos of a hand: checked before decoding, and read by the shipped models one at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from table.runtime.table_errors import TachiaiError
from vision.arrays import Image
from vision.photo.photo_file import HEIC, MOST_SCANS, is_heic, scans_of
from vision.photo.photo_reader import PhotoReading
from vision.picture_decoding import PNG, decoded_picture

MOST_BYTES: Final = 4 * 1024 * 1024
MOST_PIXELS: Final = 16_000_000
WIDEST: Final = 1600
"""Limit of the longer side in pixels: the page sends no more, and more costs memory without helping."""
_REDUCED: Final = {
    1: cv2.IMREAD_COLOR,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}
"""OpenCV's flags for decoding at a reduced size."""
_JPEG: Final = b"\xff\xd8\xff"
_FRAME_HEADERS: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_OTHER_SEGMENTS: Final = frozenset({0xC4, 0xCC, 0xDB, 0xDD, 0xFE, *range(0xE0, 0xF0)})
"""Segments with a length that may precede the frame header: tables, comments, application data."""


class PhotoError(TachiaiError, ValueError):
    """An upload that is not a photo, or is too large to decode."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """One tile of a photo, in reading order."""

    tile: str
    score: float
    alternatives: tuple[tuple[str, float], ...] = ()


class Photos:
    """Reads photos. The models are loaded for the first one."""

    def __init__(self, load: Callable[[], Callable[[Image], PhotoReading]]) -> None:
        self._load = load
        self._read: Callable[[Image], PhotoReading] | None = None
        self._lock = threading.Lock()

    def faces(self, data: bytes) -> tuple[Face, ...]:
        """Returns the tiles in a JPEG or PNG file.

        Raises:
            PhotoError: the file has another format, is too large, or is damaged.
            VisionError: a model cannot be loaded.
        """
        with self._lock:
            image = decoded(data)
            if self._read is None:
                self._read = self._load()
            reading = self._read(image)
        return tuple(Face(tile=tile.tile, score=tile.score, alternatives=tile.alternatives) for tile in reading.tiles)


def decoded(data: bytes) -> Image:
    """Decodes a photo, scaled to at most `WIDEST`; its size is checked in the header first, to refuse huge pictures.

    Raises:
        PhotoError: as for `Photos.faces`.
    """
    if len(data) > MOST_BYTES:
        raise PhotoError(f"expected a photo of {MOST_BYTES} bytes at most, got {len(data)}")
    width, height = _size(data)
    if not 0 < width * height <= MOST_PIXELS:
        raise PhotoError(f"expected a photo of {MOST_PIXELS} pixels at most, got {width} x {height}")
    if (scans := scans_of(data)) > MOST_SCANS:
        raise PhotoError(f"expected a photo of {MOST_SCANS} scans at most, got {scans}")
    by = max(by for by in _REDUCED if by == 1 or max(width, height) // by >= WIDEST)
    image = decoded_picture(data, _REDUCED[by])
    if image is None:
        raise PhotoError("expected a whole JPEG or PNG file, got a broken one")
    scale = WIDEST / max(image.shape[:2])
    if scale >= 1:
        return image
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def _size(data: bytes) -> tuple[int, int]:
    """Returns the width and height in the file's header."""
    if data.startswith(PNG) and data[12:16] == b"IHDR" and len(data) >= 24:
        return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])
    if data.startswith(_JPEG):
        return _jpeg_size(data)
    raise PhotoError(f"expected a JPEG or PNG file, got {HEIC if is_heic(data) else 'something else'}")


def _jpeg_size(data: bytes) -> tuple[int, int]:
    """Scans the segments up to the frame header, as the decoder does (ITU T.81, B.1.1 and B.2).

    A file that the decoder could still interpret differently, with another size, is refused.
    """
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4])
        if marker == 0xFF:  # any number of these may fill the space before a marker
            at += 1
        elif marker in _FRAME_HEADERS:
            return int.from_bytes(data[at + 7 : at + 9]), int.from_bytes(data[at + 5 : at + 7])
        elif marker in _OTHER_SEGMENTS and length >= 2:
            at += 2 + length
        else:
            break
    raise PhotoError("expected a JPEG file with its size, got a broken one")
