"""Reads image files as photographs: as BGR pictures, rotated as they were taken.

A picture with more pixels than any reading needs is decoded at half its size, a quarter or an eighth, which costs less
memory and time.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

import cv2
import numpy as np

from vision import MOST_PIXELS as MOST_DECODED_PIXELS
from vision.arrays import Image
from vision.errors import ImageError, reason
from vision.photo.files.picture_headers import MOST_SCANS, is_shorter_than_its_pixels, scans_of, size_in_header
from vision.picture_decoding import Undecodable, decoded_picture, why_undecodable

LEAST_SIDE: Final = 16
"""The fewest pixels of a picture's shorter side: in a smaller picture nothing can be recognised."""
MOST_BYTES: Final = 256 * 1024 * 1024
"""A file with more is not read further, since it may have no end: it is a film, a device or an endless pipe."""
MOST_PIXELS: Final = 64_000_000
"""A picture with more pixels is shrunk: tiles are found in a few million pixels, and read at a width of 48 pixels."""
ENOUGH_PIXELS: Final = 32_000_000
"""The most pixels to which a picture is shrunk, by halves."""
REDUCED: Final = {
    1: cv2.IMREAD_COLOR,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}
"""OpenCV's flags for decoding at a reduced size."""
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
"""How picture files begin that OpenCV reads."""
_UNREAD: Final = {
    "a PDF": re.compile(rb"%PDF-"),
    "a PostScript file": re.compile(rb"%!PS|\xc5\xd0\xd3\xc6"),
    "an SVG drawing": re.compile(rb"\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)?(<!DOCTYPE svg[^>]*>\s*)?<svg\b", re.DOTALL),
    "an icon file": re.compile(rb"\x00\x00\x01\x00.\x00", re.DOTALL),
    "a Photoshop file": re.compile(rb"8BPS"),
    "a JPEG XL": re.compile(rb"\xff\x0a|\x00{3}\x0cJXL \r\n\x87\n"),
    "a film": re.compile(rb".{4}ftyp(isom|iso\d|avc1|mp4\d|M4V|qt|3g)|RIFF.{4}AVI |\x1aE\xdf\xa3", re.DOTALL),
}
"""How files begin that people take for pictures but OpenCV does not read."""
_AS_JPEG: Final = "save it as JPEG or PNG"
HEIC: Final = (
    "a HEIC picture, which cannot be read: save it as JPEG (on an iPhone: Settings, Camera, Formats, Most Compatible)"
)
"""How messages describe a HEIC file, and what they advise."""
_HEIC_BRANDS: Final = frozenset({b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1"})
"""The brands of pictures in the format of iPhones (ISO/IEC 23008-12, B.4)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Photo:
    """A picture for reading, shrunk if its file has too many pixels."""

    image: Image
    """In BGR, rotated as it was taken."""
    shrunk: float = 1.0
    """How many times as long each side is in the file."""

    @classmethod
    def of(cls, image: Image) -> Self:
        """Returns a BGR picture as a photo, shrunk if it has more than `MOST_PIXELS`."""
        if (shrunk := _reduction(*image.shape[:2])) == 1:
            return cls(image=image)
        size = max(image.shape[1] // shrunk, 1), max(image.shape[0] // shrunk, 1)
        small = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
        return cls(image=small, shrunk=shrunk)


def load_photo(path: Path) -> Photo:
    """Reads an image file.

    Raises:
        ImageError: the file is missing, OpenCV cannot read it, or it is damaged, too small or too large.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise ImageError(f"expected a readable image file, got {reason(error)}, at {path}") from error
    return decode_photo(data, str(path))


def decode_photo(data: bytes, source: str) -> Photo:
    """Decodes an image file's bytes; `source` names it in messages.

    Raises:
        ImageError: OpenCV cannot read it, or would need minutes, or it is damaged, too small or too large.
    """
    if len(data) > MOST_BYTES:
        raise ImageError(f"expected a picture of at most {MOST_BYTES} bytes, got more, at {source}")
    if (scans := scans_of(data)) > MOST_SCANS:
        raise ImageError(f"expected a JPEG of {MOST_SCANS} scans at most, got {scans}, at {source}")
    width, height = size_in_header(data) or (1, 1)
    factor = _reduction(width, height)
    is_decodable = width * height <= MOST_DECODED_PIXELS and not is_shorter_than_its_pixels(data)
    picture = decoded_picture(data, REDUCED[factor]) if is_decodable else None
    if picture is None:
        raise ImageError(
            f"expected a JPEG, PNG or other picture, got {_description(data, REDUCED[factor])}, at {source}"
        )
    check_size(picture, source)
    return Photo(image=picture, shrunk=factor) if factor > 1 else Photo.of(picture)


def _reduction(width: int, height: int) -> int:
    """Returns the factor by which each side of a picture of this size is shrunk: one of `REDUCED`."""
    pixels = width * height
    if pixels <= MOST_PIXELS:
        return 1
    return next((by for by in REDUCED if pixels <= ENOUGH_PIXELS * by**2), max(REDUCED))


def is_heic(data: bytes) -> bool:
    """Returns whether a file is a HEIC picture, whatever its name."""
    return data[4:8] == b"ftyp" and data[8:12] in _HEIC_BRANDS


def _description(data: bytes, flags: int) -> str:
    """Returns what kind of file one is that cannot be decoded with these flags, and what to do with it."""
    if is_heic(data):
        return HEIC
    if not data:
        return "an empty file: copy or take it again"
    if (form := _form_name(data, _FORMS)) is None:
        unread = _form_name(data, _UNREAD)
        return "a file of another kind" if unread is None else f"{unread}: {_AS_JPEG}"
    match _why_undecodable(data, flags):
        case Undecodable.TOO_LARGE:
            return f"{form} of more pixels than can be decoded: make it smaller"
        case Undecodable.OTHER_PIXELS:
            return f"{form} whose kind of pixels cannot be read, such as floating-point numbers: {_AS_JPEG}"
        case Undecodable.DAMAGED:
            return f"{form} that is cut off or damaged ({len(data)} bytes): copy or take it again"


def _why_undecodable(data: bytes, flags: int) -> Undecodable:
    """Returns why a file was not decoded with these flags, by its header if that says it.

    OpenCV itself limits only the pixels to which a JPEG is shrunk, although each one in the file costs time and memory.
    """
    width, height = size_in_header(data) or (1, 1)
    if is_shorter_than_its_pixels(data):
        return Undecodable.DAMAGED
    if width * height > MOST_DECODED_PIXELS:
        return Undecodable.TOO_LARGE
    return why_undecodable(data, flags)


def _form_name(data: bytes, forms: Mapping[str, re.Pattern[bytes]]) -> str | None:
    """Returns the name of the file format by which a file begins; None if it is none of these."""
    return next((name for name, form in forms.items() if form.match(data)), None)


def check_size(image: Image, source: str = "") -> None:
    """Checks that a picture is large enough to be looked at; `source`, if given, names it in the message.

    Raises:
        ImageError: one of its sides has fewer than `LEAST_SIDE` pixels.
    """
    height, width = image.shape[:2]
    if min(height, width) < LEAST_SIDE:
        ending = source and f", at {source}"
        raise ImageError(f"expected a picture of {LEAST_SIDE} pixels a side at least, got {width} x {height}{ending}")
