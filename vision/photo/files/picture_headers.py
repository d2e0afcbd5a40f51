"""What the headers of a picture file say about the cost of decoding it."""

from __future__ import annotations

import re
from typing import Final

from vision.picture_decoding import PNG

MOST_SCANS: Final = 64
"""A progressive JPEG has about ten scans. Each costs as much time as a whole picture, whatever its size in bytes."""
MOST_SEGMENTS: Final = 20_000
"""A JPEG of a camera has some dozens of segments; a file of nothing else would take longer to search than to decode."""
_COSTLY_PIXELS: Final = 2**24
"""Decoding fewer pixels takes less than a second, whatever they are."""
_GIFS: Final = (b"GIF87a", b"GIF89a")
_JPEG_PIXELS_A_BYTE: Final = 64 * 8
"""The most pixels in a byte of a JPEG: each block of 64 takes at least one bit (ITU T.81, F.1.2 and G.1.2)."""
_GIF_PIXELS_A_BYTE: Final = 4096 * 8 // 12
"""The most pixels in a byte of a GIF, about: its longest codes have 12 bits and stand for 4096 pixels at most."""
_MARKER: Final = re.compile(rb"\xff[^\x00\xff\x01\xd0-\xd8]")
"""A marker with a segment, or the last one (ITU T.81, B.1.1)."""
_FILLING: Final = re.compile(rb"\xff*(?=\xff)")
"""Any number of these bytes may fill the space before a marker."""
_SCAN, _END = 0xDA, 0xD9
_FRAME_HEADERS: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_OTHER_SEGMENTS: Final = frozenset({0xC4, 0xCC, 0xDB, 0xDD, 0xFE, *range(0xE0, 0xF0)})
"""Segments with a length that may precede the frame header: tables, comments, application data."""


def is_jpeg(data: bytes) -> bool:
    """Returns whether a file begins as a JPEG does."""
    return data.startswith(b"\xff\xd8\xff")


def scans_of(data: bytes) -> int:
    """Returns the number of scans in a JPEG, counted marker by marker as the decoder does; 0 for other files.

    More than `MOST_SCANS` for one with more than `MOST_SEGMENTS` segments.
    """
    scans, at = 0, 0
    if not data.startswith(b"\xff\xd8"):
        return 0
    for _ in range(MOST_SEGMENTS):
        found = _MARKER.search(data, at)
        if found is None or data[found.end() - 1] == _END:
            return scans
        scans += data[found.end() - 1] == _SCAN
        at = found.end() + max(2, int.from_bytes(data[found.end() : found.end() + 2]))
    return max(scans, MOST_SCANS + 1)


def is_shorter_than_its_pixels(data: bytes) -> bool:
    """Returns whether a JPEG or GIF is cut off or damaged, since even a plain picture of its size has more bytes.

    Whatever is missing, a decoder would fill in, which takes time and memory for all pixels that the header names.
    """
    if data.startswith(_GIFS):
        width, height = int.from_bytes(data[6:8], "little"), int.from_bytes(data[8:10], "little")
        return width * height > max(len(data) * _GIF_PIXELS_A_BYTE, _COSTLY_PIXELS)
    width, height = (_jpeg_size(data) if is_jpeg(data) else None) or (0, 0)
    return width * height > max(len(data) * _JPEG_PIXELS_A_BYTE, _COSTLY_PIXELS)


def size_in_header(data: bytes) -> tuple[int, int] | None:
    """Returns the width and height in the header of a JPEG or PNG, before rotation; None for other files.

    None also if a decoder could interpret the file differently and find another size.
    """
    if data.startswith(PNG) and data[12:16] == b"IHDR" and len(data) >= 24:
        return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])
    return _jpeg_size(data) if is_jpeg(data) else None


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Scans the segments up to the frame header, as the decoder does (ITU T.81, B.1.1 and B.2)."""
    at = 2
    for _ in range(MOST_SEGMENTS):
        filling = _FILLING.match(data, at)
        if filling is None or filling.end() + 9 > len(data):
            break
        at = filling.end()
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4])
        if marker in _FRAME_HEADERS:
            return int.from_bytes(data[at + 7 : at + 9]), int.from_bytes(data[at + 5 : at + 7])
        if marker not in _OTHER_SEGMENTS or length < 2:
            break
        at += 2 + length
    return None
