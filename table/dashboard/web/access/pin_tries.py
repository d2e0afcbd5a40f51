"""Limits PIN attempts: a few in a row and some more per hour from one address, and a number from all together.

The total limit stops an attacker with many addresses. A single address cannot reach it, and so keeps nobody else out.
Owners who are signed in are not affected: when one changes the PIN, attempts are counted by phone instead of address.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from typing import Final

ATTEMPTS: Final = 5
"""Wrong PINs that one address may enter in a row."""
WAIT_S: Final = 300.0
"""How long that address must wait then, in seconds."""
ATTEMPTS_IN_HOUR: Final = 10
"""Wrong PINs that one address may enter within an hour: a third of `ATTEMPTS_OF_ALL`."""
ATTEMPTS_OF_ALL: Final = 30
"""Wrong PINs that all addresses together may enter within an hour."""
HOUR_S: Final = 3600.0
ADDRESSES: Final = 256
"""Number of addresses remembered."""
_log = logging.getLogger(__name__)


class PinTries:
    """Counts the wrong attempts at one PIN. Not thread-safe: the vault holds its lock meanwhile."""

    def __init__(self, holder: str, clock: Callable[[], float]) -> None:
        """Takes the holder of the PIN, for the log, and a clock that returns monotonic seconds."""
        self._holder = holder
        self._clock = clock
        self._wrong_by_address: dict[str, deque[float]] = {}
        self._wrong_times: deque[float] = deque(maxlen=ATTEMPTS_OF_ALL)

    def must_wait(self, address: str) -> bool:
        """Returns whether PINs from this address are refused now without a check."""
        now, times = self._clock(), self._times_of(address)
        is_in_a_row = len(times) == ATTEMPTS and now - times[-1] < WAIT_S
        return is_in_a_row or _is_full(times, now) or _is_full(self._wrong_times, now)

    def forget(self, address: str) -> None:
        """Forgets the wrong attempts of an address that entered the right PIN."""
        self._wrong_by_address.pop(address, None)

    def count_wrong(self, address: str) -> None:
        """Counts a wrong PIN, and logs it without the address, since spectators may read the log."""
        now, times = self._clock(), self._times_of(address)
        times.append(now)
        self._wrong_by_address.pop(address, None)
        self._wrong_by_address[address] = times
        while len(self._wrong_by_address) > ADDRESSES:
            self._wrong_by_address.pop(next(iter(self._wrong_by_address)))
        self._wrong_times.append(now)
        recent = sum(now - each < HOUR_S for each in self._wrong_times)
        _log.warning("a wrong PIN of %s: %d from this address, %d within the hour", self._holder, len(times), recent)

    def _times_of(self, address: str) -> deque[float]:
        """Returns when wrong PINs came from an address within the last hour."""
        now, times = self._clock(), self._wrong_by_address.get(address, ())
        return deque((each for each in times if now - each < HOUR_S), maxlen=ATTEMPTS_IN_HOUR)


def _is_full(times: deque[float], now: float) -> bool:
    """Returns whether the last hour already has as many wrong PINs as are allowed."""
    return len(times) == times.maxlen and now - times[0] < HOUR_S
