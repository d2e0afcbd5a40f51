"""Picture files are named for what they are, decoded in silence, and shrunk or refused by what their headers say."""

from __future__ import annotations

import re
import struct
import zlib
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import cv2
import numpy as np
import pytest

from vision import MOST_PIXELS
from vision.errors import ImageError
from vision.photo.files import photo_file
from vision.photo.files.photo_file import Photo, decode_photo
from vision.photo.files.picture_headers import (
    MOST_SCANS,
    MOST_SEGMENTS,
    is_shorter_than_its_pixels,
    scans_of,
    size_in_header,
)
from vision.picture_decoding import PNG, decoded_picture

NOISE = np.random.default_rng(1).integers(0, 255, (48, 64, 3), np.uint8)
PLAIN = cv2.imencode(".jpg", NOISE)[1].tobytes()
PROGRESSIVE = cv2.imencode(".jpg", NOISE, [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])[1].tobytes()


def with_scans(jpeg: bytes, more: int) -> bytes:
    """The picture with its last scan repeated."""
    scan = jpeg[jpeg.rindex(b"\xff\xda") : -2]
    return jpeg[:-2] + more * scan + jpeg[-2:]


def test_scans_are_counted_as_the_decoder_meets_them() -> None:
    inside = b"\xff\xe1" + (2 + len(PLAIN)).to_bytes(2) + PLAIN  # a small picture in the camera's notes
    assert scans_of(PLAIN) == scans_of(PLAIN[:2] + inside + PLAIN[2:]) == 1
    assert 5 < scans_of(PROGRESSIVE) < MOST_SCANS // 2
    assert scans_of(with_scans(PROGRESSIVE, 100)) == scans_of(PROGRESSIVE) + 100
    assert scans_of(PLAIN + 99 * b"\xff\xda\x00\x02") == 1  # a film after the picture
    assert scans_of(cv2.imencode(".png", NOISE)[1].tobytes()) == scans_of(b"") == 0


def test_a_jpeg_of_more_scans_than_any_camera_writes_is_refused() -> None:
    assert decode_photo(PROGRESSIVE, "it").image.shape == NOISE.shape
    with pytest.raises(ImageError, match="expected a JPEG of 64 scans at most, got 110, at it"):
        decode_photo(with_scans(PROGRESSIVE, 100), "it")


_SUN = b"\x59\xa6\x6a\x95" + struct.pack(">7I", 40000, 40000, 24, 0, 1, 0, 0)
_BMP = b"BM" + struct.pack("<IHHIIiiHHIIiiII", 100, 0, 0, 54, 40, 40000, 40000, 1, 24, 0, 0, 0, 0, 0, 0)
_FRAME = PLAIN.index(b"\xff\xc0") + 5
_JPEG = PLAIN[:_FRAME] + struct.pack(">HH", 30000, 30000) + PLAIN[_FRAME + 4 :]
LARGE = {
    "pbm": b"P4 99999 99999\n",
    "pgm": b"P5 99999 99999 65535\n",
    "ppm": b"P6 40000 40000 255\n",
    "pam": b"P7\nWIDTH 40000\nHEIGHT 40000\nDEPTH 3\nMAXVAL 255\nTUPLTYPE RGB\nENDHDR\n",
    "pfm": b"PF\n40000 40000\n-1.0\n",
    "hdr": b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 40000 +X 40000\n",
    "gif": b"GIF89a\xff\xff\xff\xff\x80\0\0" + b"\xff" * 6 + b",\0\0\0\0\xff\xff\xff\xff\0\x02\x02D\x01\0;",
    "sun raster": _SUN,
    "bmp": _BMP,
    "small gif": b"GIF89a\x30\x75\x30\x75\x80\0\0" + b"\xff" * 6 + b",\0\0\0\0\x30\x75\x30\x75\0\x02\x02D\x01\0;",
}


@pytest.mark.parametrize("kind", LARGE)
def test_a_header_that_names_more_pixels_than_can_be_decoded_is_refused_in_a_sentence(kind: str) -> None:
    data = LARGE[kind] + bytes(2_000_000)
    with pytest.raises(ImageError, match=r"got an? .* of more pixels than can be decoded: make it smaller, at it"):
        decode_photo(data, "it")
    assert decoded_picture(data) is None


