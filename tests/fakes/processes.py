"""Processes that no test waits for in vain."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from typing import AnyStr

from tests.fakes.waiting import PATIENCE_S


@contextmanager
def killed_at_last(
    process: subprocess.Popen[AnyStr], after_s: float = 2 * PATIENCE_S
) -> Iterator[subprocess.Popen[AnyStr]]:
    """Kills a process that still runs when the context is left, or after so many seconds.

    `Popen` itself waits for the end without a limit, also when the test has failed and nobody will end the process; and
    a line is waited for without a limit as well, until the process says it or ends.
    """
    alarm = Timer(after_s, process.kill)
    alarm.daemon = True
    with process:
        alarm.start()
        try:
            yield process
        finally:
            alarm.cancel()
            alarm.join()
            process.kill()
