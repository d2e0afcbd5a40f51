"""Server-sent events: every open page gets each new snapshot at once.

A stream holds one thread of the server, so their number is capped: a new one closes the oldest, whose page connects
again by itself when it is still there. Streams look every half second whether they must end.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from flask import Blueprint, Response

from table.dashboard.live.private_hints import hints_view, with_own
from table.dashboard.live.view_cache import ViewCache
from table.dashboard.web.browser_language import request_texts
from table.dashboard.web.roles import has_opted_in, visitor
from table.dashboard.web.security import token
from table.game.snapshot import Board, Snapshot
from table.rules.terms.seats import Seat

EXTENSION: Final = "tachiai.streams"
"""Where the application keeps its `Streams`."""
MOST: Final = 24
LOOK_S: Final = 0.5
HEARTBEAT_S: Final = 10.0
"""Silence after which a comment is sent, so that a dead connection is noticed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listener:
    """Who listens to a stream: one browser, and the seat that it sits at."""

    browser: str
    seat: Seat


class Streams:
    """The open streams of one application, oldest first."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._open: list[threading.Event] = []
        self._listeners: dict[threading.Event, Listener] = {}
        self._lock = threading.Lock()
        self._closed = False

    @property
    def count(self) -> int:
        """How many are open."""
        with self._lock:
            return len(self._open)

    def phones_at(self, seat: Seat | None) -> int:
        """How many browsers listen for a seat; one that took another seat since counts there alone."""
        with self._lock:
            seats = {each.browser: each.seat for ending in self._open if (each := self._listeners.get(ending))}
            return sum(each is seat for each in seats.values())

    def open(self, listener: Listener | None = None) -> threading.Event:
        """Adds a stream, ending the oldest where there are too many; returns what is set when it must end.

        Args:
            listener: whose it is; None for those who only watch.
        """
        with self._lock:
            ending = threading.Event()
            self._open.append(ending)
            if listener is not None:
                self._listeners[ending] = listener
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
            self._listeners.pop(ending, None)

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
        texts, who, opted_in = request_texts(), visitor(), has_opted_in()

        listener = None if who.seat is None else Listener(browser=token(), seat=who.seat)

        def write(snapshot: Snapshot) -> str:
            line = rendering.table(snapshot, texts)
            if who.seat is None:
                return line
            hints = hints_view(snapshot, who.seat, texts, opted_in=opted_in)
            return with_own(line, hints=hints, phones=streams.phones_at(who.seat))

        events = snapshots(board, streams, write, listener)
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return Response(events, mimetype="text/event-stream", headers=headers)

    return routes


def snapshots(
    board: Board, streams: Streams, write: Callable[[Snapshot], str], listener: Listener | None = None
) -> Iterator[str]:
    """Yields the latest snapshot and then each newer one as an event, until the stream or the board is closed.

    What was published in between is skipped: an event tells the whole table. A seat's own stream tells it again when
    other phones come to that seat, or leave it.

    Args:
        board: where snapshots are published.
        streams: the open streams, this one among them until it ends.
        write: makes one line of a snapshot.
        listener: whose stream it is; None for those who only watch.
    """
    ending = streams.open(listener)
    seat = None if listener is None else listener.seat
    try:
        yield "retry: 1000\n\n"
        snapshot, phones = board.latest, streams.phones_at(seat)
        yield _event(snapshot.version, write(snapshot))
        silent_s = 0.0
        while not (ending.is_set() or board.is_closed):
            newer = board.wait_for(snapshot.version, LOOK_S)
            if newer is not snapshot or phones != streams.phones_at(seat):
                snapshot, phones, silent_s = newer, streams.phones_at(seat), 0.0
                yield _event(snapshot.version, write(snapshot))
            elif (silent_s := silent_s + LOOK_S) >= HEARTBEAT_S:
                silent_s = 0.0
                yield ": still here\n\n"
    finally:
        streams.leave(ending)


def _event(version: int, data: str) -> str:
    return f"id: {version}\ndata: {data}\n\n"
