"""Picture files that would keep the decoder busy are refused by what their headers say."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.errors import ImageError
from vision.photo.photo_file import MOST_SCANS, decode_image, scans_of

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
    assert decode_image(PROGRESSIVE, "it").shape == NOISE.shape
    with pytest.raises(ImageError, match="expected a JPEG of 64 scans at most, got 110, at it"):
        decode_image(with_scans(PROGRESSIVE, 100), "it")
