"""The time of day, behind a seam: the rules know none, and tests and replays bring their own."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """What tells the time of day."""

    def utc(self) -> str:
        """The time of day, ISO 8601 in UTC, for the journal's envelope."""


class SystemClock:
    """The machine's own time."""

    def utc(self) -> str:
        """The time of day in UTC."""
        return datetime.now(UTC).isoformat(timespec="milliseconds")


@dataclass(slots=True)
class LogicalClock:
    """Time that passes only when told: two runs of one recording write the same journal."""

    now_ns: int = 0
    epoch: datetime = field(default_factory=lambda: datetime(2000, 1, 1, tzinfo=UTC))

    def utc(self) -> str:
        """The logical time on a made-up day."""
        seconds = self.epoch.timestamp() + self.now_ns / 1e9
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


def stamp(clock: Clock) -> str:
    """The time of day to the second, as part of a file's name."""
    return clock.utc()[:19].replace(":", "")
