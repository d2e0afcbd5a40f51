"""Draws how the panel is wired by default: ``python -m table.panel.wiring_diagram FILE`` writes the SVG."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from table.panel.gpio_panel import PinMap

HEADER: Final[Mapping[int, int | str]] = {
    1: "3V3", 2: "5V", 3: 2, 4: "5V", 5: 3, 6: "GND", 7: 4, 8: 14, 9: "GND", 10: 15,
    11: 17, 12: 18, 13: 27, 14: "GND", 15: 22, 16: 23, 17: "3V3", 18: 24, 19: 10, 20: "GND",
    21: 9, 22: 25, 23: 11, 24: 8, 25: "GND", 26: 7, 27: "ID", 28: "ID", 29: 5, 30: "GND",
    31: 6, 32: 12, 33: 13, 34: "GND", 35: 19, 36: 16, 37: 26, 38: 20, 39: "GND", 40: 21,
}  # fmt: skip
"""The forty pins: GPIO numbers and supplies."""
_COLOURS: Final = {"red": "#e33", "green": "#2a2", "blue": "#36f", "buzzer": "#a5a", "table": "#d80"}
_ROW_PX: Final = 24
_NOTES: Final = (
    "Lights: common cathode to GND, a resistor of 330 ohm before each colour.",
    "Buttons: between their pin and GND; the Pi pulls them up itself.",
    "Buttons on more than 50 cm of wire, each, at the Pi: 4.7 kohm from the wire to 3V3,",
    "1 kohm from the wire to the pin, 100 nF from the pin to GND; one wire to GND beside each wire.",
    "Buzzer (passive): by a transistor, or directly if it takes less than 10 mA.",
    "Strip (instead of lights: lights = []): data at pin 19 (GPIO 10) by a 74AHCT125, 330 ohm",
    "before its first pixel, 5 V of its own, grounds joined. SPI takes GPIO 9, 10 and 11.",
    "Free: GPIO 2 and 3 (pulled up: lights would glow), 14 (a fan), 15 (the serial console).",
)


def diagram_svg() -> str:
    """Returns the SVG: the header, with the pins up and the USB sockets below, and its connections."""
    parts = {pin: part for part, pin in PinMap().parts()}
    rows = "\n".join(_pin(number, label, parts) for number, label in HEADER.items())
    board, height = _ROW_PX * 20 + 6, _ROW_PX * 20 + 60 + 22 * len(_NOTES)
    notes = "\n".join(
        f'<text x="30" y="{_ROW_PX * 20 + 50 + 22 * n}" font-size="13">{note}</text>' for n, note in enumerate(_NOTES)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 {height}" width="640" height="{height}" '
        f'font-family="sans-serif" font-size="14">\n<rect width="640" height="{height}" fill="#fff"/>\n'
        f'<rect x="282" y="12" width="76" height="{board}" rx="6" fill="#1d5c38"/>\n{rows}\n{notes}\n</svg>\n'
    )


def _pin(number: int, label: int | str, parts: Mapping[int, str]) -> str:
    is_left = number % 2 == 1
    x, y = (305 if is_left else 335), 27 + _ROW_PX * ((number - 1) // 2)
    part = parts.get(label, "") if isinstance(label, int) else label
    name = f"GPIO {label}  {part}" if isinstance(label, int) else label
    colour = next((shade for key, shade in _COLOURS.items() if key in part), "#999" if not part else "#333")
    text_x, anchor = (276, "end") if is_left else (364, "start")
    return (
        f'<circle cx="{x}" cy="{y}" r="8" fill="{colour}" stroke="#fc6" stroke-width="2"/>'
        f'<text x="{x}" y="{y + 3}" font-size="8" fill="#fff" text-anchor="middle">{number}</text>'
        f'<text x="{text_x}" y="{y + 5}" text-anchor="{anchor}" fill="{"#777" if not part else "#111"}">{name}</text>'
    )


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(diagram_svg(), encoding="utf-8")
