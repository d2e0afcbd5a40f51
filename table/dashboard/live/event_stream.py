"""Server-sent events: every open page gets each new snapshot at once.

A stream holds one thread of the server, so their number is capped: a new one closes the oldest, whose page connects
again by itself when it is still there. Streams look every half second whether they must end.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Final

from flask import Blueprint, Response

from table.dashboard.live.private_hints import hints_view, with_hints, with_place
from table.dashboard.live.view_cache import ViewCache
from table.dashboard.web.browser_language import request_texts
from table.dashboard.web.roles import access, has_opted_in, visitor
from table.game.snapshot import Board, Snapshot

EXTENSION: Final = "tachiai.streams"
"""Where the application keeps its `Streams`."""
MOST: Final = 24
LOOK_S: Final = 0.5
HEARTBEAT_S: Final = 10.0
"""Silence after which a comment is sent, so that a dead connection is noticed."""


class Streams:
    """The open streams of one application, oldest first."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._open: list[threading.Event] = []
        self._lock = threading.Lock()
        self._closed = False

    @property
    def count(self) -> int:
        """How many are open."""
        with self._lock:
            return len(self._open)

    def open(self) -> threading.Event:
        """Adds a stream, ending the oldest where there are too many; returns what is set when it must end."""
        with self._lock:
            ending = threading.Event()
            self._open.append(ending)
            if self._closed:
                ending.set()
            while len(self._open) > self._most:
                self._open.pop(0).set()
            return ending

    def leave(self, ending: threading.Event) -> None:
        """Forgets a stream that ended."""
        with self._lock:
            if ending in self._open:
                self._open.remove(ending)

    def close(self) -> None:
        """Ends all streams, also those still to come; closing twice is the same as once."""
        with self._lock:
            self._closed = True
            for ending in self._open:
                ending.set()


def blueprint(board: Board, streams: Streams, rendering: ViewCache) -> Blueprint:
    """Returns the route of the stream."""
    routes = Blueprint("stream", __name__, url_prefix="/api")

    @routes.get("/stream")
    def stream() -> Response:
        texts, phone, opted_in, holders = request_texts(), visitor().phone, has_opted_in(), access().holders

        def write(snapshot: Snapshot) -> str:
            line = rendering.table(snapshot, texts)
            if not phone:
                return line
            seat = holders.seat_of(phone)  # asked each time: it may have been taken over since
            hints = [] if seat is None else hints_view(snapshot, seat, texts, opted_in=opted_in)
            return with_hints(with_place(line, seat, is_asked=holders.is_asked_of(phone)), hints)

        events = snapshots(board, streams, write)
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return Response(events, mimetype="text/event-stream", headers=headers)

    return routes


def snapshots(board: Board, streams: Streams, write: Callable[[Snapshot], str]) -> Iterator[str]:
    """Yields the latest snapshot and then each newer one as an event, until the stream or the board is closed.

    `write` makes one line of a snapshot. What was published in between is skipped: an event tells the whole table.
    """
    ending = streams.open()
    try:
        yield "retry: 1000\n\n"
        snapshot = board.latest
        yield _event(snapshot.version, write(snapshot))
        silent_s = 0.0
        while not (ending.is_set() or board.is_closed):
            newer = board.wait_for(snapshot.version, LOOK_S)
            if newer is not snapshot:
                snapshot, silent_s = newer, 0.0
                yield _event(snapshot.version, write(snapshot))
            elif (silent_s := silent_s + LOOK_S) >= HEARTBEAT_S:
                silent_s = 0.0
                yield ": still here\n\n"
    finally:
        streams.leave(ending)


def _event(version: int, data: str) -> str:
    return f"id: {version}\ndata: {data}\n\n"
