"""The trial of a panel: lights one seat after another, and reports presses instead of acting on them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Final

from table.panel.buttons import Push
from table.panel.panel_port import Button
from table.panel.seat_lights import DARK, Rgb, SeatColours
from table.rules.terms.seats import SEATS, Seat

TIMEOUT_S: Final = 90.0
"""Time without a request after which the trial ends by itself."""
COLOURS: Final[Mapping[str, Rgb]] = {"red": (255, 0, 0), "green": (0, 255, 0), "blue": (0, 0, 255)}


class PanelTrial:
    """One panel's trial, controlled by phones. The panel's thread queries the colours and reports the presses."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        """Creates a trial that is not running."""
        self._now = now
        self._lock = threading.Lock()
        self._until = float("-inf")
        self._lit_seat: tuple[Seat, Rgb] | None = None
        self._pressed: dict[str, str] = {}

    @property
    def is_on(self) -> bool:
        """Whether the trial is running."""
        return self._now() < self._until

    @property
    def colours(self) -> SeatColours:
        """The colours of the four lights."""
        lit = self._lit_seat
        first, second, third, fourth = (lit[1] if lit is not None and lit[0] is seat else DARK for seat in SEATS)
        return first, second, third, fourth

    def begin(self) -> None:
        """Starts over, with all lights off and no presses."""
        with self._lock:
            self._lit_seat, self._pressed, self._until = None, {}, self._now() + TIMEOUT_S

    def light(self, seat: Seat, colour: str) -> None:
        """Lights one seat in `red`, `green` or `blue`; the others are off."""
        with self._lock:
            self._lit_seat, self._until = (seat, COLOURS[colour]), self._now() + TIMEOUT_S

    def end(self) -> None:
        """Ends the trial and returns the panel to the table."""
        self._until = float("-inf")

    def record_press(self, button: Button, push: Push) -> None:
        """Records a press, in the panel's thread."""
        with self._lock:
            self._pressed[str(button)] = push.value

    @property
    def pressed(self) -> Mapping[str, str]:
        """The buttons pressed since the trial began, each with its last kind of press, `short` or `held`.

        Reading them counts as a request, which prolongs the trial.
        """
        with self._lock:
            self._until = max(self._until, self._now() + TIMEOUT_S) if self.is_on else self._until
            return dict(self._pressed)
