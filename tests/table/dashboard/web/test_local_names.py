"""Which names the pages are answered by, and what is said to all others."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.dashboard import create_app
from table.dashboard.web import local_names
from table.dashboard.web.local_names import is_local_name
from table.game.snapshot import Board, Snapshot
from table.i18n import catalogue, languages
from table.rules.state import GameState
from tests.fakes.desks import FakeDesk


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
    ],
)
def test_all_other_names_are_refused(host: str) -> None:
    assert not is_local_name(host)


def test_without_a_networks_domain_our_own_name_stands_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(local_names, "RESOLVER", tmp_path / "absent")
    assert is_local_name("felt-1")
    assert not is_local_name("felt-1.speedport.ip")


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("path", ["/", "/api/table", "/static/table.js", "/nowhere"])
def test_a_refused_name_is_answered_by_one_plain_sentence(path: str, language: str) -> None:
    client = create_app(Board(Snapshot(version=1, game=GameState(scores=(25000,) * 4))), FakeDesk()).test_client()
    answer = client.get(path, headers={"Host": "evil.example", "Accept-Language": language})
    assert (answer.status_code, answer.mimetype) == (421, "text/plain")
    assert answer.text == catalogue(language).text("page.other_name")
    assert "evil" not in answer.text
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
