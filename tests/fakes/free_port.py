"""A port for a server that cannot be asked which one it got, or that is started there again."""

from __future__ import annotations

import socket
from contextlib import suppress
from random import SystemRandom
from typing import Final

PORTS: Final = range(20_000, 32_000)
"""Below those that Linux gives by itself to whoever asks for any: until the server listens, no other test gets one."""


def free_port() -> int:
    """Returns the number of a port that nobody listens on."""
    while True:
        port = SystemRandom().choice(PORTS)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
