"""Whoever listens hears the game from its start, each line once, and holds nothing up."""

from __future__ import annotations

import errno
import io
import json
import select
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, TextIO

import pytest

from table.appliance.mjai_stream import MOST_CLIENTS, FileReceiver, MjaiStream, PortReceivers
from table.game.commands.command_reader import read_result
from table.game.commands.game_commands import DeclareResult, NameSeats, OpenGame, Undo
from table.game.journal.entries import Entry
from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.snapshot import Board, Snapshot
from table.game.table_loop import Table, TableLoop
from table.rulebook.play_presets import HOME
from table.runtime.clock import SystemClock
from table.runtime.table_errors import ConfigError, JournalError
from tests.fakes.waiting import PATIENCE_S, wait_for

RON = {"kind": "ron", "wins": [{"seat": 1, "from": 0, "han": 3, "fu": 30}]}


Streaming = Callable[[Any], MjaiStream]


@pytest.fixture
def table() -> Iterator[Table]:
    with Journal(None) as journal:
        yield Table(journal=journal, referee=Referee(), ruleset=HOME, clock=SystemClock())


@pytest.fixture
def loop(table: Table) -> Iterator[TableLoop]:
    with TableLoop(table) as loop:
        yield loop


@pytest.fixture
def stream(table: Table, loop: TableLoop) -> Streaming:
    """Sends the table's game to listeners."""
    return lambda listeners: MjaiStream(table.board, loop.entries, listeners)


def tell(loop: TableLoop, hand: int) -> None:
    loop.handle(DeclareResult(result=read_result(RON), hand=hand))


@contextmanager
def listening(port: int) -> Iterator[TextIO]:
    with (
        socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as listener,
        listener.makefile(encoding="utf-8") as lines,
    ):
        yield lines


def types(text: str) -> list[str]:
    return [json.loads(line)["type"] for line in text.splitlines()]


HAND = ["start_kyoku", "hora", "end_kyoku"]


def test_lines_are_written_as_hands_are_told(loop: TableLoop, stream: Streaming) -> None:
    out = io.StringIO()
    with stream(FileReceiver(out)):
        tell(loop, 0)
        wait_for(lambda: types(out.getvalue()) == ["start_game", *HAND])
        tell(loop, 1)
        wait_for(lambda: types(out.getvalue()) == ["start_game", *HAND, *HAND])


@pytest.mark.parametrize("error", [JournalError("locked"), OSError(errno.EIO, "Input/output error")], ids=repr)
def test_what_the_journal_did_not_give_is_sent_once_it_does(
    table: Table, loop: TableLoop, caplog: pytest.LogCaptureFixture, error: OSError
) -> None:
    out, refusals = io.StringIO(), list[OSError]()

    def entries(after: int, upto: int | None) -> tuple[Entry, ...]:
        found = loop.entries(after, upto)
        if found and len(refusals) < 2:
            refusals.append(error)
            raise error
        return found

    tell(loop, 0)
    with MjaiStream(table.board, entries, FileReceiver(out)):
        wait_for(lambda: types(out.getvalue()) == ["start_game", *HAND])
    (record,) = caplog.records  # once a minute
    waiting = "expected a journal for the mjai stream, which waits until it can be read, got: "
    assert record.getMessage() == waiting + (error.strerror or "locked")


def test_after_an_error_of_any_kind_the_game_is_sent_from_its_start_and_the_error_logged_once(
    table: Table, loop: TableLoop, caplog: pytest.LogCaptureFixture
) -> None:
    out, is_bad = io.StringIO(), threading.Event()

    def entries(after: int, upto: int | None) -> tuple[Entry, ...]:
        if is_bad.is_set():
            raise ValueError("a bad value")
        return loop.entries(after, upto)

    with MjaiStream(table.board, entries, FileReceiver(out)):
        tell(loop, 0)
        wait_for(lambda: types(out.getvalue()) == ["start_game", *HAND])
        is_bad.set()
        tell(loop, 1)
        wait_for(lambda: bool(caplog.records))
        is_bad.clear()
        tell(loop, 2)
        wait_for(lambda: types(out.getvalue())[4:] == ["start_game", *HAND, *HAND, *HAND])
    assert json.loads(out.getvalue().splitlines()[4])["again"] is True
    (record,) = caplog.records
    said = "expected the game as mjai lines, got an error; the next change sends it from its start"
    assert record.getMessage() == said
    assert "a bad value" in caplog.text


