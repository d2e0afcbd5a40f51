"""Trying a panel out: one light after another is lit, and what is pressed is told back instead of done."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Final

from table.panel.buttons import Push
from table.panel.lights import DARK, Four, Rgb
from table.panel.panel_port import Button
from table.rules.terms.seats import SEATS, Seat

LASTS_S: Final = 90.0
"""Without anybody asking for it, a trial is over after so long: buttons mean something again."""
COLOURS: Final[Mapping[str, Rgb]] = {"red": (255, 0, 0), "green": (0, 255, 0), "blue": (0, 0, 255)}


class Trial:
    """One panel's trial. The panel's thread asks what to show and tells what was pressed; phones do the rest."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        """Begins switched off."""
        self._now = now
        self._lock = threading.Lock()
        self._until = float("-inf")
        self._lit: tuple[Seat, Rgb] | None = None
        self._pressed: dict[str, str] = {}

    @property
    def is_on(self) -> bool:
        """Whether the panel is being tried out now."""
        return self._now() < self._until

    @property
    def colours(self) -> Four:
        """What the four lights show."""
        lit = self._lit
        first, second, third, fourth = (lit[1] if lit is not None and lit[0] is seat else DARK for seat in SEATS)
        return first, second, third, fourth

    def begin(self) -> None:
        """Begins anew: dark, and nothing pressed yet."""
        with self._lock:
            self._lit, self._pressed, self._until = None, {}, self._now() + LASTS_S

    def light(self, seat: Seat, colour: str) -> None:
        """Lights one seat in `red`, `green` or `blue`; the others are dark."""
        with self._lock:
            self._lit, self._until = (seat, COLOURS[colour]), self._now() + LASTS_S

    def end(self) -> None:
        """Lets the panel be the table's again."""
        self._until = float("-inf")

    def heard(self, button: Button, push: Push) -> None:
        """Takes a press, in the panel's thread."""
        with self._lock:
            self._pressed[str(button)] = push.value

    @property
    def pressed(self) -> Mapping[str, str]:
        """What was pressed since it began: buttons with how they were pressed last, `short` or `held`."""
        with self._lock:
            self._until = max(self._until, self._now() + LASTS_S) if self.is_on else self._until
            return dict(self._pressed)
