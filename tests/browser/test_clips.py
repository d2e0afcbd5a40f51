"""A watched table on a phone: why something was said, with its picture; a moment flagged, listed and removed."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from table.dashboard.web.static_files import versioned_path
from tests.fakes.desks import PIN
from tests.fakes.waiting import wait_for
from tests.table.appliance.recorded_table import (
    STILL_FRAMES,
    announcements_of,
    keep_place,
    recording_part,
    watching_appliance,
)

pytestmark = pytest.mark.browser


def test_why_has_a_picture_and_a_moment_is_kept_listed_and_removed(tmp_path: Path, phone: Page) -> None:
    keep_place(tmp_path)
    with watching_appliance(tmp_path, recording_part(tmp_path, still_frames=STILL_FRAMES)) as appliance:
        page = f"http://localhost:{appliance.port}"
        phone.goto(f"{page}/join")
        phone.locator("input[name=pin]").fill(PIN)
        phone.locator("input[name=again]").fill(PIN)
        phone.locator("form", has=phone.locator("input[name=pin]")).get_by_role("button").click()
        wait_for(lambda: bool(announcements_of(appliance, "riichi_declared")))
        line = phone.locator("#news details", has_text="riichi").last
        line.locator("summary").click()
        picture = line.locator("img.photo-of")
        expect(picture).to_be_visible()
        assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") == 96
        phone.get_by_role("button", name="Save this moment").click()
        expect(phone.locator("#news")).to_contain_text("Saved: ")
        phone.screenshot(path=tmp_path / "table.png", full_page=True)
        phone.goto(f"{page}/staff")
        clip = phone.locator("section", has=phone.locator("#clips")).locator("li:has(button)")
        expect(clip).to_contain_text("Owner")
        with phone.expect_download() as fetched:
            clip.get_by_role("link", name="Download").click()
        assert fetched.value.suggested_filename.endswith(".zip")
        phone.screenshot(path=tmp_path / "staff.png", full_page=True)
        held_lists = hold_next_list(phone)
        clip.get_by_role("button", name="Delete").click()
        expect(clip).to_have_count(0)
        assert appliance.clips.clips() == ()
        for route, answer in held_lists:
            route.fulfill(response=answer)
        phone.evaluate("() => window.redrawn")
        assert clip.count() == 0
        expect(phone.locator("[aria-labelledby=clips] ol")).to_be_focused()
        phone.evaluate(f"() => import('{versioned_path()}/web/server.js').then(({{ redraw }}) => redraw())")
        expect(phone.locator("[aria-labelledby=clips] ol")).to_be_focused()


def hold_next_list(phone: Page) -> list[tuple[Route, APIResponse]]:
    """Lets the page ask for its lists anew, as whenever the table changes, and keeps the answer for later."""
    held_lists: list[tuple[Route, APIResponse]] = []
    phone.route(
        "**/staff", lambda route: route.continue_() if held_lists else held_lists.append((route, route.fetch()))
    )
    with phone.expect_request("**/staff"):
        server = f"{versioned_path()}/web/server.js"
        phone.evaluate(f"() => {{ window.redrawn = import('{server}').then(({{ redraw }}) => redraw()); }}")
    return held_lists
