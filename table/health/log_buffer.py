"""The last lines of the log in memory, for the health page and its download: an SD card is spared."""

from __future__ import annotations

import logging
from collections import deque
from typing import Final

LINES: Final = 400
FORMAT: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class LogBuffer(logging.Handler):
    """Keeps the newest lines."""

    def __init__(self, lines: int = LINES) -> None:
        super().__init__(logging.INFO)
        self._kept: deque[str] = deque(maxlen=lines)
        self.setFormatter(logging.Formatter(FORMAT))

    def emit(self, record: logging.LogRecord) -> None:
        """Keeps one record as a line."""
        self._kept.append(self.format(record))

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines that are kept, oldest first."""
        return tuple(self._kept)
