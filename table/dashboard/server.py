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

from table.dashboard.stream import EXTENSION, Streams

PATIENCE_S = 5.0
"""How long closing waits for requests that are still answered."""


@contextmanager
def serve(app: Flask, host: str = "127.0.0.1", port: int = 8000, *, threads: int = 32) -> Iterator[int]:
    """Serves the application while the context is open; yields the port, which `port=0` lets the system choose.

    Raises:
        OSError: the address cannot be used.
    """
    with socket.create_server((host, port), family=_family(host)) as listening:
        sockets: dict[int, Any] = {}
        server = create_server(app, map=sockets, sockets=[listening], threads=threads, ident="tachiai")
        real_port: int = listening.getsockname()[1]
        loop = threading.Thread(target=server.run, name="dashboard", daemon=True)
        loop.start()
        try:
            yield real_port
        finally:
            streams: Streams = app.extensions[EXTENSION]
            streams.close()
            server.trigger.pull_trigger(lambda: wasyncore.close_all(sockets, ignore_all=True))
            loop.join(PATIENCE_S)
            server.task_dispatcher.shutdown(cancel_pending=True, timeout=PATIENCE_S)


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET
