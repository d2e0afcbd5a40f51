"""Publishes the events of one table to a broker; an unreachable broker never delays the table."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, Final, Self

from table.config import MqttConfig
from table.game.announcement_json import announcement_line
from table.game.journal.fold import LoggedAnnouncement
from table.game.journal.history.game_history import GameHistory
from table.game.snapshot import Board, Snapshot
from table.health.health_report import Health
from table.mqtt.broker_client import (
    AT_LEAST_ONCE,
    TlsAdvice,
    client_identity,
    client_of,
    is_refused,
    logging_errors,
    report_failures,
)
from table.mqtt.desk_signal import SIGNAL, DeskSignal, read_signal
from table.mqtt.mqtt_messages import Message, discovery_messages, json_text, public_announcements, table_message
from table.mqtt.played_games import PlayedGames
from table.mqtt.retained_state import RetainedState
from table.rules.terms.announcements import AnnouncementId
from table.runtime.log_throttle import LogThrottle
from table.runtime.threads import Worker

AT_MOST_ONCE: Final = 0
QUEUED: Final = 2000
"""Limit of announcements queued for an unreachable broker."""
STATES: Final = ("table", "games", "appeals", "health")
"""The retained topics besides the status."""
HEALTH_S: Final = 30.0
QUEUE_S: Final = 10.0
"""How long after a connection messages may come from the broker's queue: it does not mark those as kept."""
WAIT_S: Final = 1.0
SOON_S: Final = 0.05
TLS_ADVICE: Final = TlsAdvice(
    with_tls="set tls = true in [mqtt], and ca if no known authority signed its certificate",
    without_tls="set tls = false in [mqtt]",
)
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentPart:
    """What a table at a tournament reports to the desk, and does at its request."""

    earlier_games: Callable[[], Sequence[GameHistory]] = tuple
    """Returns the games of its journal from before this start; called once."""
    appeals: Callable[[], Message | None] = lambda: None
    """Returns the flagged moments and the address of its pages; None if it stores no clips."""
    receive_signal: Callable[[DeskSignal], None] = lambda _: None
    """Handles the desk's message: the round, its clock, and whether time was called."""


