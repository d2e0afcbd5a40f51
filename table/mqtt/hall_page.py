"""The hall: listens to all tables of a broker, and shows them on one page."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from time import monotonic
from typing import Any, Final, cast

from flask import Flask, Response, jsonify, render_template

from table.config import MqttConfig
from table.dashboard.live.event_stream import EXTENSION, Streams
from table.dashboard.web.access.clockless_sessions import ClocklessSessions
from table.dashboard.web.access.roles import keep_access
from table.dashboard.web.access.vault import Vault
from table.dashboard.web.answers import answer_errors
from table.dashboard.web.browser_language import request_texts
from table.dashboard.web.request_environ import SMALL_BODY
from table.dashboard.web.security import protect
from table.dashboard.web.table_port import TablePort
from table.game.snapshot import AccessNews
from table.i18n import Catalogue, isolated, round_name, signed
from table.mqtt.broker_client import AT_LEAST_ONCE, TlsAdvice, client_of, logging_errors, report_failures
from table.mqtt.desk.desk import Desk
from table.mqtt.desk.desk_pages import blueprint, public_view, refusal_page
from table.mqtt.desk_signal import SIGNAL
from table.mqtt.hall_messages import HallTable, is_table_name, updated_table
from table.mqtt.publisher import HEALTH_S
from table.mqtt.table_senders import TableSenders
from table.rules.terms.rule_errors import RulesError
from table.rules.terms.seats import SEATS, Round, seat_wind
from table.runtime.log_throttle import LogThrottle
from table.runtime.threads import wait_until_ended

MOST_TABLES: Final = 200
"""Limit of tables; more names than a hall can have are noise."""
ASK_AGAIN_S: Final = (5.0, 20.0, 60.0)
"""Times after each connection at which the broker is asked again for its retained messages.

