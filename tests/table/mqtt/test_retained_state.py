"""What stands at a topic reaches the broker surely, and never after something newer."""

from __future__ import annotations

from dataclasses import dataclass, field

from table.mqtt.broker_client import SURELY
from table.mqtt.retained_state import RetainedState


@dataclass
class Info:
    confirmed: bool = False

    def is_published(self) -> bool:
        return self.confirmed


@dataclass
class Client:
    """Takes what is published, and confirms when a test says so."""

    connected: bool = True
    sent: list[str] = field(default_factory=list)
    last: Info = field(default_factory=Info)

    def is_connected(self) -> bool:
        return self.connected

    def publish(self, topic: str, text: str, quality: int, *, retain: bool) -> Info:
        assert (topic, quality, retain) == ("tachiai/felt/table", SURELY, True)
        self.sent.append(text)
        self.last = Info()
        return self.last


def test_only_one_message_is_under_way_and_the_newest_follows_it() -> None:
    client = Client()
    state = RetainedState(client, "tachiai/felt/table")
    for text in ("a", "b", "c"):
        state.say(text)
    assert client.sent == ["a"]
    client.last.confirmed = True
    state.go_on()
    assert client.sent == ["a", "c"]
    client.last.confirmed = True
    state.go_on()
    state.say("c")
    assert client.sent == ["a", "c"]


def test_after_a_lost_connection_what_was_under_way_comes_first_and_what_stands_now_last() -> None:
    client = Client()
    state = RetainedState(client, "tachiai/felt/table")
    state.say("a")
    client.connected = False
    state.say("b")
    client.connected = True
    state.say_again()
    state.go_on()
    assert client.sent == ["a"]  # paho sends it once more by itself
    client.last.confirmed = True
    state.go_on()
    assert client.sent == ["a", "b"]


def test_what_stands_is_sent_anew_after_every_reconnect() -> None:
    client = Client()
    state = RetainedState(client, "tachiai/felt/table")
    state.say("a")
    for _ in range(3):
        client.last.confirmed = True
        state.say_again()
        state.go_on()
    assert client.sent == ["a", "a", "a", "a"]


def test_nothing_is_sent_while_the_broker_is_away() -> None:
    client = Client(connected=False)
    state = RetainedState(client, "tachiai/felt/table")
    state.say("a")
    assert client.sent == []
    client.connected = True
    state.go_on()
    assert client.sent == ["a"]
