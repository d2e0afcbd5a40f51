"""The real command in a process of its own, started quickly over and over: it is forked where all is loaded already."""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import Final

from table.cli.main import main
from tests.fakes.waiting import PATIENCE_S, wait_for

FORKING: Final[ForkServerContext] = multiprocessing.get_context("forkserver")
FORKING.set_forkserver_preload(["tests.endurance.siege.preloaded"])
ADDRESS: Final = re.compile(r"http://localhost:(\d+)")


class RunningCommand:
    """`tachiai WORDS` in a process; what it says on standard error goes to a file. A context manager that kills it."""

    def __init__(self, words: Sequence[str | Path], log: Path) -> None:
        """Starts it."""
        self._log = log
        self._log.write_bytes(b"")
        self._process = FORKING.Process(target=_command, args=([str(word) for word in words], str(log)))
        self._process.start()

    @property
    def log_text(self) -> str:
        """What it said."""
        return self._log.read_text("utf-8", "replace")

    def port(self) -> int:
        """Waits for its page; returns the port of the newest.

        Raises:
            AssertionError: it ended before.
        """
        wait_for(lambda: ADDRESS.search(self.log_text) or not self._process.is_alive())
        found = ADDRESS.findall(self.log_text)
        assert found, f"it ended with {self._process.exitcode} before its page came up: {self.log_text[-2000:]}"
        return int(found[-1])

    def wait_for_begin(self) -> None:
        """Waits until the process runs the command."""
        wait_for(lambda: BEGUN in self.log_text or not self._process.is_alive())

    def kill(self) -> bool:
        """Pulls the plug; returns whether it still ran."""
        if self._process.pid is not None:
            with suppress(ProcessLookupError):
                os.kill(self._process.pid, signal.SIGKILL)
        self._process.join(PATIENCE_S)
        assert "Traceback" not in self.log_text, self.log_text[-3000:]
        return self._process.exitcode == -signal.SIGKILL

    def __enter__(self) -> RunningCommand:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.is_alive():
            self._process.kill()
        self._process.join(PATIENCE_S)
        self._process.close()


BEGUN: Final = "begun\n"


def _command(words: Sequence[str], log: str) -> None:
    """The process: runs the command as a shell does, its words in the log."""
    file = os.open(log, os.O_WRONLY | os.O_APPEND)
    os.dup2(file, 1)
    os.dup2(file, 2)
    os.write(2, BEGUN.encode())
    code = 1
    try:
        code = main(words)
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else 1
    except BaseException:
        os.write(2, traceback.format_exc().encode())
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
