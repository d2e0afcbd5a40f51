"""The page of the device follows what the camera and an update do, and in each state axe finds nothing serious."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import pytest
from playwright.sync_api import Page, expect

from table.dashboard import create_app, serve
from table.dashboard.owner.device_page import blueprint as device_page
from table.game.snapshot import Board, Snapshot
from table.rulebook.play_presets import HOME
from table.rules.advance import new_game
from table.runtime.table_errors import ConfigError
from tests.browser.axe import complaints_in_both
from tests.browser.waiting import COME_BACK
from tests.fakes.desks import PIN, FakeDesk
from tests.fakes.device import FakeDevice

pytestmark = pytest.mark.browser


@pytest.fixture
def device() -> FakeDevice:
    return FakeDevice()


@pytest.fixture
def page(phone: Page, device: FakeDevice) -> Iterator[Page]:
    """The device's page on the owner's phone."""
    app = create_app(Board(Snapshot(version=1, game=new_game(HOME))), FakeDesk())
    app.register_blueprint(device_page(device))
    with serve(app, port=0) as port:
        address = f"http://127.0.0.1:{port}"
        token = phone.request.get(f"{address}/api/session").json()["token"]
        phone.request.post(f"{address}/join", form={"token": token, "role": "owner", "pin": PIN, "again": PIN})
        phone.goto(f"{address}/device")
        yield phone


def test_the_meter_of_the_device_lives_and_the_steps_of_an_update_are_told(page: Page, device: FakeDevice) -> None:
    device.sharp = 900
    expect(page.locator("#sharp-most")).to_have_text("900")
    device.sharp = 300
    expect(page.locator("#sharp-now")).to_have_text("300")
    expect(page.locator("#sharp-most")).to_have_text("900")
    device.has_autofocus, device.report.state = True, "running"
    page.get_by_role("button", name="Save these settings").click()
    expect(page.get_by_role("button", name="Focus once and lock it")).to_be_visible()
    expect(page.get_by_text("The update is running: the new version is checked.")).to_be_visible()
    assert complaints_in_both(page) == []
    device.report.step = "switch"
    expect(page.get_by_text("The update is running: the new version is started.")).to_be_visible()


def test_whoever_comes_back_to_the_answer_restarts_nothing_a_second_time(page: Page) -> None:
    page.get_by_role("button", name="Restart Tachiai").click()
    expect(page.get_by_text("Tachiai restarts. This takes a moment.")).to_be_visible()
    methods = list[str]()
    page.on("request", lambda request: methods.append(request.method) if request.is_navigation_request() else None)
    with page.expect_navigation():
        page.evaluate(COME_BACK)
    assert methods == ["GET"]


def test_the_table_is_shown_once_it_is_back_however_long_it_takes(page: Page) -> None:
    page.clock.install()
    page.reload()
    page.get_by_role("button", name="Restart Tachiai").click()
    expect(page.get_by_text("Tachiai restarts. This takes a moment.")).to_be_visible()
    page.route("**/api/session", lambda route: route.abort())
    with page.expect_event("requestfailed"):
        page.clock.run_for(8_000)
    expect(page).to_have_url(re.compile("/device$"))
    page.unroute("**/api/session")
    expect(page.locator("body[data-version]")).to_be_attached()


def test_what_was_entered_is_there_again_when_it_is_refused(page: Page, device: FakeDevice) -> None:
    def refuse(_: Mapping[str, str]) -> None:
        raise ConfigError("expected a disk with room, got a full one")

    focus, save = page.locator("[name=focus]"), page.get_by_role("button", name="Save these settings")
    focus.fill("1.5")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(device, "choose", refuse)
        for _ in range(2):
            save.click()
            expect(page.get_by_role("alert")).to_be_visible()
            expect(focus).to_have_value("1.5")
            page.get_by_role("alert").evaluate("each => each.remove()")
    save.click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert device.done == [{"camera.focus": "1.5"}]
    expect(focus, "as the table has it").to_have_value("0.8")
