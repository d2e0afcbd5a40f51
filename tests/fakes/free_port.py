"""A port for a server that cannot be asked which one it got."""

from __future__ import annotations

import socket


def free_port() -> int:
    """Returns the number of a port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
        return port
