"""The panel on a Raspberry Pi's pins, through gpiozero: the same code for a Pi 4, a Pi 5 and mock pins."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, Final

from table.errors import ConfigError
from table.hardware.lights import DARK, Four
from table.hardware.panel import FOULS, TABLE, WINS, Button
from table.hardware.strip import Strip

PINS: Final = range(2, 28)
"""The header's pins by their GPIO numbers; 0 and 1 belong to add-on boards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PinMap:
    """Which GPIO number each part hangs on; tuples of four are by seat. Empty or None: the part is not there."""

    lights: tuple[tuple[int, int, int], ...] = ((2, 3, 4), (17, 27, 22), (14, 15, 18), (9, 25, 11))
    """Red, green and blue of each seat's light."""
    win: tuple[int, ...] = (5, 6, 13, 19)
    foul: tuple[int, ...] = (26, 12, 16, 20)
    table: int | None = 21
    buzzer: int | None = 24
    common_anode: bool = False
    """Whether the lights share their plus: they shine where the pin is low."""

    def __post_init__(self) -> None:
        taken: dict[int, str] = {}
        for part, pin in self.parts():
            if pin not in PINS:
                raise ConfigError(f"{part}: expected a GPIO number from {PINS[0]} to {PINS[-1]}, got {pin}")
            if pin in taken:
                raise ConfigError(f"{part}: expected a pin of its own, got GPIO {pin} of {taken[pin]}")
            taken[pin] = part

    def parts(self) -> Iterator[tuple[str, int]]:
        """Every part by its name, with its pin."""
        for seat, pins in enumerate(self.lights):
            for colour, pin in zip(("red", "green", "blue"), pins, strict=True):
                yield f"light {seat} {colour}", pin
        for button, pin in self.buttons().items():
            yield str(button), pin
        if self.buzzer is not None:
            yield "buzzer", self.buzzer

    def buttons(self) -> dict[Button, int]:
        """Every button that is there, with its pin."""
        found = dict(zip(WINS, self.win, strict=False)) | dict(zip(FOULS, self.foul, strict=False))
        return found if self.table is None else found | {TABLE: self.table}


class GpioPanel:
    """Lights, buttons to ground and a buzzer on pins."""

    def __init__(self, pins: PinMap, *, strip: Strip | None = None, pin_factory: Any = None) -> None:
        """Takes the pins; a `strip` shows what the lights show; `pin_factory` is gpiozero's, for mock pins.

        Raises:
            ConfigError: gpiozero is not there, this machine has no pins, or another program has them.
        """
        try:
            import gpiozero  # noqa: PLC0415 - only a Pi has it

            factory = _lgpio() if pin_factory is None else pin_factory
        except ImportError as error:
            raise ConfigError(f"expected gpiozero and lgpio for a panel on pins, got: {error}") from error
        self._strip = strip
        self._devices: list[Any] = []
        self._buzzer: Any = None
        self._lights: list[Any] = []
        self._shown: Four | None = None
        try:
            self._buttons = {
                button: self._kept(gpiozero.DigitalInputDevice(pin, pull_up=True, pin_factory=factory))
                for button, pin in pins.buttons().items()
            }
            for red, green, blue in pins.lights:
                light = gpiozero.RGBLED(red, green, blue, active_high=not pins.common_anode, pin_factory=factory)
                self._lights.append(self._kept(light))
            if pins.buzzer is not None:
                self._buzzer = self._kept(gpiozero.PWMOutputDevice(pins.buzzer, pin_factory=factory))
        except (gpiozero.GPIOZeroError, OSError, ValueError) as error:
            self.close()
            raise ConfigError(f"expected pins that can be used, got: {error}") from error

    def _kept(self, device: Any) -> Any:
        self._devices.append(device)
        return device

    def down(self) -> AbstractSet[Button]:
        """The buttons whose contact is closed to ground."""
        return {button for button, device in self._buttons.items() if device.is_active}

    def light(self, colours: Four) -> None:
        """Sets the lights that changed."""
        for seat, light in enumerate(self._lights):
            if self._shown is None or self._shown[seat] != colours[seat]:
                light.color = tuple(part / 255 for part in colours[seat])
        if self._strip is not None and colours != self._shown:
            self._strip.light(colours)
        self._shown = colours

    def sound(self, hz: int | None) -> None:
        """Drives the buzzer with a square wave."""
        if self._buzzer is None:
            return
        if hz is None:
            self._buzzer.off()
        else:
            self._buzzer.frequency = hz
            self._buzzer.value = 0.5

    def close(self) -> None:
        """Lets the pins go."""
        if self._devices and self._lights:
            self.light((DARK, DARK, DARK, DARK))
        while self._devices:
            self._devices.pop().close()
        if self._strip is not None:
            self._strip.close()
            self._strip = None
        self._lights, self._buttons, self._buzzer = [], {}, None


def _lgpio() -> Any:
    """The one way to the pins that a Pi 4 and a Pi 5 have in common."""
    from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415 - only a Pi has it

    try:
        return LGPIOFactory()
    except Exception as error:  # lgpio's own kind
        raise ConfigError(f"expected the pins of a Raspberry Pi, got: {error}") from error
