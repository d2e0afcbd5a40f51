"""The last lines of the log in memory, for the health page and its download: an SD card is spared."""

from __future__ import annotations

import ipaddress
import logging
import re
from collections import deque
from collections.abc import Iterable
from typing import Final

LINES: Final = 400
FORMAT: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"


HIDDEN: Final = "(address)"
_MAY_BE_ADDRESS: Final = re.compile(
    r"(?<![\w.:])(?:(?:\d{1,3}\.){3}\d{1,3}|[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*[0-9A-Fa-f:](?:%\w+)?)(?!\.?\w)"
)


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


def without_addresses(lines: Iterable[str]) -> tuple[str, ...]:
    """Returns the lines with `HIDDEN` in the place of every network address: what others may read."""
    return tuple(_MAY_BE_ADDRESS.sub(_hidden, line) for line in lines)


def _hidden(found: re.Match[str]) -> str:
    """A time of day looks like an address of version 6, and is none."""
    text = found[0]
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return text
    return HIDDEN
