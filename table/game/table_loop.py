"""The thread that owns a table, and its inbox for cameras, buttons and phones."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from table.game.commands.game_commands import Command, JournalCommand
from table.game.journal.entries import Entry
from table.game.journal.fold import FoldedGame
from table.game.journal.journal_reader import GameStart, JournalReader
from table.game.live_table import Table
from table.game.snapshot import AccessNews, CameraHealth, CameraLoss, DeskClock, Mode, SavedClip, Snapshot
from table.runtime.log_throttle import LogThrottle
from table.runtime.table_errors import PressError
from table.runtime.threads import wait_until_ended
from vision.felt import FeltReport

__all__ = ["Message", "Table", "TableLoop"]
T = TypeVar("T")
_log = logging.getLogger(__name__)

Message = FeltReport | Command | CameraHealth | CameraLoss | SavedClip | AccessNews | DeskClock | Mode


class TableLoop:
    """The thread that owns a `Table`, and its inbox. A context manager; messages are handled in order of arrival."""

    def __init__(self, table: Table) -> None:
        """Takes the table; the thread runs inside the ``with`` block."""
        self._table = table
        self._reader = JournalReader(table.journal)
        self._inbox: queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = queue.SimpleQueue()
        self._has_ended = False
        self._end_lock = threading.Lock()
        """Held while a job is put into the inbox, so that none lies behind the end."""
        self._thread = threading.Thread(target=self._run, name="table-loop", daemon=True)

    def send(self, message: Message) -> Future[None]:
        """Puts a message into the inbox; the future completes when it was handled, or holds its `PressError`.

        Once the loop has ended, it holds a `TimeoutError` at once.
        """
        return self._put(lambda: self._handle_message(message))

    def _put(self, job: Callable[[], T]) -> Future[T]:
        """Puts a job into the inbox; the future completes when the loop has run it."""
        done: Future[T] = Future()
        with self._end_lock:
            if self._has_ended:
                done.set_exception(TimeoutError("expected a loop that runs, got one that has ended"))
            else:
                self._inbox.put((job, done))
        return done

    def report(self, report: FeltReport) -> None:
        """Sends a report and waits until it was handled.

        Raises:
            TimeoutError: the loop has ended.
        """
        self.send(report).result()

    def handle(self, command: Command, timeout: float = 5.0) -> None:
        """Sends a command and waits until it was carried out.

        Raises:
            PressError: it is refused; the message says why.
            TimeoutError: the loop did not get to it in time, and will not carry it out.
        """
        _result_or_cancelled(self.send(command), timeout)

    def tell(self, news: AccessNews, timeout: float = 5.0) -> None:
        """Announces a change of roles to everybody at the table.

        Raises:
            TimeoutError: the loop did not get to it in time; it is announced later.
        """
        self.send(news).result(timeout)

    def preview(self, command: JournalCommand, timeout: float = 5.0) -> tuple[Snapshot, FoldedGame]:
        """Returns the table as it is, and the game as it would be after a command.

        Both are of one moment: what anybody else does in between is in both or in neither.

        Raises:
            PressError: it would be refused; the message says why.
            TimeoutError: the loop did not get to it in time.
        """
        table = self._table
        return _result_or_cancelled(self._put(lambda: (table.board.latest, table.preview(command))), timeout)

    def entries(self, after: int, upto: int | None = None) -> tuple[Entry, ...]:
        """Returns the journal's entries above `after`, up to `upto`, without blocking the loop."""
        return self._reader.entries(after, upto)

    def games(self, after: int) -> tuple[GameStart, ...]:
        """Returns the starts of the games opened by entries above `after`, without blocking the loop."""
        return self._reader.games(after)

    def turn(self, timeout: float = 5.0) -> None:
        """Waits for one turn of the loop, in which the journal retries failed writes.

        Raises:
            TimeoutError: the loop did not complete a turn in time.
        """
        self._put(self._table.retry_journal).result(timeout)

    def __enter__(self) -> TableLoop:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with self._end_lock:
            self._has_ended = True
            self._inbox.put(None)
        wait_until_ended(self._thread)

    def _run(self) -> None:
        throttle = LogThrottle()
        while (item := self._inbox.get()) is not None:
            job, done = item
            if not done.set_running_or_notify_cancel():
                continue
            try:
                done.set_result(job())
            except Exception as error:  # the sender gets it; the loop must live on
                if not isinstance(error, PressError) and throttle.is_due_for(error):
                    _log.exception("a message could not be handled")
                done.set_exception(error)

    def _handle_message(self, message: Message) -> None:
        match message:
            case FeltReport():
                self._table.report(message)
            case CameraHealth():
                self._table.set_camera_health(message)
            case CameraLoss():
                self._table.set_camera_health(CameraHealth.LOST, reason=message.reason)
            case SavedClip():
                self._table.announce_clip(message)
            case AccessNews():
                self._table.announce_access(message)
            case DeskClock():
                self._table.set_desk_clock(message)
            case Mode():
                self._table.set_mode(message)
            case _:
                self._table.handle(message)


def _result_or_cancelled(done: Future[T], timeout: float) -> T:
    """Returns a job's result; a job that has not begun in time is cancelled, since its sender is told that it failed.

    Raises:
        TimeoutError: it has not begun in time, or takes as long again.
    """
    try:
        return done.result(timeout)
    except TimeoutError:
        if done.cancel():
            raise
    return done.result(timeout)
