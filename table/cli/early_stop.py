"""Handles Ctrl-C while the program is loading: nothing has begun, so it ends at once with a line and exit code 130.

Otherwise the exception that Ctrl-C raises would make the imports of some modules fail with another error and its
traceback.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress

from table.cli import EXIT_STOPPED


def exit_on_ctrl_c() -> None:
    """Makes Ctrl-C end the program at once, unless the program was started with Ctrl-C ignored."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _exit)


def raise_on_ctrl_c() -> None:
    """Makes Ctrl-C raise `KeyboardInterrupt` again, so that a running command can clean up."""
    if signal.getsignal(signal.SIGINT) is _exit:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _exit(*_: object) -> None:
    with suppress(OSError):
        os.write(2, b"tachiai: stopped\n")
    os._exit(EXIT_STOPPED)
