"""The page of the device follows what the camera and an update do, and in each state axe finds nothing serious."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from table.dashboard import create_app, serve
from table.dashboard.owner.device_page import blueprint as device_page
from table.game.snapshot import Board, Snapshot
from table.rulebook.play_presets import HOME
from table.rules.advance import new_game
from tests.browser.axe import complaints_in_both
from tests.fakes.desks import PIN, FakeDesk
from tests.fakes.device import FakeDevice

pytestmark = pytest.mark.browser


def test_the_meter_of_the_device_lives_and_the_steps_of_an_update_are_told(phone: Page) -> None:
    board, device = Board(Snapshot(version=1, game=new_game(HOME))), FakeDevice()
    app = create_app(board, FakeDesk())
    app.register_blueprint(device_page(device))
    with serve(app, port=0) as port:
        address = f"http://127.0.0.1:{port}"
        token = phone.request.get(f"{address}/api/session").json()["token"]
        phone.request.post(f"{address}/join", form={"token": token, "role": "owner", "pin": PIN, "again": PIN})
        phone.goto(f"{address}/device")
        device.sharp = 900
        expect(phone.locator("#sharp-most")).to_have_text("900")
        device.sharp = 300
        expect(phone.locator("#sharp-now")).to_have_text("300")
        expect(phone.locator("#sharp-most")).to_have_text("900")
        device.has_autofocus, device.report.state = True, "running"
        phone.get_by_role("button", name="Save these settings").click()
        expect(phone.get_by_role("button", name="Focus once and lock it")).to_be_visible()
        expect(phone.get_by_text("The update is running: the new version is checked.")).to_be_visible()
        assert complaints_in_both(phone) == []
        device.report.step = "switch"
        expect(phone.get_by_text("The update is running: the new version is started.")).to_be_visible()
