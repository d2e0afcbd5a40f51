from __future__ import annotations

import http.client
import json
import socket
import ssl
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from table.dashboard import create_app, serve
from table.dashboard.live.event_stream import EXTENSION, MOST_STREAMS, EventStream, Streams, blocking_events
from table.dashboard.live.view_cache import ViewCache
from table.game.snapshot import Board, Snapshot
from table.i18n import Catalogue, catalogue
from tests.fakes.certificate import make_certificate
from tests.fakes.desks import FakeDesk
from tests.fakes.free_port import free_port
from tests.fakes.snapshots import snapshot
from tests.fakes.waiting import PATIENCE_S


@pytest.fixture
def board() -> Board:
    return Board(snapshot(1))


@pytest.fixture
def app(board: Board) -> Flask:
    return create_app(board, FakeDesk())


# The stream


def write(snapshot: Snapshot) -> str:
    return ViewCache().table(snapshot, catalogue())


def test_a_stream_tells_the_table_at_once_and_each_newer_one(board: Board) -> None:
    events = blocking_events(EventStream(board, Streams(), write))
    assert next(events).startswith("retry:")
    assert next(events).startswith("id: 1\ndata: {")
    board.publish(snapshot(2))
    assert next(events).startswith("id: 2\n")


def test_a_stream_skips_to_the_newest_table(board: Board) -> None:
    events = blocking_events(EventStream(board, Streams(), write))
    next(events), next(events)
    for version in (2, 3, 4):
        board.publish(snapshot(version))
    assert next(events).startswith("id: 4\n")


def test_a_silent_stream_shows_that_it_lives(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("table.dashboard.live.event_stream.POLL_S", 0.01)
    monkeypatch.setattr("table.dashboard.live.event_stream.HEARTBEAT_S", 0.02)
    events = blocking_events(EventStream(board, Streams(), write))
    next(events), next(events)
    assert next(events) == "event: alive\ndata: yes\n\n"


def test_a_stream_ends_with_its_board_and_is_forgotten(board: Board) -> None:
    streams = Streams()
    events = blocking_events(EventStream(board, streams, write))
    next(events), next(events)
    assert streams.count == 1
    board.close()
    assert list(events) == []
    assert streams.count == 0


def test_a_stream_too_many_ends_the_oldest() -> None:
    streams = Streams()
    endings = [streams.open() for _ in range(MOST_STREAMS + 1)]
    assert [ending.is_set() for ending in endings] == [True] + [False] * MOST_STREAMS
    assert streams.count == MOST_STREAMS


def test_a_range_of_addresses_ends_its_own_streams_before_those_of_others() -> None:
    streams = Streams(limit=3)
    other, *neighbours = streams.open("192.0.2.7"), *(streams.open("2001:db8::/64") for _ in range(4))
    assert [ending.is_set() for ending in (other, *neighbours)] == [False, True, True, False, False]


def test_no_stream_stays_open_once_they_are_closed() -> None:
    streams = Streams()
    before = streams.open()
    streams.close()
    streams.close()
    assert before.is_set()
    assert streams.open().is_set()


def test_a_snapshot_is_written_once_a_language_for_all_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    written_pages: list[tuple[int, str]] = []

    def table_view(snapshot: Snapshot, texts: Catalogue) -> dict[str, str]:
        written_pages.append((snapshot.version, texts.language))
        return {}

    monkeypatch.setattr("table.dashboard.live.view_cache.table_view", table_view)
    cache, first, second = ViewCache(), snapshot(1), snapshot(2)
    for each in (first, first, second, second):
        for language in ("en", "ja"):
            cache.table(each, catalogue(language))
    assert written_pages == [(1, "en"), (1, "ja"), (2, "en"), (2, "ja")]


# The real server


@dataclass
class Phone:
    """A browser's open stream over a real connection."""

    port: int

    def __enter__(self) -> Phone:
        self._connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        self._connection.request("GET", "/api/stream")
        self._answer = self._connection.getresponse()
        return self

    def __exit__(self, *_: object) -> None:
        self._answer.close()
        self._connection.close()

    def version(self) -> int:
        """Waits for the next event and returns the version it tells."""
        while line := self._answer.readline():
            if line.startswith(b"data: "):
                return int(json.loads(line.removeprefix(b"data: "))["version"])
        raise AssertionError("the stream ended")


def get(port: int, address: str) -> Any:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    try:
        connection.request("GET", address)
        return json.loads(connection.getresponse().read())
    finally:
        connection.close()


def test_twelve_open_phones_do_not_hold_up_a_request_and_all_hear_of_the_next_snapshot(
    app: Flask, board: Board
) -> None:
    with serve(app, port=0) as port:
        phones = [Phone(port).__enter__() for _ in range(12)]
        assert [phone.version() for phone in phones] == [1] * 12
        assert get(port, "/api/table")["version"] == 1
        board.publish(snapshot(2))
        assert [phone.version() for phone in phones] == [2] * 12
        for phone in phones:
            phone.__exit__()


def test_closing_the_server_ends_its_streams_and_threads(app: Flask) -> None:
    before = set(threading.enumerate())
    with serve(app, port=free_port(), threads=4) as port, Phone(port) as phone:
        assert phone.version() == 1
    assert app.extensions[EXTENSION].open().is_set()
    assert not set(threading.enumerate()) - before
    with socket.create_server(("127.0.0.1", port)):
        pass  # the port is free again


def test_a_port_in_use_is_an_error_that_names_it(app: Flask) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener, pytest.raises(OSError, match="in use"):  # noqa: SIM117
        with serve(app, port=listener.getsockname()[1]):
            pass


def test_the_page_is_served_by_tls_and_its_cookie_only_so(app: Flask, tmp_path: Path) -> None:
    certificate, key = make_certificate(tmp_path)
    trusting = ssl.create_default_context(cafile=certificate)
    with serve(app, port=0, tls=(certificate, key)) as port:
        connection = http.client.HTTPSConnection("localhost", port, context=trusting, timeout=PATIENCE_S)
        connection.request("GET", "/api/session")
        answer = connection.getresponse()
        assert "Secure" in str(answer.headers["Set-Cookie"])
        answer.read()
        connection.close()