class MqttPublisher(Worker):
    """Publishes one table's messages. A context manager."""

    def __init__(
        self,
        config: MqttConfig,
        name: str,
        board: Board,
        health: Callable[[], Health],
        part: TournamentPart = TournamentPart(),
        *,
        place: str = "",
    ) -> None:
        """Prepares the client without connecting.

        Args:
            config: the broker.
            name: the table's name.
            board: the source of snapshots.
            health: returns the table's health.
            part: the table's part in a tournament.
            place: distinguishes it from a table of the same name on this computer.

        Raises:
            ConfigError: paho-mqtt is not installed, or the CA certificate cannot be read.
        """
        super().__init__("mqtt-publisher")
        self._config = config
        self._name = name
        self._base = f"{config.topic}/{name}"
        self._board = board
        self._get_health = health
        self._part = part
        self._games = PlayedGames(board)
        self._announced: Sequence[LoggedAnnouncement] = board.latest.announcements
        self._version = -1
        self._queue_ends = 0.0
        self._throttle = LogThrottle()
        self._identity = client_identity(name, place)
        self.knows_rights = False
        """Whether the broker was asked, since the last connection, if this login may publish."""
        self.refusal = ""
        """Why the broker does not get the table's messages; empty if no reason is known."""
        self._client = self._new_client(self._identity)
        self._states = {topic: RetainedState(self._client, f"{self._base}/{topic}") for topic in STATES}

    @property
    def is_connected(self) -> bool:
        """Whether the broker is connected."""
        return bool(self._client.is_connected())

    def _new_client(self, identity: str) -> Any:
        client = client_of(self._config, identity, is_lasting=True)
        client.will_set(f"{self._base}/status", "offline", AT_LEAST_ONCE, retain=True)
        client.max_queued_messages_set(QUEUED)
        client.on_connect = logging_errors(self._on_connect)
        client.on_message = logging_errors(self._on_message)
        report_failures(client, self._config, self._note_failure, TLS_ADVICE)
        return client

    def _note_failure(self, reason: str) -> None:
        _log.warning("%s", reason)
        self.refusal = reason

    def _on_connect(self, client: Any, *_: Any) -> None:
        """Publishes the retained messages again: the broker may have lost them, and other programs may be new."""
        self._queue_ends = monotonic() + QUEUE_S
        self.knows_rights, self.refusal = False, ""
        client.subscribe(f"{self._config.topic}/{SIGNAL}", AT_LEAST_ONCE)
        self._publish_online(AT_LEAST_ONCE)
        if self._config.discovery:
            for topic, message in discovery_messages(self._name, self._base, self._config.discovery):
                client.publish(topic, json_text(message), AT_LEAST_ONCE, retain=True)
        for state in self._states.values():
            state.request_repeat()

    def _publish_online(self, quality: int) -> None:
        """Publishes that the table is online; not once it ends, since a thread left behind would contradict that."""
        if not self._stopping.is_set():
            self._client.publish(f"{self._base}/status", "online", quality, retain=True)

    def _on_message(self, *args: Any) -> None:
        """Carries out the desk's message to all tables; an unreadable one is ignored, and logged once a minute.

        An empty one only deletes the message that the broker keeps.
        """
        message = args[-1]
        if not message.payload:
            return
        is_kept = bool(message.retain) or monotonic() < self._queue_ends
        try:
            self._part.receive_signal(replace(read_signal(message.payload), is_kept=is_kept))
        except ValueError as error:
            if self._throttle.is_due("signal"):
                _log.warning("expected a signal from the desk, got %r: %s", message.payload[:80], error)

    def _run(self) -> None:
        health_due, last_flags = 0.0, list[str]()
        with self._errors_logged():
            self._games.add_earlier(self._part.earlier_games())
        while not (self._stopping.is_set() or self._board.is_closed):
            snapshot = self._board.wait_for(self._version, self._wait_s)
            is_news, is_due = snapshot.version != self._version, monotonic() >= health_due
            self._version = snapshot.version
            if is_news:
                with self._errors_logged():
                    self._publish_news(snapshot)
            flags = [
                logged.key for logged in snapshot.announcements if logged.announcement.id is AnnouncementId.MOMENT_KEPT
            ]
            if flags != last_flags or is_due:
                last_flags = flags
                with self._errors_logged():
                    self._publish_appeals()
            if is_due:
                health_due = monotonic() + HEALTH_S
                with self._errors_logged():
                    health = {**self._get_health().as_json(), "sender": self._identity}
                    self._states["health"].update(json_text(health))
                if self.is_connected:  # the broker may have declared a lost table of the same name offline
                    self._publish_online(AT_MOST_ONCE)  # these fill no queue
            with self._errors_logged():
                for state in self._states.values():
                    state.send_pending()
            if self.is_connected and not self.knows_rights:
                with self._errors_logged():
                    self._ask_for_rights()
                self.knows_rights = True

    def _ask_for_rights(self) -> None:
        """Notes whether the broker refuses the table's messages, as it does if the login is another table's."""
        identity, topic = f"{self._identity}-rights", f"{self._base}/status"
        if is_refused(self._config, identity, topic, "online", is_outdated=self._stopping.is_set):
            self._note_failure(
                f"expected a broker that takes messages of {self._name!r}, the table's name, got a refusal: "
                f"the login {self._config.user!r} may be another table's"
            )

    @contextmanager
    def _errors_logged(self) -> Iterator[None]:
        """Logs an error instead of raising it, so that the other messages are still published."""
        try:
            yield
        except Exception as error:
            if self._throttle.is_due_for(error):
                _log.exception("expected a message for the hall, got an error; the others are published")

    def _publish_news(self, snapshot: Snapshot) -> None:
        for line in public_announcements(snapshot.announcements, self._announced, snapshot.mode):
            self._client.publish(f"{self._base}/announcement", json_text(announcement_line(line)), AT_LEAST_ONCE)
        self._announced = snapshot.announcements
        self._states["table"].update(json_text(table_message(snapshot)))
        self._states["games"].update(json_text(self._games.message))

    def _publish_appeals(self) -> None:
        appeals = self._part.appeals()
        if appeals is not None:
            self._states["appeals"].update(json_text(appeals))

    @property
    def _wait_s(self) -> float:
        """Seconds to wait for the next snapshot: fewer while messages for the broker are pending."""
        is_behind = self.is_connected and any(state.is_behind for state in self._states.values())
        return SOON_S if is_behind else WAIT_S

    def __enter__(self) -> Self:
        """Connects and starts publishing; returns itself."""
        self._client.connect_async(self._config.host, self._config.port)
        self._client.loop_start()
        return super().__enter__()

    def __exit__(self, *_: object) -> None:
        """Publishes that the table is offline, and disconnects."""
        super().__exit__()
        if self.is_connected:
            farewell = self._client.publish(f"{self._base}/status", "offline", AT_LEAST_ONCE, retain=True)
            with suppress(RuntimeError, ValueError):  # the connection was lost just now, or the queue is full
                farewell.wait_for_publish(2.0)
        self._client.disconnect()
        self._client.loop_stop()
