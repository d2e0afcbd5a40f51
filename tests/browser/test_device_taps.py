"""Whatever is tapped on the page of the device, and whatever cameras do meanwhile, its words are a host's."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import PATIENCE_MS
from tests.browser.device_taps import open_device_page
from tests.browser.waiting import stop_clock

pytestmark = pytest.mark.browser


@pytest.fixture
def small_phone(phone: Page) -> Page:
    phone.set_viewport_size({"width": 390, "height": 664})
    return phone


def test_taps_at_random_while_cameras_come_and_go_are_answered_in_a_hosts_words(
    small_phone: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop_clock(small_phone)  # else a page that follows an update may go elsewhere under a slow machine's tap
    with open_device_page(small_phone, tmp_path, monkeypatch, seed=1) as taps:
        taps.open()
        for _ in range(8):
            taps.tap()
    assert len(taps.done) > 2


@pytest.mark.long
@pytest.mark.parametrize("locale", ["ja-JP", "en-GB", "ko-KR", "zh-CN", "zh-TW"])
def test_hundreds_of_taps_in_every_language_are_answered_in_a_hosts_words(
    locale: str, chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = chromium.new_context(viewport={"width": 390, "height": 664}, locale=locale)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    broken: list[str] = []
    page.on("pageerror", lambda error: broken.append(str(error)))
    with open_device_page(page, tmp_path, monkeypatch, seed=sum(map(ord, locale))) as taps:
        taps.open()
        for _ in range(80):
            taps.tap()
    context.close()
    assert broken == []
    assert len(taps.done) >= 6
