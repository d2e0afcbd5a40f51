"""The address that phones open: never one that means this machine alone."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from table.dashboard.web.addresses import network_address
from table.dashboard.web.addresses.network_address import own_address, phone_address


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1", "localhost"])
def test_a_page_for_this_machine_alone_has_no_address_for_phones(host: str) -> None:
    assert phone_address(host, 8000) is None


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("192.168.1.4", "https://192.168.1.4:8000"),
        ("fd00::4", "https://[fd00::4]:8000"),
        ("table.lan", "https://table.lan:8000"),
    ],
)
def test_a_page_at_one_address_is_opened_by_it(host: str, address: str) -> None:
    assert phone_address(host, 8000, "https") == address


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])  # noqa: S104 - the page of every network
def test_a_page_for_every_network_is_opened_by_this_machines_own_address(
    host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network_address, "own_address", lambda: "10.0.0.7")
    assert phone_address(host, 8000) == "http://10.0.0.7:8000"
    monkeypatch.setattr(network_address, "own_address", lambda: None)
    assert phone_address(host, 8000) is None


@pytest.mark.skipif(own_address() is None, reason="NO NETWORK: this machine has no address that phones could open")
def test_an_access_point_with_no_way_out_has_its_own_address(monkeypatch: pytest.MonkeyPatch) -> None:
    class NoWayOut(socket.socket):
        def connect(self, address: Any, /) -> None:
            raise OSError("Network is unreachable")

    address = own_address()
    monkeypatch.setattr(socket, "socket", NoWayOut)
    assert own_address() == address
