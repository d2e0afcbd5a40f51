"""Creates clients of the hall's broker: how they log in, and the messages for failed connections."""

from __future__ import annotations

import logging
import socket
import ssl
import sys
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from queue import Empty, SimpleQueue
from typing import Any, Final
from uuid import getnode

from table.config import MqttConfig
from table.runtime.any_certificate import TLS_ENDED, any_certificate
from table.runtime.log_throttle import LogThrottle
from table.runtime.table_errors import ConfigError
from vision import errors

AT_LEAST_ONCE: Final = 1
"""Quality of service: at least once."""
ANSWER_S: Final = 3.0
"""How long a broker may take to confirm or refuse a message."""
NO_TLS: Final = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "HTTP_REQUEST", "PACKET_LENGTH_TOO_LONG")
"""OpenSSL's reasons for an answer that is not TLS at all."""
NO_CERTIFICATE: Final = "NO_CERTIFICATE_OR_CRL_FOUND"
"""OpenSSL's reason for a file without any certificate in PEM."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class TlsAdvice:
    """What people change so that a program connects with TLS, or without it."""

    with_tls: str
    without_tls: str


def client_identity(name: str, place: str) -> str:
    """Returns the identity of a program at the broker, which disconnects a client when another one has the same.

    It is the same after every start, so that the broker sends the messages that it queued meanwhile.

    Args:
        name: what the program is: `hall`, or a table's name.
        place: where it runs on this computer, for programs of the same name.
    """
    return f"tachiai-{name}-{sha256(f'{getnode():x} {place}'.encode()).hexdigest()[:8]}"


def client_of(config: MqttConfig, identity: str, *, is_lasting: bool = False, reports_refusals: bool = False) -> Any:
    """Returns a client that reconnects by itself; it is not connected yet.

    Args:
        config: the broker, and the login there.
        identity: the client's identity at the broker.
        is_lasting: whether the broker queues messages while the client is away; not with `reports_refusals`.
        reports_refusals: whether the client speaks MQTT 5, in which brokers report refused messages; not every broker
            knows it.

    Raises:
        ConfigError: paho-mqtt is not installed, or the CA certificate cannot be read.
    """
    try:
        from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion  # noqa: PLC0415 - an optional extra

        from table.mqtt.bounded_client import BoundedClient  # noqa: PLC0415 - it needs that extra
    except ImportError as error:
        message = "expected paho-mqtt for a broker (the extra tachiai[mqtt]): pip install 'paho-mqtt>=2,<3'"
        raise ConfigError(f"{message}; got: {error}") from error
    if reports_refusals:
        client = BoundedClient(CallbackAPIVersion.VERSION2, client_id=identity, protocol=MQTTProtocolVersion.MQTTv5)
    else:
        client = BoundedClient(CallbackAPIVersion.VERSION2, client_id=identity, clean_session=not is_lasting)
    client.reconnect_delay_set(1, 30)
    if config.user:
        client.username_pw_set(config.user, config.password)
    if config.tls:
        client.tls_set_context(_context(config.ca))
    return client


def _context(authority: str) -> ssl.SSLContext:
    """Returns the TLS context that verifies the broker by this CA file, or by the system's CAs."""
    try:
        return ssl.create_default_context(cafile=authority or None)
    except ssl.SSLError as error:
        found = "something else" if error.reason == NO_CERTIFICATE else "one that is cut off or damaged"
        place = authority or "the system's CA certificates"
        raise ConfigError(f"expected a CA certificate of the broker in PEM, got {found}, {place}") from error
    except OSError as error:
        raise ConfigError(
            f"expected a readable CA certificate of the broker, got {authority}: {errors.reason(error)}"
        ) from error


