"""The watchdog feels the page itself, as a phone would, and not only the loop behind it."""

from __future__ import annotations

import resource
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from flask import Flask, abort

from table.appliance.appliance import run_appliance
from table.appliance.machine.page_pulse import ADDRESS, check_page
from table.appliance.machine.watchdog import Watchdog
from table.config import PageConfig
from table.dashboard.live.event_stream import EXTENSION, Streams
from table.dashboard.server import serve
from table.health.systemd import Notifier
from tests.fakes.certificate import make_certificate
from tests.fakes.free_port import free_port
from tests.fakes.waiting import PATIENCE_S
from tests.table.appliance.configured import make_config


class Loop:
    def turn(self, timeout: float) -> None:
        """It always comes round."""


@contextmanager
def ill_page(status: int) -> Iterator[int]:
    """A page that answers everything with an error."""
    app = Flask(__name__)
    app.extensions[EXTENSION] = Streams()
    app.get(ADDRESS)(lambda: abort(status))
    with serve(app, port=0) as port:
        yield port


def is_petted(port: int, host: str = "127.0.0.1", *, timeout_s: float = PATIENCE_S, certificate: str = "") -> bool:
    page = PageConfig(host=host, port=port, tls_cert=certificate)
    return Watchdog(
        Loop(), None, Notifier(), lambda: None, check_page=lambda _: check_page(page, timeout_s)
    ).ping_watchdog()


def test_a_page_that_answers_is_alive_by_whatever_address_it_listens(tmp_path: Path) -> None:
    with run_appliance(make_config(tmp_path)) as appliance:
        assert [is_petted(appliance.port, host) for host in ("127.0.0.1", "0.0.0.0")] == [True, True]  # noqa: S104


def test_a_page_by_tls_is_felt_by_tls(tmp_path: Path) -> None:
    app = Flask(__name__)
    app.extensions[EXTENSION] = Streams()
    app.get(ADDRESS)(lambda: "{}")
    files = make_certificate(tmp_path)
    with serve(app, port=0, tls=files) as port:
        assert is_petted(port, certificate=files[0])


@pytest.mark.parametrize(("status", "is_alive"), [(500, False), (503, False), (403, True)])
def test_a_page_that_answers_everything_with_an_error_is_dead_though_the_loop_turns(
    status: int, is_alive: bool
) -> None:
    with ill_page(status) as port:
        assert is_petted(port) is is_alive


def test_a_page_that_nobody_answers_behind_is_dead() -> None:
    port = free_port()
    with socket.create_server(("127.0.0.1", port)):
        assert not is_petted(port, timeout_s=0.05)
    assert not is_petted(port)


@pytest.mark.parametrize("has_tls", [False, True])
def test_a_page_that_sends_visitors_away_lives(tmp_path: Path, *, has_tls: bool) -> None:
    certificate = make_certificate(tmp_path)[0] if has_tls else ""
    with ExitStack() as stack:
        door = stack.enter_context(socket.create_server(("127.0.0.1", 0)))

        def send_away() -> None:
            client, _ = door.accept()
            client.recv(65536)
            client.close()

        threading.Thread(target=send_away, daemon=True).start()
        assert is_petted(door.getsockname()[1], certificate=certificate)


def test_a_program_without_descriptors_is_dead_though_the_loop_turns(tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    with run_appliance(make_config(tmp_path)) as appliance:
        assert is_petted(appliance.port)
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, before[1]))
        try:
            assert not is_petted(appliance.port)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, before)
