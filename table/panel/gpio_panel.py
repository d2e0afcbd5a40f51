"""The panel on a Raspberry Pi's GPIO pins, through gpiozero: the same code for a Pi 4, a Pi 5 and mock pins."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from table.panel.led_strip import Strip
from table.panel.panel_port import FOULS, TABLE, WINS, Button
from table.panel.seat_lights import DARK, Rgb, SeatColours
from table.runtime.table_errors import ConfigError
from vision.errors import reason_and_place

PINS: Final = range(2, 28)
"""The GPIO numbers of the header; 0 and 1 are reserved for add-on boards."""
STRIP_PINS: Final = (9, 10, 11)
"""The pins that SPI uses for a strip; the data pin is 10."""
BUZZER: Final = "buzzer"
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class PinMap:
    """The GPIO number of each part; tuples of four are by seat. Empty or None means that the part is absent.

    By default lights and buzzer use pins that a Pi pulls down until the program takes them, so that nothing glows or
    hums at the start. Pins that it pulls up, 4 to 8, are used for buttons. Pins 2 and 3 (pulled up on the board) and 14
    and 15 (a fan's usual pin, and the serial console) are left free.
    """

    lights: tuple[tuple[int, int, int], ...] = ((17, 27, 22), (18, 23, 24), (10, 9, 11), (13, 19, 26))
    """Red, green and blue of each seat's light."""
    win: tuple[int, ...] = (5, 6, 7, 8)
    foul: tuple[int, ...] = (12, 16, 20, 21)
    table: int | None = 4
    buzzer: int | None = 25
    common_anode: bool = False
    """Whether the lights have a common anode, so that they shine when the pin is low."""

    def __post_init__(self) -> None:
        used_pins: dict[int, str] = {}
        for part, pin in self.parts():
            if pin not in PINS:
                raise ConfigError(f"{part}: expected a GPIO number from {PINS[0]} to {PINS[-1]}, got {pin}")
            if pin in used_pins:
                raise ConfigError(f"{part}: expected a pin of its own, got GPIO {pin} of {used_pins[pin]}")
            used_pins[pin] = part

    def parts(self) -> Iterator[tuple[str, int]]:
        """Yields the name and the pin of every part."""
        for seat, pins in enumerate(self.lights):
            for colour, pin in zip(("red", "green", "blue"), pins, strict=True):
                yield f"light {seat} {colour}", pin
        for button, pin in self.buttons().items():
            yield str(button), pin
        if self.buzzer is not None:
            yield BUZZER, self.buzzer

    def check_beside_strip(self) -> None:
        """Checks that no part uses a pin of the LED strip.

        Raises:
            ConfigError: a part uses a pin of the strip.
        """
        for part, pin in self.parts():
            if pin in STRIP_PINS:
                raise ConfigError(
                    f"{part}: expected a pin that the strip leaves free (not GPIO 9, 10, 11), got GPIO {pin}; "
                    "with a strip, lights = [] is usual"
                )

    def buttons(self) -> dict[Button, int]:
        """Returns the pin of every configured button."""
        found = dict(zip(WINS, self.win, strict=False)) | dict(zip(FOULS, self.foul, strict=False))
        return found if self.table is None else found | {TABLE: self.table}


class GpioPanel:
    """Lights, buttons to ground and a buzzer on pins; a part whose pin fails, now or later, is left out."""

    def __init__(
        self, pins: PinMap, *, strip: Strip | None = None, pin_factory: Any = None, left_out: Sequence[str] = ()
    ) -> None:
        """Opens the pins.

        Args:
            pins: the pins of the parts.
            strip: an LED strip that shows the lights.
            pin_factory: gpiozero's pin factory, for mock pins.
            left_out: parts that were already found unusable.

        Raises:
            ConfigError: gpiozero is missing, this machine has no pins, or none of them can be used.
        """
        try:
            import gpiozero  # noqa: PLC0415 - only a Pi has it

            self._factory = _lgpio() if pin_factory is None else pin_factory
        except ConfigError:
            raise
        except Exception as error:  # a version of gpiozero that does not fit this Python raises errors of any kind
            message = f"expected gpiozero and lgpio for a panel on pins, got: {reason_and_place(error)}"
            raise ConfigError(message) from error
        self._left_out = list(left_out)
        self._devices: dict[str, Any] = {}
        self._buttons: dict[Button, Any] = {}
        self._lights: dict[int, Any] = {}
        self._buzzer: Any = None
        self._strip = strip
        self._colours: SeatColours | None = None
        self._open_parts(gpiozero, pins)
        if self._left_out and not self._devices and strip is None:
            raise ConfigError("; ".join(self._left_out))

    @property
    def left_out(self) -> Sequence[str]:
        """The unusable parts, each with its reason."""
        return tuple(self._left_out)

    def _open_parts(self, gpiozero: Any, pins: PinMap) -> None:
        """Opens every usable part."""
        for button, pin in pins.buttons().items():
            device = self._open_part(str(button), (pin,), partial(gpiozero.DigitalInputDevice, pin, pull_up=True))
            if device is not None:
                self._buttons[button] = device
        for seat, colours in enumerate(pins.lights):
            make = partial(gpiozero.RGBLED, *colours, active_high=not pins.common_anode)
            device = self._open_part(f"light {seat}", colours, make)
            if device is not None:
                self._lights[seat] = device
        if pins.buzzer is not None:
            make = partial(gpiozero.PWMOutputDevice, pins.buzzer)
            self._buzzer = self._open_part(BUZZER, (pins.buzzer,), make)

    def _open_part(self, part: str, pins: Sequence[int], make: Callable[..., Any]) -> Any:
        try:
            self._devices[part] = make(pin_factory=self._factory)
        except Exception as error:  # including lgpio's own errors
            numbers = ", ".join(str(pin) for pin in pins)
            self._leave_out(part, f"GPIO {numbers} free for {part}", error)
        return self._devices.get(part)

    def _leave_out(self, part: str, expected: str, error: Exception) -> None:
        reason = f"expected {expected}, got: {reason_and_place(error)}"
        _log.error("%s is left out: %s", part, reason)
        self._left_out.append(reason)
        device = self._devices.pop(part, None)
        if device is not None:
            _close(device)

    def down(self) -> AbstractSet[Button]:
        """Returns the buttons whose contact is closed to ground."""
        return {button for button in tuple(self._buttons) if self._is_down(button)}

    def _is_down(self, button: Button) -> bool:
        try:
            return bool(self._buttons[button].is_active)
        except Exception as error:  # including lgpio's own errors
            del self._buttons[button]
            self._leave_out(str(button), f"{button} on a readable pin", error)
            return False

    def light(self, colours: SeatColours) -> None:
        """Sets the lights that changed."""
        for seat in tuple(self._lights):
            if self._colours is None or self._colours[seat] != colours[seat]:
                self._set(seat, colours[seat])
        if self._strip is not None and colours != self._colours:
            self._set_strip(self._strip, colours)
        self._colours = colours

    def _set(self, seat: int, colour: Rgb) -> None:
        try:
            self._lights[seat].color = tuple(part / 255 for part in colour)
        except Exception as error:  # including lgpio's own errors
            del self._lights[seat]
            self._leave_out(f"light {seat}", f"light {seat} on pins that can be set", error)

    def _set_strip(self, strip: Strip, colours: SeatColours) -> None:
        try:
            strip.light(colours)
        except OSError as error:
            self._strip = None
            self._leave_out("strip", "a strip on a bus that can be written to", error)

    def sound(self, hz: int | None) -> None:
        """Drives the buzzer with a square wave of `hz`; None silences it."""
        if self._buzzer is None:
            return
        try:
            if hz is None:
                self._buzzer.off()
            else:
                self._buzzer.frequency = hz
                self._buzzer.value = 0.5
        except Exception as error:  # including lgpio's own errors
            self._buzzer = None
            self._leave_out(BUZZER, "the buzzer on a pin that can be set", error)

    def close(self) -> None:
        """Releases the pins."""
        if self._lights:
            self.light((DARK, DARK, DARK, DARK))
        while self._devices:
            _close(self._devices.popitem()[1])
        if self._strip is not None:
            _close(self._strip)
            self._strip = None
        self._lights, self._buttons, self._buzzer = {}, {}, None


def _close(device: Any) -> None:
    """Closes a device; errors are logged."""
    try:
        device.close()
    except Exception as error:  # including lgpio's own errors
        _log.warning("a part of the panel could not be released: %s", reason_and_place(error))


def _lgpio() -> Any:
    """Returns lgpio's pin factory, which works on both a Pi 4 and a Pi 5."""
    from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415 - only a Pi has it

    try:
        return LGPIOFactory()
    except Exception as error:  # including lgpio's own errors
        raise ConfigError(f"expected the pins of a Raspberry Pi, got: {reason_and_place(error)}") from error
