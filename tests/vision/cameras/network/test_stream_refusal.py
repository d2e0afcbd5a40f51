from __future__ import annotations

import threading
from base64 import b64encode
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import StreamRequestHandler, TCPServer, ThreadingTCPServer
from typing import ClassVar

import pytest

from vision.cameras.network.stream_refusal import NONE, refusal_of

LOGIN = f"Basic {b64encode(b'owner:secret').decode()}"
REFUSED = ("a refusal of this user and password (401)", "stream_login")
PAGE = ("a web page", "stream_page")


class _Web(BaseHTTPRequestHandler):
    """Answers by the first part of the path, and remembers which logins were sent."""

    logins: ClassVar[list[str | None]] = []

    def do_GET(self) -> None:
        login = self.headers.get("Authorization")
        self.logins.append(login)
        status, kind, asked = 200, "text/html", 'Basic realm="table"'
        match self.path.split("/")[1]:
            case "basic" if login != LOGIN:
                status = 401
            case "digest":
                status, asked = 401, 'Digest realm="table"'
            case "moved":
                status, kind = 302, ""
            case "busy":
                status = 503
            case "pictures?key=abc":
                kind = "multipart/x-mixed-replace"
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("WWW-Authenticate", asked)
        self.send_header("Location", "/page")  # followed where the status says that the page has moved
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Says nothing."""


class _Rtsp(StreamRequestHandler):
    """Answers with one line, and remembers what it was asked."""

    answer: ClassVar[bytes] = b""
    asked: ClassVar[list[bytes]] = []

    def handle(self) -> None:
        asked = self.request.recv(1000)
        if asked:
            self.asked.append(asked)
            self.wfile.write(self.answer)


def served(server: TCPServer) -> Iterator[str]:
    """Yields where a server listens, which ends with the test."""
    with server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"127.0.0.1:{server.socket.getsockname()[1]}"
        server.shutdown()


@pytest.fixture
def web() -> Iterator[str]:
    _Web.logins.clear()
    yield from served(ThreadingHTTPServer(("127.0.0.1", 0), _Web))


@pytest.fixture
def rtsp() -> Iterator[str]:
    _Rtsp.asked.clear()
    yield from served(ThreadingTCPServer(("127.0.0.1", 0), _Rtsp))


@pytest.mark.parametrize(
    ("user", "path", "refusal", "logins"),
    [
        ("owner:secret@", "basic", PAGE, [None, LOGIN]),
        ("owner:secreT@", "basic", REFUSED, [None, LOGIN.replace(LOGIN[6:], b64encode(b"owner:secreT").decode())]),
        ("owner:secret@", "digest", REFUSED, [None]),
        ("owner:secret@", "page", PAGE, [None]),
        ("", "basic", ("a question for user and password (401)", "stream_login"), [None]),
        ("", "moved", PAGE, [None]),
        ("", "busy", ("the error 503", "stream_path"), [None]),
        ("", "pictures?key=abc", NONE, [None]),
        ("", "pictures", PAGE, [None]),
    ],
)
def test_the_password_goes_to_no_web_server_but_one_that_asks_for_it(
    web: str, user: str, path: str, refusal: tuple[str, str], logins: list[str | None]
) -> None:
    assert (refusal_of(f"http://{user}{web}/{path}"), _Web.logins) == (refusal, logins)


@pytest.mark.parametrize(
    ("scheme", "answer", "refusal"),
    [
        ("rtsp", b"RTSP/1.0 401 Unauthorized\r\n", REFUSED),
        ("RTSP", b"RTSP/1.0 404 Not Found\r\n", ("the error 404", "stream_path")),
        ("rtsp", b"RTSP/1.0 200 OK\r\n", NONE),
        ("rtsp", b"RTSP/1.0 fine\r\n", NONE),
        ("rtsp", b"what\r\n", NONE),
        ("rtsps", b"RTSP/1.0 404 Not Found\r\n", NONE),
    ],
)
def test_a_camera_is_asked_by_rtsp_without_the_password(
    rtsp: str, monkeypatch: pytest.MonkeyPatch, scheme: str, answer: bytes, refusal: tuple[str, str]
) -> None:
    monkeypatch.setattr(_Rtsp, "answer", answer)
    assert refusal_of(f"{scheme}://owner:secret@{rtsp}/live") == refusal
    questions = [] if scheme == "rtsps" else [f"DESCRIBE {scheme.lower()}://{rtsp}/live RTSP/1.0".encode()]
    assert [asked.splitlines()[0] for asked in _Rtsp.asked] == questions


def test_a_server_without_encryption_is_not_asked_in_the_clear_for_an_encrypted_stream(web: str) -> None:
    assert (refusal_of(f"https://owner:secret@{web}/live"), _Web.logins) == (NONE, [])


def test_where_nobody_listens_the_stream_is_away(web: str) -> None:
    host, _ = web.split(":")
    assert refusal_of(f"http://{host}:1/live") == ("no answer", "stream_away")
