"""The panel on a terminal, for `tachiai run --simulate`."""

from __future__ import annotations

import os
import select
import sys
import termios
import tty
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from time import monotonic
from typing import Final

from table.panel.panel_port import FOULS, TABLE, WINS, Button
from table.panel.seat_lights import SeatColours

KEYS: Final[Mapping[str, Button]] = {
    **dict(zip("qwer", WINS, strict=True)),
    **dict(zip("asdf", FOULS, strict=True)),
    " ": TABLE,
    "\x7f": TABLE,
}
"""Each key taps its button; with shift it holds the button, and the backspace key holds the table button."""
FLAG_KEY: Final = "k"
"""Taps the first seat's foul button and the table button together."""
HELD_KEYS: Final = frozenset("QWERASDF\x7f")
TAP_S: Final = 0.08
"""How long a key that taps its button counts as down: longer than a contact must keep its state."""
_ESCAPE: Final = "\x1b"
_MOST_KEYS: Final = 64
"""The most bytes that are read at once."""


class KeyboardPanel:
    """The panel on a terminal: keys are buttons, one line of coloured blocks is the lights."""

    def __init__(self, *, hold_s: float, now: Callable[[], float] = monotonic) -> None:
        """Reads keys without waiting for Enter while open; `hold_s` is how long a press must last to count as held."""
        self._hold_s = hold_s
        self._now = now
        self._down_until: dict[Button, float] = {}
        self._colours: SeatColours | None = None
        self._terminal_settings = termios.tcgetattr(sys.stdin) if sys.stdin.isatty() else None
        if self._terminal_settings is not None:
            tty.setcbreak(sys.stdin)

    @property
    def left_out(self) -> Sequence[str]:
        """Always empty: every key exists."""
        return ()

    def down(self) -> AbstractSet[Button]:
        """Returns the buttons whose keys were just pressed."""
        for key in self._typed_keys():
            self.hit(key)
        now = self._now()
        self._down_until = {button: until for button, until in self._down_until.items() if until > now}
        return set(self._down_until)

    def _typed_keys(self) -> str:
        """Returns the keys typed since the last call.

        Reads the descriptor, since `sys.stdin` would keep all but the first key in its buffer, where `select` does not
        see them. Arrow and function keys send an escape and letters, which are ignored.
        """
        if self._terminal_settings is None or not select.select([sys.stdin], [], [], 0)[0]:
            return ""
        keys = os.read(sys.stdin.fileno(), _MOST_KEYS).decode(errors="replace")
        return "" if keys.startswith(_ESCAPE) else keys

    def hit(self, key: str) -> None:
        """Handles a key as if it had been pressed."""
        button = KEYS.get(key.lower())
        if key == FLAG_KEY:
            self._down_until |= dict.fromkeys((FOULS[0], TABLE), self._now() + TAP_S)
        elif button is not None:
            self._down_until[button] = self._now() + (self._hold_s + TAP_S if key in HELD_KEYS else TAP_S)

    def light(self, colours: SeatColours) -> None:
        """Shows changed lights as a line on the terminal."""
        if colours != self._colours and self._terminal_settings is not None:
            self._colours = colours
            blocks = " ".join(f"{seat}\033[48;2;{r};{g};{b}m   \033[0m" for seat, (r, g, b) in enumerate(colours))
            print(f"\r{blocks} ", end="", file=sys.stderr, flush=True)

    def sound(self, hz: int | None) -> None:
        """Rings the terminal's bell."""
        if hz is not None and self._terminal_settings is not None:
            print("\a", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Restores the terminal, unless it is gone."""
        if self._terminal_settings is not None:
            with suppress(termios.error):
                termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._terminal_settings)
            self._terminal_settings = None
