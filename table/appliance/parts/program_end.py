"""Ends the program, or restarts it, when a page asks for that."""

from __future__ import annotations

import threading
from typing import Final

ANSWER_S: Final = 0.5
"""Delay of a requested end, so that the page that requested it still gets an answer."""


class ProgramEnd:
    """Whether the program should end, and whether to restart it then. Thread-safe."""

    def __init__(self) -> None:
        self.end_requested = threading.Event()
        """Set when the program should end."""
        self.is_restart_requested = False
        """Whether to restart it once it has ended."""

    def end_after_answer(self) -> None:
        """Ends the program as soon as the page that asks for it has its answer."""
        timer = threading.Timer(ANSWER_S, self.end_requested.set)
        timer.daemon = True
        timer.start()

    def request_restart(self) -> None:
        """Requests a restart, which `run_appliance`'s caller carries out."""
        self.is_restart_requested = True
        self.end_after_answer()
