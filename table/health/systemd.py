"""Notifies systemd that the program is ready, alive or ending. Does nothing without systemd."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

MICROSECONDS: Final = 1e6
PATIENCE_S: Final = 1.0
"""Send timeout, so that a hanging listener does not block the program."""


@dataclass(frozen=True, slots=True)
class Notifier:
    """The notification socket, and the watchdog's interval."""

    address: str = ""
    """The socket's path, or its abstract name after an `@`; empty if there is no listener."""
    watchdog_s: float | None = None
    """Time after which the watchdog restarts a silent program; None without a watchdog."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Notifier:
        """Reads the environment that systemd gives a unit of `Type=notify`."""
        micros = environment.get("WATCHDOG_USEC", "")
        is_ours = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        watchdog_s = int(micros) / MICROSECONDS if micros.isdigit() and int(micros) and is_ours else None
        return cls(environment.get("NOTIFY_SOCKET", ""), watchdog_s)

    def notify(self, *lines: str) -> None:
        """Sends lines such as ``READY=1`` and ``WATCHDOG=1``; failures are ignored."""
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
