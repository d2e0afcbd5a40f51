"""The clock of a Pi without a battery, at its worst."""

from __future__ import annotations

import random
from datetime import UTC, datetime

from table.runtime.clock import LogicalClock


class JumpingClock(LogicalClock):
    """Says another time of day whenever it is asked, from 1970 to 2070."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._chance = random.Random(seed)

    def utc(self) -> str:
        return datetime.fromtimestamp(self._chance.randrange(3_155_000_000), UTC).isoformat(timespec="milliseconds")
