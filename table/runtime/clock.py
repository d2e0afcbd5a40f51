"""The time of day behind an interface: the rules have no clock, and tests and replays bring their own."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """A source of the time of day."""

    def utc(self) -> str:
        """Returns the time of day, ISO 8601 in UTC, for the journal's envelope."""


class SystemClock:
    """The machine's clock."""

    def utc(self) -> str:
        """The time of day in UTC."""
        return datetime.now(UTC).isoformat(timespec="milliseconds")


@dataclass(slots=True)
class LogicalClock:
    """A clock that advances only when set, so that two runs of a recording write the same journal."""

    now_ns: int = 0
    epoch: datetime = field(default_factory=lambda: datetime(2000, 1, 1, tzinfo=UTC))

    def utc(self) -> str:
        """Returns the logical time on a fixed, fictitious day."""
        seconds = self.epoch.timestamp() + self.now_ns / 1e9
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


def steady_s() -> float:
    """Returns seconds that go on while the machine sleeps, whatever time of day it is set to."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


def stamp(clock: Clock) -> str:
    """Returns the time of day to the second, for use in a file name."""
    return clock.utc()[:19].replace(":", "")
