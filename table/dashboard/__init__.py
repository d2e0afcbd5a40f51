"""The pages that phones and big screens open: the table live, and presses sent back.

`create_app` builds the web application around a `Board` (snapshots in) and an inbox (presses out); `serve` runs it.
Everything it shows comes from snapshots by pure functions (`live/table_view`); nothing here decides anything about the
game.
"""

from table.dashboard.application import create_app
from table.dashboard.server import serve

__all__ = ["create_app", "serve"]
