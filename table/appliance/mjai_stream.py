"""Sends the game in play as mjai lines to clients of a port, or to standard output; the table waits for no reader."""

from __future__ import annotations

import json
import logging
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, Protocol, TextIO

from table.game.journal.entries import Entry
from table.game.journal.game_openings import entries_until_undone
from table.game.journal.history.game_history import games_of
from table.game.snapshot import Board, Snapshot
from table.records.mjai.fields.mjai_line import MjaiLine
from table.records.mjai.from_journal.live_mjai import LiveMjai
from table.runtime.log_throttle import LogThrottle
from table.runtime.table_errors import ConfigError
from table.runtime.threads import Worker
from vision.errors import reason

CHECK_S: Final = 0.2
"""Interval between checks for new clients, and pause before a journal that could not be read is read again."""
MOST_BYTES: Final = 4_000_000
"""Bytes queued for a client that does not read, before it is dropped."""
MOST_CLIENTS: Final = 16
"""Limit of clients; each keeps a copy of the game until it has read it."""
_log = logging.getLogger(__name__)
Entries = Callable[[int, int | None], tuple[Entry, ...]]
"""Returns a journal's entries above one number and up to another."""


class LineReceivers(Protocol):
    """The receivers of the lines."""

    def send(self, text: str) -> None:
        """Sends some lines."""

    def serve(self, lines_so_far: str) -> None:
        """Accepts new clients, who get `lines_so_far` first, and sends pending lines."""

    def close(self) -> None:
        """Closes the connections."""


class MjaiStream(Worker):
    """Follows the table's game. A context manager; every client gets the game in play from its start.

    A new client gets the present names. If the opening of a game is undone, the game before it is sent again from its
    start, marked `"again": true`.
    """

    def __init__(self, board: Board, entries: Entries, receivers: LineReceivers) -> None:
        super().__init__("mjai-stream")
        self._board, self._entries, self._receivers = board, entries, receivers
        self._live = LiveMjai()
        self._game = 0
        """The game that is sent, by the number of its opening; 0 for none yet."""
        self._has_end_failed = False
        """Whether an error kept the end of that game from being sent before the next one."""
        self._game_entries: tuple[Entry, ...] = ()
        self._opened_games: set[int] = set()
        """The games of which lines were sent, by the numbers of their openings."""
        self._lines_so_far = ""
        self._throttle = LogThrottle()

    def _run(self) -> None:
        version = -1
        while not self._stopping.is_set():
            snapshot = self._board.wait_for(version, CHECK_S)
            if snapshot.version != version:
                version = snapshot.version if self._follow(snapshot) else version
            try:
                self._receivers.serve(self._lines_so_far)
            except Exception as error:
                if self._throttle.is_due_for(error):
                    _log.exception("expected to serve the clients of the mjai stream, got an error; it goes on")
            if self._board.is_closed:
                break
        self._receivers.close()

    def _follow(self, snapshot: Snapshot) -> bool:
        """Sends the lines that are new; returns False, after a pause, if the journal cannot be read now.

        After any other error it is unknown which lines were sent, so the next snapshot sends the game from its start.
        """
        try:
            if self._game and snapshot.opened_by != self._game:
                self._end_game(snapshot.opened_by)
            if snapshot.opened_by:
                self._game = snapshot.opened_by
                self._send_new_lines()
                self._has_end_failed = False
        except OSError as error:  # also a JournalError
            if self._throttle.is_due_for(error):
                why = reason(error)
                _log.error("expected a journal for the mjai stream, which waits until it can be read, got: %s", why)
            self._stopping.wait(CHECK_S)
            return False
        except Exception as error:
            self._report(error, "the next change sends it from its start")
            self._begin_anew()
        return True

    def _end_game(self, next_game: int) -> None:
        """Sends the last lines of a game, and the games between it and the next one; its opening may have been undone.

        If that fails, the next snapshot sends the game once more from its start; if it fails again, the game's last
        lines and the games up to the next one are left out.
        """
        try:
            while 0 < self._game < next_game:
                following = self._send_new_lines(up_to=next_game - 1)
                self._begin_anew()
                self._game = following
        except OSError:
            raise
        except Exception as error:
            if not self._has_end_failed:
                self._has_end_failed = True
                raise
            self._report(error, "its last lines and the games up to the next one are left out")
        self._game, self._has_end_failed = 0, False
        self._begin_anew()

    def _report(self, error: Exception, outcome: str) -> None:
        if self._throttle.is_due_for(error):
            _log.error("expected the game as mjai lines, got an error; %s", outcome, exc_info=error)

    def _begin_anew(self) -> None:
        self._live, self._game_entries, self._lines_so_far = LiveMjai(), (), ""

    def _send_new_lines(self, *, up_to: int | None = None) -> int:
        """Sends the lines of the game's entries since the last call, or from its start.

        Returns the number of the opening of the game after it, 0 if none was read.
        """
        last = self._game_entries[-1].number if self._game_entries else self._game - 1
        new = self._entries(last, up_to)
        if not new:
            return 0
        own, following = _own_part((*self._game_entries, *new))
        self._game_entries = (*own,)
        lines = self._live.new_lines(self._game_entries)
        if lines and not self._lines_so_far:
            number = self._game_entries[0].number
            lines[0] |= {"again": True} if number in self._opened_games else {}
            self._opened_games.add(number)
        text = "".join(f"{_line_text(line)}\n" for line in lines)
        self._lines_so_far = _renamed(self._lines_so_far + text, self._live.names)
        if text:
            self._receivers.send(text)
        return following


