"""The time of day behind an interface: the rules have no clock, and tests and replays bring their own."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import monotonic
from typing import Protocol


class Clock(Protocol):
    """A source of the time of day."""

    def utc(self) -> str:
        """Returns the time of day, ISO 8601 in UTC, for the journal's envelope."""

    def seconds(self) -> float:
        """Returns seconds that pass evenly, whatever the time of day is set to, counted from an arbitrary moment."""


class SystemClock:
    """The machine's clock."""

    def utc(self) -> str:
        """The time of day in UTC."""
        return datetime.now(UTC).isoformat(timespec="milliseconds")

    def seconds(self) -> float:
        """The machine's monotonic seconds."""
        return monotonic()


@dataclass(slots=True)
class LogicalClock:
    """A clock that advances only when set, so that two runs of a recording write the same journal."""

    now_ns: int = 0
    epoch: datetime = field(default_factory=lambda: datetime(2000, 1, 1, tzinfo=UTC))

    def utc(self) -> str:
        """Returns the logical time on a fixed, fictitious day."""
        seconds = self.epoch.timestamp() + self.now_ns / 1e9
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")

    def seconds(self) -> float:
        """The logical seconds."""
        return self.now_ns / 1e9


def steady_s() -> float:
    """Returns seconds that also pass while the machine sleeps, whatever the time of day is set to."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


def stamp(clock: Clock) -> str:
    """Returns the time of day to the second, for use in a file name."""
    return clock.utc()[:19].replace(":", "")


def local_time(utc: str) -> str:
    """Returns a moment as people at the table read it, by the machine's time zone: ``2026-11-26 08:30``.

    Args:
        utc: the moment, ISO 8601; without an offset, it is in UTC. A day alone, or another text, is returned as it is.
    """
    try:
        found = datetime.fromisoformat(utc)
        if len(utc) <= len("2026-11-26"):
            return utc
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):
        return utc


def local_day(utc: str) -> str:
    """Returns the day of a moment as people at the table date it: ``2026-11-26``; see `local_time`."""
    return local_time(utc)[:10]
