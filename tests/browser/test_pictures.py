"""The pictures of the README and the manuals can be taken anew."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest
from playwright.sync_api import Browser

from tests import pictures
from tests.pictures import PHONE, WIDTH_PX, take_first_start


def test_a_still_of_the_manual_is_taken_anew(
    chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "STILLS", tmp_path)
    take_first_start(chromium)
    (still,) = tmp_path.iterdir()
    picture = cv2.imread(str(still))
    assert still.name == "setup_first.webp"
    assert picture is not None
    assert picture.shape == (round(PHONE["height"] * WIDTH_PX / PHONE["width"]), WIDTH_PX, 3)
    assert picture.std() > 10, "nothing is shown"