def _own_part(entries: Sequence[Entry]) -> tuple[Sequence[Entry], int]:
    """Returns the entries that belong to the game that the first one opens, and the opening of the next game, or 0.

    The journal may go on with another game while its entries are read.
    """
    own = entries_until_undone(entries)
    if len(own) < len(entries):
        return own, 0
    own, *others = games_of(entries) or [entries]
    return own, others[0][0].number if others else 0


def _renamed(lines: str, names: list[str] | None) -> str:
    """Returns a game's lines with these names in the first one: people may have sat down since it was sent."""
    first, newline, others = lines.partition("\n")
    return lines if names is None else f"{_line_text({**json.loads(first), 'names': names})}{newline}{others}"


def _line_text(line: MjaiLine) -> str:
    return json.dumps({name: value for name, value in line.items() if name != "frame"}, ensure_ascii=False)


class FileReceiver:
    """Writes to a file, such as standard output, until it is closed."""

    def __init__(self, file: TextIO) -> None:
        self._file: TextIO | None = file

    def send(self, text: str) -> None:
        """Writes the lines at once; once the reader has gone, they are dropped."""
        if self._file is None:
            return
        try:
            self._file.write(text)
            self._file.flush()
        except (BrokenPipeError, ValueError):
            _log.warning("standard output was closed: the mjai stream has ended")
            self._file = None
        except OSError as error:
            expected = "expected a standard output that takes mjai lines"
            _log.error("%s, got: %s; the mjai stream has ended", expected, reason(error))
            self._file = None

    def serve(self, lines_so_far: str) -> None:
        """Does nothing: all lines were written already."""

    def close(self) -> None:
        """Does nothing: the file belongs to its opener."""


class PortReceivers:
    """Sends to every client of a port."""

    def __init__(self, host: str, port: int) -> None:
        """Starts listening.

        Raises:
            ConfigError: the address cannot be used.
        """
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            self._server_socket = socket.create_server((host, port), family=family)
        except OSError as error:
            raise ConfigError(f"expected a free address for mjai lines, got {host}:{port}: {error.strerror}") from error
        self._server_socket.setblocking(False)
        self._pending: dict[socket.socket, bytes] = {}

    @property
    def port(self) -> int:
        """The port number."""
        return int(self._server_socket.getsockname()[1])

    def send(self, text: str) -> None:
        """Queues the lines for each client."""
        for client in self._pending:
            self._pending[client] += text.encode()

    def serve(self, lines_so_far: str) -> None:
        """Accepts new clients and sends each as much as it can take; drops clients that are gone or do not read."""
        with suppress(OSError):
            while True:
                client, _ = self._server_socket.accept()
                client.setblocking(False)
                self._add_client(client, lines_so_far)
        for receiver, pending in list(self._pending.items()):
            try:
                if pending:
                    self._pending[receiver] = pending[receiver.send(pending) :]
                is_gone = len(self._pending[receiver]) > MOST_BYTES
            except BlockingIOError:
                is_gone = len(pending) > MOST_BYTES
            except OSError:
                is_gone = True
            if is_gone:
                receiver.close()
                del self._pending[receiver]

    def _add_client(self, client: socket.socket, lines_so_far: str) -> None:
        """Adds a client, or closes it if there are too many; first removes clients that have closed their side."""
        if len(self._pending) >= MOST_CLIENTS:
            for receiver in [receiver for receiver in self._pending if _has_closed(receiver)]:
                receiver.close()
                del self._pending[receiver]
        if len(self._pending) >= MOST_CLIENTS:
            client.close()
        else:
            self._pending[client] = lines_so_far.encode()

    def close(self) -> None:
        """Closes the port and every connection."""
        for client, pending in self._pending.items():
            with suppress(OSError):
                client.settimeout(CHECK_S)
                client.sendall(pending)
            client.close()
        self._pending.clear()
        self._server_socket.close()


def _has_closed(client: socket.socket) -> bool:
    """Returns whether a client has closed its side, or the connection is lost."""
    try:
        return not client.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        return False
    except OSError:
        return True
