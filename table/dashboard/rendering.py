"""The common page's JSON, made once a snapshot however many phones ask for it."""

from __future__ import annotations

import json
import threading

from table.dashboard.views import table_view
from table.snapshot import Snapshot
from table.translations import Catalogue


class Rendering:
    """Writes snapshots as JSON text and keeps the last one written."""

    def __init__(self, texts: Catalogue) -> None:
        self._texts = texts
        self._lock = threading.Lock()
        self._last: tuple[Snapshot, str] | None = None

    def table(self, snapshot: Snapshot) -> str:
        """Returns the table view on one line of JSON."""
        with self._lock:
            if self._last is None or self._last[0] is not snapshot:
                view = table_view(snapshot, self._texts)
                self._last = snapshot, json.dumps(view, ensure_ascii=False, separators=(",", ":"))
            return self._last[1]
