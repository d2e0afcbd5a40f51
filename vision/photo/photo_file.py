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
_FORMS: Final = {
    "JPEG": re.compile(rb"\xff\xd8\xff"),
    "PNG": re.compile(rb"\x89PNG\r\n\x1a\n"),
    "WebP": re.compile(rb"RIFF.{4}WEBP", re.DOTALL),
    "TIFF": re.compile(rb"II\*\x00|MM\x00\*"),
    "AVIF": re.compile(rb".{4}ftypavi[fs]", re.DOTALL),
}
"""How the files of known pictures begin."""
HEIC: Final = (
    "a HEIC picture, which cannot be read: save it as JPEG (on an iPhone: Settings, Camera, Formats, Most Compatible)"
)
"""What such a file is called in messages, and what to do with it."""
_HEIC_BRANDS: Final = frozenset({b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1"})
"""The brands of pictures in an iPhone's form (ISO/IEC 23008-12, B.4)."""
_MARKER: Final = re.compile(rb"\xff[^\x00\xff]")
_START, _SCAN, _END = 0xD8, 0xDA, 0xD9
_ALONE: Final = frozenset({_START, 0x01, *range(0xD0, 0xD8)})
"""Markers without a segment (ITU T.81, B.1.1)."""


def load_image(path: Path) -> Image:
    """Reads an image file as BGR, rotated as it was taken.

    Raises:
        ImageError: the file is missing, or OpenCV cannot read it.
    """
    try:
        return decode_image(path.read_bytes(), str(path))
    except OSError as error:
        raise ImageError(f"expected a readable image file, got {error.strerror or error}, at {path}") from error


def decode_image(data: bytes, where: str) -> Image:
    """Decodes an image file's bytes as BGR, rotated as it was taken; `where` is used in messages.

    Raises:
        ImageError: OpenCV cannot read it, or would need minutes.
    """
    if (scans := scans_of(data)) > MOST_SCANS:
        raise ImageError(f"expected a JPEG of {MOST_SCANS} scans at most, got {scans}, at {where}")
    if (picture := decoded_picture(data)) is None:
        raise ImageError(f"expected a JPEG, PNG or other picture, got {_what(data)}, at {where}")
    return picture


def is_heic(data: bytes) -> bool:
    """Returns whether a file is a HEIC picture, whatever its name."""
    return data[4:8] == b"ftyp" and data[8:12] in _HEIC_BRANDS


def _what(data: bytes) -> str:
    """Returns what a file that cannot be decoded is, by its first bytes."""
    if is_heic(data):
        return HEIC
    for name, form in _FORMS.items():
        if form.match(data):
            return f"a {name} that is cut off or damaged ({len(data)} bytes): copy or take it again"
    return f"{len(data)} bytes of something else"


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
