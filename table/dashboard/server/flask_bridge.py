"""Passes complete requests to Flask in a worker thread, and its answers to the client as fast as it accepts them.

Bodies are limited before they are read: small ones are read immediately; for a larger one, the page first decides
whether it accepts it, which costs neither memory nor time. Neither slow clients nor event streams occupy a thread, and
an address occupies only a few: its further requests wait in a line of their own.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from io import BytesIO
from typing import Any, Final, TypeVar

from flask import Flask
from werkzeug.wrappers import Response

from table.dashboard.live.event_stream import HEARTBEAT_S, EventStream
from table.dashboard.server.asgi_client import BodyBudget, BodyError, Client, ClientGoneError, Message, Receive, Send
from table.dashboard.server.lanes import Lanes
from table.dashboard.server.wsgi_environ import body_length, environ_of
from table.dashboard.web.request_environ import BODY_REFUSED, BODY_TO_COME, SMALL_BODY, STREAM_TAKER

SMALL_HELD: Final = 128 * SMALL_BODY
"""Bytes of all small bodies that may be received or processed at once; uploads cannot use them up."""
LARGE_HELD: Final = 18 * 1024 * 1024
"""Bytes of all large bodies at once; one address may use half of them, which is enough for two photos."""
PIECE: Final = 64 * 1024
"""Bytes of an answer that are made before any are sent."""
T = TypeVar("T")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class FlaskAnswer:
    """An answer of Flask."""

    response: Response
    first: bytes
    """The whole body, or the start of a long one."""
    rest: Iterator[bytes] | None
    """The rest of a long body; None if there is no more."""
    stream: EventStream | None
    """The events to send instead of a body; None for an ordinary answer."""


class FlaskBridge:
    """Flask as an ASGI application. Used by one event loop."""

    def __init__(self, app: Flask, lanes: Lanes) -> None:
        self._app = app
        self._lanes = lanes
        self._small, self._large = BodyBudget(SMALL_HELD), BodyBudget(LARGE_HELD)
        self._news_events: set[asyncio.Event] = set()

    def wake_streams(self) -> None:
        """Makes all streams check for due events."""
        for news in self._news_events:
            news.set()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answers one request."""
        client = Client(scope, receive, send)
        try:
            try:
                answer = await self._answer(scope, client)
            except BodyError as error:
                refusal = {BODY_REFUSED: (int(error.status), str(error))}
                answer = await self._run(environ_of(scope, BytesIO(), 0) | refusal, client)
            await self._send(answer, client)
        except (ClientGoneError, TimeoutError):
            client.abort()
        except Exception:
            _log.exception("an answer could not be created or sent completely")
            client.abort()

    async def _answer(self, scope: Message, client: Client) -> FlaskAnswer:
        announced = body_length(scope)
        length = SMALL_BODY if announced is None else announced
        budget = self._small
        if length > SMALL_BODY:
            page_answer = await self._run(environ_of(scope, BytesIO(), length) | {BODY_TO_COME: True}, client)
            if page_answer.response.status_code != HTTPStatus.CONTINUE:
                return page_answer
            budget = self._large
        with budget.reservation(client.address) as reserve:
            body = await client.body(length, reserve)
            return await self._run(environ_of(scope, body, body.tell()), client)

    async def _run(self, environ: dict[str, Any], client: Client) -> FlaskAnswer:
        return await self._in_turn(partial(_answer_of, self._app, environ), client)

    async def _in_turn(self, call: Callable[[], T], client: Client) -> T:
        """Makes a call for a client once its address has a turn.

        Raises:
            ClientGoneError: it has left before that.
        """
        workers = self._lanes.pool_for(client.path)
        async with workers.turn(client.address):
            client.check_is_here()
            return await workers.run(call)

    async def _send(self, answer: FlaskAnswer, client: Client) -> None:
        response = answer.response
        try:
            await client.begin(response.status_code, response.headers.to_wsgi_list())
            if answer.stream is not None:
                await self._send_stream(answer.stream, client)
                return
            await client.send(answer.first, is_last=answer.rest is None)
            if answer.rest is not None:
                await self._send_rest(answer.rest, client)
        finally:
            if answer.stream is not None:
                answer.stream.close()
            if answer.rest is not None:
                await self._lanes.pool_for(client.path).run(response.close)

    async def _send_rest(self, rest: Iterator[bytes], client: Client) -> None:
        """Makes each piece after the client has accepted the one before."""
        while (piece := await self._in_turn(partial(next, rest, None), client)) is not None:
            await client.send(piece, is_last=False)
        await client.send(b"", is_last=True)

    async def _send_stream(self, stream: EventStream, client: Client) -> None:
        """Sends events as they come, until the stream ends or the client leaves."""
        news = asyncio.Event()
        self._news_events.add(news)
        leaving = asyncio.create_task(client.wait_until_gone())
        leaving.add_done_callback(lambda _: news.set())
        try:
            while not (stream.is_over or leaving.done()):
                news.clear()
                if text := await self._lanes.short.run(stream.next_event):
                    await client.send(text.encode(), is_last=False)
                else:
                    with suppress(TimeoutError):
                        async with asyncio.timeout(HEARTBEAT_S):
                            await news.wait()
            await client.send(b"", is_last=True)
        finally:
            leaving.cancel()
            self._news_events.discard(news)


def _answer_of(app: Flask, environ: dict[str, Any]) -> FlaskAnswer:
    """Runs Flask; returns a short answer completely, and the start of a long one."""
    streams: list[EventStream] = []
    response = Response.from_app(app, {**environ, STREAM_TAKER: streams.append})
    pieces, first = response.iter_encoded(), bytearray()
    while len(first) < PIECE:
        piece = next(pieces, None)
        if piece is None:
            response.close()
            return FlaskAnswer(response, bytes(first), None, streams[0] if streams else None)
        first += piece
    return FlaskAnswer(response, bytes(first), pieces, None)
