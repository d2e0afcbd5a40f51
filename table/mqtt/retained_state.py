"""A retained message that reaches the broker reliably, and never after a newer one."""

from __future__ import annotations

from typing import Any, Final

from table.mqtt.broker_client import SURELY

MQTT_ERR_SUCCESS: Final = 0
MQTT_ERR_QUEUE_SIZE: Final = 15
"""The values of `paho.mqtt.enums.MQTTErrorCode`; paho is imported only where a broker is configured."""


class RetainedState:
    """Sends the current state of one topic: one message at a time, the next after the broker has confirmed the last.

    Intermediate states are skipped. A message in flight when the connection was lost is sent first after
    reconnecting, followed by the current state. Only one thread sends: paho's thread holds its own locks during
    callbacks, so it may only request a repeat with `say_again`.
    """

    def __init__(self, client: Any, topic: str) -> None:
        """Sends nothing yet; `client` is a paho client."""
        self._client = client
        self._topic = topic
        self._wanted: str | None = None
        self._given: str | None = None
        self._under_way: Any = None

    @property
    def is_behind(self) -> bool:
        """Whether the current state has not reached the broker yet."""
        return self._wanted != self._given

    def say(self, text: str) -> None:
        """Sets the current state, and sends it if possible."""
        self._wanted = text
        self.go_on()

    def say_again(self) -> None:
        """Requests that the current state be sent again, since the broker may have lost it. Thread-safe."""
        self._given = None

    def go_on(self) -> None:
        """Sends the current state, unless the broker has it, is unreachable, or has not confirmed the last message."""
        is_busy = self._under_way is not None and not self._under_way.is_published()
        if self._wanted is None or not self.is_behind or is_busy or not self._client.is_connected():
            return
        self._given = self._wanted
        sent = self._client.publish(self._topic, self._wanted, SURELY, retain=True)
        if sent.rc == MQTT_ERR_QUEUE_SIZE:
            self._given = None  # the client refused it
            return
        sent.rc = MQTT_ERR_SUCCESS  # a connection lost just now: paho sends it after reconnecting, but would raise here
        self._under_way = sent
