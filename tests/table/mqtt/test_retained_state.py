"""What stands at a topic reaches the broker surely, and never after something newer."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from paho.mqtt.client import MQTTMessageInfo
from paho.mqtt.enums import MQTTErrorCode

from table.mqtt.broker_client import AT_LEAST_ONCE
from table.mqtt.retained_state import RetainedState


@dataclass
class Info:
    confirmed: bool = False
    rc: int = 0

    def is_published(self) -> bool:
        return self.confirmed


@dataclass
class Client:
    """Takes what is published, and confirms when a test says so."""

    connected: bool = True
    published: list[str] = field(default_factory=list)
    last: Info = field(default_factory=Info)

    def is_connected(self) -> bool:
        return self.connected

    def publish(self, topic: str, text: str, quality: int, *, retain: bool) -> Info:
        assert (topic, quality, retain) == ("tachiai/felt/table", AT_LEAST_ONCE, True)
        self.published.append(text)
        self.last = Info()
        return self.last


def test_only_one_message_is_under_way_and_the_newest_follows_it() -> None:
    client = Client()
    state = RetainedState(client, "tachiai/felt/table")
    for text in ("a", "b", "c"):
        state.update(text)
    assert client.published == ["a"]
    client.last.confirmed = True
    state.send_pending()
    assert client.published == ["a", "c"]
    client.last.confirmed = True
    state.send_pending()
    state.update("c")
    assert client.published == ["a", "c"]


def test_after_a_lost_connection_what_was_under_way_comes_first_and_what_stands_now_last() -> None:
    client = Client()
    state = RetainedState(client, "tachiai/felt/table")
    state.update("a")
    client.connected = False
    state.update("b")
    client.connected = True
    state.request_repeat()
    state.send_pending()
    assert client.published == ["a"]  # paho sends it once more by itself
    client.last.confirmed = True
    state.send_pending()
    assert client.published == ["a", "b"]


def test_what_stands_is_sent_anew_after_every_reconnect() -> None:
    client = Client()
    state = RetainedState(client, "tachiai/felt/table")
    state.update("a")
    for _ in range(3):
        client.last.confirmed = True
        state.request_repeat()
        state.send_pending()
    assert client.published == ["a", "a", "a", "a"]


def test_nothing_is_sent_while_the_broker_is_away() -> None:
    client = Client(connected=False)
    state = RetainedState(client, "tachiai/felt/table")
    state.update("a")
    assert client.published == []
    client.connected = True
    state.send_pending()
    assert client.published == ["a"]


@pytest.mark.parametrize(
    ("outcome", "sent_at_once"),
    [(MQTTErrorCode.MQTT_ERR_NO_CONN, ["a"]), (MQTTErrorCode.MQTT_ERR_QUEUE_SIZE, ["a", "b"])],
)
def test_a_connection_lost_while_sending_and_a_full_queue_end_nothing(
    outcome: MQTTErrorCode, sent_at_once: list[str]
) -> None:
    client, info = Client(), MQTTMessageInfo(1)
    info.rc = outcome
    state = RetainedState(Losing(client, [info]), "tachiai/felt/table")
    state.update("a")
    state.update("b")
    # without a connection paho keeps "a" and sends it later; a full queue took none
    assert client.published == sent_at_once
    info._set_as_published()
    state.send_pending()
    assert client.published == ["a", "b"]


@dataclass
class Losing:
    """A client that answers the first messages with what paho told of them."""

    client: Client
    answers: list[MQTTMessageInfo]

    def is_connected(self) -> bool:
        return True

    def publish(self, topic: str, text: str, quality: int, *, retain: bool) -> Info | MQTTMessageInfo:
        found = self.client.publish(topic, text, quality, retain=retain)
        return self.answers.pop(0) if self.answers else found