While the hall was away, the broker queued its messages; a full queue (`max_queued_messages`) takes no more, not even
the retained ones that it sends on subscription. They arrive once the queue has drained.
"""
CHECK_S: Final = 0.5
OLD_S: Final = 3 * HEALTH_S
"""Age from which news is out of date; a running table publishes every `HEALTH_S`."""
TLS_ADVICE: Final = TlsAdvice(
    with_tls="add --tls, and --ca FILE if no known authority signed its certificate", without_tls="leave out --tls"
)
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _TableEntry:
    """A table, and when its last messages arrived."""

    table: HallTable
    last_message_at: float
    """When its last message of any kind arrived, in monotonic seconds."""
    last_news_at: float | None = None
    """When its last new message arrived; None after retained ones alone, which may be of any age."""
    refusal: str = ""
    """Why its last message was ignored, to log only new reasons; empty if it was not."""
    senders: TableSenders = field(default_factory=lambda: TableSenders(OLD_S))


class Hall:
    """Listens to every table under a topic. A context manager."""

    def __init__(
        self,
        config: MqttConfig,
        identity: str = "tachiai-hall",
        *,
        now: Callable[[], float] = monotonic,
        complain: Callable[[str], None] = _log.warning,
    ) -> None:
        """Prepares the client; `now` returns monotonic seconds, `complain` receives the reasons of failed connections.

        Raises:
            ConfigError: paho-mqtt is not installed, or the CA certificate cannot be read.
        """
        self._config = config
        self._lock = threading.Lock()
        self._tables: dict[str, _TableEntry] = {}
        self._now = now
        self._on_news: Callable[[HallTable], None] | None = None
        self._on_connection: Callable[[], None] | None = None
        self._on_signal: Callable[[bytes], None] | None = None
        self._ask_again_at: tuple[float, ...] = ()
        self._throttle = LogThrottle(now)
        self._is_ending = threading.Event()
        self._renewal_thread = threading.Thread(target=self._renew, name="hall-renewal", daemon=True)
        self._client = client_of(config, identity, is_lasting=True)
        self._client.on_connect = logging_errors(self._on_connect)
        self._client.on_message = logging_errors(self._on_message)
        report_failures(self._client, config, complain, TLS_ADVICE)

    @property
    def is_connected(self) -> bool:
        """Whether the broker is connected."""
        return bool(self._client.is_connected())

    def call_on_news(self, callback: Callable[[HallTable], None]) -> None:
        """Registers a listener that gets each table with news, in the receiving thread."""
        self._on_news = callback

    def call_on_connect(self, callback: Callable[[], None]) -> None:
        """Registers a callback for each connection to the broker, which may have lost retained messages."""
        self._on_connection = callback

    def call_on_signal(self, callback: Callable[[bytes], None]) -> None:
        """Registers a listener for the signals that desks, this one or another, have just sent to all tables."""
        self._on_signal = callback

    def send_to_tables(self, text: str, *, is_news: bool = True) -> None:
        """Sends a retained message to all tables; news also reach tables that are away, once they return."""
        self._client.publish(f"{self._config.topic}/{SIGNAL}", text, AT_LEAST_ONCE if is_news else 0, retain=True)

    @property
    def tables(self) -> tuple[HallTable, ...]:
        """All known tables, by name; at most `MOST_TABLES`."""
        with self._lock:
            entries = [self._tables[name] for name in sorted(self._tables)]
            return tuple(replace(each.table, is_doubled=each.senders.are_two(self._now())) for each in entries)

    def age_s(self, name: str) -> float | None:
        """Returns the seconds since a table's last new message; None if there was none since the hall started."""
        with self._lock:
            entry = self._tables.get(name)
            return None if entry is None or entry.last_news_at is None else self._now() - entry.last_news_at

    def handle_message(self, topic: str, payload: bytes, *, is_kept: bool = False) -> None:
        """Handles a message, which is retained if `is_kept`; an invalid one is ignored.

        A known table's invalid message is logged if its reason is new, at most once a minute.
        """
        if topic == f"{self._config.topic}/{SIGNAL}" and not is_kept and self._on_signal is not None:
            self._on_signal(payload)
        parts = topic.removeprefix(f"{self._config.topic}/").split("/")
        if len(parts) != 2 or not is_table_name(parts[0]):
            return
        name, subtopic = parts
        with self._lock:
            entry = self._tables.get(name) or _TableEntry(HallTable(name=name), last_message_at=self._now())
            try:
                entry.table = updated_table(entry.table, subtopic, payload)
            except ValueError as error:
                is_new = entry.refusal != str(error) and name in self._tables
                if is_new and self._throttle.is_due(name):
                    _log.warning(
                        "expected a message of the table %s, got %r on %s: %s", name, payload[:80], subtopic, error
                    )
                entry.refusal = str(error)
                return
            self._store(name, entry, is_kept=is_kept)
            if subtopic == "health" and not is_kept:
                self._note_sender(entry)
        if self._on_news is not None:
            self._on_news(entry.table)

    def _store(self, name: str, entry: _TableEntry, *, is_kept: bool) -> None:
        """Stores a table; if there are too many, forgets the offline one that has been silent longest."""
        entry.last_message_at, entry.refusal = self._now(), ""
        if not is_kept:
            entry.last_news_at = entry.last_message_at
        if name not in self._tables and len(self._tables) >= MOST_TABLES:
            silent = min(self._tables.values(), key=lambda each: (each.table.is_online, each.last_message_at))
            if silent.table.is_online:
                return
            del self._tables[silent.table.name]
        self._tables[name] = entry

    def _note_sender(self, entry: _TableEntry) -> None:
        was_doubled = entry.senders.are_two(self._now())
        entry.senders.note(entry.table.sender, self._now())
        if entry.senders.are_two(self._now()) and not was_doubled:
            _log.warning("expected one table named %s, got two: give one of them another name", entry.table.name)

    def _on_connect(self, *_: Any) -> None:
        self._ask_again_at = tuple(monotonic() + after for after in ASK_AGAIN_S)
        self._ask_for_states()
        if self._on_connection is not None:
            self._on_connection()

    def _ask_for_states(self) -> None:
        """Makes the broker send its retained messages, and new ones from now on."""
        self._client.subscribe(f"{self._config.topic}/+/+", AT_LEAST_ONCE)

    def _renew(self) -> None:
        """Asks for the retained messages again `ASK_AGAIN_S` after each connection, until the hall ends."""
        while not self._is_ending.wait(CHECK_S):
            if self._ask_again_at and self.is_connected and monotonic() >= self._ask_again_at[0]:
                self._ask_again_at = self._ask_again_at[1:]
                self._ask_for_states()

    def _on_message(self, *args: Any) -> None:
        *_, message = args
        try:
            topic = message.topic
        except UnicodeDecodeError:
            return
        self.handle_message(topic, message.payload, is_kept=message.retain)

    def __enter__(self) -> Hall:
        self._client.connect_async(self._config.host, self._config.port)
        self._client.loop_start()
        self._renewal_thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_ending.set()
        wait_until_ended(self._renewal_thread)
        self._client.disconnect()
        self._client.loop_stop()


