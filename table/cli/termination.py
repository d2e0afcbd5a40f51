"""Ends a program that waits in its main thread when it is terminated or interrupted.

Python handles a signal in the main thread, but the system may hand it to any thread: a main thread that waits without a
limit would never notice.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from typing import Final

POLL_S: Final = 0.5


def when_terminated(act: Callable[[], None]) -> None:
    """Calls `act` when the program is terminated, in a thread of its own: the main one may hold a lock it needs."""
    signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=act, name="termination", daemon=True).start())


def wait_for(event: threading.Event, *others: threading.Event) -> None:
    """Waits in the main thread until one of the events is set, and handles signals meanwhile.

    Only the first one ends the wait at once; the others are looked at every `POLL_S` seconds.
    """
    while not (any(other.is_set() for other in others) or event.wait(POLL_S)):
        pass
