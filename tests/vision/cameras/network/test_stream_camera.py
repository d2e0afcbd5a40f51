from __future__ import annotations

import os
import threading
from base64 import b64encode
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar
from urllib.parse import quote, unquote

import cv2
import numpy as np
import pytest

from tests.fakes.free_port import free_port
from tests.fakes.played_rtsp import played_camera
from tests.fakes.waiting import PATIENCE_S, wait_for
from vision.addresses import without_secrets
from vision.cameras.network.stream_camera import StreamCamera, is_stream
from vision.errors import CameraError

ADDRESS = "rtsp://owner:secret@192.168.1.7:554/live?key=abc"


class Stream:
    """Gives pictures of rising brightness as it is told to, then nothing."""

    def __init__(self, *, is_there: bool = True) -> None:
        self.sent_frames = 0
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
        self.sent_frames += 1
        return True, np.full((48, 64, 3), self.sent_frames, np.uint8)

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
        wait_for(lambda: stream.sent_frames == 8 and camera._k == 7)
        newest = next(frames)
        assert (newest.k, newest.image[0, 0, 0]) == (7, 8)
        stream.end()
        assert list(frames) == []
    assert stream.released.wait(PATIENCE_S)


def test_a_stream_that_gives_nothing_in_time_ends() -> None:
    stream = Stream()
    with StreamCamera(ADDRESS, open_camera=lambda _: stream, patience_s=0.01, closing_s=0.01) as camera:
        assert list(camera.frames()) == []
    assert not stream.released.is_set()
    stream.end()
    assert stream.released.wait(PATIENCE_S)


class StutteringStream(Stream):
    """Fails thirty times before each picture."""

    def __init__(self) -> None:
        super().__init__()
        self._failures = 0

    def read(self) -> tuple[bool, Any]:
        self._failures += 1
        return super().read() if self._failures % 31 == 0 else (False, None)


def test_reads_that_fail_now_and_then_do_not_end_a_stream() -> None:
    stream = StutteringStream()
    stream.send(3)
    with StreamCamera(ADDRESS, open_camera=lambda _: stream) as camera:
        wait_for(lambda: camera._k == 2)
        stream.end()


class ResizedStream(Stream):
    """Gives pictures half as wide after the first one."""

    def read(self) -> tuple[bool, Any]:
        done, image = super().read()
        return done, image[:, :32] if self.sent_frames > 1 and done else image


def test_a_picture_of_another_size_is_left_out() -> None:
    stream = ResizedStream()
    with StreamCamera(ADDRESS, open_camera=lambda _: stream) as camera:
        frames = camera.frames()
        stream.send(1)
        assert next(frames).image.shape == (48, 64, 3)
        stream.send(1)
        wait_for(lambda: camera._k == 1)
        threading.Timer(0.05, stream.end).start()
        assert list(frames) == []


def test_closing_waits_until_the_last_read_has_ended() -> None:
    """A read that returned while Python ends would abort the program."""
    stream = Stream()
    camera = StreamCamera(ADDRESS, open_camera=lambda _: stream, closing_s=PATIENCE_S)
    threading.Timer(0.2, stream.send, (1,)).start()
    camera.close()
    assert stream.released.is_set()


def test_what_cannot_be_opened_is_told_without_its_password() -> None:
    with pytest.raises(CameraError, match=r"at rtsp://192\.168\.1\.7:554/live$"):
        StreamCamera(ADDRESS, open_camera=lambda _: Stream(is_there=False))
    with pytest.raises(CameraError, match="expected an address like"):
        StreamCamera("ftp://owner:secret@host/x")
    assert "secret" not in without_secrets("ftp://owner:secret@host/x")