def hall_app(hall: Hall, desk: Desk | None = None, vault: Vault | None = None) -> Flask:
    """Returns the hall's application: ``/`` for people, ``/api/hall`` for programs; secured like a table's pages.

    With a tournament desk, everybody also sees the standings; the desk itself requires the PIN in the vault.
    """
    app = Flask(__name__, static_folder="static")
    app.add_template_filter(isolated)
    app.extensions[EXTENSION] = Streams()
    protect(app)
    answer_errors(app, refusal_page)
    if desk is not None:
        _open_desk(app, desk, vault or Vault())

    @app.get("/")
    def overview() -> str:
        texts = request_texts()
        rows = [_row(table, hall.age_s(table.name), texts) for table in hall.tables]
        return render_template(
            "hall.html",
            rows=rows,
            words=texts.group("page") | texts.group("desk"),
            language=texts.language,
            is_connected=hall.is_connected,
            event=public_view(desk),
            has_desk=desk is not None,
        )

    @app.get("/api/hall")
    def data() -> Response:
        tables = [{**_public_fields(table), "age_s": _rounded(hall.age_s(table.name))} for table in hall.tables]
        return jsonify(is_connected=hall.is_connected, tables=tables)

    return app


def _open_desk(app: Flask, desk: Desk, vault: Vault) -> None:
    """Adds the desk's pages, for visitors who know the owner's PIN."""
    app.config.update(
        SECRET_KEY=vault.key,
        SESSION_COOKIE_NAME="tachiai-hall",  # a table on another port of this computer has its own
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        MAX_CONTENT_LENGTH=SMALL_BODY,
    )
    app.session_interface = ClocklessSessions()
    keep_access(app, vault, cast(TablePort, _NobodyAtTheTable()))
    app.register_blueprint(blueprint(desk))


class _NobodyAtTheTable:
    """Stands in for a table's players, who would be told that an owner signed in."""

    def tell(self, news: AccessNews) -> None:
        """Ignores the news."""


def _public_fields(table: HallTable) -> dict[str, Any]:
    """Returns the fields of a table that everybody may see: its games and appeals are for the desk alone."""
    return {name: value for name, value in asdict(table).items() if name not in ("games", "appeals", "sender")}


def _row(table: HallTable, age_s: float | None, texts: Catalogue) -> dict[str, Any]:
    """Returns a table as the page shows it."""
    is_old = age_s is None or age_s > OLD_S
    style = "away" if is_old or not table.is_online else "" if table.is_well else "unwell"
    return {
        "table": table,
        "round": _round_text(table, texts),
        "is_over": bool(table.games) and table.games[-1].is_over,
        "scores": _scores(table, texts),
        "look": style,
        "news": _news_text(age_s, texts),
    }


def _scores(table: HallTable, texts: Catalogue) -> list[tuple[str, str]]:
    """Returns each seat's name and points, from East on; its number and points if the dealer is unknown."""
    seats = list(zip(SEATS, table.scores, strict=False))
    try:
        place = None if table.round is None or not table.games else Round.parse(table.round)
    except RulesError:
        place = None
    if place is None:
        names = [texts.text("page.seat_number", number=int(seat) + 1) for seat in SEATS]
    else:
        dealer = SEATS[table.games[-1].first_dealer].plus(place.number - 1)
        names = [texts.name("wind", seat_wind(seat, dealer).letter) for seat in SEATS]
        seats.sort(key=lambda pair: (pair[0] - dealer) % 4)
    return [(names[seat], signed(score, plus="")) for seat, score in seats]


def _news_text(age_s: float | None, texts: Catalogue) -> str:
    if age_s is None:
        return texts.text("hall.never")
    if age_s <= OLD_S:
        return texts.text("hall.news", seconds=round(age_s))
    return texts.text("hall.old", minutes=max(1, round(age_s / 60)))


def _rounded(age_s: float | None) -> float | None:
    return None if age_s is None else round(age_s, 1)


def _round_text(table: HallTable, texts: Catalogue) -> str:
    try:
        return "" if table.round is None else round_name(Round.parse(table.round), texts)
    except RulesError:
        return ""
