"""Decodes the bytes of pictures: whatever OpenCV makes of a file, the result is a picture or none."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.arrays import Image

PNG: Final = b"\x89PNG\r\n\x1a\n"
_PNG_END: Final = b"IEND"


def decoded_picture(data: bytes, flags: int = cv2.IMREAD_COLOR) -> Image | None:
    """Returns the picture of an image file's bytes as BGR; None if they are none, damaged, or too large to decode.

    Damaged files of some formats raise an error in OpenCV instead of giving no picture, and so does a header that names
    more pixels than OpenCV decodes or the memory holds.
    """
    if not data or (data.startswith(PNG) and _PNG_END not in data):  # libpng would print its own error
        return None
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except (cv2.error, MemoryError):
        return None
    return None if picture is None else np.asarray(picture, np.uint8)
