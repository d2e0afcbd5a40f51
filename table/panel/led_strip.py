"""WS2812 LED strips on the SPI bus, which works the same on a Pi 4 and a Pi 5.

At 2.4 MHz three SPI bits last as long as one bit of the strip: ``110`` is a one, ``100`` a zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from table.panel.seat_lights import Rgb, SeatColours
from table.runtime.table_errors import ConfigError
from vision.errors import reason_and_place

SPEED_HZ: Final = 2_400_000
RESET: Final = bytes(90)
"""300 µs of silence, after which the strip shows its data. Newer strips need 280 µs, older ones 50."""
_BITS: Final = tuple(
    int("".join("110" if byte >> bit & 1 else "100" for bit in range(7, -1, -1)), 2).to_bytes(3, "big")
    for byte in range(256)
)


class Spi(Protocol):
    """The part of `spidev.SpiDev` that is used here."""

    def writebytes2(self, data: bytes) -> None:
        """Sends any number of bytes."""

    def close(self) -> None:
        """Closes the bus."""


def spi_bytes(pixels: Sequence[Rgb]) -> bytes:
    """Returns the bytes for the pixels in order; the strip expects green first.

    They also start with silence: the bus may leave its line high between transfers, which would count as a bit.
    """
    return RESET + b"".join(_BITS[green] + _BITS[red] + _BITS[blue] for red, green, blue in pixels) + RESET


def open_strip(per_seat: int) -> Strip:
    """Opens the strip on the first SPI bus.

    Raises:
        ConfigError: spidev is missing, or SPI is not enabled.
    """
    try:
        import spidev  # noqa: PLC0415 - only a Pi has it

        bus = spidev.SpiDev()
        bus.open(0, 0)
        bus.max_speed_hz = SPEED_HZ
    except (ImportError, OSError) as error:
        raise ConfigError(
            f"expected SPI for the strip (dtparam=spi=on, python3-spidev), got: {reason_and_place(error)}"
        ) from error
    return Strip(bus, per_seat=per_seat)


class Strip:
    """A strip around the table, divided into four equal runs, seat 0 first."""

    def __init__(self, spi: Spi, *, per_seat: int) -> None:
        """Takes an open bus of `SPEED_HZ` and the number of pixels per seat."""
        self._spi = spi
        self._per_seat = per_seat

    def light(self, colours: SeatColours) -> None:
        """Lights the four runs."""
        self._spi.writebytes2(spi_bytes([colour for colour in colours for _ in range(self._per_seat)]))

    def close(self) -> None:
        """Turns the strip off and closes the bus."""
        self._spi.writebytes2(spi_bytes([(0, 0, 0)] * (4 * self._per_seat)))
        self._spi.close()
