"""Every command that can take over two seconds says on a terminal what it does; nothing of it goes into files."""

from __future__ import annotations

import fcntl
import io
import os
import pty
import struct
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import pytest

from table.cli.main import main
from table.cli.streams import progress as progress_module
from table.cli.streams.progress import progress, progress_counter, remove_bar, say, waiting
from table.game.journal.entries import Envelope, Source
from table.game.journal.journal import Journal
from table.rules.events import TilePassed
from tests.fakes.waiting import wait_for
from tests.places import RIICHI_TSUMO
from tests.table.appliance.recorded_table import keep_place


class Terminal:
    """A terminal as standard error, and what was written there."""

    def __init__(self) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        os.set_blocking(self._ours, False)
        self.file: TextIO = os.fdopen(theirs, "w")
        self._text = ""

    @property
    def text(self) -> str:
        """All that was written so far."""
        self.file.flush()
        try:
            while piece := os.read(self._ours, 65536):
                self._text += piece.decode()
        except BlockingIOError:
            pass
        return self._text

    def close(self) -> None:
        self.file.close()
        os.close(self._ours)


@contextmanager
def watched_terminal(quiet_s: float = 0.0) -> Iterator[Terminal]:
    """Runs with a terminal on which what takes longer than that is shown."""
    screen = Terminal()
    with pytest.MonkeyPatch.context() as patched:  # in the test: between its phases pytest sets standard error anew
        patched.setattr("sys.stderr", screen.file)
        patched.setattr(progress_module, "QUIET_S", quiet_s)
        try:
            yield screen
        finally:
            screen.close()


def test_what_is_waited_for_is_named_with_the_time_that_passes() -> None:
    with watched_terminal() as terminal, waiting("looking for the table"):
        wait_for(lambda: "looking for the table 00:00" in terminal.text)


def test_one_thing_that_takes_long_is_shown_before_it_is_done() -> None:
    with watched_terminal() as terminal:
        for _ in progress(["one photo"], "reading"):
            wait_for(lambda: "reading" in terminal.text and "0/1" in terminal.text)


def test_what_is_counted_is_counted_up() -> None:
    with watched_terminal() as terminal, progress_counter("games") as count:
        assert [count(0.1), count(0.1)] == [False, False]
        wait_for(lambda: "games: 2it" in terminal.text)


def test_what_takes_less_than_two_seconds_says_nothing() -> None:
    with watched_terminal(quiet_s=60.0) as terminal:
        with waiting("looking"):
            assert list(progress([1, 2], "reading")) == [1, 2]
        assert "looking" not in terminal.text
        assert "reading" not in terminal.text


def test_a_line_that_is_said_stands_alone_and_an_error_leaves_no_bar() -> None:
    with watched_terminal() as terminal:
        with waiting("looking"):
            wait_for(lambda: "looking" in terminal.text)
            say("found", file=terminal.file)
            assert terminal.text.partition("found")[0].endswith("\r")
            remove_bar()
        assert terminal.text.endswith("\r")


def test_nothing_is_drawn_into_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    file = io.StringIO()
    monkeypatch.setattr("sys.stderr", file)
    monkeypatch.setattr(progress_module, "QUIET_S", 0.0)
    with waiting("looking"), progress_counter("games") as count:
        count(1.0)
    assert file.getvalue() == ""


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    """A folder with a journal, and a configuration with a recorded camera and its place."""
    with Journal(tmp_path / "table.journal") as journal:
        journal.append(Envelope(utc="2026-01-01T20:00:00Z", source=Source.TABLE), TilePassed())
    (tmp_path / "names.csv").write_text("\n".join(map(str, range(16))))
    (tmp_path / "tachiai.toml").write_text(
        f'[table]\ndata = "{tmp_path}"\n[camera]\nsource = "recording"\nfile = "{RIICHI_TSUMO}"\n[page]\nport = 0\n'
    )
    keep_place(tmp_path)
    return tmp_path


@pytest.mark.pictures
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("backup --data .", "copying the journal"),
        ("restore table.journal --data new", "checking and copying the journal"),
        ("seating names.csv --rounds 5", "seating"),
        ("check --config tachiai.toml", "trying camera, panel and models"),
        pytest.param("calibrate --config tachiai.toml", "looking for the table", marks=pytest.mark.long),
        ("record out --config tachiai.toml --seconds 0.1", "loading the models"),
        ("export game.mjson", "following the game"),
    ],
)
def test_a_command_that_may_take_long_says_what_it_does(
    words: str, expected: str, evening: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(evening)
    with watched_terminal() as terminal:
        main(words.split())
        assert expected in terminal.text
