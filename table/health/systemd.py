"""Tells systemd how the program is: ready, alive, ending. Without systemd it tells nobody."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

MICROSECONDS: Final = 1e6
PATIENCE_S: Final = 1.0
"""How long a listener that takes nothing is waited for: who tells may not hang with who listens."""


@dataclass(frozen=True, slots=True)
class Notifier:
    """Where to tell, and how often the watchdog wants to hear."""

    address: str = ""
    """The socket's path, or its name after an `@`; empty: nobody listens."""
    watchdog_s: float | None = None
    """Within which time the watchdog restarts a program that says nothing; None: there is none."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Notifier:
        """Reads what systemd says to a unit of `Type=notify`."""
        micros = environment.get("WATCHDOG_USEC", "")
        is_ours = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        watchdog_s = int(micros) / MICROSECONDS if micros.isdigit() and int(micros) and is_ours else None
        return cls(environment.get("NOTIFY_SOCKET", ""), watchdog_s)

    def notify(self, *lines: str) -> None:
        """Sends lines such as ``READY=1`` and ``WATCHDOG=1``; what cannot be sent is let be."""
        if not self.address:
            return
        name = f"\0{self.address[1:]}" if self.address.startswith("@") else self.address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as listener:
                listener.settimeout(PATIENCE_S)
                listener.connect(name)
                listener.sendall("\n".join(lines).encode())
        except OSError:
            return