def test_a_png_of_more_pixels_than_can_be_decoded_is_not_called_damaged() -> None:
    def chunk(name: bytes, body: bytes) -> bytes:
        return len(body).to_bytes(4) + name + body + zlib.crc32(name + body).to_bytes(4)

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 60000, 60000, 1, 0, 0, 0, 0))
    data = PNG + header + chunk(b"IDAT", zlib.compress(bytes(99))) + chunk(b"IEND", b"")
    with pytest.raises(ImageError, match="got a PNG of more pixels than can be decoded: make it smaller, at it"):
        decode_photo(data, "it")


def test_a_whole_picture_of_a_kind_that_is_not_read_is_not_called_damaged() -> None:
    data = cv2.imencode(".tif", (NOISE / 255).astype(np.float32))[1].tobytes()
    with pytest.raises(ImageError, match=r"got a TIFF whose kind of pixels cannot be read, .*: save it as JPEG"):
        decode_photo(data, "it")


def test_a_picture_may_have_as_many_pixels_as_the_largest_phone_takes() -> None:
    assert MOST_PIXELS > 16320 * 12240


@pytest.mark.parametrize(("form", "data"), [("JPEG", _JPEG), ("GIF", LARGE["small gif"]), ("GIF", LARGE["gif"])])
def test_a_file_that_is_shorter_than_its_pixels_can_be_is_refused_before_they_are_decoded(
    form: str, data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of a few hundred bytes once took ten seconds and two gigabytes."""
    monkeypatch.setattr(cv2, "imdecode", None)
    with pytest.raises(ImageError, match=rf"got a {form} that is cut off or damaged \({len(data)} bytes\): copy or"):
        decode_photo(data, "it")


@pytest.mark.parametrize("whole", [PLAIN, PROGRESSIVE])
def test_a_jpeg_of_more_pixels_than_can_be_decoded_is_refused_before_it_is_shrunk(
    whole: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of two megabytes took half a minute and gigabytes."""
    at = re.search(rb"\xff[\xc0\xc2]\x00\x11\x08", whole)
    assert at is not None
    data = whole[: at.end()] + struct.pack(">HH", 30000, 30000) + whole[at.end() + 4 :] + bytes(2_000_000)
    monkeypatch.setattr(cv2, "imdecode", None)
    with pytest.raises(ImageError, match="got a JPEG of more pixels than can be decoded: make it smaller, at it"):
        decode_photo(data, "it")


def test_the_plainest_whole_jpeg_is_not_shorter_than_its_pixels() -> None:
    black = np.zeros((4200, 4200), np.uint8)
    files = [
        cv2.imencode(".jpg", black, [cv2.IMWRITE_JPEG_OPTIMIZE, 1, cv2.IMWRITE_JPEG_PROGRESSIVE, progressive])[1]
        for progressive in (0, 1)
    ]
    assert not any(is_shorter_than_its_pixels(file.tobytes()) for file in files)
    assert is_shorter_than_its_pixels(files[0].tobytes()[:30_000])


KINDS = {"JPEG": "jpg", "PNG": "png", "WebP": "webp", "TIFF": "tiff", "BMP": "bmp"} | {
    kind: form
    for kind, form in {"GIF": "gif", "AVIF": "avif", "JPEG 2000": "jp2"}.items()
    if cv2.haveImageWriter(f".{form}")
}


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_that_is_cut_off_is_told_from_what_is_none(
    kind: str, share: float, capfd: pytest.CaptureFixture[str]
) -> None:
    whole = cv2.imencode(f".{KINDS[kind]}", NOISE)[1].tobytes()
    with pytest.raises(ImageError, match=f"got an? {kind} that is cut off or damaged"):
        decode_photo(whole[: max(20, int(len(whole) * share))], "it")
    assert "loadsave.cpp" not in capfd.readouterr().err, "OpenCV's log"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "an empty file: copy or take it again"),
        (b"<!doctype html>".ljust(50), "a file of another kind"),
        (b"x", "a file of another kind"),
        (b"%PDF-1.7".ljust(50), "a PDF: save it as JPEG or PNG"),
        (b"<?xml version='1.0'?>\n<svg xmlns='it'/>", "an SVG drawing: save it as JPEG or PNG"),
        (b"\xff\x0a".ljust(50), "a JPEG XL: save it as JPEG or PNG"),
        (b"\0\0\0\x18ftypisom".ljust(50), "a film: save it as JPEG or PNG"),
    ],
)
def test_what_is_no_picture_that_can_be_read_is_named(data: bytes, message: str) -> None:
    with pytest.raises(ImageError, match=f"expected a JPEG, PNG or other picture, got {re.escape(message)}, at it"):
        decode_photo(data, "it")


