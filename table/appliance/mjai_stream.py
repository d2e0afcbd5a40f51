"""Sends the game in play as mjai lines to clients of a port, or to standard output, without waiting for readers."""

from __future__ import annotations

import json
import logging
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol, TextIO

from table.game.journal.entries import Entry
from table.game.journal.game_openings import entries_until_undone
from table.game.snapshot import Board, Snapshot
from table.records.mjai.live_mjai import LiveMjai
from table.records.mjai.written_event import Line
from table.runtime.table_errors import ConfigError, JournalError
from table.runtime.worker import Worker

LOOK_S: Final = 0.2
"""Interval between checks for new clients."""
MOST_BYTES: Final = 4_000_000
"""Bytes queued for a client that does not read, before it is dropped."""
MOST_LISTENERS: Final = 16
"""Limit of clients; each keeps a copy of the game until it has read it."""
_log = logging.getLogger(__name__)
Entries = Callable[[int, int | None], tuple[Entry, ...]]
"""Returns a journal's entries above one number and up to another."""


class Listeners(Protocol):
    """The receivers of the lines."""

    def say(self, text: str) -> None:
        """Sends some lines."""

    def tend(self, so_far: str) -> None:
        """Accepts new clients, who get the lines `so_far` first, and sends pending lines."""

    def close(self) -> None:
        """Closes the connections."""


class MjaiStream(Worker):
    """Follows the table's game. A context manager; every client gets the game in play from its start.

    If the opening of a game is undone, the game before it is sent again from its start, marked `"again": true`.
    """

    def __init__(self, board: Board, entries: Entries, listeners: Listeners) -> None:
        super().__init__("mjai-stream")
        self._board, self._entries, self._listeners = board, entries, listeners
        self._live = LiveMjai()
        self._known: tuple[Entry, ...] = ()
        self._games: set[int] = set()
        """The games of which lines were sent, by the numbers of their openings."""
        self._so_far = ""

    def _run(self) -> None:
        version = -1
        while not self._stopping.is_set():
            snapshot = self._board.wait_for(version, LOOK_S)
            if snapshot.version != version:
                version = snapshot.version
                self._follow(snapshot)
            self._listeners.tend(self._so_far)
            if self._board.is_closed:
                break
        self._listeners.close()

    def _follow(self, snapshot: Snapshot) -> None:
        try:
            if self._known and snapshot.opened_by != self._known[0].number:
                if snapshot.opened_by > self._known[0].number:
                    self._say(upto=snapshot.opened_by - 1)
                self._live, self._known, self._so_far = LiveMjai(), (), ""
            if snapshot.opened_by:
                self._say(after=snapshot.opened_by - 1)
        except JournalError as error:
            _log.error("the mjai stream has stopped: %s", error)

    def _say(self, *, after: int = 0, upto: int | None = None) -> None:
        """Sends the lines of the entries since the last call."""
        last = self._known[-1].number if self._known else after
        new = self._entries(last, upto)
        if not new:
            return
        self._known = (*entries_until_undone((*self._known, *new)),)
        lines = self._live.new_lines(self._known)
        if lines and not self._so_far:
            number = self._known[0].number
            lines[0] |= {"again": True} if number in self._games else {}
            self._games.add(number)
        text = "".join(f"{_written(line)}\n" for line in lines)
        self._so_far += text
        if text:
            self._listeners.say(text)


def _written(line: Line) -> str:
    return json.dumps({name: value for name, value in line.items() if name != "frame"}, ensure_ascii=False)


class OneReader:
    """Writes to a file, such as standard output, until it is closed."""

    def __init__(self, file: TextIO) -> None:
        self._file: TextIO | None = file

    def say(self, text: str) -> None:
        """Writes the lines at once; a closed reader is ignored."""
        if self._file is None:
            return
        try:
            self._file.write(text)
            self._file.flush()
        except (OSError, ValueError):
            _log.warning("standard output was closed: the mjai stream has ended")
            self._file = None

    def tend(self, so_far: str) -> None:
        """Does nothing: all lines were written already."""

    def close(self) -> None:
        """Does nothing: the file belongs to its opener."""


class PortListeners:
    """Sends to every client of a port."""

    def __init__(self, host: str, port: int) -> None:
        """Starts listening.

        Raises:
            ConfigError: the address cannot be used.
        """
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            self._door = socket.create_server((host, port), family=family)
        except OSError as error:
            raise ConfigError(f"expected a free address for mjai lines, got {host}:{port}: {error.strerror}") from error
        self._door.setblocking(False)
        self._waiting: dict[socket.socket, bytes] = {}

    @property
    def port(self) -> int:
        """The port number."""
        return int(self._door.getsockname()[1])

    def say(self, text: str) -> None:
        """Queues the lines for each client."""
        for each in self._waiting:
            self._waiting[each] += text.encode()

    def tend(self, so_far: str) -> None:
        """Accepts new clients and sends each as much as it can take; drops clients that are gone or do not read."""
        with suppress(OSError):
            while True:
                came, _ = self._door.accept()
                came.setblocking(False)
                self._take(came, so_far)
        for each, left in list(self._waiting.items()):
            try:
                if left:
                    self._waiting[each] = left[each.send(left) :]
                is_gone = len(self._waiting[each]) > MOST_BYTES
            except BlockingIOError:
                is_gone = len(left) > MOST_BYTES
            except OSError:
                is_gone = True
            if is_gone:
                each.close()
                del self._waiting[each]

    def _take(self, came: socket.socket, so_far: str) -> None:
        """Adds a client; closes it if there are too many, besides those that have closed their side."""
        if len(self._waiting) >= MOST_LISTENERS:
            for each in [each for each in self._waiting if _has_closed(each)]:
                each.close()
                del self._waiting[each]
        if len(self._waiting) >= MOST_LISTENERS:
            came.close()
        else:
            self._waiting[came] = so_far.encode()

    def close(self) -> None:
        """Closes the port and every connection."""
        for each, left in self._waiting.items():
            with suppress(OSError):
                each.setblocking(True)
                each.settimeout(LOOK_S)
                each.sendall(left)
            each.close()
        self._waiting.clear()
        self._door.close()


def _has_closed(client: socket.socket) -> bool:
    """Returns whether a client has closed its side, or the connection is lost."""
    try:
        return not client.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        return False
    except OSError:
        return True
