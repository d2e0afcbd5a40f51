"""A camera in the network that speaks RTSP: sends JPEG (RFC 2435) or H.264 (RFC 6184) by RTP, in its own connection."""

from __future__ import annotations

import base64
import struct
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import cycle
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import Final

import cv2

from vision.arrays import Image

PIECE: Final = 1300
"""Bytes of a picture in one packet."""
FPS: Final = 25
_CLOCK: Final = 90_000
_JPEG: Final = 26
_H264: Final = 96
_FRAGMENT: Final = 28
"""The type of a packet that holds a part of a unit."""
GREY_H264: Final = tuple(
    bytes.fromhex(unit)
    for unit in (
        "6742c00adc47b011000003000100000300320f122780",
        "68ce0f2c80",
        "65888404bc98a000202f2727275d75d75d75d780",
    )
)
"""A grey picture of 64 x 48: its two parameter sets, and itself."""
_WHOLE_TABLES: Final = 255
_SDP: Final = "\r\n".join(
    (
        "v=0",
        "o=- 0 0 IN IP4 127.0.0.1",
        "s=table",
        "c=IN IP4 0.0.0.0",
        "t=0 0",
        "m=video 0 RTP/AVP {kind}",
        "{more}",
        "a=control:1",
        "",
    )
)
"""What is sent, as the camera describes it."""


class RtspCamera(ThreadingTCPServer):
    """Serves pictures one after the other, again and again."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, pictures: Sequence[Image], port: int = 0, *, login: str = "") -> None:
        """Sends these pictures as JPEG, or without any a grey one as H.264; to all, or for `user:password` alone."""
        super().__init__(("127.0.0.1", port), _Session)
        self.kind = _JPEG if pictures else _H264
        self.packets = [list(_packets(*_parts(picture))) for picture in pictures] or [list(_units())]
        self.needed = f"Authorization: Basic {base64.b64encode(login.encode()).decode()}" if login else ""
        self.is_open = True

    @property
    def sdp(self) -> str:
        """What is sent, as the camera describes it."""
        more = "a=framerate:25" if self.kind == _JPEG else f"a=rtpmap:{_H264} H264/{_CLOCK}"
        return _SDP.format(kind=self.kind, more=more)

    @property
    def address(self) -> str:
        """Where it is watched."""
        return f"rtsp://127.0.0.1:{self.server_address[1]}/live"

    def hang_up(self) -> None:
        """Lets all who watch go, and the port."""
        self.is_open = False
        self.shutdown()
        self.server_close()


@contextmanager
def played_camera(pictures: Sequence[Image], port: int = 0, *, login: str = "") -> Iterator[RtspCamera]:
    """Serves pictures for as long as the context is open; then who watches is cut off."""
    with RtspCamera(pictures, port, login=login) as camera:
        threading.Thread(target=camera.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        try:
            yield camera
        finally:
            camera.hang_up()


class _Session(StreamRequestHandler):
    server: RtspCamera

    def handle(self) -> None:
        with suppress(OSError):
            while lines := self._request():
                method, place, _ = lines[0].split()
                number = next(line.split(":")[1].strip() for line in lines if line.lower().startswith("cseq"))
                if self.server.needed and self.server.needed not in lines:
                    self._refuse("401 Unauthorized", number, 'WWW-Authenticate: Basic realm="table"\r\n')
                elif "/live" not in place:
                    self._refuse("404 Not Found", number, "")
                else:
                    self._answer(method, number)
                    if method == "PLAY":
                        self._play()
                        return

    def _refuse(self, status: str, number: str, more: str) -> None:
        self.wfile.write(f"RTSP/1.0 {status}\r\nCSeq: {number}\r\n{more}\r\n".encode())

    def _request(self) -> list[str]:
        """The next request's lines; none where no more comes."""
        lines = []
        while line := self.rfile.readline().decode().strip():
            lines.append(line)
        return lines

    def _answer(self, method: str, number: str) -> None:
        more = {
            "OPTIONS": "Public: DESCRIBE, SETUP, PLAY, TEARDOWN\r\n",
            "DESCRIBE": f"Content-Type: application/sdp\r\nContent-Length: {len(self.server.sdp)}\r\n",
            "SETUP": "Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\nSession: 1\r\n",
        }.get(method, "Session: 1\r\n")
        body = self.server.sdp if method == "DESCRIBE" else ""
        self.wfile.write(f"RTSP/1.0 200 OK\r\nCSeq: {number}\r\n{more}\r\n{body}".encode())

    def _play(self) -> None:
        number = 0
        for k, picture in enumerate(cycle(self.server.packets)):
            if not self.server.is_open:
                return
            for packet, is_last in picture:
                marked = self.server.kind | (0x80 if is_last else 0)
                head = struct.pack(">BBHII", 0x80, marked, number & 0xFFFF, k * _CLOCK // FPS, 1)
                self.wfile.write(struct.pack(">cBH", b"$", 0, len(head) + len(packet)) + head + packet)
                number += 1
            time.sleep(1 / FPS)


def _units() -> Iterator[tuple[bytes, bool]]:
    """The packets of the grey picture: its parameter sets whole, itself in two parts."""
    *sets, picture = GREY_H264
    yield from ((unit, False) for unit in sets)
    header, kind, half = picture[0] & 0xE0 | _FRAGMENT, picture[0] & 0x1F, len(picture) // 2
    yield bytes([header, 0x80 | kind]) + picture[1:half], False
    yield bytes([header, 0x40 | kind]) + picture[half:], True


def _packets(tables: bytes, scan: bytes, shape: tuple[int, int]) -> Iterator[tuple[bytes, bool]]:
    height, width = shape
    for place in range(0, len(scan), PIECE):
        head = struct.pack(">IBBBB", place, 1, _WHOLE_TABLES, width // 8, height // 8)
        first = b"" if place else struct.pack(">BBH", 0, 0, len(tables)) + tables
        yield head + first + scan[place : place + PIECE], place + PIECE >= len(scan)


def _parts(picture: Image) -> tuple[bytes, bytes, tuple[int, int]]:
    """The tables and the scan of a picture as a JPEG."""
    jpeg = cv2.imencode(".jpg", picture)[1].tobytes()
    tables, place = b"", 2
    while True:
        marker, length = struct.unpack_from(">HH", jpeg, place)
        if marker == 0xFFDB:
            body = jpeg[place + 4 : place + 2 + length]
            tables += b"".join(body[at + 1 : at + 65] for at in range(0, len(body), 65))
        place += 2 + length
        if marker == 0xFFDA:
            return tables, jpeg[place:-2], (picture.shape[0], picture.shape[1])
