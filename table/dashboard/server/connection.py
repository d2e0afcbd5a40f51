"""One client connection: uvicorn's, with time limits for a request."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

IDLE_S: Final = 20.0
"""How long a connection may stay open without a request."""
HEADERS_S: Final = 10.0
"""Time limit for a request's headers, from their first byte on."""
BODY_S: Final = 30.0
"""Time limit for its body, even if it is discarded because the answer did not need it."""
MOST_HEADERS: Final = 16 * 1024
"""Limit of a request without its body, in bytes."""
MOST_AHEAD: Final = 64 * 1024
"""Bytes of further requests that may arrive before the current one is answered; more close the connection."""
MOST_WAITING: Final = 64 * 1024
"""Bytes of an answer that may be pending for a slow client before the next piece is made."""
CONNECTION: Final = "connection"
"""The key of the connection in a request's `state`."""


class Connection(H11Protocol):
    """Closes itself if the client takes too long to send a request, or sends many more before it is answered."""

    def __init__(self, config: Config, server_state: ServerState) -> None:
        super().__init__(config, server_state, {CONNECTION: self})
        self.closed: asyncio.Future[None] = self.loop.create_future()
        self._deadline: asyncio.TimerHandle | None = None
        self._has_begun = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Starts waiting for the first request."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(MOST_WAITING)
        self._allow(IDLE_S)

    def connection_lost(self, exc: Exception | None) -> None:
        """Notes that the connection is closed."""
        self._stop_waiting()
        super().connection_lost(exc)
        if not self.closed.done():
            self.closed.set_result(None)

    def data_received(self, data: bytes) -> None:
        """Receives bytes; a request must be complete soon after its first byte."""
        try:
            super().data_received(data)
        except h11.ProtocolError:
            self.abort()
        if self.conn.their_state is h11.DONE and len(self.conn.trailing_data[0]) > MOST_AHEAD:
            self.abort()
        if self._is_answering():
            self._stop_waiting()
        elif not self._has_begun:
            self._has_begun = True
            self._allow(HEADERS_S)

    def on_response_complete(self) -> None:
        """Starts waiting for the next request, or for the rest of a body that was not needed."""
        self._has_begun = self.conn.their_state is h11.SEND_BODY
        self._allow(BODY_S if self._has_begun else IDLE_S)
        super().on_response_complete()
        if self._is_answering():
            self._stop_waiting()

    def shutdown(self) -> None:
        """Closes the connection after its current answer; one that is closing is left alone.

        A TLS transport that is told twice to close forgets its connection, and then can neither end nor abort it.
        """
        if not self.transport.is_closing():
            super().shutdown()

    def abort(self) -> None:
        """Closes the connection at once, whatever is pending."""
        transport: Any = self.transport
        if transport is not None:
            transport.abort()

    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _allow(self, seconds: float) -> None:
        self._stop_waiting()
        self._deadline = self.loop.call_later(seconds, self.abort)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
