"""Runs the application in threads of this process: the one that owns the camera needs no second one."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flask import Flask
from waitress import wasyncore
from waitress.server import create_server
from werkzeug.serving import make_server

from table.dashboard.live.event_stream import EXTENSION, Streams

TlsFiles = tuple[str, str]
"""A certificate and its key."""
PATIENCE_S = 5.0
"""How long closing waits for requests that are still answered."""


@contextmanager
def serve(
    app: Flask, host: str = "127.0.0.1", port: int = 8000, *, threads: int = 32, tls: TlsFiles | None = None
) -> Iterator[int]:
    """Serves the application while the context is open; yields the port, which `port=0` lets the system choose.

    Raises:
        OSError: the address, or the certificate, cannot be used.
    """
    with socket.create_server((host, port), family=_family(host)) as listening:
        real_port: int = listening.getsockname()[1]
        with _plainly(app, listening, threads) if tls is None else _by_tls(app, listening, tls):
            yield real_port


@contextmanager
def _plainly(app: Flask, listening: socket.socket, threads: int) -> Iterator[None]:
    sockets: dict[int, Any] = {}
    server = create_server(app, map=sockets, sockets=[listening], threads=threads, ident="tachiai")
    loop = threading.Thread(target=server.run, name="dashboard", daemon=True)
    loop.start()
    try:
        yield
    finally:
        _end_streams(app)
        server.trigger.pull_trigger(lambda: wasyncore.close_all(sockets, ignore_all=True))
        loop.join(PATIENCE_S)
        server.task_dispatcher.shutdown(cancel_pending=True, timeout=PATIENCE_S)


@contextmanager
def _by_tls(app: Flask, listening: socket.socket, tls: TlsFiles) -> Iterator[None]:
    """Waitress speaks no TLS; the threaded server that comes with Flask does."""
    app.config["SESSION_COOKIE_SECURE"] = True
    host, port = listening.getsockname()[:2]
    server = make_server(host, port, app, threaded=True, ssl_context=tls, fd=listening.fileno())
    loop = threading.Thread(target=server.serve_forever, name="dashboard", daemon=True)
    loop.start()
    try:
        yield
    finally:
        _end_streams(app)
        server.shutdown()
        loop.join(PATIENCE_S)


def _end_streams(app: Flask) -> None:
    streams: Streams = app.extensions[EXTENSION]
    streams.close()


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET
