"""Draws what the lights mean: ``python -m table.panel.lights_diagram`` writes `lights.svg` beside this file."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from table.game.commands.foul_vote import SIGNALS
from table.panel import seat_lights
from table.panel.seat_lights import BLINK_NS, PAUSE_NS, PULSE_NS, Light, LightMode

FILE: Final = Path(__file__).with_name("lights.svg")
ROWS: Final[tuple[tuple[str, Light], ...]] = (
    ("time was called (all seats, for ten seconds)", seat_lights.TIME),
    ("a foul is named at this seat (the house's quick fouls: 1 to 6 blinks)", Light(rgb=SIGNALS[0].rgb)),
    *(
        (f"quick foul {number}", Light(rgb=signal.rgb, mode=LightMode.BLINK, blinks=signal.blinks))
        for number, signal in enumerate(SIGNALS)
        if signal.blinks
    ),
    ("a discard of this seat was read with doubt: the page asks about it", seat_lights.DOUBT),
    ("an abortive draw if nobody wins on this tile (all seats)", seat_lights.ABORT_DUE),
    ("riichi declared, the tile may still be claimed", seat_lights.RIICHI_DECLARED),
    ("the ippatsu window is open; the pulse ends with it", seat_lights.IPPATSU),
    ("ippatsu: only the seat's own draw is left", seat_lights.LAST_CHANCE),
    ("riichi stands", seat_lights.RIICHI),
    ("the camera is lost: the table is kept by hand (all seats)", seat_lights.UNWATCHED),
)
"""The most urgent states first."""
ROW_PX: Final = 34
WIDTH_PX: Final = 620


def diagram_svg() -> str:
    """Returns the SVG: one animated light per row, with its meaning."""
    height = ROW_PX * len(ROWS) + 16
    rows = "\n".join(_row(number, text, light) for number, (text, light) in enumerate(ROWS))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH_PX} {height}" width="{WIDTH_PX}" '
        f'height="{height}" font-family="sans-serif" font-size="15">\n'
        f'<rect width="{WIDTH_PX}" height="{height}" fill="#1b2420"/>\n{rows}\n</svg>\n'
    )


def _row(number: int, text: str, light: Light) -> str:
    y = ROW_PX * number + 25
    return (
        f'<circle cx="28" cy="{y}" r="11" stroke="#566" fill="rgb{light.rgb}">{_animation(light)}</circle>'
        f'<text x="54" y="{y + 5}" fill="#eee">{text}</text>'
    )


def _animation(light: Light) -> str:
    if light.mode is LightMode.PULSE:
        return f'<animate attributeName="opacity" values="1;0.12;1" dur="{PULSE_NS / 1e9}s" repeatCount="indefinite"/>'
    if light.mode is LightMode.STEADY:
        return ""
    whole = 2 * BLINK_NS * light.blinks + PAUSE_NS
    times = ";".join(f"{n * BLINK_NS / whole:.4f}" for n in range(2 * light.blinks))
    values = ";".join(["1;0"] * light.blinks)
    return (
        f'<animate attributeName="opacity" values="{values}" keyTimes="{times}" calcMode="discrete" '
        f'dur="{whole / 1e9}s" repeatCount="indefinite"/>'
    )


if __name__ == "__main__":
    FILE.write_text(diagram_svg(), encoding="utf-8")
