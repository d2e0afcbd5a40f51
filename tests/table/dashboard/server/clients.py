"""Clients of the real server, polite and otherwise, by plain sockets."""

from __future__ import annotations

import http.client
import json
import socket
from contextlib import closing
from typing import Any

from tests.fakes.waiting import PATIENCE_S

STREAM = b"GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n"


def client(port: int, address: str = "127.0.0.1") -> socket.socket:
    """A connection from one of this machine's own addresses."""
    return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S, source_address=(address, 0))


def request_json(port: int, address: str = "/api/session") -> tuple[int, Any]:
    """What a polite phone is answered: the status and the JSON."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)) as connection:
        connection.request("GET", address)
        answer = connection.getresponse()
        return answer.status, json.load(answer)


def read_rest(connection: socket.socket) -> bytes:
    """All that the server still sends before it ends a connection."""
    pieces = []
    try:
        while piece := connection.recv(65536):
            pieces.append(piece)
    except ConnectionResetError:
        pass
    return b"".join(pieces)


def answer(connection: socket.socket, request: bytes) -> http.client.HTTPResponse:
    """Sends bytes, and reads the answer to them."""
    connection.sendall(request)
    found = http.client.HTTPResponse(connection)
    found.begin()
    return found
