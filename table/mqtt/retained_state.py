"""A retained message that reaches the broker reliably, and never after a newer one."""

from __future__ import annotations

from typing import Any, Final

from table.mqtt.broker_client import AT_LEAST_ONCE

MQTT_ERR_SUCCESS: Final = 0
MQTT_ERR_QUEUE_SIZE: Final = 15
"""The values of `paho.mqtt.enums.MQTTErrorCode`; paho is imported only where a broker is configured."""


class RetainedState:
    """Sends the current state of one topic: one message at a time, the next after the broker has confirmed the last.

    Intermediate states are skipped. A message in flight when the connection was lost is sent first after
    reconnecting, followed by the current state. Only one thread sends: paho's thread holds its own locks during
    callbacks, so it may only request a repeat with `request_repeat`.
    """

    def __init__(self, client: Any, topic: str) -> None:
        """Sends nothing yet; `client` is a paho client."""
        self._client = client
        self._topic = topic
        self._current: str | None = None
        self._last_sent: str | None = None
        self._in_flight: Any = None

    @property
    def is_behind(self) -> bool:
        """Whether the current state has not reached the broker yet."""
        return self._current != self._last_sent

    def update(self, text: str) -> None:
        """Sets the current state, and sends it if possible."""
        self._current = text
        self.send_pending()

    def request_repeat(self) -> None:
        """Requests that the current state be sent again, since the broker may have lost it. Thread-safe."""
        self._last_sent = None

    def send_pending(self) -> None:
        """Sends the current state, unless the broker has it, is unreachable, or has not confirmed the last message."""
        is_busy = self._in_flight is not None and not self._in_flight.is_published()
        if self._current is None or not self.is_behind or is_busy or not self._client.is_connected():
            return
        self._last_sent = self._current
        message = self._client.publish(self._topic, self._current, AT_LEAST_ONCE, retain=True)
        if message.rc == MQTT_ERR_QUEUE_SIZE:
            self._last_sent = None  # the client refused it
            return
        message.rc = (
            MQTT_ERR_SUCCESS  # a connection lost just now: paho sends it after reconnecting, but would raise here
        )
        self._in_flight = message
