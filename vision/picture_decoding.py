"""Decodes the bytes of picture files, and rejects damaged ones that OpenCV would accept.

A JPEG that is damaged in its middle is rejected: beyond the damage it is grey, or its parts are in wrong places and
colours, so that tiles would be misread. OpenCV decodes it without a warning, so simplejpeg checks it.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from typing import Final

import cv2
import numpy as np
from simplejpeg import decode_jpeg

from vision.arrays import Image

PNG: Final = b"\x89PNG\r\n\x1a\n"
_DAMAGE: Final = re.compile(r"Corrupt JPEG data|Premature end|Invalid JPEG|Bogus|Unsupported (marker|JPEG process)")
"""The beginnings of libjpeg's messages about damaged JPEGs; it also comments on whole ones and on unusual colours."""
_PADDING: Final = re.compile(r"Corrupt JPEG data: (\d|1[0-6]) extraneous bytes before marker 0xd9")
"""libjpeg's message about a whole JPEG that a camera padded at its end."""
_LIMITS: Final = "CV_IO_MAX_IMAGE"
"""The beginning of the names of OpenCV's size limits, as its errors quote them."""
_QUARTERS: Final = re.compile(rb"\x00\x00\x00\x09irot([\x00-\x03])")
"""How many quarters to the left an AVIF is to be turned (ISO/IEC 23008-12, 6.5.10), which OpenCV ignores."""
_MIRROR: Final = re.compile(rb"\x00\x00\x00\x09imir([\x00\x01])")
"""How an AVIF is mirrored once turned: 0 top to bottom, 1 left to right (6.5.12), which OpenCV ignores too."""

_lock: Final = threading.Lock()
_levels: Final[list[int]] = []
"""OpenCV's log level before the first of the present decodings, once for each of them, in whichever thread."""


class Undecodable(Enum):
    """Why a picture file cannot be decoded."""

    DAMAGED = "damaged"
    """It is cut off or damaged, or no picture at all."""
    TOO_LARGE = "too large"
    """It has more pixels than `MOST_PIXELS`, or than the memory holds."""
    OTHER_PIXELS = "other pixels"
    """It is whole, but its kind of pixels cannot be shown, such as floating-point numbers."""


def decoded_picture(data: bytes, flags: int = cv2.IMREAD_COLOR) -> Image | None:
    """Returns the BGR picture in an image file's bytes; None if it is damaged, too large to decode, or no picture.

    The picture is rotated as its file says: by EXIF, or in an AVIF by the properties that replace EXIF's.
    """
    quarters, mirror = _turns_of_avif(data)
    if quarters is not None or mirror is not None:
        flags |= cv2.IMREAD_IGNORE_ORIENTATION
    picture = _decoded(data, flags)
    if isinstance(picture, Undecodable) or _is_damaged_jpeg(data):
        return None
    if quarters:
        picture = np.rot90(picture, quarters)
    if mirror is not None:
        picture = np.flip(picture, mirror)
    return np.ascontiguousarray(picture, np.uint8)


def why_undecodable(data: bytes, flags: int) -> Undecodable:
    """Returns why `decoded_picture` returned None for these bytes of an image file and these flags."""
    picture = _decoded(data, flags)
    if picture is Undecodable.DAMAGED and not isinstance(_decoded(data, cv2.IMREAD_UNCHANGED), Undecodable):
        return Undecodable.OTHER_PIXELS
    return picture if isinstance(picture, Undecodable) else Undecodable.DAMAGED


def _is_damaged_jpeg(data: bytes) -> bool:
    """Returns whether the codes of a JPEG's pixels contain an error, or end elsewhere than they should."""
    if not data.startswith(b"\xff\xd8"):
        return False
    try:
        decode_jpeg(
            data, colorspace="GRAY", min_height=1, min_width=1, min_factor=8
        )  # an eighth of the size is decoded fastest
    except ValueError as error:
        return _DAMAGE.match(str(error)) is not None and _PADDING.match(str(error)) is None
    return False


def _decoded(data: bytes, flags: int) -> cv2.typing.MatLike | Undecodable:
    """Decodes the bytes of an image file with OpenCV.

    Damaged files of some formats raise an error in OpenCV instead of giving no picture, and so does a header that names
    more pixels than OpenCV decodes or the memory holds.
    """
    if not data:
        return Undecodable.DAMAGED
    try:
        with _without_opencv_log():
            picture = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except MemoryError:
        return Undecodable.TOO_LARGE
    except cv2.error as error:
        is_too_large = _LIMITS in str(error) or error.code == cv2.Error.StsNoMem
        return Undecodable.TOO_LARGE if is_too_large else Undecodable.DAMAGED
    return Undecodable.DAMAGED if picture is None else picture


@contextmanager
def _without_opencv_log() -> Iterator[None]:
    """Silences OpenCV's log while the context is open: our own error says what is wrong with a picture."""
    with _lock:
        silent = cv2.utils.logging.LOG_LEVEL_SILENT
        _levels.append(_levels[0] if _levels else int(cv2.utils.logging.setLogLevel(silent)))
    try:
        yield
    finally:
        with _lock:
            level = _levels.pop()
            if not _levels:
                cv2.utils.logging.setLogLevel(level)


def _turns_of_avif(data: bytes) -> tuple[int | None, int | None]:
    """Returns an AVIF's quarter turns and the axis of its mirror, each None if the file does not state it."""
    if data[4:8] != b"ftyp":
        return None, None
    quarters, mirror = _QUARTERS.search(data), _MIRROR.search(data)
    return quarters and quarters[1][0], mirror and mirror[1][0]
