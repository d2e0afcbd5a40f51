"""Caches the common page's JSON, created once per snapshot for any number of phones."""

from __future__ import annotations

import json
import threading

from table.dashboard.live.table_view import table_view
from table.game.snapshot import Snapshot
from table.i18n import Catalogue


class ViewCache:
    """Writes snapshots as JSON text and keeps the last one written in each language."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last: dict[str, tuple[Snapshot, str]] = {}

    def table(self, snapshot: Snapshot, texts: Catalogue) -> str:
        """Returns the table view on one line of JSON."""
        with self._lock:
            cached = self._last.get(texts.language)
            if cached is not None and cached[0] is snapshot:
                return cached[1]
            line = json.dumps(table_view(snapshot, texts), ensure_ascii=False, separators=(",", ":"))
            self._last[texts.language] = snapshot, line
            return line
