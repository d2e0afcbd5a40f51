"""An MQTT client that keeps only the first part of a message that is far too long."""

from __future__ import annotations

from typing import Final

from paho.mqtt.client import Client

MOST_KEPT_BYTES: Final = 256 * 1024
"""Bytes kept of one message, including its topic: more than any reader accepts."""
CHUNK_BYTES: Final = 64 * 1024


class BoundedClient(Client):
    """A client whose memory no broker can fill: MQTT allows messages of 256 MB.

    In MQTT 3 a client cannot ask for a lower limit, and paho collects a whole message before anything can refuse it.
    Of a longer message the end is read and dropped, so that the connection continues with the next message.
    """

    def _sock_recv(self, bufsize: int) -> bytes:
        """Returns the next bytes of the connection, and cuts the message received so far to `MOST_KEPT_BYTES`."""
        data = super()._sock_recv(min(bufsize, CHUNK_BYTES))
        del self._in_packet["packet"][MOST_KEPT_BYTES:]
        return data
