"""Reads image files as photographs: with the colours in OpenCV's order, rotated as they were taken."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from vision.arrays import Image
from vision.errors import ImageError


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
        ImageError: OpenCV cannot read it.
    """
    packed = np.frombuffer(data, np.uint8)
    picture = cv2.imdecode(packed, cv2.IMREAD_COLOR) if packed.size else None
    if picture is None:
        raise ImageError(
            f"expected a JPEG, PNG or other picture, got {packed.size} bytes of something else, at {where}"
        )
    return np.asarray(picture, np.uint8)
