"""Adds files to a ZIP whatever the clock says: one without a battery may be before 1980, which no ZIP can store."""

from __future__ import annotations

import time
from typing import Final
from zipfile import ZipFile, ZipInfo

_FIRST: Final = (1980, 1, 1, 0, 0, 0)
_LAST: Final = (2107, 12, 31, 23, 59, 58)
_MODE: Final = 0o600
"""Who may read the file once it is unpacked: whoever unpacks it."""


def add_text(archive: ZipFile, name: str, content: str | bytes) -> None:
    """Adds a file with this content and the present time, or the nearest one that a ZIP can store."""
    year, month, day, hour, minute, second = time.localtime()[:6]
    entry = ZipInfo(name, min(max((year, month, day, hour, minute, second), _FIRST), _LAST))
    entry.external_attr = _MODE << 16
    archive.writestr(entry, content, compress_type=archive.compression)
