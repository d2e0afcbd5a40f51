"""Time, behind a seam: the rules know none, and tests and replays bring their own."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """What tells the time and lets it pass."""

    def wall(self) -> str:
        """The time of day, ISO 8601 in UTC, for the journal's envelope."""

    def monotonic_ns(self) -> int:
        """Nanoseconds from an arbitrary start, never going back."""

    def sleep(self, seconds: float) -> None:
        """Lets time pass; negative means not at all."""


class SystemClock:
    """The machine's own time."""

    def wall(self) -> str:
        """The time of day in UTC."""
        return datetime.now(UTC).isoformat(timespec="milliseconds")

    def monotonic_ns(self) -> int:
        """The machine's monotonic time."""
        return time.monotonic_ns()

    def sleep(self, seconds: float) -> None:
        """Waits for real."""
        if seconds > 0:
            time.sleep(seconds)


@dataclass(slots=True)
class LogicalClock:
    """Time that passes only when told: two runs of one recording write the same journal."""

    now_ns: int = 0
    epoch: datetime = field(default_factory=lambda: datetime(2000, 1, 1, tzinfo=UTC))

    def wall(self) -> str:
        """The logical time on a made-up day."""
        seconds = self.epoch.timestamp() + self.now_ns / 1e9
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")

    def monotonic_ns(self) -> int:
        """The logical time."""
        return self.now_ns

    def sleep(self, seconds: float) -> None:
        """Moves the logical time on at once."""
        self.now_ns += max(0, int(seconds * 1e9))
