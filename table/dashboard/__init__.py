"""The pages for phones and big screens: the live table, and people's commands.

`create_app` builds the web application around a `Board` (snapshots in) and an inbox (commands out); `serve` runs it.
Pure functions compute everything shown from snapshots (`live/table_view`); no game logic is here.
"""

from table.dashboard.application import create_app
from table.dashboard.server import serve

__all__ = ["create_app", "serve"]
