"""What the headers of a picture file say about the cost of decoding it."""

from __future__ import annotations

import re
from typing import Final

from vision.picture_decoding import PNG

MOST_SCANS: Final = 64
"""A progressive JPEG has about ten scans. Each costs as much time as a whole picture, whatever its size in bytes."""
_MARKER: Final = re.compile(rb"\xff[^\x00\xff]")
_START, _SCAN, _END = 0xD8, 0xDA, 0xD9
_ALONE: Final = frozenset({_START, 0x01, *range(0xD0, 0xD8)})
"""Markers without a segment (ITU T.81, B.1.1)."""
_FRAME_HEADERS: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_OTHER_SEGMENTS: Final = frozenset({0xC4, 0xCC, 0xDB, 0xDD, 0xFE, *range(0xE0, 0xF0)})
"""Segments with a length that may precede the frame header: tables, comments, application data."""


def is_jpeg(data: bytes) -> bool:
    """Returns whether a file begins as a JPEG does."""
    return data.startswith(b"\xff\xd8\xff")


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
    return None
