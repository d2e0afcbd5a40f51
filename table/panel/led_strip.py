"""Lights of WS2812 type on the SPI bus: the same wire works on a Pi 4 and a Pi 5, whose pins have no other common way.

At 2.4 MHz three SPI bits last as long as one bit of the strip: ``110`` is a one, ``100`` a nought.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from table.panel.lights import Four, Rgb
from table.runtime.table_errors import ConfigError

SPEED_HZ: Final = 2_400_000
RESET: Final = bytes(90)
"""Three hundred microseconds of silence: the strip takes over what it was sent. Newer ones want 280, older ones 50."""
_BITS: Final = tuple(
    int("".join("110" if byte >> bit & 1 else "100" for bit in range(7, -1, -1)), 2).to_bytes(3, "big")
    for byte in range(256)
)


class Spi(Protocol):
    """The part of `spidev.SpiDev` that is used."""

    def writebytes2(self, data: bytes) -> None:
        """Sends bytes of any number."""

    def close(self) -> None:
        """Lets the bus go."""


def encoded(pixels: Sequence[Rgb]) -> bytes:
    """Returns what the bus sends for the pixels in order; the strip wants green first.

    It begins with silence too: the bus may leave its line high between sendings, which would count as a bit.
    """
    return RESET + b"".join(_BITS[green] + _BITS[red] + _BITS[blue] for red, green, blue in pixels) + RESET


def open_strip(per_seat: int) -> Strip:
    """Opens the strip on the first SPI bus.

    Raises:
        ConfigError: spidev is not there, or SPI is not switched on.
    """
    try:
        import spidev  # noqa: PLC0415 - only a Pi has it

        bus = spidev.SpiDev()
        bus.open(0, 0)
        bus.max_speed_hz = SPEED_HZ
    except (ImportError, OSError) as error:
        raise ConfigError(f"expected SPI for the strip (dtparam=spi=on, python3-spidev), got: {error}") from error
    return Strip(bus, per_seat=per_seat)


class Strip:
    """A strip around the table, cut into four equal runs, seat 0 first."""

    def __init__(self, spi: Spi, *, per_seat: int) -> None:
        """Takes an opened bus of `SPEED_HZ` and how many pixels lie before each seat."""
        self._spi = spi
        self._per_seat = per_seat

    def light(self, colours: Four) -> None:
        """Lights the four runs."""
        self._spi.writebytes2(encoded([colour for colour in colours for _ in range(self._per_seat)]))

    def close(self) -> None:
        """Darkens the strip and lets the bus go."""
        self._spi.writebytes2(encoded([(0, 0, 0)] * (4 * self._per_seat)))
        self._spi.close()
