"""Reads image files as photographs: with the colours in OpenCV's order, rotated as they were taken."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from vision.arrays import Image
from vision.errors import ImageError
from vision.picture_decoding import decoded_picture

LEAST_SIDE: Final = 16
"""Pixels of a picture's shorter side with less than which nothing on it can be told."""
MOST_SCANS: Final = 64
"""A progressive JPEG has about ten scans. Each costs as much time as a whole picture, whatever its size in bytes."""
_MARKER: Final = re.compile(rb"\xff[^\x00\xff]")
_START, _SCAN, _END = 0xD8, 0xDA, 0xD9
_ALONE: Final = frozenset({_START, 0x01, *range(0xD0, 0xD8)})
"""Markers without a segment (ITU T.81, B.1.1)."""


def load_image(path: Path) -> Image:
    """Reads an image file as BGR, rotated by its EXIF orientation.

    Raises:
        ImageError: the file is missing, or OpenCV cannot read it.
    """
    try:
        return decode_image(path.read_bytes(), str(path))
    except OSError as error:
        raise ImageError(f"expected a readable image file, got {error.strerror or error}, at {path}") from error


def decode_image(data: bytes, where: str) -> Image:
    """Decodes an image file's bytes as BGR, rotated by its EXIF orientation; `where` is used in messages.

    Raises:
        ImageError: OpenCV cannot read it, or would need minutes.
    """
    if (scans := scans_of(data)) > MOST_SCANS:
        raise ImageError(f"expected a JPEG of {MOST_SCANS} scans at most, got {scans}, at {where}")
    if (picture := decoded_picture(data)) is None:
        raise ImageError(f"expected a JPEG, PNG or other picture, got {len(data)} bytes of something else, at {where}")
    return picture


def check_size(image: Image) -> None:
    """Checks that a picture is large enough to be looked at.

    Raises:
        ImageError: one of its sides has fewer than `LEAST_SIDE` pixels.
    """
    height, width = image.shape[:2]
    if min(height, width) < LEAST_SIDE:
        raise ImageError(f"expected a picture of {LEAST_SIDE} pixels a side at least, got {width} x {height}")


def scans_of(data: bytes) -> int:
    """Returns the number of scans in a JPEG, counted marker by marker as the decoder does; 0 for other files."""
    scans, at = 0, 0
    while data.startswith(b"\xff\xd8") and (found := _MARKER.search(data, at)) is not None:
        marker, at = data[found.end() - 1], found.end()
        if marker == _END:
            break
        scans += marker == _SCAN
        if marker not in _ALONE:
            at += max(2, int.from_bytes(data[at : at + 2]))
    return scans
