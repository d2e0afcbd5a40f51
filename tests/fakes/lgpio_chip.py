"""Pins made of Python, below the real gpiozero and lgpio: what lgpio's compiled half does, with pins that are busy.

`lgpio.py` is the real one; only `_lgpio`, which speaks to the kernel, is played. Where that half is installed for this
Python, what is not played here is asked of it; elsewhere it stands in for it whole.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import pytest

BOARDS: Final = {"Pi 5": 0xC04170, "Pi 4": 0xC03115}
"""Revisions by which gpiozero knows a board."""


class Chip:
    """One chip of pins, of which some are busy."""

    def __init__(self, real: Any, *busy: int) -> None:
        self._real, self.busy = real, set(busy)
        self.broken: set[int] = set()
        """Pins that can be neither read nor set any more."""
        self.levels: dict[int, int] = {}
        self.modes: dict[int, int] = {}
        self.duty: dict[int, float] = {}
        self._pipes: list[int] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def _claim(self, pin: int, mode: int) -> int:
        if pin in self.busy:
            return int(sys.modules["lgpio"].GPIO_BUSY)
        self.modes[pin] = mode
        return 0

    def _gpiochip_open(self, chip: int) -> int:
        return 0

    def _gpiochip_close(self, handle: int) -> int:
        return 0

    def _gpio_claim_input(self, handle: int, flags: int, pin: int) -> int:
        return self._claim(pin, 0x100 | flags)

    def _gpio_claim_output(self, handle: int, flags: int, pin: int, level: int) -> int:
        return self._claim(pin, 0x202)

    def _gpio_claim_alert(self, handle: int, flags: int, edges: int, pin: int, notify: int) -> int:
        return self._claim(pin, 0x400 | flags)

    def _gpio_free(self, handle: int, pin: int) -> int:
        return 0

    def _gpio_read(self, handle: int, pin: int) -> int:
        return int(sys.modules["lgpio"].BAD_GPIO_NUMBER) if pin in self.broken else self.levels.get(pin, 1)

    def _gpio_write(self, handle: int, pin: int, level: int) -> int:
        self.levels[pin] = level
        return 0

    def _gpio_get_mode(self, handle: int, pin: int) -> int:
        return self.modes.get(pin, 0)

    def _gpio_set_debounce_micros(self, handle: int, pin: int, micros: int) -> int:
        return 0

    def _tx_pwm(self, *arguments: float) -> int:
        self.duty[int(arguments[1])] = arguments[3]
        return 1


class WholeChip(Chip):
    """The same where the compiled half is not there: it also tells of edges, by a pipe in the working directory."""

    def _notify_open(self) -> int:
        name = f".lgd-nfy{len(self._pipes)}"
        if not os.path.exists(name):
            os.mkfifo(name)
        self._pipes.append(os.open(name, os.O_RDWR))
        return len(self._pipes) - 1

    def _notify_close(self, handle: int) -> int:
        return 0

    def _error_text(self, number: int) -> str:
        return "GPIO busy" if number == sys.modules["lgpio"].GPIO_BUSY else f"error {number}"


@contextmanager
def played_chip(*busy: int, board: str = "Pi 5") -> Iterator[WholeChip]:
    """Lets the real gpiozero open pins of a board; those named are busy. The working directory must be writable."""
    chip = WholeChip(None, *busy)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "_lgpio", chip)
        import gpiozero.pins.lgpio as pins  # noqa: PLC0415 - only now can it be imported

        patch.setattr(pins.LGPIOFactory, "_get_revision", lambda _: BOARDS[board])
        yield chip
