from __future__ import annotations

import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import cv2
import numpy as np
import pytest

from tests.fakes.waiting import wait_for
from vision.cameras.stream_camera import StreamCamera, is_stream, without_secrets
from vision.errors import CameraError

ADDRESS = "rtsp://owner:secret@192.168.1.7:554/live?key=abc"


class Stream:
    """Gives pictures of rising brightness as it is told to, then nothing."""

    def __init__(self, *, is_there: bool = True) -> None:
        self.sent = 0
        self.released = threading.Event()
        self._is_there = is_there
        self._next = threading.Semaphore(0)
        self._over = threading.Event()

    def send(self, count: int) -> None:
        for _ in range(count):
            self._next.release()

    def end(self) -> None:
        self._over.set()
        self._next.release()

    def isOpened(self) -> bool:  # noqa: N802
        return self._is_there

    def read(self) -> tuple[bool, Any]:
        if self._over.is_set():
            return False, None
        self._next.acquire()
        if self._over.is_set():
            return False, None
        self.sent += 1
        return True, np.full((48, 64, 3), self.sent, np.uint8)

    def get(self, prop: int, /) -> float:
        return 0.0

    def release(self) -> None:
        self.released.set()


def test_only_the_newest_picture_is_given_however_many_came() -> None:
    stream = Stream()
    with StreamCamera(ADDRESS, open_camera=lambda _: stream) as camera:
        frames = camera.frames()
        stream.send(1)
        assert next(frames).image[0, 0, 0] == 1
        stream.send(7)
        wait_for(lambda: stream.sent == 8 and camera._k == 7)
        newest = next(frames)
        assert (newest.k, newest.image[0, 0, 0]) == (7, 8)
        stream.end()
        assert list(frames) == []
    assert stream.released.wait(10)


def test_a_stream_that_gives_nothing_in_time_ends() -> None:
    stream = Stream()
    with StreamCamera(ADDRESS, open_camera=lambda _: stream, patience_s=0.01) as camera:
        assert list(camera.frames()) == []
    stream.end()
    assert stream.released.wait(10)


def test_what_cannot_be_opened_is_told_without_its_password() -> None:
    with pytest.raises(CameraError, match=r"at rtsp://192\.168\.1\.7:554/live$"):
        StreamCamera(ADDRESS, open_camera=lambda _: Stream(is_there=False))
    with pytest.raises(CameraError, match="expected an address like"):
        StreamCamera("ftp://owner:secret@host/x")
    assert "secret" not in without_secrets("ftp://owner:secret@host/x")


class _Phone(BaseHTTPRequestHandler):
    """A phone's camera as its own programs serve it: one JPEG after the other, without end."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        with suppress(OSError):
            for level in range(0, 250, 2):
                jpeg = cv2.imencode(".jpg", np.full((48, 64, 3), level, np.uint8))[1].tobytes()
                self.wfile.write(b"--frame\r\nContent-Type: image/jpeg\r\n")
                self.wfile.write(b"Content-Length: %d\r\n\r\n%b\r\n" % (len(jpeg), jpeg))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Says nothing."""


def test_a_phone_s_stream_is_seen_by_http() -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Phone) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with StreamCamera(f"http://127.0.0.1:{server.server_port}/video") as camera:
            frames = list(camera.frames())
        server.shutdown()
    assert frames
    assert [frame.k for frame in frames] == sorted({frame.k for frame in frames})
    assert frames[-1].image.shape == (48, 64, 3)
    assert frames[-1].image.mean() > 200


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("rtsp://192.168.1.7/live", True),
        ("http://phone.local:8080/video", True),
        ("HTTPS://a/b", True),
        ("rtsp://", False),
        ("/dev/video0", False),
        ("table.mp4", False),
        ("http://[", False),
    ],
)
def test_addresses_of_streams_are_told_from_other_words(address: str, expected: bool) -> None:
    assert is_stream(address) is expected
