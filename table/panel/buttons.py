"""From contacts to presses: debouncing, long presses, and buttons that hang or are wired wrongly. Pure, over time."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

DEBOUNCE_NS: Final = 30_000_000
"""A contact counts once it has kept its state for so long: bounces of cheap buttons end within 20 ms."""
STUCK_NS: Final = 20_000_000_000
"""Nobody holds a button for so long."""


class Push(Enum):
    """What a button did."""

    SHORT = "short"
    """It was released before it counted as held."""
    HELD = "held"
    """It has been down for the holding time; said once, without waiting for its release."""


class Fault(Enum):
    """Why a button is left out until it comes up again."""

    STUCK = "stuck"
    """It has been down far longer than anybody presses."""
    DOWN_AT_START = "down_at_start"
    """It was down when the panel began: wired to ground, a contact that closes at rest, or something lies on it."""


@dataclass(slots=True)
class Contact:
    """Follows one button."""

    hold_ns: int
    """From when a press counts as held."""
    fault: Fault | None = None
    """What is wrong with it now."""
    _raw: bool | None = None
    _raw_since: int = 0
    _is_down: bool | None = None
    _down_since: int = 0
    _is_spent: bool = False
    """Whether this press has been said."""

    @property
    def is_waiting(self) -> bool:
        """Whether it is down, and what that means has not been said yet."""
        return bool(self._is_down) and not self._is_spent

    def spend(self) -> None:
        """Takes the press as said: until it comes up it means nothing more."""
        self._is_spent = True

    def see(self, is_down: bool, t_ns: int) -> Push | None:
        """Takes in how the contact is at a moment; returns what the button did just now."""
        if is_down != self._raw:
            self._raw, self._raw_since = is_down, t_ns
        if t_ns - self._raw_since >= DEBOUNCE_NS and self._raw != self._is_down:
            return self._changed(is_down)
        return self._still_down(t_ns) if self._is_down else None

    def _changed(self, is_down: bool) -> Push | None:
        was_down, self._is_down = self._is_down, is_down
        if is_down:
            self._down_since, self._is_spent = self._raw_since, was_down is None
            self.fault = Fault.DOWN_AT_START if was_down is None else None
            return None
        self.fault = None
        return Push.SHORT if was_down and not self._is_spent else None

    def _still_down(self, t_ns: int) -> Push | None:
        lasted = t_ns - self._down_since
        if lasted >= STUCK_NS and self.fault is None:
            self.fault = Fault.STUCK
        if self._is_spent or lasted < self.hold_ns:
            return None
        self._is_spent = True
        return Push.HELD
