"""The desk's only message to all tables: time is called."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Final

from vision.json_text import read_json

DESK: Final = "hall"
"""The desk's user at the broker, and the name under which it sends to all tables."""
SIGNAL: Final = f"{DESK}/signal"
"""The topic, below that of all tables; retained, so that a table that was offline gets it when it is back."""
_MOST_BYTES: Final = 1000


def signal_message(at: str) -> str:
    """Returns the message that time was called at a moment, ISO 8601, UTC."""
    return json.dumps({"id": "time_signal", "at": at})


def read_signal(payload: bytes) -> str:
    """Returns the moment at which time was called, ISO 8601, UTC.

    Raises:
        ValueError: the message says something else.
    """
    if len(payload) > _MOST_BYTES:
        raise ValueError(f"expected {_MOST_BYTES} bytes at most, got {len(payload)}")
    message = read_json(payload)
    if not isinstance(message, dict) or message.get("id") != "time_signal" or not isinstance(message.get("at"), str):
        raise ValueError("expected time_signal as id, and a time as at")
    moment(message["at"])
    return str(message["at"])


def moment(text: str) -> datetime:
    """Reads a moment; without a time zone, it is in UTC.

    Raises:
        ValueError: it is not a moment.
    """
    read = datetime.fromisoformat(text)
    return read if read.tzinfo is not None else read.replace(tzinfo=UTC)


def is_meant(opened: str, called: str) -> bool:
    """Returns whether time called at this moment applies to a game opened then; it does if the opening is unknown."""
    try:
        return moment(opened) <= moment(called)
    except ValueError:
        return True
