"""Ends a program that waits in its main thread when it is terminated or interrupted.

Python handles a signal in the main thread, but the system may hand it to any thread: a main thread that waits without a
limit would never notice.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from typing import Final

LOOK_S: Final = 0.5


def when_terminated(act: Callable[[], None]) -> None:
    """Calls `act` when the program is terminated, in a thread of its own: the main one may hold a lock it needs."""
    signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=act, name="termination", daemon=True).start())


def wait_for(event: threading.Event) -> None:
    """Waits in the main thread until an event is set, and handles signals meanwhile."""
    while not event.wait(LOOK_S):
        pass
