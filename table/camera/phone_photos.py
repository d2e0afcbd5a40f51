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
from vision.photo.files.photo_file import HEIC, LEAST_SIDE, REDUCED, is_heic
from vision.photo.files.picture_headers import MOST_SCANS, is_jpeg, scans_of, size_in_header
from vision.photo.photo_reader import PhotoReading
from vision.picture_decoding import decoded_picture

MOST_BYTES: Final = 4 * 1024 * 1024
MOST_PIXELS: Final = 16_000_000
MOST_SIDE_PX: Final = 1600
"""Limit of the longer side in pixels: the page sends no more, and more costs memory without helping."""


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
            PhotoError: the file has another format, is too large or too narrow, or is damaged.
            VisionError: a model cannot be loaded.
        """
        with self._lock:
            image = decoded_photo(data)
            if self._read is None:
                self._read = self._load()
            reading = self._read(image)
        return tuple(Face(tile=tile.tile, score=tile.score, alternatives=tile.alternatives) for tile in reading.tiles)


def decoded_photo(data: bytes) -> Image:
    """Decodes a photo, scaled to `MOST_SIDE_PX` at most; its header is checked first, to refuse huge pictures.

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
    reduction = max(
        reduction for reduction in REDUCED if reduction == 1 or max(width, height) // reduction >= MOST_SIDE_PX
    )
    image = decoded_picture(data, REDUCED[reduction])
    if image is None:
        raise PhotoError("expected a whole JPEG or PNG file, got a broken one")
    scale = min(1.0, MOST_SIDE_PX / max(image.shape[:2]))
    if scale * min(image.shape[:2]) < LEAST_SIDE:
        raise PhotoError(f"expected a photo of a hand, got {width} x {height} pixels")
    if scale == 1:
        return image
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def _size(data: bytes) -> tuple[int, int]:
    """Returns the width and height in the file's header."""
    if (size := size_in_header(data)) is not None:
        return size
    if is_jpeg(data):
        raise PhotoError("expected a JPEG file with its size, got a broken one")
    raise PhotoError(f"expected a JPEG or PNG file, got {HEIC if is_heic(data) else 'something else'}")
