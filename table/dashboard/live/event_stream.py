"""Server-sent events: every open page gets each new snapshot immediately.

Our own server uses no thread per stream: whenever `Streams` signals news, it asks each `EventStream` for due events.
Under another server, as in tests, a stream is a blocking iterator. The number of streams is limited: one too many ends
the oldest stream of the address range that has most; its page reconnects by itself if it is still open.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from time import monotonic
from typing import Final

from flask import Blueprint, Response, request

from table.dashboard.live.private_hints import hints_view, seat_request_text, with_fullness, with_hints, with_own_seat
from table.dashboard.live.table_view import hand_dealer
from table.dashboard.live.view_cache import ViewCache
from table.dashboard.web.access.roles import access, has_opted_in, visitor
from table.dashboard.web.addresses.network_address import address_range
from table.dashboard.web.browser_language import request_texts
from table.dashboard.web.request_environ import STREAM_TAKER
from table.game.snapshot import Board, Snapshot
from table.runtime.listeners import Listeners

EXTENSION: Final = "tachiai.streams"
"""The application's key for its `Streams`."""
MOST_STREAMS: Final = 256
POLL_S: Final = 0.5
HEARTBEAT_S: Final = 10.0
"""Silence after which an event without news is sent, so that both ends notice a dead connection."""
GREETING: Final = "retry: 1000\n\n"
HEARTBEAT: Final = "event: alive\ndata: yes\n\n"


class Streams:
    """The open streams of one application, oldest first."""

    def __init__(self, limit: int = MOST_STREAMS) -> None:
        self._limit = limit
        self._open: list[tuple[threading.Event, str]] = []
        self._lock = threading.Lock()
        self._closed = False
        self._listeners = Listeners()

    @property
    def count(self) -> int:
        """The number of open streams."""
        with self._lock:
            return len(self._open)

    def open(self, origin: str = "") -> threading.Event:
        """Adds a stream; returns an event that is set when it must end.

        If there are too many, the oldest stream of the address range that has most streams ends.

        Args:
            origin: the address range of the client.
        """
        with self._lock:
            ending = threading.Event()
            self._open.append((ending, origin))
            if self._closed:
                ending.set()
            while len(self._open) > self._limit:
                ((busiest, _),) = Counter(each for _, each in self._open).most_common(1)
                oldest = next(stream for stream in self._open if stream[1] == busiest)
                self._open.remove(oldest)
                oldest[0].set()
        self.wake()
        return ending

    def leave(self, ending: threading.Event) -> None:
        """Removes a stream that has ended."""
        with self._lock:
            self._open = [stream for stream in self._open if stream[0] is not ending]

    def close(self) -> None:
        """Ends all streams, including later ones; closing twice does nothing."""
        with self._lock:
            self._closed = True
            for ending, _ in self._open:
                ending.set()
        self.wake()

    def call_on_change(self, call: Callable[[], None]) -> ExitStack:
        """Calls `call` whenever a stream may have an event or must end, until the returned context is left.

        It may be called from any thread, and must not block.
        """
        return self._listeners.add(call)

    def wake(self) -> None:
        """Notifies all listeners that streams may have events."""
        self._listeners.call()


class EventStream:
    """The events of one open page. Not for several threads at once."""

    def __init__(
        self,
        board: Board,
        streams: Streams,
        write: Callable[[Snapshot], str],
        get_extra: Callable[[], bool] = lambda: False,
        origin: str = "",
    ) -> None:
        """Opens the stream.

        Args:
            board: the source of snapshots.
            streams: all open streams.
            write: returns a snapshot as one line.
            get_extra: returns a value that the line contains, too; an event is also due when it changes.
            origin: the address range of the client.
        """
        self._board = board
        self._streams = streams
        self._write = write
        self._ending = streams.open(origin)
        self._get_extra = get_extra
        self._last_sent: tuple[int, bool] | None = None
        self._sent_at: float | None = None

    @property
    def is_over(self) -> bool:
        """Whether it must end."""
        return self._ending.is_set() or self._board.is_closed

    def next_event(self) -> str:
        """Returns the text to send now, without waiting; empty if there is none.

        Snapshots in between are skipped, since every event contains the whole table.
        """
        text = self._make_event()
        if text:
            self._sent_at = monotonic()
        return text

    def wait(self) -> None:
        """Waits for a newer snapshot, for a limited time."""
        self._board.wait_for(-1 if self._last_sent is None else self._last_sent[0], POLL_S)

    def close(self) -> None:
        """Ends the stream."""
        self._ending.set()
        self._streams.leave(self._ending)

    def _make_event(self) -> str:
        if self._sent_at is None:
            return GREETING
        snapshot, extra = self._board.latest, self._get_extra()
        if (snapshot.version, extra) != self._last_sent:
            self._last_sent = snapshot.version, extra
            return f"id: {snapshot.version}\ndata: {self._write(snapshot)}\n\n"
        return HEARTBEAT if monotonic() - self._sent_at >= HEARTBEAT_S else ""


def blueprint(board: Board, streams: Streams, rendering: ViewCache) -> Blueprint:
    """Returns the route of the stream."""
    routes = Blueprint("stream", __name__, url_prefix="/api")

    @routes.get("/stream")
    def stream() -> Response:
        texts, phone, opted_in, holders = request_texts(), visitor().phone, has_opted_in(), access().holders

        def write(snapshot: Snapshot) -> str:
            line = with_fullness(rendering.table(snapshot, texts), is_full=holders.is_full)
            if not phone:
                return line
            seat = holders.seat_of(phone)  # looked up each time, since the seat may have been taken over
            hints = [] if seat is None else hints_view(snapshot, seat, texts, opted_in=opted_in)
            dealer, names = hand_dealer(snapshot), snapshot.names
            request_text = seat_request_text(holders.request_to_answer(phone), seat, dealer, texts, names)
            return with_hints(with_own_seat(line, seat, request_text=request_text), hints)

        events: Iterator[str] = iter(())
        if request.method == "GET":
            origin = address_range(request.remote_addr or "")
            events_of_page = EventStream(board, streams, write, lambda: holders.is_full, origin)
            take = request.environ.get(STREAM_TAKER)
            if take is None:
                events = blocking_events(events_of_page)
            else:
                take(events_of_page)
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return Response(events, mimetype="text/event-stream", headers=headers)

    return routes


def blocking_events(stream: EventStream) -> Iterator[str]:
    """Yields a stream's events, waiting in between, until it is over."""
    try:
        yield stream.next_event()
        yield stream.next_event()
        while not stream.is_over:
            if text := stream.next_event():
                yield text
            else:
                stream.wait()
    finally:
        stream.close()
