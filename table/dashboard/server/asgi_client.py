"""The client of a request: receives its body within limits, and sends the answer as fast as the network allows."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, MutableMapping, Sequence
from contextlib import contextmanager
from email.utils import formatdate
from http import HTTPStatus
from io import BytesIO
from typing import Any, Final

from table.dashboard.server.connection import BODY_S, CONNECTION, Connection
from table.dashboard.server.connection_limits import plain_address, range_limit
from table.dashboard.web.addresses.network_address import address_range

Message = MutableMapping[str, Any]
"""ASGI's scope, and the messages that it receives and sends."""
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

SEND_S: Final = 20.0
"""Time limit for a client to accept one piece of an answer."""


class BodyError(Exception):
    """A body is refused: the status of the answer, and what was expected."""

    def __init__(self, status: HTTPStatus, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class ClientGoneError(Exception):
    """The client has left before it was answered."""


class BodyBudget:
    """The memory for all bodies at once: one address may use half of it, a range of addresses three quarters.

    Used by one thread.
    """

    def __init__(self, limit: int) -> None:
        self._free = limit
        self._most_each, self._most_of_range = limit // 2, range_limit(limit)
        self._by_address: Counter[str] = Counter()
        self._by_range: Counter[str] = Counter()

    @contextmanager
    def reservation(self, address: str) -> Iterator[Callable[[int], None]]:
        """Yields a function that reserves a number of bytes for one request; releases them all at the end.

        That function raises `BodyError` if too few bytes are left in total, for the address, or for its range.
        """
        reserved, range_ = 0, address_range(address)

        def reserve(size: int) -> None:
            nonlocal reserved
            of_range = self._most_of_range - self._by_range[range_]
            if size > min(self._free, self._most_each - self._by_address[address], of_range):
                raise BodyError(HTTPStatus.SERVICE_UNAVAILABLE, "expected fewer uploads at once: try again")
            self._free -= size
            self._by_address[address] += size
            self._by_range[range_] += size
            reserved += size

        try:
            yield reserve
        finally:
            self._free += reserved
            for count, name in ((self._by_address, address), (self._by_range, range_)):
                count[name] -= reserved
                if not count[name]:
                    del count[name]


class Client:
    """The client of one request."""

    def __init__(self, scope: Message, receive: Receive, send: Send) -> None:
        self._receive = receive
        self._send = send
        self._connection: Connection = scope["state"][CONNECTION]
        self.path: str = scope["path"]
        self.address = plain_address((scope["client"] or ("", 0))[0])

    async def body(self, limit: int, reserve: Callable[[int], None]) -> BytesIO:
        """Returns the complete body of at most `limit` bytes; `reserve` is called with the size of every piece.

        Raises:
            BodyError: it is too long, arrives too slowly, or `reserve` refuses it.
            ClientGoneError: the client left before it was complete.
        """
        body = BytesIO()
        try:
            async with asyncio.timeout(BODY_S):
                while True:
                    message = await self._receive()
                    if message["type"] != "http.request":
                        raise ClientGoneError
                    reserve(len(message["body"]))
                    body.write(message["body"])
                    if body.tell() > limit:
                        raise BodyError(HTTPStatus.LENGTH_REQUIRED, "expected a Content-Length for such a large body")
                    if not message["more_body"]:
                        return body
        except TimeoutError:
            raise BodyError(HTTPStatus.REQUEST_TIMEOUT, f"expected the whole body within {BODY_S:.0f} s") from None

    async def wait_until_gone(self) -> None:
        """Returns when the client has left; call it after the body was received."""
        while (await self._receive())["type"] == "http.request":
            pass

    async def begin(self, status: int, headers: Sequence[tuple[str, str]]) -> None:
        """Sends the start of an answer."""
        encoded = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        encoded.append((b"date", formatdate(usegmt=True).encode()))
        await self._send({"type": "http.response.start", "status": status, "headers": encoded})

    async def send(self, piece: bytes, *, is_last: bool) -> None:
        """Sends a piece of an answer, once those before it are almost sent.

        Raises:
            TimeoutError: the client does not accept them.
            ClientGoneError: it has left.
        """
        async with asyncio.timeout(SEND_S):
            await self._send({"type": "http.response.body", "body": piece, "more_body": not is_last})
        self.check_is_here()

    def check_is_here(self) -> None:
        """Checks that the client has not left.

        Raises:
            ClientGoneError: it has.
        """
        if self._connection.closed.done():
            raise ClientGoneError

    def abort(self) -> None:
        """Closes the connection at once."""
        self._connection.abort()