WELL = "multipart/x-mixed-replace; boundary=frame"
PHONES = {
    "as the standard says": (WELL, b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%b\r\n"),
    "dashes in the name": (
        "multipart/x-mixed-replace;boundary=--dcmjpeg",
        b"--dcmjpeg\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%b\r\n",
    ),
    "no dashes": (WELL, b"frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%b\r\n"),
    "quoted": (
        'multipart/x-mixed-replace; boundary="frame"',
        b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%b\r\n",
    ),
    "no lengths": (WELL, b"--frame\r\nContent-Type: image/jpeg\r\nX-Bytes: %d\r\n\r\n%b\r\n"),
    "no lengths and no line behind": (WELL, b"--frame\r\nContent-Type: image/jpeg\r\nX-Bytes: %d\r\n\r\n%b"),
    "no type": (WELL, b"--frame\r\nContent-Length: %d\r\n\r\n%b\r\n"),
    "another type": (WELL, b"--frame\r\nContent-Type: image/jpg\r\nContent-Length: %d\r\n\r\n%b\r\n"),
}
"""What phones' programs write before each picture; the first is right, and all are met."""


class _Phones(BaseHTTPRequestHandler):
    """Phones' cameras as their own programs serve them: one JPEG after the other."""

    needs: ClassVar[str] = ""

    def do_GET(self) -> None:
        if self.needs and self.headers.get("Authorization") != self.needs:
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="table"')
            self.end_headers()
            return
        kind, part = PHONES[unquote(self.path[1:])]
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        with suppress(OSError):
            for level in range(0, 250, 5):
                jpeg = cv2.imencode(".jpg", np.full((48, 64, 3), level, np.uint8))[1].tobytes()
                self.wfile.write(part % (len(jpeg), jpeg))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Says nothing."""


@pytest.mark.parametrize("phone", PHONES)
def test_a_phone_s_stream_is_seen_by_http(phone: str) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Phones) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        with StreamCamera(f"http://127.0.0.1:{server.server_port}/{quote(phone)}") as camera:
            frames = list(camera.frames())
        server.shutdown()
    assert frames
    assert [frame.k for frame in frames] == sorted({frame.k for frame in frames})
    assert frames[-1].image.shape == (48, 64, 3)
    assert frames[-1].image.mean() > 200
    assert "OPENCV_FFMPEG_CAPTURE_OPTIONS" not in os.environ


class _GuardedPhones(_Phones):
    """The same for those alone who know the password."""

    needs: ClassVar[str] = f"Basic {b64encode(b'owner:secret').decode()}"


def test_a_phone_s_stream_is_seen_by_its_password_which_nothing_tells(
    capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    with ThreadingHTTPServer(("127.0.0.1", 0), _GuardedPhones) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        location = f"127.0.0.1:{server.server_port}/{quote('as the standard says')}"
        with StreamCamera(f"http://owner:secret@{location}") as camera:
            assert next(camera.frames()).image.shape == (48, 64, 3)
        with pytest.raises(
            CameraError, match=rf"got a refusal of this user and password \(401\), at http://{location}$"
        ) as raised:
            StreamCamera(f"http://owner:secreT@{location}")
        assert raised.value.says == "stream_login"
        with pytest.raises(CameraError, match=rf"got a question for user and password \(401\), at http://{location}$"):
            StreamCamera(f"http://{location}")
        server.shutdown()
    assert "secre" not in capfd.readouterr().err.lower() + caplog.text.lower()


def test_what_answers_by_http_and_sends_no_pictures_is_told() -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), SimpleHTTPRequestHandler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        with pytest.raises(CameraError, match="expected a stream of pictures, got the error 404, at ") as raised:
            StreamCamera(f"http://127.0.0.1:{server.server_port}/nothing.here?key=secret")
        assert (raised.value.says, "secret" in str(raised.value)) == ("stream_path", False)
        with pytest.raises(CameraError, match="expected a stream of pictures, got a web page, at ") as raised:
            StreamCamera(f"http://127.0.0.1:{server.server_port}/")
        assert raised.value.says == "stream_page"
        server.shutdown()


def test_a_camera_is_seen_by_rtsp_until_it_hangs_up_and_again_when_it_is_back() -> None:
    port = free_port()
    with played_camera([np.full((48, 64, 3), level, np.uint8) for level in (40, 120, 200)], port) as camera_server:
        camera = StreamCamera(camera_server.address)
        frames = camera.frames()
        received = [next(frames) for _ in range(5)]
    assert [frame.k for frame in received] == sorted({frame.k for frame in received})
    assert {round(frame.image.mean(), -1) for frame in received} <= {40, 120, 200}
    assert received[0].image.shape == (48, 64, 3)
    list(frames)  # ends
    with pytest.raises(CameraError, match=f"got no answer, at rtsp://127.0.0.1:{port}/live$") as raised:
        StreamCamera(camera_server.address)
    assert raised.value.says == "stream_away"
    with played_camera([np.full((48, 64, 3), 90, np.uint8)], port) as again, StreamCamera(again.address) as camera:
        assert round(next(camera.frames()).image.mean()) == 90


def test_a_camera_that_sends_h264_is_seen_by_its_password_on_its_own_path(
    capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    with played_camera([], login="owner:secret") as camera_server:
        address = camera_server.address.replace("//", "//owner:secret@")
        with StreamCamera(address) as camera:
            image = next(camera.frames()).image
        assert (image.shape, round(image.mean(), -1)) == ((48, 64, 3), 130)
        for wrong in (address.replace("secret", "secreT"), camera_server.address, address.replace("live", "other")):
            with pytest.raises(CameraError, match=r"got .+, at rtsp://127\.0\.0\.1:\d+/(live|other)$") as raised:
                StreamCamera(wrong)
            assert raised.value.says in ("stream_login", "stream_path")
    assert "secre" not in capfd.readouterr().err.lower() + caplog.text.lower()


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
