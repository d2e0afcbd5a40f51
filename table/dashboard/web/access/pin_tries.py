"""Limits PIN attempts: a few in a row from one address, and a number per hour from all addresses together.

The total limit applies to an attacker with many addresses. Signed-in users are not affected: where an owner changes the
PIN, the attempts of the owner's phones are counted apart, by phone instead of address.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from time import monotonic
from typing import Final

ATTEMPTS: Final = 5
"""Wrong PINs that one address may enter in a row."""
WAIT_S: Final = 300.0
"""How long it must wait then."""
ATTEMPTS_OF_ALL: Final = 30
"""Wrong PINs that all addresses together may enter within an hour."""
HOUR_S: Final = 3600.0
ADDRESSES: Final = 256
"""Number of addresses remembered."""
_log = logging.getLogger(__name__)


class PinTries:
    """Counts the wrong attempts at one PIN. Not thread-safe: the vault holds its lock meanwhile."""

    def __init__(self, holder: str, clock: Callable[[], float] = monotonic) -> None:
        """Takes the holder of the PIN, for the log, and a clock that returns monotonic seconds."""
        self._holder = holder
        self._clock = clock
        self._wrong_by_address: dict[str, tuple[int, float]] = {}
        self._wrong_times: deque[float] = deque(maxlen=ATTEMPTS_OF_ALL)

    def must_wait(self, address: str) -> bool:
        """Returns whether PINs from this address are refused now without a check."""
        count, since = self._wrong_by_address.get(address, (0, 0.0))
        now = self._clock()
        is_full = len(self._wrong_times) == ATTEMPTS_OF_ALL and now - self._wrong_times[0] < HOUR_S
        return is_full or (count >= ATTEMPTS and now - since < WAIT_S)

    def forget(self, address: str) -> None:
        """Forgets the wrong attempts of an address that entered the right PIN."""
        self._wrong_by_address.pop(address, None)

    def count_wrong(self, address: str) -> None:
        """Counts a wrong PIN, and logs it without the address, since spectators may read the log."""
        now = self._clock()
        count, _ = self._wrong_by_address.pop(address, (0, now))
        self._wrong_by_address[address] = (1 if count >= ATTEMPTS else count + 1), now
        while len(self._wrong_by_address) > ADDRESSES:
            self._wrong_by_address.pop(next(iter(self._wrong_by_address)))
        self._wrong_times.append(now)
        recent = sum(now - each < HOUR_S for each in self._wrong_times)
        _log.warning("a wrong PIN of %s: %d from this address, %d within the hour", self._holder, count + 1, recent)
