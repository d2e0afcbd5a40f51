"""The real server before clients that are silent, slow, many or too large."""

from __future__ import annotations

import asyncio
import http.client
import json
import resource
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask, Response, jsonify, request

from table.appliance.machine.page_pulse import ADDRESS
from table.dashboard import create_app, serve
from table.dashboard.live.event_stream import EXTENSION, MOST_STREAMS, Streams
from table.dashboard.live.hand_photo_api import MOST_PHOTO
from table.dashboard.server import asgi_client, connection, flask_bridge, page_server
from table.dashboard.server.asgi_client import BodyBudget
from table.dashboard.server.connection_limits import (
    MOST_PER_ADDRESS,
    OTHER_FILES,
    ConnectionCounts,
    most_connections,
    plain_address,
)
from table.dashboard.server.flask_bridge import LARGE_HELD, FlaskBridge
from table.dashboard.server.lanes import LONG_PATHS, SHORT_PATHS, Lanes
from table.dashboard.server.page_server import THREADS
from table.dashboard.server.worker_pool import WorkerPool
from table.dashboard.web.request_environ import allow_body
from table.game.snapshot import Board
from table.i18n import catalogue
from tests.fakes.certificate import make_certificate
from tests.fakes.desks import FakeDesk
from tests.fakes.snapshots import snapshot
from tests.fakes.waiting import PATIENCE_S, wait_for
from tests.table.dashboard.server.clients import STREAM, answer, client, read_rest, request_json

LARGE = 100_000
PIECE = 32 * 1024
ENDLESS = b"GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture
def board() -> Board:
    return Board(snapshot(1))


@pytest.fixture
def app(board: Board) -> Flask:
    """The dashboard, with pages beside it that take and give much."""
    app = create_app(board, FakeDesk())

    @app.post("/large")
    @app.post("/api/large")
    def large() -> Response:
        allow_body(LARGE)
        return jsonify(size=len(request.get_data()))

    @app.post("/small")
    def small() -> Response:
        return jsonify(size=len(request.get_data()))

    @app.get("/endless")
    def endless() -> Response:
        answer = Response(iter(lambda: bytes(PIECE), b""))
        answer.call_on_close(lambda: app.config.update(ENDED=app.config["ENDED"] + 1))
        return answer

    app.config["ENDED"] = 0
    return app


@pytest.fixture
def port(app: Flask) -> Iterator[int]:
    with serve(app, port=0) as port:
        yield port


def post(path: str, size: int, *headers: str) -> bytes:
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", f"Content-Length: {size}", *headers]
    return "\r\n".join([*lines, "", ""]).encode()


# Addresses


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])  # noqa: S104 - the page of every network
def test_a_page_for_every_network_is_reached_by_both_protocols(app: Flask, host: str) -> None:
    with serve(app, host, 0) as port:
        for address in ("127.0.0.1", "::1"):
            asking = http.client.HTTPConnection(address, port, timeout=PATIENCE_S)
            asking.request("GET", "/api/session")
            assert asking.getresponse().status == 200
            asking.close()


def test_a_machine_that_has_no_ipv6_serves_by_ipv4(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "has_dualstack_ipv6", lambda: False)
    with serve(app, "0.0.0.0", 0) as port:  # noqa: S104 - the page of every network
        asking = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        asking.request("GET", "/api/session")
        assert asking.getresponse().status == 200
        asking.close()


@pytest.mark.parametrize(
    ("address", "plain"),
    [
        ("192.168.1.4", "192.168.1.4"),
        ("::ffff:192.168.1.4", "192.168.1.4"),
        ("fd00:1:2:3::9", "fd00:1:2:3::9"),
        ("fe80::1%wlan0", "fe80::1%wlan0"),
        ("", ""),
    ],
)
def test_an_ipv4_address_is_counted_as_one_by_whatever_protocol_it_came(address: str, plain: str) -> None:
    assert plain_address(address) == plain


# Silent and slow clients


def test_a_silent_tls_connection_does_not_hold_up_the_next_one(app: Flask, tmp_path: Path) -> None:
    certificate, key = make_certificate(tmp_path)
    trusting = ssl.create_default_context(cafile=certificate)
    with serve(app, port=0, tls=(certificate, key)) as port, client(port):
        phone = http.client.HTTPSConnection("localhost", port, context=trusting, timeout=PATIENCE_S)
        phone.request("GET", "/api/session")
        assert phone.getresponse().status == 200
        phone.close()


