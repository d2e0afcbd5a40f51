"""A retained message that the broker surely gets, and never after a newer one."""

from __future__ import annotations

from typing import Any

from table.mqtt.broker_client import SURELY


class RetainedState:
    """Sends what stands at one topic: one message at a time, the next once the broker has confirmed the last.

    What lies between is left out. A message that was under way when the connection was lost comes first after it, and
    what stands now after that. One thread sends; paho's own holds locks of its own while it calls back, so it may only
    ask for more by `say_again`.
    """

    def __init__(self, client: Any, topic: str) -> None:
        """Sends nothing yet; `client` is paho's."""
        self._client = client
        self._topic = topic
        self._wanted: str | None = None
        self._given: str | None = None
        self._under_way: Any = None

    @property
    def is_behind(self) -> bool:
        """Whether the broker was not given yet what stands."""
        return self._wanted != self._given

    def say(self, text: str) -> None:
        """Takes what stands now, and sends it if it can."""
        self._wanted = text
        self.go_on()

    def say_again(self) -> None:
        """Asks for what stands to be sent once more: the broker may have lost it. By any thread."""
        self._given = None

    def go_on(self) -> None:
        """Sends what stands, unless the broker has it, is away, or has not confirmed the message before."""
        is_busy = self._under_way is not None and not self._under_way.is_published()
        if self._wanted is None or not self.is_behind or is_busy or not self._client.is_connected():
            return
        self._given = self._wanted
        self._under_way = self._client.publish(self._topic, self._wanted, SURELY, retain=True)
