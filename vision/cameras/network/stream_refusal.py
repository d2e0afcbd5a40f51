"""Finds out why a network camera delivers nothing, by a request of our own, since OpenCV does not say."""

from __future__ import annotations

import base64
import socket
import ssl
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Final
from urllib.parse import SplitResult, unquote, urlsplit

TIMEOUT_S: Final = 3.0
_RTSP_PORT: Final = 554
_LONGEST: Final = 200
"""Bytes of an RTSP answer's first line."""
_UNAUTHORIZED, _FORBIDDEN, _REDIRECTIONS, _FAILURES = 401, 403, 300, 400

Refusal = tuple[str, str]
"""What came instead of pictures, for the message, and the key of the explanation for the host."""
NONE: Final[Refusal] = ("none", "")


def refusal_of(address: str) -> Refusal:
    """Returns why a stream's address gives no pictures; `NONE` if the reason cannot be found out.

    The password is sent only to a server that asks for it by HTTP's basic authentication, which OpenCV would answer
    too.
    """
    try:
        parts = urlsplit(address)
        if parts.scheme.lower().startswith("rtsp"):
            return _by_rtsp(parts)
        return _by_http(parts)
    except (ssl.SSLError, HTTPException, ValueError):
        return NONE
    except OSError:
        return "no answer", "stream_away"


def _by_http(parts: SplitResult) -> Refusal:
    status, kind, login_scheme = _answer(parts, {})
    if status == _UNAUTHORIZED and parts.username and login_scheme.lower().startswith("basic"):
        login = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()
        status, kind, _ = _answer(parts, {"Authorization": f"Basic {base64.b64encode(login).decode()}"})
    if status >= _FAILURES:
        return _by_status(status, has_login=bool(parts.username))
    if status >= _REDIRECTIONS or kind.lower().startswith("text/"):
        return "a web page", "stream_page"
    return NONE


def _answer(parts: SplitResult, headers: dict[str, str]) -> tuple[int, str, str]:
    """Returns an HTTP answer's status, its content type, and its request for a login."""
    kind = HTTPSConnection if parts.scheme.lower() == "https" else HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=TIMEOUT_S)
    try:
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.getheader("Content-Type", ""), answer.getheader("WWW-Authenticate", "")
    finally:
        connection.close()


def _by_rtsp(parts: SplitResult) -> Refusal:
    with socket.create_connection((parts.hostname or "", parts.port or _RTSP_PORT), TIMEOUT_S) as connection:
        if parts.scheme.lower() != "rtsp":
            return NONE
        public_address = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
        connection.sendall(f"DESCRIBE {public_address} RTSP/1.0\r\nCSeq: 1\r\nAccept: application/sdp\r\n\r\n".encode())
        words = connection.recv(_LONGEST).split(None, 2)
    status = int(words[1]) if len(words) > 1 and words[1].isdigit() else 0
    return _by_status(status, has_login=bool(parts.username)) if status >= _FAILURES else NONE


def _by_status(status: int, *, has_login: bool) -> Refusal:
    if status in (_UNAUTHORIZED, _FORBIDDEN):
        text = "a refusal of this user and password" if has_login else "a question for user and password"
        return f"{text} ({status})", "stream_login"
    return f"the error {status}", "stream_path"