def test_a_tls_client_that_never_shakes_hands_is_sent_away(
    app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_server, "HANDSHAKE_S", 0.05)
    with serve(app, port=0, tls=make_certificate(tmp_path)) as port, client(port) as silent:
        assert read_rest(silent) == b""


def test_a_tls_connection_that_is_closing_already_is_closed(
    app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutdown = connection.Connection.shutdown
    monkeypatch.setattr(connection.Connection, "shutdown", lambda served: [shutdown(served) for _ in range(2)])
    certificate, key = make_certificate(tmp_path)
    trusting = ssl.create_default_context(cafile=certificate)
    with serve(app, port=0, tls=(certificate, key)) as port:
        phone = http.client.HTTPSConnection("localhost", port, context=trusting, timeout=PATIENCE_S)
        phone.request("GET", "/api/session")
        assert phone.getresponse().read()
    phone.close()


def test_by_tls_no_program_is_named_either(app: Flask, tmp_path: Path) -> None:
    certificate, key = make_certificate(tmp_path)
    trusting = ssl.create_default_context(cafile=certificate)
    with serve(app, port=0, tls=(certificate, key)) as port:
        phone = http.client.HTTPSConnection("localhost", port, context=trusting, timeout=PATIENCE_S)
        phone.request("GET", "/")
        assert phone.getresponse().headers["Server"] is None
        phone.close()


def test_the_answer_names_no_program_and_no_version(port: int) -> None:
    with client(port) as phone:
        assert answer(phone, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").headers["Server"] is None


@pytest.mark.parametrize("beginning", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: localhost\r\n"])
def test_whoever_never_finishes_asking_is_sent_away(
    port: int, beginning: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "IDLE_S", 0.05)
    monkeypatch.setattr(connection, "HEADERS_S", 0.05)
    with client(port) as slow:
        slow.sendall(beginning)
        assert read_rest(slow) == b""


def test_headers_that_trickle_in_do_not_earn_more_time(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "HEADERS_S", 0.2)
    with client(port) as slow, pytest.raises((ConnectionResetError, BrokenPipeError)):
        _trickle(slow)


def _trickle(slow: socket.socket) -> None:
    slow.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for _ in range(connection.MOST_HEADERS - 1):
        slow.sendall(b"X")
        slow.settimeout(0.02)
        with suppress(TimeoutError):
            if not slow.recv(1):
                raise ConnectionResetError


def test_a_body_that_never_comes_whole_is_told_so(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi_client, "BODY_S", 0.05)
    with client(port) as slow:
        assert answer(slow, post("/small", 10) + b"x").status == 408


def test_a_connection_stays_for_more_requests_and_then_ends(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    with client(port) as phone:
        for number in range(3):
            if number == 2:
                monkeypatch.setattr(connection, "IDLE_S", 0.2)
            found = answer(phone, post("/small", 4) + b"four")
            assert json.load(found) == {"size": 4}
        assert read_rest(phone) == b""


def test_a_few_requests_may_come_ahead_of_their_answers(port: int) -> None:
    with client(port) as eager:
        request = b"GET /api/session HTTP/1.1\r\nHost: localhost\r\n"
        eager.sendall((request + b"\r\n") * 2 + request + b"Connection: close\r\n\r\n")
        assert read_rest(eager).count(b"HTTP/1.1 200 OK") == 3


def test_whoever_sends_requests_without_end_before_any_answer_is_sent_away(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[int] = []
    monkeypatch.setattr(connection.Connection, "connection_lost", _noting(kept))
    with serve(app, port=0) as port, client(port) as eager, suppress(ConnectionError):
        eager.sendall(ENDLESS)
        while True:
            eager.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 1000)
    assert kept
    assert max(kept) <= 256 * 1024 + connection.MOST_AHEAD


def _noting(kept: list[int]) -> Callable[[connection.Connection, Exception | None], None]:
    """A way to lose a connection that notes how much came ahead of its answers."""
    lose = connection.Connection.connection_lost

    def connection_lost(lost: connection.Connection, exc: Exception | None) -> None:
        kept.append(len(lost.conn.trailing_data[0]))
        lose(lost, exc)

    return connection_lost


def test_a_short_answer_is_sent_at_once(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Head and body are two writes: without the option the second waits until the client confirms the first."""
    connection_made, at_once = connection.Connection.connection_made, list[int]()

    def note_option(each: connection.Connection, transport: Any) -> None:
        at_once.append(transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        connection_made(each, transport)

    monkeypatch.setattr(connection.Connection, "connection_made", note_option)
    with serve(app, port=0) as port, client(port) as phone:
        assert answer(phone, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").status == 200
    assert len(at_once) == 1
    assert at_once[0] != 0


def test_clients_that_read_nothing_hold_no_worker(app: Flask) -> None:
    with serve(app, port=0, threads=1) as port, ExitStack() as stack:
        for _ in range(5):
            stack.enter_context(client(port)).sendall(ENDLESS)
        assert request_json(port)[0] == 200


def test_a_client_that_takes_nothing_is_sent_away(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi_client, "SEND_S", 0.05)
    with serve(app, port=0) as port, client(port) as slow:
        slow.sendall(ENDLESS)
        wait_for(lambda: app.config["ENDED"] == 1)
        assert read_rest(slow)


def test_a_client_that_leaves_in_the_middle_of_an_answer_costs_no_more_of_it(app: Flask) -> None:
    with serve(app, port=0) as port:
        with client(port) as leaving:
            leaving.sendall(ENDLESS)
            assert leaving.recv(1)
        wait_for(lambda: app.config["ENDED"] == 1)


# Many clients


def test_streams_hold_no_worker(app: Flask, board: Board) -> None:
    streams: Streams = app.extensions[EXTENSION]
    with serve(app, port=0, threads=1) as port, ExitStack() as stack:
        phones = [stack.enter_context(client(port)) for _ in range(20)]
        responses = [answer(phone, STREAM) for phone in phones]
        wait_for(lambda: streams.count == 20)
        assert request_json(port)[0] == 200
        board.publish(snapshot(2))
        for each in responses:
            while b'"version":2' not in each.readline().replace(b" ", b""):
                pass
    assert streams.count == 0


def test_a_stream_whose_phone_left_is_forgotten(port: int, app: Flask) -> None:
    streams: Streams = app.extensions[EXTENSION]
    with client(port) as phone:
        answer(phone, STREAM)
        wait_for(lambda: streams.count == 1)
    wait_for(lambda: streams.count == 0)


def test_asking_only_for_the_headers_of_a_stream_opens_none(port: int, app: Flask) -> None:
    streams: Streams = app.extensions[EXTENSION]
    with client(port) as phone:
        assert answer(phone, STREAM.replace(b"GET", b"HEAD")).headers["Content-Type"].startswith("text/event-stream")
        assert streams.count == 0


def test_there_is_room_for_more_streams_than_a_hall_has_phones() -> None:
    assert MOST_STREAMS >= 200


def test_one_address_has_so_many_connections_and_others_are_answered(port: int) -> None:
    with ExitStack() as stack:
        connections = [stack.enter_context(client(port, "127.0.0.9")) for _ in range(MOST_PER_ADDRESS)]
        assert answer(connections[-1], b"GET /api/session HTTP/1.1\r\nHost: localhost\r\n\r\n").status == 200
        assert read_rest(stack.enter_context(client(port, "127.0.0.9"))) == b""
        assert request_json(port)[0] == 200
        connections[0].close()
        wait_for(lambda: _is_answered(port, "127.0.0.9"))


def test_the_browsers_of_a_whole_evening_may_be_behind_one_address(port: int) -> None:
    """Four players, owner, guest, wall and broadcast, each with six connections and a stream: a router hides them."""
    with ExitStack() as stack:
        for _ in range(8 * (6 + 1)):
            browser = stack.enter_context(client(port, "127.0.0.9"))
            assert answer(browser, b"GET /api/session HTTP/1.1\r\nHost: localhost\r\n\r\n").status == 200


def _is_answered(port: int, address: str) -> bool:
    with client(port, address) as phone:
        phone.sendall(b"GET /api/session HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        return read_rest(phone).startswith(b"HTTP/1.1 200")


def test_connections_are_counted_all_together_and_by_address() -> None:
    counts = ConnectionCounts(limit=3, limit_each=2)
    assert [counts.enter(address) for address in ("a", "a", "a", "b", "c")] == [True, True, False, True, False]
    counts.leave("a")
    assert counts.enter("c")


RANGE = [f"2001:db8:0:1::{number:x}" for number in range(20)]
"""Addresses that one computer may have at once, in its network's /64."""


def test_one_range_of_addresses_leaves_connections_and_memory_to_others() -> None:
    counts, budget = ConnectionCounts(limit=8, limit_each=4), BodyBudget(100)
    assert sum(counts.enter(address) for address in RANGE) == 6
    assert counts.enter("2001:db8:0:2::1")
    assert counts.enter("192.0.2.7")
    counts.leave(RANGE[0])
    assert counts.enter(RANGE[7])
    with (
        budget.reservation(RANGE[0]) as first,
        budget.reservation(RANGE[1]) as second,
        budget.reservation("192.0.2.7") as other,
    ):
        first(50)
        second(25)
        with pytest.raises(asgi_client.BodyError):
            second(1)
        other(25)


def test_one_range_of_addresses_leaves_a_thread_to_others() -> None:
    async def turns() -> list[str]:
        pool, order = WorkerPool(3, "test", most_each=1), []

        async def take(address: str) -> None:
            async with pool.turn(address):
                order.append(address)
                await asyncio.sleep(0.05)

        tasks = [asyncio.create_task(take(address)) for address in (*RANGE[:4], "192.0.2.7")]
        await asyncio.sleep(0.01)
        at_once = list(order)
        await asyncio.gather(*tasks)
        assert len(order) == len(tasks)
        pool.close(1)
        return at_once

    with ThreadPoolExecutor(1) as executor:  # a browser's tests may keep a loop in this thread
        assert executor.submit(asyncio.run, turns()).result() == [*RANGE[:2], "192.0.2.7"]


def test_a_stream_that_is_cancelled_while_news_arrives_ends(app: Flask) -> None:
    async def has_ended() -> bool:
        lanes = Lanes(1)
        bridge = FlaskBridge(app, lanes)
        here = SimpleNamespace(closed=asyncio.get_running_loop().create_future())
        scope = {
            "type": "http",
            "method": "GET",
            "path": "/api/stream",
            "raw_path": b"/api/stream",
            "query_string": b"",
            "http_version": "1.1",
            "scheme": "http",
            "headers": [(b"host", b"localhost")],
            "server": ("localhost", 80),
            "client": ("127.0.0.1", 1),
            "state": {connection.CONNECTION: here},
        }
        messages = asyncio.Queue[Any]()
        messages.put_nowait({"type": "http.request", "body": b"", "more_body": False})

        async def send(_: object) -> None:
            pass

        task = asyncio.create_task(bridge(scope, messages.get, send))
        async with asyncio.timeout(PATIENCE_S):
            while not any(news._waiters for news in bridge._news_events):
                await asyncio.sleep(0.005)
        bridge.wake_streams()
        task.cancel()
        done, _ = await asyncio.wait([task], timeout=2)
        lanes.close(1)
        return task in done

    with ThreadPoolExecutor(1) as executor:
        assert executor.submit(asyncio.run, has_ended()).result()


def test_a_system_that_allows_few_open_files_gets_fewer_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    asked_for: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: asked_for.append(limits))
    for limits, expected in (
        ((1024, 524288), 1000),
        ((256, 512), 512 - OTHER_FILES),
        ((-1, -1), 1000),
        ((5000, -1), 1000),
    ):
        monkeypatch.setattr(resource, "getrlimit", lambda _, limits=limits: limits)
        assert most_connections(1000) == expected
    assert asked_for == [(1000 + OTHER_FILES, 524288), (512, 512)]


# Long requests


@pytest.fixture
def gate(app: Flask) -> Iterator[threading.Event]:
    """Opens for the pages that wait for it; `STARTED` counts them."""
    gate, app.config["STARTED"] = threading.Event(), 0

    def waits(**_: str) -> Response:
        app.config["STARTED"] += 1
        gate.wait(PATIENCE_S)
        return jsonify("done")

    app.add_url_rule("/waits", view_func=waits)
    app.add_url_rule("/games/<which>", endpoint="long", view_func=waits)
    yield gate
    gate.set()


def get(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


def test_long_requests_of_one_address_leave_threads_to_the_others(app: Flask, gate: threading.Event) -> None:
    with serve(app, port=0) as port, ExitStack() as stack:
        for _ in range(THREADS):
            stack.enter_context(client(port, "127.0.0.9")).sendall(get("/waits"))
        wait_for(lambda: app.config["STARTED"])
        assert request_json(port, "/api/table")[0] == 200
        gate.set()
        wait_for(lambda: app.config["STARTED"] == THREADS)


def test_pages_of_whole_games_hold_up_no_other_page_not_even_their_own_address(
    app: Flask, gate: threading.Event
) -> None:
    with serve(app, port=0) as port, ExitStack() as stack:
        for each in range(8):
            stack.enter_context(client(port)).sendall(get(f"/games/{each}"))
        wait_for(lambda: app.config["STARTED"])
        assert request_json(port, "/api/table")[0] == 200
        assert app.config["STARTED"] == 1
        gate.set()


def test_a_busy_server_still_answers_the_watchdog_and_tells_its_streams(
    app: Flask, board: Board, gate: threading.Event
) -> None:
    with serve(app, port=0, threads=1) as port, client(port) as busy, client(port) as phone:
        busy.sendall(get("/waits"))
        wait_for(lambda: app.config["STARTED"])
        stream = answer(phone, STREAM)
        assert request_json(port, ADDRESS)[0] == 200
        board.publish(snapshot(2))
        while b'"version":2' not in stream.readline().replace(b" ", b""):
            pass
        gate.set()


def test_whoever_leaves_the_line_is_not_served(app: Flask, gate: threading.Event) -> None:
    with serve(app, port=0) as port, client(port) as first:
        first.sendall(get("/games/1"))
        wait_for(lambda: app.config["STARTED"])
        with client(port) as leaving:
            leaving.sendall(get("/games/2"))
            request_json(port)  # the server has read everything sent before
        request_json(port)
        gate.set()
        with client(port) as last:
            assert answer(last, get("/games/3")).status == 200
    assert app.config["STARTED"] == 2


def test_short_and_long_paths_are_paths_of_the_table(app: Flask) -> None:
    rules = [rule.rule for rule in app.url_map.iter_rules()]
    assert [rule for rule in rules if SHORT_PATHS.fullmatch(rule)] == ["/api/session", "/api/stream"]
    long = {"/games", "/moments", "/season", "/game/<int:number>/game.html", "/api/games/<int:game>/hands/<int:number>"}
    assert long < {rule for rule in rules if LONG_PATHS.fullmatch(rule)}
    assert not LONG_PATHS.fullmatch("/game")


# Bodies


def test_a_large_body_is_taken_once_the_page_wants_it(port: int) -> None:
    with client(port) as phone:
        assert json.load(answer(phone, post("/large", LARGE) + bytes(LARGE))) == {"size": LARGE}
        assert json.load(answer(phone, post("/large", 5) + bytes(5))) == {"size": 5}


@pytest.mark.parametrize(("path", "size"), [("/large", LARGE + 1), ("/small", 20_000), ("/api/photo", 5_000_000_000)])
def test_a_body_too_large_is_refused_before_any_of_it_has_come(port: int, path: str, size: int) -> None:
    with client(port) as phone:
        assert answer(phone, post(path, size)).status in (403, 413)


def test_a_body_that_is_waited_with_is_asked_for_only_where_it_is_wanted(port: int) -> None:
    with client(port) as phone:
        phone.sendall(post("/large", LARGE, "Expect: 100-continue"))
        assert phone.recv(100).startswith(b"HTTP/1.1 100")
    with client(port) as phone:
        assert answer(phone, post("/large", LARGE + 1, "Expect: 100-continue")).status == 413


def test_a_body_in_chunks_is_small_or_refused(port: int) -> None:
    head = b"POST /small HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    with client(port) as phone:
        assert json.load(answer(phone, head + b"3\r\nabc\r\n0\r\n\r\n")) == {"size": 3}
        assert answer(phone, head + b"8000\r\n" + bytes(0x8000) + b"\r\n").status == 411


def test_half_sent_uploads_of_one_address_hold_up_neither_small_bodies_nor_others(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    budget = BodyBudget(2 * LARGE)
    monkeypatch.setattr(flask_bridge, "BodyBudget", lambda limit: budget if limit == LARGE_HELD else BodyBudget(limit))
    with serve(app, port=0) as port, client(port) as slow, client(port) as next_one, client(port, "127.0.0.9") as other:
        slow.sendall(post("/large", LARGE) + bytes(LARGE - 1))
        wait_for(lambda: budget._free == LARGE + 1)
        refused = answer(next_one, post("/api/large", 20_000) + bytes(20_000))
        assert (refused.status, json.load(refused)) == (
            503,
            {"error": "expected fewer uploads at once: try again", "said": catalogue().text("refused.no_answer")},
        )
        assert json.load(answer(next_one, post("/small", 4) + b"four")) == {"size": 4}
        assert json.load(answer(other, post("/large", LARGE) + bytes(LARGE))) == {"size": LARGE}
        assert json.load(answer(slow, b"x")) == {"size": LARGE}
        wait_for(lambda: budget._free == 2 * LARGE)


def test_all_bodies_together_are_limited() -> None:
    budget = BodyBudget(100)
    with budget.reservation("a") as first, budget.reservation("b") as second, budget.reservation("c") as third:
        first(50)
        second(50)
        for take in (first, third):
            with pytest.raises(asgi_client.BodyError):
                take(1)
    with budget.reservation("c") as again:
        again(50)


def test_half_of_the_large_bodies_are_two_photos() -> None:
    assert 2 * MOST_PHOTO <= LARGE_HELD // 2


def test_what_was_refused_may_be_followed_by_another_request(port: int) -> None:
    with client(port) as phone:
        answer(phone, post("/small", 20_000)).read()
        assert json.load(answer(phone, bytes(20_000) + post("/small", 1) + b"x")) == {"size": 1}


# What is no request


@pytest.mark.parametrize(
    "bytes_sent",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET\r\n\r\n",
        b"\x00" * 100,
        b"GET / HTTP/1.1\r\n" + b"a" * 40_000,
    ],
    ids=["tls", "half a line", "zeros", "headers without end"],
)
def test_what_is_no_request_is_refused_and_costs_nothing_else(port: int, bytes_sent: bytes) -> None:
    with client(port) as odd:
        odd.sendall(bytes_sent)
        assert read_rest(odd).startswith(b"HTTP/1.1 4")
    assert request_json(port)[0] == 200


def test_a_header_that_passes_for_another_one_is_left_out(app: Flask) -> None:
    app.add_url_rule("/headers", view_func=lambda: jsonify(dict(request.headers)))
    with serve(app, port=0) as port, client(port) as phone:
        found = answer(
            phone, b"GET /headers HTTP/1.1\r\nHost: localhost\r\nX_Tachiai_Token: 1\r\nA-B: 2\r\nA-B: 3\r\n\r\n"
        )
        headers = json.load(found)
    assert headers["A-B"] == "2,3"
    assert "X-Tachiai-Token" not in headers


def test_addresses_with_other_letters_arrive_as_they_were_meant(app: Flask) -> None:
    app.add_url_rule("/say/<word>", view_func=lambda word: jsonify([word, request.args["q"]]))
    with serve(app, port=0) as port:
        assert request_json(port, "/say/%E7%AB%8B?q=%E4%BC%9A") == (200, ["立", "会"])


def test_closing_does_not_wait_for_silent_clients(app: Flask, tmp_path: Path) -> None:
    before = set(threading.enumerate())
    with ExitStack() as stack:
        with serve(app, port=0, tls=make_certificate(tmp_path)) as port:
            silent = [stack.enter_context(client(port)) for _ in range(3)]
        assert not set(threading.enumerate()) - before
        assert [read_rest(each) for each in silent] == [b""] * 3


def test_an_answer_that_breaks_off_ends_its_connection_and_is_logged(
    app: Flask, caplog: pytest.LogCaptureFixture
) -> None:
    def breaking() -> Iterator[bytes]:
        yield bytes(PIECE * 3)
        raise OSError("the clip is gone")

    app.add_url_rule("/breaking", view_func=lambda: Response(breaking()))
    with serve(app, port=0) as port, client(port) as phone:
        found = answer(phone, b"GET /breaking HTTP/1.1\r\nHost: localhost\r\n\r\n")
        with pytest.raises((http.client.IncompleteRead, ConnectionResetError)):
            found.read()
        assert request_json(port)[0] == 200
    assert "the clip is gone" in caplog.text


def test_ip_version_6_is_served_too(app: Flask) -> None:
    try:
        serving = serve(app, "::1", 0)
        port = serving.__enter__()
    except OSError:
        pytest.skip("NO IPv6 on this machine")
    try:
        with socket.create_connection(("::1", port), timeout=PATIENCE_S) as phone:
            assert answer(phone, b"GET / HTTP/1.1\r\nHost: [::1]\r\n\r\n").status == 200
    finally:
        serving.__exit__(None, None, None)
