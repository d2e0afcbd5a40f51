"""Converts an ASGI request to a WSGI environment."""

from __future__ import annotations

import sys
from io import BytesIO
from typing import Any
from urllib.parse import unquote_to_bytes

from table.dashboard.server.asgi_client import Message
from table.dashboard.server.connection_limits import plain_address


def body_length(scope: Message) -> int | None:
    """Returns the length of the body according to the headers; 0 without a body, None if they do not say."""
    headers = dict(scope["headers"])
    if b"transfer-encoding" in headers:
        return None
    return int(headers.get(b"content-length", b"0"))


def environ_of(scope: Message, body: BytesIO, length: int) -> dict[str, Any]:
    """Returns the environment (PEP 3333) of a request with this body; `length` is the announced number of bytes."""
    body.seek(0)
    server, client = scope["server"] or ("localhost", None), scope["client"] or ("", 0)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1] or 80),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": plain_address(client[0]),
        "REMOTE_PORT": str(client[1]),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": body,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name, value in _headers(scope):
        environ[name] = f"{environ[name]},{value}" if name in environ else value
    if length:
        environ["CONTENT_LENGTH"] = str(length)
    return environ


def _headers(scope: Message) -> list[tuple[str, str]]:
    """Returns the headers by their WSGI names, without those that contain an underscore and could imitate others."""
    found = []
    for name, value in scope["headers"]:
        if b"_" in name or name in (b"content-length", b"transfer-encoding"):
            continue
        key = name.decode("latin-1").upper().replace("-", "_")
        found.append((key if key == "CONTENT_TYPE" else f"HTTP_{key}", value.decode("latin-1")))
    return found
