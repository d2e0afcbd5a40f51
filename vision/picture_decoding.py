"""Decodes the bytes of pictures: whatever OpenCV makes of a file, the result is a picture or none."""

from __future__ import annotations

import re
from typing import Final

import cv2
import numpy as np

from vision.arrays import Image

PNG: Final = b"\x89PNG\r\n\x1a\n"
_PNG_END: Final = b"IEND"
_QUARTERS: Final = re.compile(rb"\x00\x00\x00\x09irot([\x00-\x03])")
"""How many quarters to the left an AVIF is to be turned (ISO/IEC 23008-12, 6.5.10), which OpenCV ignores …"""
_MIRROR: Final = re.compile(rb"\x00\x00\x00\x09imir([\x00\x01])")
"""… and how it is then mirrored: 0 top to bottom, 1 left to right (6.5.12)."""


def decoded_picture(data: bytes, flags: int = cv2.IMREAD_COLOR) -> Image | None:
    """Returns the picture of an image file's bytes as BGR; None if they are none, damaged, or too large to decode.

    It is turned as its file says: by EXIF, or in an AVIF by the properties that count instead.

    Damaged files of some formats raise an error in OpenCV instead of giving no picture, and so does a header that names
    more pixels than OpenCV decodes or the memory holds.
    """
    if not data or (data.startswith(PNG) and _PNG_END not in data):  # libpng would print its own error
        return None
    quarters, mirror = _turns_of_avif(data)
    if quarters is not None or mirror is not None:
        flags |= cv2.IMREAD_IGNORE_ORIENTATION
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except (cv2.error, MemoryError):
        return None
    if picture is None:
        return None
    if quarters:
        picture = np.rot90(picture, quarters)
    if mirror is not None:
        picture = np.flip(picture, mirror)
    return np.ascontiguousarray(picture, np.uint8)


def _turns_of_avif(data: bytes) -> tuple[int | None, int | None]:
    """Returns the quarters by which an AVIF is to be turned, and its mirror; None for what a file does not say."""
    if data[4:8] != b"ftyp":
        return None, None
    quarters, mirror = _QUARTERS.search(data), _MIRROR.search(data)
    return quarters and quarters[1][0], mirror and mirror[1][0]
