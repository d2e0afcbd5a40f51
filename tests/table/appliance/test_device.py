"""The owner's page of the device, on a whole appliance: what is chosen counts from the next start on."""

from __future__ import annotations

import json
import urllib.error
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path

import pytest

from table.appliance import appliance as appliance_module
from table.appliance.appliance import Appliance, run_appliance
from table.appliance.setup.owner_settings import FILE, load
from table.i18n import languages
from table.runtime.table_errors import PressError
from tests.fakes.waiting import PATIENCE_S
from tests.table.appliance.configured import loaded

PIN = "604817"


class Phone:
    """A browser."""

    def __init__(self, appliance: Appliance) -> None:
        self._at = f"http://127.0.0.1:{appliance.port}"
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        self.token = json.loads(self.get("/api/session")[1])["token"]

    def get(self, path: str) -> tuple[int, str]:
        return self._asked(path, None)

    def post(self, path: str, **form: str) -> tuple[int, str]:
        return self._asked(path, urllib.parse.urlencode({"token": self.token, **form}).encode())

    def _asked(self, path: str, body: bytes | None) -> tuple[int, str]:
        try:
            with self._opener.open(self._at + path, data=body, timeout=PATIENCE_S) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.read().decode()


def owner(appliance: Appliance) -> Phone:
    phone = Phone(appliance)
    appliance.vault.set_pin(PIN)
    phone.post("/join", role="owner", pin=PIN)
    return phone


def test_what_the_owner_chooses_is_kept_and_counts_from_the_next_start(tmp_path: Path) -> None:
    with run_appliance(loaded(tmp_path)) as appliance:
        phone = owner(appliance)
        status, page = phone.post("/device", do="keep", mains="60", camera="1", focus="1.2", side="700")
        assert (status, "Kept." in page) == (200, True)
        assert 'value="700"' in page
    chosen = load(tmp_path / FILE).applied_to(loaded(tmp_path).config)
    assert (chosen.camera.mains_hz, chosen.camera.device, chosen.camera.focus) == (60, 1, 1.2)
    assert chosen.table.side_mm == 700


@pytest.mark.parametrize("wrong", [{"mains": "55"}, {"side": "10"}, {"focus": "far"}, {"camera": ""}, {"side": "nan"}])
def test_a_number_that_is_not_allowed_changes_nothing(wrong: dict[str, str], tmp_path: Path) -> None:
    with run_appliance(loaded(tmp_path)) as appliance:
        before = appliance.device_settings()
        form = {"mains": "60", "camera": "1", "focus": "1.2", "side": "700", **wrong}
        status, page = owner(appliance).post("/device", do="keep", **form)
        assert (status, "look at the numbers" in page) == (409, True)
        assert appliance.device_settings() == before


def test_nobody_but_the_owner_gets_there(tmp_path: Path) -> None:
    with run_appliance(loaded(tmp_path)) as appliance:
        appliance.vault.set_pin(PIN)
        stranger = Phone(appliance)
        assert stranger.post("/device", do="again")[0] == 403
        assert [stranger.get(path)[0] for path in ("/device/log.txt", "/device/sharpness")] == [403, 403]
        assert "Switch the computer off" not in stranger.get("/device")[1]
        assert not appliance.begins_again


def test_the_owner_has_it_begin_again_switch_off_and_gives_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def refuse(verb: str) -> None:
        asked.append(verb)
        raise PressError("Access denied", says="machine")

    monkeypatch.setattr(appliance_module, "ask", refuse)
    with run_appliance(loaded(tmp_path)) as appliance:
        phone = owner(appliance)
        assert phone.post("/device", do="poweroff")[0] == 400, "nobody said that they are sure"
        status, page = phone.post("/device", do="poweroff", sure="yes")
        assert (status, asked) == (409, ["poweroff"])
        assert "on the computer itself" in page
        assert phone.get("/device/log.txt")[0] == 200
        assert phone.post("/device", do="again")[0] == 202
        assert appliance.ended.wait(PATIENCE_S)
        assert appliance.begins_again


@pytest.mark.parametrize("language", languages())
def test_the_page_is_there_in_every_language(language: str, tmp_path: Path) -> None:
    with run_appliance(loaded(tmp_path)) as appliance:
        phone = owner(appliance)
        phone.post("/language", language=language)
        status, page = phone.get("/device")
        assert (status, "device." in page) == (200, False)
