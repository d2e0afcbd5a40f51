"""The health page with its backups fits a narrow phone, also in letters of twice the size."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from table.camera.clips.clip_folder import ClipFolder
from table.dashboard import create_app, serve
from table.dashboard.owner.health_page import health_page
from table.game.snapshot import Board, Snapshot
from table.health.health_report import Health, JournalStatus
from table.health.log_buffer import LogBuffer
from table.health.machine import Machine
from table.rulebook.play_presets import HOME
from table.rules.advance import new_game
from tests.browser.screen_fit import faults, letters_of
from tests.fakes.desks import PIN, FakeDesk

pytestmark = pytest.mark.browser


class OneBackup:
    def backup_names(self) -> list[str]:
        return ["table-00000012-2026-11-21.backup"]

    def made_at(self, name: str) -> str:
        return "2026-11-21T20:15:00+00:00"

    def create_backup(self) -> None:
        raise NotImplementedError

    def restore(self, name: str) -> bool:
        raise NotImplementedError


def test_the_health_page_fits_a_narrow_phone_in_letters_of_twice_the_size(phone: Page, tmp_path: Path) -> None:
    machine = Machine(model="", heat_c=None, power=(), disk_free_mb=9_400, memory_mb=312.0, is_clock_set=True)
    health = Health(
        name="felt", now="2026-11-24T19:00", machine=machine, journal=JournalStatus(entries=12, trouble="", waiting=0)
    )
    app = create_app(Board(Snapshot(version=1, game=new_game(HOME))), FakeDesk())
    clips = ClipFolder(tmp_path, days=1, most_bytes=1)
    app.register_blueprint(health_page(lambda: health, LogBuffer(), OneBackup(), clips))
    with serve(app, port=0) as port:
        address = f"http://127.0.0.1:{port}"
        token = phone.request.get(f"{address}/api/session").json()["token"]
        phone.request.post(f"{address}/join", form={"token": token, "role": "owner", "pin": PIN, "again": PIN})
        phone.set_viewport_size({"width": 360, "height": 640})
        phone.goto(f"{address}/health")
        expect(phone.locator(".copies summary")).to_be_visible()
        with letters_of(phone, 200):
            assert faults(phone) == []
            phone.locator(".copies summary").click()
            assert faults(phone) == []
