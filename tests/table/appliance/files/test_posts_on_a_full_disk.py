"""Every form and request of the table's pages on a full disk: it is done without the disk, or refused in a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from flask import Flask
from flask.testing import FlaskClient

from table.appliance import table_server
from table.appliance.appliance import run_appliance
from table.i18n import catalogue
from tests.fakes.desks import PIN, join, token
from tests.fakes.disks import full_disk
from tests.table.appliance.configured import make_config

FORMS: Final[tuple[tuple[str, dict[str, str], str], ...]] = (
    ("/join", {"role": "seat", "seat": "1"}, ""),
    ("/join", {"role": "seat", "do": "pin", "seat_pin": "846207"}, ""),
    ("/join/hints", {"hints": "on"}, ""),
    ("/game", {"do": "names", "name0": "Ann"}, "unwritable"),
    ("/game", {"do": "open", "first_dealer": "0"}, "unwritable"),
    ("/season/people", {"do": "guest", "person": "Ann"}, "unwritable"),
    ("/staff/pin", {"present": PIN, "pin": "846207", "again": "846207"}, "pin_unwritten"),
    ("/broadcast", {"delay": "60"}, "device_unwritten"),
    ("/broadcast", {"new": "yes"}, "device_unwritten"),
    ("/health", {"do": "backup"}, "backup_unwritten"),
    ("/device", {"do": "keep", "mains": "60", "focus": "0", "side": "720", "camera": "as-it-is"}, "device_unwritten"),
    ("/begin/language", {"language": "en"}, ""),
    ("/begin/mode", {"mode": "club"}, "device_unwritten"),
    ("/begin/rules", {"rules": "ema-2025"}, "unwritable"),
    ("/begin/names", {"name0": "Ann"}, "unwritable"),
    ("/begin/over", {}, ""),
)
"""Each form of the owner's phone, and the sentence with which a full disk refuses it; empty if it needs no disk."""
RESULT = {"hand": 0, "result": {"kind": "draw", "tenpai": []}}
BODIES: Final[tuple[tuple[str, dict[str, Any], str], ...]] = (
    ("/api/preview", RESULT, ""),
    ("/api/tell", RESULT, "unwritable"),
    ("/api/press", {"press": "riichi", "seat": 0}, "unwritable"),
    ("/api/seats", {"order": [1, 0, 2, 3]}, "unwritable"),
    ("/api/names", {"names": ["Ann", "", "", ""]}, "unwritable"),
    ("/api/game", {}, "unwritable"),
    ("/api/season", {"counts": False}, "unwritable"),
    ("/api/end", {}, "unwritable"),
    ("/api/time", {}, "unwritable"),
    ("/api/adjust", {"points": [1000, -1000, 0, 0], "hand": 0, "why": "paid"}, "unwritable"),
    ("/api/rules", {"name": "mine", "base": "home"}, "unwritable"),
    ("/api/rules/play", {"name": "ema-2025"}, "unwritable"),
)
ELSEWHERE = {"/api/edit", "/api/undo", "/api/redo", "/api/value", "/api/shown", "/api/photo", "/api/begin/<step>"}
"""Posts that write what others here write, or nothing."""


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    apps: list[Flask] = []

    @contextmanager
    def serve_nothing(app: Flask, *_: object, **__: object) -> Iterator[int]:
        apps.append(app)
        yield 1

    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr(table_server, "serve", serve_nothing)
    monkeypatch.setattr(Flask, "jinja_options", {})  # the tests' cache of templates is on the disk
    with run_appliance(make_config(tmp_path)):
        yield apps[0]


@pytest.fixture
def owner(app: Flask) -> FlaskClient:
    client = app.test_client()
    join(client, "owner", pin=PIN)
    return client


def test_every_post_is_tried_here(app: Flask) -> None:
    addresses = {address for address, _, _ in (*FORMS, *BODIES)} | ELSEWHERE
    posts = {rule.rule for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())}
    assert {re.sub("^/begin/.*", "/begin/<step>", address) for address in addresses} == posts


@pytest.mark.parametrize(("address", "form", "refusal"), FORMS)
def test_a_form_on_a_full_disk_is_refused_in_a_sentence(
    owner: FlaskClient, address: str, form: dict[str, str], refusal: str
) -> None:
    if form.get("do") == "pin":
        join(owner, "seat", seat="1")
    filled = {"token": next(iter(token(owner).values())), **form}
    with full_disk(0):
        answer = owner.post(address, data=filled)
    if not refusal:
        assert answer.status_code in (200, 302)
        return
    assert answer.status_code == (403 if address == "/staff/pin" else 409)
    (alert,) = re.findall(r'role="alert"[^>]*>([^<]+)<', answer.text)
    assert alert == catalogue().text(f"refused.{refusal}")


@pytest.mark.parametrize(("address", "body", "refusal"), BODIES)
def test_a_request_on_a_full_disk_is_refused_in_a_sentence(
    owner: FlaskClient, address: str, body: dict[str, Any], refusal: str
) -> None:
    headers = token(owner)
    with full_disk(0):
        answer = owner.post(address, json=body, headers=headers)
    assert answer.status_code == (409 if refusal else 200)
    assert not refusal or answer.get_json()["said"] == catalogue().text(f"refused.{refusal}")


def test_who_joins_on_a_full_disk_has_the_seat_and_reads_that_only_the_name_is_missing(app: Flask) -> None:
    phone = app.test_client()
    form = {"token": next(iter(token(phone).values())), "role": "seat", "seat": "1", "name": "Eve"}
    with full_disk(0):
        answer = phone.post("/join", data=form)
        assert phone.get("/api/session").get_json()["seat"] == 1
    assert answer.status_code == 409
    (alert,) = re.findall(r'role="alert"[^>]*>([^<]+)<', answer.text)
    assert alert == catalogue().text("refused.seated_unnamed", why=catalogue().text("refused.unwritable"))
    assert 'name="name" value="Eve"' in answer.text
    assert phone.post("/join", data=form).status_code == 302
    assert phone.get("/api/table").get_json()["seats"][1]["player"] == "Eve"


def test_the_addresses_of_a_broadcast_are_shown_on_a_full_disk_with_a_key_until_the_next_start(
    owner: FlaskClient,
) -> None:
    with full_disk(0):
        page = owner.get("/broadcast")
    assert page.status_code == 200
    assert catalogue().text("refused.device_unwritten") in page.text
    keys = set(re.findall(r"key=([\w-]+)", page.text))
    again = owner.get("/broadcast").text
    assert keys == set(re.findall(r"key=([\w-]+)", again))
    assert len(keys) == 1
    assert 'role="alert"' not in again
