"""An MQTT client that keeps only the first part of a message that is far too long."""

from __future__ import annotations

from typing import Final

from paho.mqtt.client import Client

MOST_KEPT_BYTES: Final = 256 * 1024
"""Bytes kept of one message: with its topic, still more than its readers take."""
CHUNK_BYTES: Final = 64 * 1024


class BoundedClient(Client):
    """A client whose broker can fill no memory: by MQTT one message may have 256 MB.

    MQTT 3 has no limit to agree on, and paho collects a message before anybody can refuse it. The end of a longer one
    is read and dropped, so that the connection goes on with the next.
    """

    def _sock_recv(self, bufsize: int) -> bytes:
        """Returns the next bytes of the connection, after dropping what is too much of the message so far."""
        data = super()._sock_recv(min(bufsize, CHUNK_BYTES))
        del self._in_packet["packet"][MOST_KEPT_BYTES:]
        return data