class RefusingJournal:
    """A journal whose reading fails while `error` is set, or only so many times."""

    def __init__(self, loop: TableLoop) -> None:
        self.error: Exception | None = None
        self.times = 0
        self._loop = loop

    def fail(self, error: Exception, times: int = 10**6) -> None:
        self.error, self.times = error, times

    def entries(self, after: int, upto: int | None) -> tuple[Entry, ...]:
        found = self._loop.entries(after, upto)
        if found and self.error is not None and self.times > 0:
            self.times -= 1
            raise self.error
        return found


def test_after_an_error_in_a_change_of_games_the_old_game_is_sent_to_its_end_before_the_new_one(
    table: Table, loop: TableLoop
) -> None:
    out, journal = io.StringIO(), RefusingJournal(loop)
    with MjaiStream(table.board, journal.entries, FileReceiver(out)):
        tell(loop, 0)
        wait_for(lambda: types(out.getvalue()) == ["start_game", *HAND])
        for command in (partial(tell, loop, 1), partial(loop.handle, OpenGame())):
            journal.fail(ValueError("a bad value"), times=1)
            command()
            wait_for(lambda: journal.times == 0)
        tell(loop, 0)
        wait_for(lambda: types(out.getvalue())[4:] == ["start_game", *HAND, *HAND, "start_game", *HAND])
    starts = [line for line in map(json.loads, out.getvalue().splitlines()) if line["type"] == "start_game"]
    assert [line.get("again", False) for line in starts] == [False, True, False]


def test_a_game_whose_end_cannot_be_sent_twice_holds_up_no_later_game(
    table: Table, loop: TableLoop, caplog: pytest.LogCaptureFixture
) -> None:
    out, is_bad = io.StringIO(), threading.Event()

    def entries(after: int, upto: int | None) -> tuple[Entry, ...]:
        if is_bad.is_set() and upto is not None:
            raise ValueError(f"a bad value up to {upto}")
        return loop.entries(after, upto)

    with MjaiStream(table.board, entries, FileReceiver(out)):
        tell(loop, 0)
        wait_for(lambda: types(out.getvalue()) == ["start_game", *HAND])
        is_bad.set()
        loop.handle(OpenGame())
        wait_for(lambda: bool(caplog.records))
        tell(loop, 0)
        wait_for(lambda: types(out.getvalue())[4:] == ["start_game", *HAND])
        tell(loop, 1)
        wait_for(lambda: types(out.getvalue())[4:] == ["start_game", *HAND, *HAND])


def test_a_game_that_began_and_ended_while_the_journal_could_not_be_read_is_sent_as_one_of_its_own(
    table: Table, loop: TableLoop
) -> None:
    out, journal = io.StringIO(), RefusingJournal(loop)
    with MjaiStream(table.board, journal.entries, FileReceiver(out)):
        tell(loop, 0)
        wait_for(lambda: types(out.getvalue()) == ["start_game", *HAND])
        journal.fail(JournalError("locked"))
        tell(loop, 1)
        for hands in (2, 1):
            loop.handle(OpenGame())
            for hand in range(hands):
                tell(loop, hand)
        journal.error = None
        wait_for(lambda: types(out.getvalue())[4:] == [*HAND, "start_game", *HAND, *HAND, "start_game", *HAND])
    assert '"again"' not in out.getvalue()


