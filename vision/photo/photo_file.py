"""Reads image files as photographs: with the colours in OpenCV's order, rotated as they were taken."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from vision.arrays import Image
from vision.errors import ImageError
from vision.picture_decoding import Undecodable, decoded_picture, why_undecodable

LEAST_SIDE: Final = 16
"""Pixels of a picture's shorter side with less than which nothing on it can be told."""
MOST_SCANS: Final = 64
"""A progressive JPEG has about ten scans. Each costs as much time as a whole picture, whatever its size in bytes."""
_FORMS: Final = {
    "a JPEG": re.compile(rb"\xff\xd8\xff"),
    "a PNG": re.compile(rb"\x89PNG\r\n\x1a\n"),
    "a WebP": re.compile(rb"RIFF.{4}WEBP", re.DOTALL),
    "a TIFF": re.compile(rb"II\*\x00|MM\x00\*"),
    "an AVIF": re.compile(rb".{4}ftypavi[fs]", re.DOTALL),
    "a GIF": re.compile(rb"GIF8[79]a"),
    "a BMP": re.compile(rb"BM.{4}\x00{4}", re.DOTALL),
    "a JPEG 2000": re.compile(rb"\x00{3}\x0cjP {2}\r\n\x87\n|\xff\x4f\xff\x51"),
    "a PNM picture": re.compile(rb"P[1-7Ff]\s"),
    "a Sun raster": re.compile(rb"\x59\xa6\x6a\x95"),
    "a Radiance HDR": re.compile(rb"#\?R(ADIANC|GB)E"),
}
"""How the files of pictures begin that OpenCV reads."""
_UNREAD: Final = {
    "a PDF": re.compile(rb"%PDF-"),
    "a PostScript file": re.compile(rb"%!PS|\xc5\xd0\xd3\xc6"),
    "an SVG drawing": re.compile(rb"\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)?(<!DOCTYPE svg[^>]*>\s*)?<svg\b", re.DOTALL),
    "an icon file": re.compile(rb"\x00\x00\x01\x00.\x00", re.DOTALL),
    "a Photoshop file": re.compile(rb"8BPS"),
    "a JPEG XL": re.compile(rb"\xff\x0a|\x00{3}\x0cJXL \r\n\x87\n"),
    "a film": re.compile(rb".{4}ftyp(isom|iso\d|avc1|mp4\d|M4V|qt|3g)|RIFF.{4}AVI |\x1aE\xdf\xa3", re.DOTALL),
}
"""… and those that people take for pictures, which it does not read."""
_AS_JPEG: Final = "save it as JPEG or PNG"
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
        ImageError: the file is missing, OpenCV cannot read it, or it is too small.
    """
    try:
        return decode_image(path.read_bytes(), str(path))
    except OSError as error:
        raise ImageError(f"expected a readable image file, got {error.strerror or error}, at {path}") from error


def decode_image(data: bytes, where: str) -> Image:
    """Decodes an image file's bytes as BGR, rotated as it was taken; `where` is used in messages.

    Raises:
        ImageError: OpenCV cannot read it, or would need minutes, or it is too small.
    """
    if (scans := scans_of(data)) > MOST_SCANS:
        raise ImageError(f"expected a JPEG of {MOST_SCANS} scans at most, got {scans}, at {where}")
    if (picture := decoded_picture(data)) is None:
        raise ImageError(f"expected a JPEG, PNG or other picture, got {_what(data)}, at {where}")
    check_size(picture, where)
    return picture


def is_heic(data: bytes) -> bool:
    """Returns whether a file is a HEIC picture, whatever its name."""
    return data[4:8] == b"ftyp" and data[8:12] in _HEIC_BRANDS


def _what(data: bytes) -> str:
    """Returns what a file that cannot be decoded is, by its first bytes, and what to do with it."""
    if is_heic(data):
        return HEIC
    if not data:
        return "an empty file: copy or take it again"
    if (form := _named(data, _FORMS)) is None:
        unread = _named(data, _UNREAD)
        return f"{len(data)} bytes of something else" if unread is None else f"{unread}: {_AS_JPEG}"
    match why_undecodable(data):
        case Undecodable.TOO_LARGE:
            return f"{form} of more pixels than can be decoded: make it smaller"
        case Undecodable.OTHER_PIXELS:
            return f"{form} whose kind of pixels cannot be read, such as floating-point numbers: {_AS_JPEG}"
        case Undecodable.DAMAGED:
            return f"{form} that is cut off or damaged ({len(data)} bytes): copy or take it again"


def _named(data: bytes, forms: Mapping[str, re.Pattern[bytes]]) -> str | None:
    """Returns the name of the form in which a file begins; None if it begins in none."""
    return next((name for name, form in forms.items() if form.match(data)), None)


def check_size(image: Image, where: str = "") -> None:
    """Checks that a picture is large enough to be looked at; `where`, if given, is used in the message.

    Raises:
        ImageError: one of its sides has fewer than `LEAST_SIDE` pixels.
    """
    height, width = image.shape[:2]
    if min(height, width) < LEAST_SIDE:
        at = where and f", at {where}"
        raise ImageError(f"expected a picture of {LEAST_SIDE} pixels a side at least, got {width} x {height}{at}")


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
