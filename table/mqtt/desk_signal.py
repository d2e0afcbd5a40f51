"""What the desk says to all tables at once: that time is called. Nothing else is done on its word."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Final

from vision.json_text import read_json

DESK: Final = "hall"
"""The user that the desk signs in by, and the name under which it speaks to all tables."""
SIGNAL: Final = f"{DESK}/signal"
"""The topic, below that of all tables; retained, so that a table which was away hears it when it is back."""
_MOST_BYTES: Final = 1000


def signal_message(at: str) -> str:
    """Returns what says that time was called at that moment, ISO 8601, UTC."""
    return json.dumps({"id": "time_signal", "at": at})


def read_signal(payload: bytes) -> str:
    """Returns the moment at which time was called, ISO 8601, UTC.

    Raises:
        ValueError: the desk says no such thing.
    """
    if len(payload) > _MOST_BYTES:
        raise ValueError(f"expected {_MOST_BYTES} bytes at most, got {len(payload)}")
    message = read_json(payload)
    if not isinstance(message, dict) or message.get("id") != "time_signal" or not isinstance(message.get("at"), str):
        raise ValueError("expected id as time_signal, and at as a time")
    moment(message["at"])
    return str(message["at"])


def moment(text: str) -> datetime:
    """Reads a moment; one that names no zone is one in UTC.

    Raises:
        ValueError: it is none.
    """
    read = datetime.fromisoformat(text)
    return read if read.tzinfo is not None else read.replace(tzinfo=UTC)


def is_meant(opened: str, called: str) -> bool:
    """Whether time called at that moment is for a game opened then; a game whose opening is not known is meant."""
    try:
        return moment(opened) <= moment(called)
    except ValueError:
        return True
