"""The desk's time of day, which goes on evenly while a round is played."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from table.mqtt.desk_signal import moment
from table.runtime.clock import Clock


class RoundClock:
    """Reads the machine's time of day when it is set, and counts the seconds itself from then on.

    The machine's clock may be corrected by hours at any moment, as soon as it has a network. A round must neither end
    nor go on because of that.
    """

    def __init__(self, clock: Clock, seconds: Callable[[], float]) -> None:
        """Sets the clock; `seconds` returns seconds that pass evenly, from any start."""
        self._clock = clock
        self._seconds = seconds
        self.set()

    def set(self) -> None:
        """Takes over the machine's time of day."""
        self._set = moment(self._clock.utc()), self._seconds()

    def utc(self) -> str:
        """Returns the time of day, ISO 8601, UTC."""
        when, since = self._set
        return (when + timedelta(seconds=self._seconds() - since)).isoformat(timespec="milliseconds")
