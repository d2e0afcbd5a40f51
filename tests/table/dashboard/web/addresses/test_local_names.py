"""Which names the pages are answered by, and what is said to all others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from table.dashboard import create_app
from table.dashboard.web.addresses import local_names
from table.dashboard.web.addresses.local_names import is_local_name
from table.dashboard.web.addresses.qr_code import qr_svg
from table.dashboard.web.base_page import keep_phone_address
from table.game.snapshot import Board, Snapshot
from table.i18n import catalogue, languages
from table.rules.state import GameState
from table.runtime import access_point
from table.runtime.access_point import AccessPoint
from tests.fakes.desks import FakeDesk, join


@pytest.fixture(autouse=True)
def _at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """This machine is called `felt-1`, in a network whose router calls it `speedport.ip`."""
    resolver = tmp_path / "resolv.conf"
    resolver.write_text("# from the router\nnameserver 192.168.2.1\n\nsearch speedport.ip Guest.Speedport.ip. .\n")
    monkeypatch.setattr(local_names, "RESOLVER", resolver)
    monkeypatch.setattr("socket.gethostname", lambda: "Felt-1")


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "192.168.1.4:80",
        "[fe80::1]:8000",
        "[::1]",
        "[fe80::1%eth0]",
        "localhost:8000",
        "felt-1",
        "FELT-1:8000",
        "felt-1.",
        "felt-1.speedport.ip",
        "felt-1.guest.speedport.ip:8000",
        "tachiai.local",
        "tachiai.local.:8000",
        "pi.lan",
        "pi.home.arpa",
        "pi.internal",
        "tachiai.fritz.box",
        "xn--mnchen-3ya.local",
    ],
)
def test_addresses_our_own_name_and_names_of_home_networks_are_answered(host: str) -> None:
    assert is_local_name(host)


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1.evil.example:8000",
        "local.evil.com",
        "evilfritz.box",
        "felt-1.evil.example",
        "other.speedport.ip",
        "speedport.ip",
        "felt-2",
        "pi:8000",
        "pi.home",
        "pi.localdomain",
        "pi.localhost",
        "2130706433",
        "0x7f.1",
        "::1",
        "",
        "local",
        ".",
        "xn--.local",
        "xn--a.local",
    ],
)
def test_all_other_names_are_refused(host: str) -> None:
    assert not is_local_name(host)


def test_without_a_networks_domain_our_own_name_stands_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(local_names, "RESOLVER", tmp_path / "absent")
    assert is_local_name("felt-1")
    assert not is_local_name("felt-1.speedport.ip")


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("path", ["/", "/api/table", "/static/live/table.js", "/nowhere"])
def test_a_refused_name_is_answered_by_one_plain_sentence(path: str, language: str) -> None:
    client = create_app(Board(Snapshot(version=1, game=GameState(scores=(25000,) * 4))), FakeDesk()).test_client()
    answer = client.get(path, headers={"Host": "evil.example", "Accept-Language": language})
    assert (answer.status_code, answer.mimetype) == (421, "text/plain")
    assert answer.text == catalogue(language).text("page.other_name")
    assert "evil" not in answer.text
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


@pytest.fixture
def open_to_phones(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> AccessPoint:
    """The Pi's own access point, open."""
    found = AccessPoint(name="Tachiai 12ab", password="abcd;efgh2345")  # noqa: S106 - of no network
    monkeypatch.setattr(access_point, "OPEN_FILE", tmp_path / "open.json")
    access_point.write_private(tmp_path / "open.json", found)
    return found


@pytest.mark.usefixtures("open_to_phones")
@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("address", ["http://connectivitycheck.gstatic.com/generate_204", "http://captive.apple.com/"])
def test_a_phone_that_joined_our_own_wifi_is_told_the_address_and_nothing_else(address: str, language: str) -> None:
    client = create_app(Board(Snapshot(version=1, game=GameState(scores=(25000,) * 4))), FakeDesk()).test_client()
    answer = client.get(address, headers={"Accept-Language": language})
    assert (answer.status_code, answer.mimetype) == (200, "text/html")
    text = re.sub(r"<[^>]+>", "", answer.text.partition("<body>")[2])
    assert text == f"{catalogue(language).text('page.captive')} http://10.42.0.1"
    assert client.post(address, headers={"Accept-Language": language}).status_code == 421


@pytest.mark.usefixtures("open_to_phones")
@pytest.mark.parametrize(
    ("served", "address"),
    [("http://x:8000", "http://10.42.0.1:8000"), ("https://x", "https://10.42.0.1"), ("http://x", "http://10.42.0.1")],
)
def test_the_address_after_joining_has_the_port_and_scheme_of_the_page(served: str, address: str) -> None:
    client = create_app(Board(Snapshot(version=1, game=GameState(scores=(25000,) * 4))), FakeDesk()).test_client()
    answer = client.get("/", base_url=served, headers={"Host": "captive.apple.com"})
    assert f"<b>{address}</b>" in answer.text


def test_whoever_invites_shows_the_code_of_our_own_wifi_while_it_is_open(
    open_to_phones: AccessPoint, tmp_path: Path
) -> None:
    app = create_app(Board(Snapshot(version=1, game=GameState(scores=(25000,) * 4))), FakeDesk())
    keep_phone_address(app, lambda: "http://10.42.0.1")
    client = app.test_client()
    join(client, "seat")
    for page in ("/invite", "/wall"):
        text = client.get(page).text
        assert "/wifi.svg" in text
        assert f"<b>{open_to_phones.name}</b>" in text
        assert f"<b>{open_to_phones.password}</b>" in text
    code = client.get("/wifi.svg")
    assert code.text == qr_svg("WIFI:T:WPA;S:Tachiai 12ab;P:abcd\\;efgh2345;;")
    (tmp_path / "open.json").unlink()
    assert "wifi" not in client.get("/wall").text
    assert client.get("/wifi.svg").status_code == 404
