"""Handles Ctrl-C, termination and the end of the terminal: all stop a command, so that it leaves nothing half done.

While the program is loading, nothing has begun, so it ends at once: after Ctrl-C with a line and exit code 130, else by
the signal, which a service manager takes for a proper end. Otherwise the exception that a signal raises would make the
imports of some modules fail with another error and its traceback. Later a signal raises that exception, and the command
removes its temporary files, which may be large and in memory.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from typing import Final

from table.cli import EXIT_STOPPED

_UNTOUCHED: Final = {
    signal.SIGINT: signal.default_int_handler,
    signal.SIGTERM: signal.SIG_DFL,
    signal.SIGHUP: signal.SIG_DFL,
}
"""The signals, and how they are handled unless the program was started with them ignored, as by nohup."""


def exit_when_stopped() -> None:
    """Makes each of the signals end the program at once, unless it is ignored."""
    for number, usual in _UNTOUCHED.items():
        if signal.getsignal(number) is usual:
            signal.signal(number, _exit)


def raise_when_stopped() -> None:
    """Makes each of the signals raise `KeyboardInterrupt`, so that a running command can clean up."""
    for number in _UNTOUCHED:
        if signal.getsignal(number) is _exit:
            signal.signal(number, signal.default_int_handler if number is signal.SIGINT else _raise_once)


def _exit(number: int, _: object) -> None:
    if number != signal.SIGINT:
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    with suppress(OSError):
        os.write(2, b"tachiai: stopped\n")
    os._exit(EXIT_STOPPED)


def _raise_once(number: int, _: object) -> None:
    """Raises; a second termination ends the program at once, but the end of a terminal may follow and is ignored."""
    signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    raise KeyboardInterrupt
