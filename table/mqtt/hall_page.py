"""A hall: listens to all tables of a broker, and shows them on one page."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from flask import Flask, Response, jsonify, render_template

from table.config import MqttConfig
from table.dashboard.live.event_stream import EXTENSION, Streams
from table.dashboard.web.browser_language import request_texts
from table.i18n import Catalogue, round_name
from table.mqtt.publisher import SURELY, client_of
from table.rules.terms.rule_errors import RulesError
from table.rules.terms.seats import Round

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class HallTable:
    """One table as the hall knows it."""

    name: str
    is_online: bool = False
    is_well: bool = True
    troubles: tuple[str, ...] = ()
    round: str | None = None
    honba: int = 0
    deposits: int = 0
    scores: tuple[int, ...] = ()
    announcements: int = 0
    """How many it made since the hall listens."""


class Hall:
    """Listens to every table under a topic. A context manager."""

    def __init__(self, config: MqttConfig, identity: str = "tachiai-hall") -> None:
        """Connects to nobody yet.

        Raises:
            ConfigError: paho-mqtt is not installed.
        """
        self._config = config
        self._lock = threading.Lock()
        self._tables: dict[str, HallTable] = {}
        self._client = client_of(config, identity, is_lasting=True)
        self._client.on_connect = self._on_connect
        self._client.on_message = self._on_message

    @property
    def is_connected(self) -> bool:
        """Whether the broker is there."""
        return bool(self._client.is_connected())

    @property
    def tables(self) -> tuple[HallTable, ...]:
        """All tables that were ever heard of, by name."""
        with self._lock:
            return tuple(self._tables[name] for name in sorted(self._tables))

    def take(self, topic: str, payload: bytes) -> None:
        """Takes a message in; what cannot be read is logged and left."""
        parts = topic.removeprefix(f"{self._config.topic}/").split("/")
        if len(parts) != 2:
            return
        name, what = parts
        with self._lock:
            table = self._tables.get(name, HallTable(name=name))
            try:
                self._tables[name] = _heard(table, what, payload)
            except (ValueError, TypeError, KeyError) as error:
                _log.warning("expected a message of a table, got %r at %s: %s", payload[:80], topic, error)

    def _on_connect(self, client: Any, *_: Any) -> None:
        client.subscribe(f"{self._config.topic}/+/+", SURELY)

    def _on_message(self, *heard: Any) -> None:
        *_, message = heard
        self.take(message.topic, message.payload)

    def __enter__(self) -> Hall:
        self._client.connect_async(self._config.host, self._config.port)
        self._client.loop_start()
        return self

    def __exit__(self, *_: object) -> None:
        self._client.disconnect()
        self._client.loop_stop()


def hall_app(hall: Hall) -> Flask:
    """Returns the hall's page: ``/`` for people, ``/api/hall`` for programs."""
    app = Flask(__name__, static_folder=None)
    app.extensions[EXTENSION] = Streams()

    @app.get("/")
    def overview() -> str:
        texts = request_texts()
        rows = [(table, _round(table, texts)) for table in hall.tables]
        return render_template(
            "hall.html", rows=rows, words=texts.under("page"), language=texts.language, is_connected=hall.is_connected
        )

    @app.get("/api/hall")
    def data() -> Response:
        return jsonify(is_connected=hall.is_connected, tables=[asdict(table) for table in hall.tables])

    return app


def _heard(table: HallTable, what: str, payload: bytes) -> HallTable:
    if what == "status":
        return replace(table, is_online=payload == b"online")
    message: Mapping[str, Any] = json.loads(payload)
    match what:
        case "table":
            return replace(
                table,
                round=None if message["round"] is None else str(message["round"]),
                honba=int(message["honba"]),
                deposits=int(message["deposits"]),
                scores=tuple(int(score) for score in message["scores"]),
            )
        case "health":
            return replace(table, is_well=bool(message["ok"]), troubles=tuple(map(str, message["troubles"])))
        case "announcement":
            return replace(table, announcements=table.announcements + 1)
    return table


def _round(table: HallTable, texts: Catalogue) -> str:
    try:
        return "" if table.round is None else round_name(Round.parse(table.round), texts)
    except RulesError:
        return ""
