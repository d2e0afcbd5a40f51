"""Checks every game of the journal once after the start, in the background."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Final

from table.game.journal.recovery.journal_check import journal_trouble
from table.runtime.threads import Worker

DELAY_S: Final = 20.0
"""The delay after the start."""
PATIENCE_S: Final = 2.0
_log = logging.getLogger(__name__)


class BackgroundCheck(Worker):
    """Reads the whole journal; `trouble` says what is wrong with it.

    A context manager. After each game it pauses for as long as that game took, so it uses at most half of one core.
    """

    def __init__(self, path: Path, *, delay_s: float | None = None) -> None:
        """Takes the journal, and the delay after the start (None: `DELAY_S`)."""
        super().__init__("journal-check", patience_s=PATIENCE_S)
        self.trouble = ""
        """What is wrong with the journal; empty if nothing was found so far."""
        self._path = path
        self._delay_s = DELAY_S if delay_s is None else delay_s

    def _run(self) -> None:
        if self._stopping.wait(self._delay_s):
            return
        self.trouble = journal_trouble(self._path, on_game=self._stopping.wait)
        if self.trouble:
            _log.error("%s", self.trouble)
