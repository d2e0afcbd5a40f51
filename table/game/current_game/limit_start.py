"""When a game's time limit counts from: a clock that is set during play, as by the network, does not change it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from table.runtime.clock import Clock

_SLIGHT_CHANGE: Final = timedelta(seconds=5)
"""A clock that was set by less is left as it is."""


class LimitStart:
    """Follows how far the clock was set since the table took up a game."""

    def __init__(self, clock: Clock) -> None:
        """Takes the clock, which is right, or not set yet, as the game is taken up."""
        self._clock = clock
        self._utc, self._seconds = datetime.fromisoformat(clock.utc()), clock.seconds()

    def corrected_opening(self, opened_at: str) -> str:
        """Returns when the game was opened, by the clock as it is set now.

        A clock that stood at 00:00 when the game was taken up as opened at 00:00, and is set to 20:00 ten minutes
        later, gives 19:50. Unless the clock was set by more than `_SLIGHT_CHANGE`, that is `opened_at` unchanged.
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
