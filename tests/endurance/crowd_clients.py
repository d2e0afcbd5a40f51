"""The crowd itself: clients that hold connections without ever being done, by many addresses of this machine."""

from __future__ import annotations

import asyncio
import http.client
import ssl
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from multiprocessing.connection import Connection
from typing import Final

from tests.fakes.waiting import PATIENCE_S

HOST: Final = "127.0.0.1"
EACH: Final = 25
"""Connections by one address: fewer than the server allows."""
STREAMS: Final = 200
SILENT: Final = 100
TRICKLING: Final = 100
SLOW_BODIES: Final = 50
DEAF: Final = 50
GREEDY: Final = 100
"""Connections by one address, far more than the server allows."""
PHOTOS: Final = 60
TRICKLE_S: Final = 0.3
AGAIN_S: Final = 1.0
"""After which time a client that was sent away comes again."""
READ_BYTES: Final = 65536


@dataclass(frozen=True, slots=True)
class Session:
    """A browser's cookie and token."""

    cookie: str
    token: str

    @property
    def headers(self) -> dict[str, str]:
        """What its requests carry."""
        return {"Cookie": self.cookie, "X-Tachiai-Token": self.token}


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """Where the server is."""

    port: int
    is_tls: bool

    def connection(self) -> http.client.HTTPConnection:
        """A polite phone's next connection."""
        if self.is_tls:
            return http.client.HTTPSConnection(HOST, self.port, timeout=PATIENCE_S, context=trusting())
        return http.client.HTTPConnection(HOST, self.port, timeout=PATIENCE_S)

    async def connect(self, address: str, *, speaks: bool = True) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection by one of this machine's own addresses; one that does not speak never shakes hands."""
        context = trusting() if self.is_tls and speaks else None
        return await asyncio.open_connection(HOST, self.port, local_addr=(address, 0), ssl=context)


@dataclass(slots=True)
class Crowd:
    """What the crowd met."""

    streams: int = 0
    """Streams that heard the last version of the table."""
    events: int = 0
    photos: Counter[int] = field(default_factory=Counter)
    """How many photos were answered by which status."""
    sent_away: int = 0
    """Connections that the server ended."""


@cache
def trusting() -> ssl.SSLContext:
    """Trusts whoever answers: the certificate is made for the test."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def crowd_at(door: Door, sessions: list[Session], photo: bytes, pipe: Connection) -> None:
    """Comes in a process of its own: says when all are there, is told the last version, and says what it met."""
    asyncio.run(_come(door, sessions, photo, pipe))


async def _come(door: Door, sessions: list[Session], photo: bytes, pipe: Connection) -> None:
    met, versions = Crowd(), [0] * STREAMS
    async with asyncio.TaskGroup() as tasks:
        listeners = [tasks.create_task(_listen(door, n, versions, met)) for n in range(STREAMS)]
        await _until(lambda: all(versions))
        others = [(_silent, SILENT), (_trickle, TRICKLING), (_slow_body, SLOW_BODIES), (_deaf, DEAF), (_greedy, GREEDY)]
        running = [tasks.create_task(_again(met, client, door, n)) for client, count in others for n in range(count)]
        photo_tasks = [tasks.create_task(_send_photo(door, n, sessions[n % 4], photo, met)) for n in range(PHOTOS)]
        pipe.send("here")
        last = await asyncio.to_thread(pipe.recv)
        await _all_answered(photo_tasks)
        await _until(lambda: all(version >= last for version in versions))
        met.streams = sum(not each.done() for each in listeners)
        for task in (*listeners, *running):
            task.cancel()
    pipe.send(met)


async def _until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not condition():
            await asyncio.sleep(0.02)


async def _all_answered(tasks: Sequence[asyncio.Task[None]]) -> None:
    """Waits for the answers to photos, of which the server reads one at a time: for the next, never for all."""
    waiting = set(tasks)
    while waiting:
        answered, waiting = await asyncio.wait(waiting, timeout=PATIENCE_S, return_when=asyncio.FIRST_COMPLETED)
        assert answered, f"{len(waiting)} photos were not answered"


async def _again(met: Crowd, client: Callable[[Door, int], Awaitable[None]], door: Door, number: int) -> None:
    """Lets a client come again whenever it was sent away."""
    while True:
        with suppress(OSError, asyncio.IncompleteReadError):
            await client(door, number)
        met.sent_away += 1
        await asyncio.sleep(AGAIN_S)


async def _listen(door: Door, number: int, versions: list[int], met: Crowd) -> None:
    """An open page: hears every event, and which version of the table it tells."""
    reader, writer = await door.connect(f"127.0.1.{1 + number // EACH}")
    writer.write(b"GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
    rest = b""
    while data := await reader.read(READ_BYTES):
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            if line.startswith(b"id: "):
                versions[number] = int(line.removeprefix(b"id: "))
                met.events += 1


async def _silent(door: Door, number: int) -> None:
    """Says nothing at all, and by TLS does not even shake hands."""
    reader, writer = await door.connect(f"127.0.2.{1 + number // EACH}", speaks=False)
    with _closing(writer):
        await reader.read(1)


async def _trickle(door: Door, number: int) -> None:
    """Sends headers that never end, a byte at a time."""
    await _drip(door, f"127.0.3.{1 + number // EACH}", b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")


async def _slow_body(door: Door, number: int) -> None:
    """Sends a body that never ends, a byte at a time."""
    head = b"POST /api/press HTTP/1.1\r\nHost: localhost\r\nContent-Length: 16000\r\n\r\n"
    await _drip(door, f"127.0.4.{1 + number // EACH}", head)


async def _drip(door: Door, address: str, head: bytes) -> None:
    reader, writer = await door.connect(address)
    with _closing(writer):
        writer.write(head)
        while not reader.at_eof():
            writer.write(b"x")
            await writer.drain()
            with suppress(TimeoutError):
                async with asyncio.timeout(TRICKLE_S):
                    await reader.read(READ_BYTES)


async def _deaf(door: Door, number: int) -> None:
    """Asks for page after page and takes none of it."""
    _, writer = await door.connect(f"127.0.5.{1 + number // EACH}")
    with _closing(writer):
        while True:
            writer.write(b"GET /wall HTTP/1.1\r\nHost: localhost\r\n\r\n")
            await writer.drain()
            await asyncio.sleep(TRICKLE_S)


async def _greedy(door: Door, _: int) -> None:
    """One of too many connections by one address."""
    reader, writer = await door.connect("127.0.6.1", speaks=False)
    with _closing(writer):
        await reader.read(1)


async def _send_photo(door: Door, number: int, session: Session, photo: bytes, met: Crowd) -> None:
    """Sends a photo as the page does, and hears whether it was read."""
    reader, writer = await door.connect(f"127.0.7.{1 + number // EACH}")
    host, size = f"{HOST}:{door.port}", str(len(photo))
    headers = {"Host": host, "Content-Length": size, "Content-Type": "image/jpeg", **session.headers}
    lines = [f"{name}: {value}" for name, value in headers.items()]
    with _closing(writer):
        writer.write("\r\n".join(["POST /api/photo HTTP/1.1", *lines, "", ""]).encode() + photo)
        status = await reader.readline()
        met.photos[int(status.split()[1])] += 1


@contextmanager
def _closing(writer: asyncio.StreamWriter) -> Iterator[None]:
    """Ends a connection at once at the end of the context."""
    try:
        yield
    finally:
        writer.transport.abort()
