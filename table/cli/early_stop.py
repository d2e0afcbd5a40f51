"""Ctrl-C while the program is being loaded: nothing has begun, so it ends at once, with a word and exit code 130.

The exception that Ctrl-C raises otherwise would end some modules' imports with another error and its traceback.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress

from table.cli import EXIT_STOPPED


def exit_on_ctrl_c() -> None:
    """Makes Ctrl-C end the program at once, unless whoever started the program had it ignored."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _exit)


def raise_on_ctrl_c() -> None:
    """Makes Ctrl-C raise `KeyboardInterrupt` again, so that what has begun can be cleared up."""
    if signal.getsignal(signal.SIGINT) is _exit:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _exit(*_: object) -> None:
    with suppress(OSError):
        os.write(2, b"tachiai: stopped\n")
    os._exit(EXIT_STOPPED)
