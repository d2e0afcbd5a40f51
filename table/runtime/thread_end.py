"""Ends threads within a limit: one that is stuck, as on a disk that hangs, must not keep the program from ending."""

from __future__ import annotations

import logging
import threading
from typing import Final

PATIENCE_S: Final = 5.0
"""How long a thread may take to end: several of them within the 20 seconds that the service manager waits."""
_log = logging.getLogger(__name__)


def wait_until_ended(thread: threading.Thread, patience_s: float | None = None) -> None:
    """Waits until a thread that was told to end has ended; names it in the log if it has not in time.

    It must be a daemon, so that the program can end without it.

    Args:
        thread: the thread.
        patience_s: the seconds that it may take (None: `PATIENCE_S`).
    """
    patience_s = PATIENCE_S if patience_s is None else patience_s
    thread.join(patience_s)
    if thread.is_alive():
        _log.warning("expected the thread %s to end within %g s, got none: it is left behind", thread.name, patience_s)
