"""Keeps the last log lines in memory for the health page and its download, which spares the SD card."""

from __future__ import annotations

import ipaddress
import logging
import re
from collections import deque
from typing import Final

LINES: Final = 400
FORMAT: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"


HIDDEN_ADDRESS: Final = "(address)"
_MAY_BE_ADDRESS: Final = re.compile(
    r"(?<![\w.:])(?:(?:\d{1,3}\.){3}\d{1,3}|[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*[0-9A-Fa-f:](?:%\w+)?)(?!\.?\w)"
)
_FOLDER: Final = r"""[^\s/:'"]+/"""
_SPACED_FOLDER: Final = r"""[^\s/:'",.]+(?: [^\s/:'",.]+)+/"""
"""A folder with spaces in its name: without punctuation, unlike the sentence after a file."""
_FOLDERS: Final = re.compile(rf"(?<![\w/:.~)\]-])/(?!dev/(?!shm/)){_FOLDER}(?:{_FOLDER}|{_SPACED_FOLDER})*")
"""The folders of a path from the root, except a device's."""


class LogBuffer(logging.Handler):
    """Keeps the newest lines."""

    def __init__(self, lines: int = LINES) -> None:
        super().__init__(logging.INFO)
        self._lines: deque[str] = deque(maxlen=lines)
        self.setFormatter(logging.Formatter(FORMAT))

    def emit(self, record: logging.LogRecord) -> None:
        """Formats a record and keeps the line; a record that cannot be formatted is reported as `logging` does."""
        try:
            self._lines.append(self.format(record))
        except Exception:  # a mistake in a log call must not stop its caller
            self.handleError(record)

    @property
    def lines(self) -> tuple[str, ...]:
        """The kept lines, oldest first."""
        return tuple(self._lines)


def public_text(text: str) -> str:
    """Returns a text for others than the owner: `HIDDEN_ADDRESS` for network addresses, files without their folders."""
    return _FOLDERS.sub("", _MAY_BE_ADDRESS.sub(_hidden, text))


def _hidden(found: re.Match[str]) -> str:
    """Returns the replacement for a match; a time of day looks like an IPv6 address and is kept."""
    text = found[0]
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return text
    return HIDDEN_ADDRESS
