"""When a game's time limit starts, even if the clock is set during play, for example from the network."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from table.runtime.clock import Clock

_SLIGHT_CHANGE: Final = timedelta(seconds=5)
"""Changes of the clock by less than this are ignored."""


class LimitStart:
    """Follows how far the clock was set since the table took up a game."""

    def __init__(self, clock: Clock) -> None:
        """Takes the clock, which may not be set yet, at the moment when the table takes up the game."""
        self._clock = clock
        self._utc, self._seconds = datetime.fromisoformat(clock.utc()), clock.seconds()

    def corrected_opening(self, opened_at: str) -> str:
        """Returns when the game was opened, by the clock as it is set now.

        If a game was opened and taken up when the clock stood at 00:00, and the clock is set to 20:00 ten minutes
        later, this is 19:50. If the clock was set by less than `_SLIGHT_CHANGE`, it is `opened_at` unchanged.
        """
        elapsed = timedelta(seconds=self._clock.seconds() - self._seconds)
        set_by = datetime.fromisoformat(self._clock.utc()) - self._utc - elapsed
        if abs(set_by) < _SLIGHT_CHANGE:
            return opened_at
        try:
            opening = datetime.fromisoformat(opened_at) + timedelta(seconds=round(set_by.total_seconds()))
        except (ValueError, OverflowError):
            return opened_at
        return opening.isoformat(timespec="milliseconds")
