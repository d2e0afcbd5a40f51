"""Turns contacts into presses: debouncing, long presses, and stuck or wrongly wired buttons. Pure, given the time."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

DEBOUNCE_NS: Final = 30_000_000
"""How long a contact must keep its state to count; bounces of cheap buttons end within 20 ms."""
STUCK_NS: Final = 20_000_000_000
"""How long a button must be down to count as stuck."""


class Push(Enum):
    """The kind of press."""

    SHORT = "short"
    """Released before it counted as held."""
    HELD = "held"
    """Down for the holding time; reported once, without waiting for the release."""


class Fault(Enum):
    """Why a button is ignored until it is released."""

    STUCK = "stuck"
    """Down far longer than anybody presses."""
    DOWN_AT_START = "down_at_start"
    """Down when the panel started: it is wired to ground, has a normally closed contact, or something presses it."""


@dataclass(slots=True)
class Contact:
    """Follows one button."""

    hold_ns: int
    """How long a press must last to count as held."""
    fault: Fault | None = None
    """The present fault."""
    _raw: bool | None = None
    _raw_since: int = 0
    _is_down: bool | None = None
    _down_since: int = 0
    _is_spent: bool = False
    """Whether this press has been reported."""

    @property
    def is_waiting(self) -> bool:
        """Whether the button is down and its press has not been reported yet."""
        return bool(self._is_down) and not self._is_spent

    def spend(self) -> None:
        """Marks the press as reported: it has no further meaning until the button is released."""
        self._is_spent = True

    def update(self, is_down: bool, t_ns: int) -> Push | None:
        """Handles the contact's state at a moment; returns the press that it completes, if any."""
        if is_down != self._raw:
            self._raw, self._raw_since = is_down, t_ns
        if t_ns - self._raw_since >= DEBOUNCE_NS and self._raw != self._is_down:
            return self._apply_change(is_down)
        return self._check_duration(t_ns) if self._is_down else None

    def _apply_change(self, is_down: bool) -> Push | None:
        was_down, self._is_down = self._is_down, is_down
        if is_down:
            self._down_since, self._is_spent = self._raw_since, was_down is None
            self.fault = Fault.DOWN_AT_START if was_down is None else None
            return None
        self.fault = None
        return Push.SHORT if was_down and not self._is_spent else None

    def _check_duration(self, t_ns: int) -> Push | None:
        duration_ns = t_ns - self._down_since
        if duration_ns >= STUCK_NS and self.fault is None:
            self.fault = Fault.STUCK
        if self._is_spent or duration_ns < self.hold_ns:
            return None
        self._is_spent = True
        return Push.HELD
