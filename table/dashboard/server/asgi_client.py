"""The client of a request: receives its body within limits, and sends the answer as fast as the network allows."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator, MutableMapping, Sequence
from contextlib import contextmanager
from email.utils import formatdate
from http import HTTPStatus
from io import BytesIO
from typing import Any, Final

from table.dashboard.server.connection import BODY_S, CONNECTION, Connection
from table.dashboard.web.security import HEADERS

Message = MutableMapping[str, Any]
"""What ASGI calls a scope, and what it receives and sends."""
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

MOST_HELD: Final = 8 * 1024 * 1024
"""Bytes of all bodies together that are being taken in or worked on."""
SEND_S: Final = 20.0
"""How long a client may take over one piece of an answer."""


class BodyError(Exception):
    """A body that is not taken in: the status of the answer, and what was expected."""

    def __init__(self, status: HTTPStatus, why: str) -> None:
        super().__init__(why)
        self.status = status


class ClientGoneError(Exception):
    """Nobody is there any more to be answered."""


class BodyBudget:
    """How much of all bodies may be held at once. Used by one thread."""

    def __init__(self, most: int = MOST_HELD) -> None:
        self._left = most

    @contextmanager
    def share(self) -> Iterator[Callable[[int], None]]:
        """Yields what takes a number of bytes for one request; gives all of them back in the end.

        Raises:
            BodyError: there are not that many left.
        """
        taken = 0

        def take(size: int) -> None:
            nonlocal taken
            if size > self._left:
                raise BodyError(HTTPStatus.SERVICE_UNAVAILABLE, "expected fewer uploads at once: send it again")
            self._left -= size
            taken += size

        try:
            yield take
        finally:
            self._left += taken


class Client:
    """The client of one request."""

    def __init__(self, scope: Message, receive: Receive, send: Send) -> None:
        self._receive = receive
        self._send = send
        self._connection: Connection = scope["state"][CONNECTION]

    async def body(self, most: int, take: Callable[[int], None]) -> BytesIO:
        """Returns the body once it is whole; `take` is told of every piece that is held.

        Raises:
            BodyError: it is too long, comes too slowly, or `take` refuses it.
            ClientGoneError: it never became whole.
        """
        body = BytesIO()
        try:
            async with asyncio.timeout(BODY_S):
                while True:
                    message = await self._receive()
                    if message["type"] != "http.request":
                        raise ClientGoneError
                    take(len(message["body"]))
                    body.write(message["body"])
                    if body.tell() > most:
                        raise BodyError(HTTPStatus.LENGTH_REQUIRED, "expected a Content-Length of so large a body")
                    if not message["more_body"]:
                        return body
        except TimeoutError:
            raise BodyError(HTTPStatus.REQUEST_TIMEOUT, f"expected the whole body within {BODY_S:.0f} s") from None

    async def gone(self) -> None:
        """Returns once the client has left; the body must have been taken in."""
        while (await self._receive())["type"] == "http.request":
            pass

    async def begin(self, status: int, headers: Sequence[tuple[str, str]]) -> None:
        """Sends how an answer begins."""
        encoded = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        encoded.append((b"date", formatdate(usegmt=True).encode()))
        await self._send({"type": "http.response.start", "status": status, "headers": encoded})

    async def send(self, piece: bytes, *, is_last: bool) -> None:
        """Sends a piece of an answer, once those before it are nearly gone.

        Raises:
            TimeoutError: the client does not take them.
            ClientGoneError: it has left.
        """
        async with asyncio.timeout(SEND_S):
            await self._send({"type": "http.response.body", "body": piece, "more_body": not is_last})
        if self._connection.lost.done():
            raise ClientGoneError

    def abort(self) -> None:
        """Ends its connection at once."""
        self._connection.abort()

    async def refuse(self, error: BodyError) -> None:
        """Answers what is not taken in, as pages answer it."""
        body = json.dumps({"error": str(error)}).encode()
        headers = [*HEADERS.items(), ("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
        await self.begin(error.status, [*headers, ("Cache-Control", "no-store")])
        await self.send(body, is_last=True)