def test_a_picture_too_small_is_named() -> None:
    with pytest.raises(ImageError, match="expected a picture of 16 pixels a side at least, got 64 x 9, at it"):
        decode_photo(cv2.imencode(".png", NOISE[:9])[1].tobytes(), "it")


def test_opencv_logs_as_before_once_all_pictures_are_decoded() -> None:
    before = cv2.utils.logging.getLogLevel()
    with ThreadPoolExecutor(3) as threads:
        list(threads.map(decoded_picture, [b"none"] * 300))
    assert cv2.utils.logging.getLogLevel() == before != cv2.utils.logging.LOG_LEVEL_SILENT


@pytest.mark.parametrize("brand", [b"heic", b"heix", b"mif1"])
def test_a_heic_picture_is_named_with_what_to_do(brand: bytes) -> None:
    data = b"\0\0\0\x18ftyp" + brand + bytes(900)
    with pytest.raises(ImageError, match=r"got a HEIC picture, which cannot be read: save it as JPEG .*, at it$"):
        decode_photo(data, "it")


@pytest.mark.skipif(not cv2.haveImageWriter(".avif"), reason="this OpenCV writes no AVIF")
@pytest.mark.parametrize("orientation", range(2, 9))
def test_an_avif_is_turned_by_its_own_properties_as_a_jpeg_is_by_exif(orientation: int) -> None:
    quarters = np.array([[0, 90], [170, 250]], np.uint8).repeat(24, axis=0).repeat(48, axis=1)
    picture = cv2.cvtColor(quarters, cv2.COLOR_GRAY2BGR)
    tag = b"\x01\x12\x00\x03\x00\x00\x00\x01\x00"
    exif = b"MM\x00*\x00\x00\x00\x08\x00\x01" + tag + bytes([orientation]) + bytes(6)
    jpeg, avif = (
        cv2.imencodeWithMetadata(form, picture, [cv2.IMAGE_METADATA_EXIF], [np.frombuffer(exif, np.uint8)])[1].tobytes()
        for form in (".jpg", ".avif")
    )
    expected = decode_photo(jpeg, "it").image
    for exif_orientation in (orientation, 1):  # EXIF tells nothing about an AVIF that has these properties
        upright = decode_photo(avif.replace(tag + bytes([orientation]), tag + bytes([exif_orientation])), "it").image
        assert upright.shape == expected.shape
        assert np.abs(upright.astype(int) - expected).mean() < 8


@pytest.mark.parametrize("form", ["jpg", "png", "bmp"])
@pytest.mark.parametrize(("most", "shrunk"), [(3072, 1), (3071, 2), (1536, 2), (1535, 4)])
def test_a_picture_of_more_pixels_than_a_reading_needs_is_shrunk(
    form: str, most: int, shrunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(photo_file, "MOST_PIXELS", most)
    monkeypatch.setattr(photo_file, "ENOUGH_PIXELS", most // 2)
    smooth = np.asarray(cv2.GaussianBlur(np.tile(NOISE, (2, 2, 1)), (0, 0), 8)[:48, :64], np.uint8)
    data = cv2.imencode(f".{form}", smooth)[1].tobytes()
    expected = cv2.resize(smooth, (64 // shrunk, 48 // shrunk), interpolation=cv2.INTER_AREA)
    for photo in (Photo.of(smooth), *([] if shrunk == 4 else [decode_photo(data, "it")])):
        assert photo.shrunk == shrunk
        assert photo.image.shape == expected.shape
        assert np.abs(photo.image.astype(int) - expected).mean() < 3


class CountedBytes(bytes):
    """Bytes that count how often one or some of them are taken."""

    def __init__(self, _: bytes) -> None:
        self.looks = 0

    def __getitem__(self, at: Any) -> Any:
        self.looks += 1
        return super().__getitem__(at)


@pytest.mark.parametrize("part", [b"\xff", b"\xff\xfe\x00\x02", b"\xff\xd0", b"\xff\xda\x00\x00"])
def test_a_file_of_nothing_but_markers_keeps_nobody_waiting(part: bytes) -> None:
    """One of four megabytes once took seven seconds, in which no other photo was read."""
    data = CountedBytes(b"\xff\xd8\xff" + part * 400_000)
    assert size_in_header(data) is None
    scans_of(data)
    assert data.looks < 8 * MOST_SEGMENTS
