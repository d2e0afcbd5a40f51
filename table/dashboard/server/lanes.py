"""Shares the threads among requests, so that long ones cannot hold up short ones, nor one address all others."""

from __future__ import annotations

import re
from typing import Final

from table.dashboard.server.worker_pool import WorkerPool

SHORT_PATHS: Final = re.compile(r"/api/(?:session|stream)")
"""Paths that are answered at once: every page requests them first, and the watchdog tests the page with one."""
LONG_PATHS: Final = re.compile(r"/(?:game/|games|api/games/|moments|season).*")
"""Paths of pages that read whole games again, which takes seconds on a Pi."""


class Lanes:
    """The threads of one server: for short requests and open streams, for pages, and for pages of whole games."""

    def __init__(self, threads: int) -> None:
        """Starts the threads; `threads` of them are for pages."""
        self.short = WorkerPool(4, "short", most_each=2)
        self._pages = WorkerPool(threads, "page", most_each=4)
        self._long = WorkerPool(2, "game", most_each=1)

    def pool_for(self, path: str) -> WorkerPool:
        """Returns the threads that answer requests for that path."""
        if SHORT_PATHS.fullmatch(path):
            return self.short
        return self._long if LONG_PATHS.fullmatch(path) else self._pages

    def close(self, patience_s: float) -> None:
        """Ends all threads once their calls are done, waiting at most `patience_s` seconds for each pool."""
        for pool in (self.short, self._pages, self._long):
            pool.close(patience_s)
