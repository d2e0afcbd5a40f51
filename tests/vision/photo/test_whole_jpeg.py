"""A JPEG that is damaged in its middle is refused, of which OpenCV makes a picture in wrong colours and places."""

from __future__ import annotations

import re
from collections.abc import Mapping

import cv2
import numpy as np
import pytest

from table.camera.phone_photos import PhotoError, decoded
from vision.errors import ImageError
from vision.photo.photo_file import decode_photo
from vision.photo.whole_jpeg import is_whole
from vision.picture_decoding import decoded_picture

ROUGH = cv2.GaussianBlur(np.random.default_rng(1).integers(0, 255, (480, 640, 3), np.uint8), (0, 0), 2)
FLAT = np.full((480, 640, 3), 200, np.uint8)


def jpeg(picture: np.ndarray, *options: int) -> bytes:
    return cv2.imencode(".jpg", picture, options)[1].tobytes()


PLAIN = jpeg(ROUGH)
HALF = len(PLAIN) // 2
SMALL = b"\xff\xe1" + (2 + len(jpeg(FLAT))).to_bytes(2) + jpeg(FLAT)
DAMAGED: Mapping[str, bytes] = {
    "bytes that were lost": PLAIN[:HALF] + PLAIN[HALF + 1000 :],
    "bytes that became zero": PLAIN[:HALF] + bytes(512) + PLAIN[HALF + 512 :],
    "a piece of something else": PLAIN[:HALF] + PLAIN[700:1212] + PLAIN[HALF + 512 :],
    "a marker that ends its codes": PLAIN[:HALF] + b"\xff\x3a" + PLAIN[HALF + 2 :],
    "its end too early": PLAIN[:HALF] + b"\xff\xd9" + PLAIN[HALF + 2 :],
}
WHOLE: Mapping[str, bytes] = {
    "of one scan": PLAIN,
    "with codes that can be restarted": jpeg(ROUGH, cv2.IMWRITE_JPEG_RST_INTERVAL, 7),
    "of several scans": jpeg(ROUGH, cv2.IMWRITE_JPEG_PROGRESSIVE, 1),
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
    assert decoded_picture(data) is not None, "OpenCV makes a picture of it"
    said = f"got a JPEG that is cut off or damaged ({len(data)} bytes): copy or take it again"
    with pytest.raises(ImageError, match=re.escape(said)):
        decode_photo(data, "it")
    with pytest.raises(PhotoError, match="got a broken one"):
        decoded(data)


@pytest.mark.parametrize("data", WHOLE.values(), ids=WHOLE)
def test_a_whole_picture_is_taken_for_one(data: bytes) -> None:
    assert decoded_picture(data) is not None
    assert is_whole(data)


def test_most_damage_is_found_wherever_it_is() -> None:
    chance, found = np.random.default_rng(2), 0
    for _ in range(100):
        at = int(chance.integers(1000, len(PLAIN) - 1000))
        data = PLAIN[:at] + chance.bytes(300) + PLAIN[at + 300 :]
        found += decoded_picture(data) is None or not is_whole(data)
    assert found >= 95
