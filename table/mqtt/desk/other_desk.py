"""Notices another desk at the same broker: both would send the tables their own round, and overwrite each other's."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

from table.mqtt.desk_signal import read_signal

SILENT_S: Final = 90.0
"""Seconds after which a desk that is no longer heard is gone; a desk repeats its signal every 30."""
_log = logging.getLogger(__name__)


class OtherDesk:
    """Listens for signals that this desk did not send. Thread-safe."""

    def __init__(self, name: str, seconds: Callable[[], float]) -> None:
        """Takes this desk's name in its signals, the same after every start, and a clock of evenly passing seconds."""
        self._name = name
        self._seconds = seconds
        self._heard_at: float | None = None

    @property
    def is_active(self) -> bool:
        """Whether another desk was heard lately."""
        heard_at = self._heard_at
        return heard_at is not None and self._seconds() - heard_at <= SILENT_S

    def receive(self, payload: bytes) -> None:
        """Handles a signal that this or another desk has just sent to the tables; an unreadable one is ignored."""
        try:
            is_own = read_signal(payload).desk == self._name
        except ValueError:
            return
        if is_own:
            return
        if not self.is_active:
            _log.warning("expected no other desk at this broker, got the signal of one: close one of them")
        self._heard_at = self._seconds()