def test_a_game_that_is_on_the_table_no_more_is_not_sent_again_before_the_next_one(
    table: Table, loop: TableLoop
) -> None:
    out, read = io.StringIO(), threading.Event()
    tell(loop, 0)
    loop.handle(OpenGame())
    tell(loop, 0)
    first, second = (game.number for game in loop.games(0))
    before, without, after = (
        Snapshot(version=version, game=table.state, opened_by=game) for version, game in enumerate((first, 0, second))
    )
    board = Board(before)

    class ReadReceiver(FileReceiver):
        def serve(self, lines_so_far: str) -> None:
            if not lines_so_far:
                read.set()

    with MjaiStream(board, loop.entries, ReadReceiver(out)):
        wait_for(lambda: types(out.getvalue()) == ["start_game", *HAND])
        board.publish(without)
        assert read.wait(PATIENCE_S)
        board.publish(after)
        wait_for(lambda: types(out.getvalue()) == ["start_game", *HAND, "start_game", *HAND])


def test_hands_of_the_next_game_are_not_sent_as_those_of_the_one_that_is_being_read(
    table: Table, loop: TableLoop
) -> None:
    out, is_reading, is_opened = io.StringIO(), threading.Event(), threading.Event()
    tell(loop, 0)

    def entries(after: int, upto: int | None) -> tuple[Entry, ...]:
        if not is_reading.is_set():
            is_reading.set()
            assert is_opened.wait(PATIENCE_S)
        return loop.entries(after, upto)

    with MjaiStream(table.board, entries, FileReceiver(out)):
        assert is_reading.wait(PATIENCE_S)
        loop.handle(OpenGame())
        tell(loop, 0)
        is_opened.set()
        wait_for(lambda: types(out.getvalue()) == ["start_game", *HAND, "start_game", *HAND])


def test_an_error_while_clients_are_served_does_not_end_the_stream(
    table: Table, loop: TableLoop, caplog: pytest.LogCaptureFixture
) -> None:
    out = io.StringIO()

    class BadReceiver(FileReceiver):
        def serve(self, lines_so_far: str) -> None:
            raise ValueError("a bad client")

    with MjaiStream(table.board, loop.entries, BadReceiver(out)):
        tell(loop, 0)
        wait_for(lambda: types(out.getvalue()) == ["start_game", *HAND])
        wait_for(lambda: bool(caplog.records))
        tell(loop, 1)
        wait_for(lambda: types(out.getvalue()) == ["start_game", *HAND, *HAND])
    (record,) = caplog.records
    assert record.getMessage() == "expected to serve the clients of the mjai stream, got an error; it goes on"


def test_a_full_disk_under_standard_output_is_named_and_ends_only_the_stream(
    loop: TableLoop, stream: Streaming, caplog: pytest.LogCaptureFixture
) -> None:
    with suppress(OSError), Path("/dev/full").open("w", encoding="utf-8") as full, stream(FileReceiver(full)):
        tell(loop, 0)
        wait_for(lambda: bool(caplog.records))
        tell(loop, 1)
    (record,) = caplog.records
    assert record.getMessage() == (
        "expected a standard output that takes mjai lines, got: No space left on device; the mjai stream has ended"
    )


def test_a_game_that_is_on_the_table_again_is_sent_again_and_marked_so(loop: TableLoop, stream: Streaming) -> None:
    out = io.StringIO()
    with stream(FileReceiver(out)):
        tell(loop, 0)
        wait_for(lambda: types(out.getvalue()) == ["start_game", *HAND])
        loop.handle(OpenGame())
        wait_for(lambda: types(out.getvalue()).count("start_game") == 2)  # else the new game may pass unheard
        loop.handle(Undo(act=loop.games(0)[-1].number))
        wait_for(lambda: '"again": true' in out.getvalue())
        lines = [json.loads(line) for line in out.getvalue().partition('"again": true')[2].splitlines()[1:]]
        assert [line["type"] for line in lines] == HAND
        assert [line["type"] for line in map(json.loads, out.getvalue().splitlines()) if "again" in line] == [
            "start_game"
        ]


