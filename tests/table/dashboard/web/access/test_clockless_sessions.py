"""The cookie by which a phone is known: one for each table, though browsers send it to every port of a computer."""

from __future__ import annotations

import pytest
from flask import Flask

from table.dashboard import create_app
from table.game.snapshot import Board, Snapshot
from table.rulebook.play_presets import HOME
from table.rules.advance import new_game
from tests.fakes.desks import FakeDesk


class Phone:
    """A browser's cookies, which it sends to all ports of a computer."""

    def __init__(self) -> None:
        self.cookies: dict[str, str] = {}

    def open(self, app: Flask, host: str) -> str:
        """Opens the table's page; returns by what the table knows the phone."""
        client = app.test_client(use_cookies=False)
        headers = {"Host": host, "Accept": "text/html", "Cookie": "; ".join(map("=".join, self.cookies.items()))}
        for line in client.get("/join", headers=headers).headers.getlist("Set-Cookie"):
            name, _, value = line.partition(";")[0].partition("=")
            self.cookies[name] = value
        headers["Cookie"] = "; ".join(map("=".join, self.cookies.items()))
        return str(client.get("/api/session", headers=headers).get_json()["token"])


@pytest.fixture
def tables() -> list[Flask]:
    return [create_app(Board(Snapshot(version=1, game=new_game(HOME))), FakeDesk()) for _ in range(2)]


@pytest.mark.parametrize("name", ["192.168.1.4", "[fe80::1]"])
def test_two_tables_of_one_computer_each_keep_the_phone(tables: list[Flask], name: str) -> None:
    phone, hosts = Phone(), (f"{name}:8000", f"{name}:8001")
    first, second = [phone.open(app, host) for app, host in zip(tables, hosts, strict=True)]
    assert [phone.open(app, host) for app, host in zip(tables, hosts, strict=True)] == [first, second]


def test_a_phone_stays_known_that_has_its_cookie_from_an_earlier_version(tables: list[Flask]) -> None:
    phone = Phone()
    known_as = phone.open(tables[0], "192.168.1.4")
    assert list(phone.cookies) == ["tachiai"]
    assert phone.open(tables[0], "192.168.1.4:8000") == known_as
    assert phone.open(tables[1], "192.168.1.4:8001") != known_as
