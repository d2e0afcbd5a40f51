"""Follows every game of the journal once after the start, beside those who play."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Final

from table.game.journal.journal_check import trouble_in
from table.runtime.worker import Worker

BEGINS_S: Final = 20.0
"""How long the start is left to itself."""
PATIENCE_S: Final = 2.0
_log = logging.getLogger(__name__)


class JournalPass(Worker):
    """Reads the journal whole and says in `trouble` what is wrong with it.

    A context manager. After each game it rests as long as that took: half of one core is the most that it takes.
    """

    def __init__(self, path: Path, *, begins_s: float | None = None) -> None:
        """Takes the journal, and how long the start is left to itself (None: `BEGINS_S`)."""
        super().__init__("journal-pass", patience_s=PATIENCE_S)
        self.trouble = ""
        """What is wrong with the journal; empty as long as nothing was found."""
        self._path = path
        self._begins_s = BEGINS_S if begins_s is None else begins_s

    def _run(self) -> None:
        if self._stopping.wait(self._begins_s):
            return
        self.trouble = trouble_in(self._path, rest=self._stopping.wait)
        if self.trouble:
            _log.error("%s", self.trouble)
