"""A JPEG that is damaged in its middle is none, though OpenCV makes a picture of it in wrong colours and places."""

from __future__ import annotations

import re
from collections.abc import Mapping

import cv2
import numpy as np
import pytest

from table.camera.phone_photos import PhotoError, decoded_photo
from vision.errors import ImageError
from vision.photo.files.photo_file import decode_photo
from vision.picture_decoding import decoded_picture

ROUGH = cv2.GaussianBlur(np.random.default_rng(1).integers(0, 255, (480, 640, 3), np.uint8), (0, 0), 2)
FLAT = np.full((480, 640, 3), 200, np.uint8)


def jpeg(picture: np.ndarray, *options: int) -> bytes:
    return cv2.imencode(".jpg", picture, options)[1].tobytes()


def is_shown(data: bytes) -> bool:
    return cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) is not None


PLAIN = jpeg(ROUGH)
PROGRESSIVE = jpeg(ROUGH, cv2.IMWRITE_JPEG_PROGRESSIVE, 1)
HALF, EARLY = len(PLAIN) // 2, len(PROGRESSIVE) // 4
SMALL = b"\xff\xe1" + (2 + len(jpeg(FLAT))).to_bytes(2) + jpeg(FLAT)
DAMAGED: Mapping[str, bytes] = {
    "bytes that were lost": PLAIN[:HALF] + PLAIN[HALF + 1000 :],
    "bytes that became zero": PLAIN[:HALF] + bytes(512) + PLAIN[HALF + 512 :],
    "a piece of something else": PLAIN[:HALF] + PLAIN[700:1212] + PLAIN[HALF + 512 :],
    "a marker that ends its codes": PLAIN[:HALF] + b"\xff\x3a" + PLAIN[HALF + 2 :],
    "its end too early": PLAIN[:HALF] + b"\xff\xd9" + PLAIN[HALF + 2 :],
    "of several scans, bytes that were lost": PROGRESSIVE[:EARLY] + PROGRESSIVE[EARLY + 1000 :],
    "of several scans, bytes that became zero": PROGRESSIVE[:EARLY] + bytes(512) + PROGRESSIVE[EARLY + 512 :],
}
WHOLE: Mapping[str, bytes] = {
    "of one scan": PLAIN,
    "with codes that can be restarted": jpeg(ROUGH, cv2.IMWRITE_JPEG_RST_INTERVAL, 7),
    "of several scans": PROGRESSIVE,
    "of several scans, with codes that can be restarted": jpeg(
        ROUGH, cv2.IMWRITE_JPEG_PROGRESSIVE, 1, cv2.IMWRITE_JPEG_RST_INTERVAL, 7
    ),
    "without colours": jpeg(ROUGH[:, :, :1]),
    "of one colour": jpeg(FLAT),
    "of 16 pixels": jpeg(ROUGH[:16, :16]),
    "with a film after it": PLAIN + b"\0\0\0\x18ftypmp42" + bytes(5000),
    "with a small picture before it": PLAIN[:2] + SMALL + PLAIN[2:],
    "with bytes that fill up its end": PLAIN[:-2] + bytes(8) + PLAIN[-2:],
    "with a marker filled up before its end": PLAIN[:-2] + b"\xff" * 40 + PLAIN[-2:],
    "that is a PNG": cv2.imencode(".png", ROUGH)[1].tobytes(),
}


@pytest.mark.parametrize("data", DAMAGED.values(), ids=DAMAGED)
def test_a_jpeg_damaged_in_its_middle_is_refused_everywhere(data: bytes) -> None:
    assert is_shown(data), "OpenCV makes a picture of it"
    assert decoded_picture(data) is None
    message = f"got a JPEG that is cut off or damaged ({len(data)} bytes): copy or take it again"
    with pytest.raises(ImageError, match=re.escape(message)):
        decode_photo(data, "it")
    with pytest.raises(PhotoError, match="got a broken one"):
        decoded_photo(data)


@pytest.mark.parametrize("data", WHOLE.values(), ids=WHOLE)
def test_a_whole_picture_is_taken_for_one(data: bytes) -> None:
    assert decoded_picture(data) is not None


@pytest.mark.parametrize(("whole", "least"), [(PLAIN, 95), (PROGRESSIVE, 90)], ids=["of one scan", "of several scans"])
def test_most_damage_is_found_wherever_it_is(whole: bytes, least: int) -> None:
    chance, found = np.random.default_rng(2), 0
    for _ in range(100):
        at = int(chance.integers(1000, len(whole) - 1000))
        found += decoded_picture(whole[:at] + chance.bytes(300) + whole[at + 300 :]) is None
    assert found >= least
