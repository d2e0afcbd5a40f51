"""Whose tile was won on, asked on a phone after the camera was lost."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from table.game.snapshot import CameraHealth
from tests.browser.by_hand import Kept, sit
from tests.table.game.table_by_hand import TableByHand

pytestmark = pytest.mark.browser


def test_a_phone_says_whose_tile_was_won_on(kept: Kept, phone: Page) -> None:
    by_hand = TableByHand(table=kept.table)
    by_hand.discard((0, "1m"), (1, "2m"), (2, "3m"))
    kept.table.camera(CameraHealth.LOST)
    page = sit(phone, kept, 0)
    page.locator(".actions .watched").get_by_role("button", name="Ron").click()
    asked = page.get_by_role("group", name="Who dealt in?")
    expect(asked.get_by_role("button")).to_have_text(["South", "West", "North"])
    asked.get_by_role("button", name="North").click()
    expect(asked).to_have_count(0)
    expect(page.locator("#ending h2")).to_have_text("East wins off North")
