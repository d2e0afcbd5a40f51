"""A message far longer than any that a table sends takes little memory, and the next one is heard."""

from __future__ import annotations

from typing import Any

from table.config import MqttConfig
from table.mqtt.bounded_client import CHUNK_BYTES, MOST_KEPT_BYTES
from table.mqtt.broker_client import AT_LEAST_ONCE, client_of
from tests.fakes.waiting import wait_for
from tests.table.mqtt.broker import Broker


def test_of_a_message_far_too_long_the_first_part_is_kept_and_the_next_one_is_whole(broker: Broker) -> None:
    config, heard = MqttConfig(host="127.0.0.1", port=broker.port), list[tuple[str, bytes]]()
    hall, noise = client_of(config, "hall"), client_of(config, "noise")

    def hear(_client: Any, _data: Any, message: Any) -> None:
        heard.append((message.topic, message.payload))

    hall.on_message = hear
    hall.on_connect = lambda client, *_: client.subscribe("tachiai/#", AT_LEAST_ONCE)
    for client in (hall, noise):
        client.connect(config.host, config.port)
        client.loop_start()
    wait_for(hall.is_connected)
    noise.publish("tachiai/felt/table", b"x" * (20 << 20), AT_LEAST_ONCE, retain=True)
    noise.publish("tachiai/felt/status", b"online", AT_LEAST_ONCE, retain=True)
    wait_for(lambda: len(heard) >= 2)
    (topic, payload), after = heard[:2]
    assert (topic, set(payload)) == ("tachiai/felt/table", {ord("x")})
    assert MOST_KEPT_BYTES - 100 <= len(payload) <= MOST_KEPT_BYTES + CHUNK_BYTES
    assert after == ("tachiai/felt/status", b"online")
    for client in (hall, noise):
        client.disconnect()
        client.loop_stop()