def test_hands_of_the_game_before_are_not_sent_as_those_of_a_game_whose_opening_was_undone_at_once(
    table: Table, loop: TableLoop
) -> None:
    out, is_reading, is_undone = io.StringIO(), threading.Event(), threading.Event()
    tell(loop, 0)
    opening = loop.games(0)[-1].number

    def entries(after: int, upto: int | None) -> tuple[Entry, ...]:
        if after == table.board.latest.opened_by - 1 > opening and not is_reading.is_set():
            is_reading.set()
            assert is_undone.wait(PATIENCE_S)
        return loop.entries(after, upto)

    with MjaiStream(table.board, entries, FileReceiver(out)):
        wait_for(lambda: types(out.getvalue()) == ["start_game", *HAND])
        loop.handle(OpenGame())
        assert is_reading.wait(PATIENCE_S)
        loop.handle(Undo(act=loop.games(0)[-1].number))
        tell(loop, 1)
        is_undone.set()
        wait_for(lambda: types(out.getvalue())[4:] == ["start_game", "start_game", *HAND, *HAND])


def test_who_connects_late_hears_the_game_from_its_start(loop: TableLoop, stream: Streaming) -> None:
    receivers = PortReceivers("127.0.0.1", 0)
    with stream(receivers):
        tell(loop, 0)
        with listening(receivers.port) as lines:
            assert types("".join(lines.readline() for _ in range(4))) == ["start_game", *HAND]
            tell(loop, 1)
            assert types("".join(lines.readline() for _ in range(3))) == HAND


def test_who_connects_after_players_sat_down_hears_their_names(loop: TableLoop, stream: Streaming) -> None:
    receivers, names = PortReceivers("127.0.0.1", 0), ("Aki", "Ben", "Chie", "Dan")
    with stream(receivers), listening(receivers.port) as early:
        tell(loop, 0)
        assert json.loads(early.readline())["names"] == [""] * 4
        loop.handle(NameSeats(names=names))
        tell(loop, 1)
        assert types("".join(early.readline() for _ in range(6))) == [*HAND, *HAND]
        with listening(receivers.port) as late:
            start = json.loads(late.readline())
            assert (start["type"], start["names"]) == ("start_game", list(names))
            assert types("".join(late.readline() for _ in range(6))) == [*HAND, *HAND]


def test_who_goes_away_or_reads_no_more_holds_nothing_up(loop: TableLoop, stream: Streaming) -> None:
    receivers, closed = PortReceivers("127.0.0.1", 0), io.StringIO()
    closed.close()
    with stream(FileReceiver(closed)), stream(receivers):
        socket.create_connection(("127.0.0.1", receivers.port)).close()
        for hand in range(3):
            tell(loop, hand)
        with listening(receivers.port) as lines:
            assert types("".join(lines.readline() for _ in range(10))) == ["start_game", *HAND, *HAND, *HAND]


def test_so_many_listen_and_one_that_left_makes_room() -> None:
    with ExitStack() as stack, closing(PortReceivers("127.0.0.1", 0)) as receivers:

        def listen() -> tuple[socket.socket, bytes]:
            listener = stack.enter_context(socket.create_connection(("127.0.0.1", receivers.port), timeout=PATIENCE_S))

            def is_answered() -> bool:
                receivers.serve("so far")
                return bool(select.select([listener], [], [], 0)[0])

            wait_for(is_answered)
            return listener, listener.recv(6)

        listeners = [listen() for _ in range(MOST_CLIENTS)]
        assert {text for _, text in listeners} == {b"so far"}
        assert listen()[1] == b""
        listeners[3][0].close()
        assert listen()[1] == b"so far"
        assert listen()[1] == b""


def test_a_port_that_is_taken_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other_server:
        port = other_server.getsockname()[1]
        with pytest.raises(ConfigError, match=f"expected a free address for mjai lines, got 127.0.0.1:{port}"):
            PortReceivers("127.0.0.1", port)