def is_refused(
    config: MqttConfig, identity: str, topic: str, text: str, *, is_outdated: Callable[[], bool] = lambda: False
) -> bool:
    """Publishes a retained message once more by MQTT 5, and returns whether the broker refuses it to this login.

    By MQTT 3 a broker silently drops messages that a login may not publish. Also returns False if the broker does not
    answer within `ANSWER_S`, or does not know MQTT 5. A message that is outdated once connected is not published.
    """
    client = client_of(config, identity, reports_refusals=True)
    answers: SimpleQueue[bool] = SimpleQueue()

    def on_connect(client: Any, *_: Any) -> None:
        if is_outdated():
            answers.put(False)
        else:
            client.publish(topic, text, AT_LEAST_ONCE, retain=True)

    client.on_connect = logging_errors(on_connect)
    client.on_publish = logging_errors(lambda *args: answers.put(args[3].is_failure))
    try:
        client.connect(config.host, config.port)
        client.loop_start()
        return answers.get(timeout=ANSWER_S)
    except (OSError, Empty):
        return False
    finally:
        client.disconnect()
        client.loop_stop()


def logging_errors(callback: Callable[..., None]) -> Callable[..., None]:
    """Returns a client's callback that logs its errors instead of raising them, which would end the client's thread.

    Each kind of error is logged once a minute, since the message that causes it may come again and again.
    """
    throttle = LogThrottle()

    def call(*args: Any) -> None:
        try:
            callback(*args)
        except Exception as error:
            if throttle.is_due_for(error):
                _log.exception("expected to handle news of the broker, got an error; later news is handled")

    return call


def report_failures(client: Any, config: MqttConfig, complain: Callable[[str], None], advice: TlsAdvice) -> None:
    """Makes a client report why it cannot connect or is refused.

    A reason is repeated only after a connection or another reason, and at most once a minute. `client.on_connect` must
    be set beforehand.

    Args:
        client: the client.
        config: the broker.
        complain: receives the reasons.
        advice: what people change if the broker speaks TLS and the client does not, or the reverse.
    """
    connected, address, last_reason, throttle = client.on_connect, f"{config.host}:{config.port}", [""], LogThrottle()
    is_answered = [False]

    def report(reason: str, *, is_about_tls: bool = False) -> None:
        if reason != last_reason[0]:
            last_reason[0] = reason
            if not throttle.is_due(reason):
                return
            likely_cause = _tls_mismatch(config, advice) if is_about_tls else ""
            complain(f"expected the broker at {address}, got: {likely_cause or reason}")

    def on_connect(client: Any, data: Any, flags: Any, reason: Any, *rest: Any) -> None:
        is_answered[0] = True
        if reason.is_failure:
            report(str(reason).lower())
            return
        last_reason[0] = ""
        connected(client, data, flags, reason, *rest)

    def on_connect_fail(*_: Any) -> None:
        error = sys.exc_info()[1]
        is_about_certificate = isinstance(error, ssl.SSLCertVerificationError)
        text = errors.reason(error) if isinstance(error, Exception) else "no answer"
        report(text, is_about_tls=config.tls and not is_about_certificate)

    def on_disconnect(*args: Any) -> None:
        was_answered, is_answered[0] = is_answered[0], False
        if not args[3].is_failure:
            return
        if was_answered:
            report("the connection was lost")
        else:
            report("the connection was closed before any answer: is an MQTT broker there?", is_about_tls=True)

    client.on_connect, client.on_connect_fail, client.on_disconnect = on_connect, on_connect_fail, on_disconnect


def _tls_mismatch(config: MqttConfig, advice: TlsAdvice) -> str:
    """Returns what to change if the broker speaks TLS and the client does not, or the reverse; else an empty text."""
    speaks_tls = _speaks_tls(config)
    if speaks_tls is None or speaks_tls == config.tls:
        return ""
    if speaks_tls:
        return f"the broker speaks TLS at this port: {advice.with_tls}"
    return f"the broker does not speak TLS at this port: name its port for TLS, or {advice.without_tls}"


def _speaks_tls(config: MqttConfig) -> bool | None:
    """Returns whether the broker answers TLS, whatever its certificate; None if it cannot be reached."""
    try:
        connection = socket.create_connection((config.host, config.port), ANSWER_S)
    except OSError:
        return None
    try:
        with connection, any_certificate().wrap_socket(connection, server_hostname=config.host):
            return True
    except ssl.SSLError as error:
        return not isinstance(error, TLS_ENDED) and error.reason not in NO_TLS
    except OSError:
        return False
