"""The hall: listens to all tables of a broker, and shows them on one page."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass
from time import monotonic
from typing import Any, Final

from flask import Flask, Response, jsonify, render_template

from table.config import MqttConfig
from table.dashboard.live.event_stream import EXTENSION, Streams
from table.dashboard.web.browser_language import request_texts
from table.dashboard.web.security import protect
from table.i18n import Catalogue, round_name
from table.mqtt.broker_client import SURELY, client_of, complain_by
from table.mqtt.hall_messages import HallTable, heard, is_table_name
from table.mqtt.publisher import HEALTH_S
from table.rules.terms.rule_errors import RulesError
from table.rules.terms.seats import Round

MOST_TABLES: Final = 200
"""Limit of tables; more names than a hall can have are noise."""
OLD_S: Final = 3 * HEALTH_S
"""Age from which news is out of date; a running table publishes every `HEALTH_S`."""
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Known:
    """A table, and when its last messages arrived."""

    table: HallTable
    touched: float
    """When its last message of any kind arrived, in monotonic seconds."""
    told: float | None = None
    """When its last own message arrived; None while there are only retained ones, which may be of any age."""
    refused: str = ""
    """Why its last message was ignored, so that each reason is logged only once."""


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
        self._tables: dict[str, _Known] = {}
        self._now = now
        self._client = client_of(config, identity, is_lasting=True)
        self._client.on_connect = self._on_connect
        self._client.on_message = self._on_message
        complain_by(self._client, config, complain)

    @property
    def is_connected(self) -> bool:
        """Whether the broker is connected."""
        return bool(self._client.is_connected())

    @property
    def tables(self) -> tuple[HallTable, ...]:
        """All known tables, by name; at most `MOST_TABLES`."""
        with self._lock:
            return tuple(self._tables[name].table for name in sorted(self._tables))

    def age_s(self, name: str) -> float | None:
        """Returns the seconds since a table's last own message; None if there was none since the hall started."""
        with self._lock:
            known = self._tables.get(name)
            return None if known is None or known.told is None else self._now() - known.told

    def take(self, topic: str, payload: bytes, *, is_kept: bool = False) -> None:
        """Handles a message; an invalid one is logged and ignored. `is_kept`: it is a retained message."""
        parts = topic.removeprefix(f"{self._config.topic}/").split("/")
        if len(parts) != 2 or not is_table_name(parts[0]):
            return
        name, what = parts
        with self._lock:
            known = self._tables.get(name) or _Known(HallTable(name=name), touched=self._now())
            try:
                known.table = heard(known.table, what, payload)
            except ValueError as error:
                if known.refused != str(error) and name in self._tables:
                    _log.warning(
                        "expected a message of the table %s, got %r at %s: %s", name, payload[:80], what, error
                    )
                known.refused = str(error)
                return
            self._keep(name, known, is_kept=is_kept)

    def _keep(self, name: str, known: _Known, *, is_kept: bool) -> None:
        """Stores a table; if there are too many, forgets the offline one that has been silent longest."""
        known.touched, known.refused = self._now(), ""
        if not is_kept:
            known.told = known.touched
        if name not in self._tables and len(self._tables) >= MOST_TABLES:
            silent = min(self._tables.values(), key=lambda each: (each.table.is_online, each.touched))
            if silent.table.is_online:
                return
            del self._tables[silent.table.name]
        self._tables[name] = known

    def _on_connect(self, client: Any, *_: Any) -> None:
        client.subscribe(f"{self._config.topic}/+/+", SURELY)

    def _on_message(self, *got: Any) -> None:
        *_, message = got
        try:
            topic = message.topic
        except UnicodeDecodeError:
            return
        self.take(topic, message.payload, is_kept=message.retain)

    def __enter__(self) -> Hall:
        self._client.connect_async(self._config.host, self._config.port)
        self._client.loop_start()
        return self

    def __exit__(self, *_: object) -> None:
        self._client.disconnect()
        self._client.loop_stop()


def hall_app(hall: Hall) -> Flask:
    """Returns the hall's application: ``/`` for people, ``/api/hall`` for programs; secured like a table's pages."""
    app = Flask(__name__, static_folder="static")
    app.extensions[EXTENSION] = Streams()
    protect(app)

    @app.get("/")
    def overview() -> str:
        texts = request_texts()
        rows = [_row(table, hall.age_s(table.name), texts) for table in hall.tables]
        return render_template(
            "hall.html", rows=rows, words=texts.under("page"), language=texts.language, is_connected=hall.is_connected
        )

    @app.get("/api/hall")
    def data() -> Response:
        tables = [{**asdict(table), "age_s": _rounded(hall.age_s(table.name))} for table in hall.tables]
        return jsonify(is_connected=hall.is_connected, tables=tables)

    return app


def _row(table: HallTable, age_s: float | None, texts: Catalogue) -> dict[str, Any]:
    """A table as the page shows it."""
    is_old = age_s is None or age_s > OLD_S
    look = "away" if is_old or not table.is_online else "" if table.is_well else "unwell"
    return {"table": table, "round": _round(table, texts), "look": look, "news": _news(age_s, texts)}


def _news(age_s: float | None, texts: Catalogue) -> str:
    if age_s is None:
        return texts.text("hall.never")
    if age_s <= OLD_S:
        return texts.text("hall.news", seconds=round(age_s))
    return texts.text("hall.old", minutes=max(1, round(age_s / 60)))


def _rounded(age_s: float | None) -> float | None:
    return None if age_s is None else round(age_s, 1)


def _round(table: HallTable, texts: Catalogue) -> str:
    try:
        return "" if table.round is None else round_name(Round.parse(table.round), texts)
    except RulesError:
        return ""
