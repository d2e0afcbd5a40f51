"""Finds JPEGs that are damaged in their middle, of which OpenCV makes a picture all the same.

From the damage on, such a picture is grey, or its parts are in wrong places and colours, and tiles in it are read as
others. The pixels of a scan are one stream of codes, so damage moves its end: the decoder is done before the bytes are,
or runs out of them. OpenCV does not say so, but makes no picture of a file whose bytes run out.
"""

from __future__ import annotations

import re
from typing import Final

import cv2

from vision.photo.picture_headers import scan_of_all_pixels
from vision.picture_decoding import decoded_picture

_END: Final = b"\xff\xd9"
_MARKER: Final = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]")
"""What ends a scan (ITU T.81, B.1.1.2 and B.1.1.3): 0xFF is followed by 0 in its codes; D0 to D7 restart them."""
_PADDING: Final = 16
"""Bytes by which a camera may fill up the end of a scan."""


def is_whole(data: bytes) -> bool:
    """Returns whether a picture file that was decoded shows no damage; True also for what cannot be told.

    That is every other format, whose decoder finds damage itself, and a JPEG of several scans.
    """
    if (start := scan_of_all_pixels(data)) is None or (end := _MARKER.search(data, start)) is None:
        return True
    if end[0] != _END:
        return False
    codes = data[: end.start()]
    return _is_enough(codes + bytes(_PADDING)) and not _is_enough(codes[:-_PADDING])


def _is_enough(data: bytes) -> bool:
    """Returns whether a JPEG without its end has the codes of all its pixels; decoding them small costs least."""
    return decoded_picture(data, cv2.IMREAD_REDUCED_GRAYSCALE_8) is not None
