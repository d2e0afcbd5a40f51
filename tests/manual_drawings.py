"""Draws the pictures of the manuals that no page can show, first of all the steps from the parts to the first evening.

``python3 -m tests.pictures`` writes them. Heights come from the mounting table and pins from the panel's defaults, so
that a drawing never says otherwise than the program. What stands on the steps are names that are on the things
themselves; the manual explains their numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from table.panel import lights_diagram, wiring_diagram
from table.panel.gpio_panel import PinMap
from vision.geometry.mounting.overhead import MODULES, Markers, mount

WIDTH: Final = 360
"""As wide as a phone shows it."""
SIDE_MM: Final = 720.0
RAIL_PX: Final = 28
PAPER_PX: Final = 3
"""A drawn marker on the rail, and the white around its black."""
INK, FAINT, FELT, WOOD, GOLD, BLUE, RED = "#222", "#767676", "#1d5c38", "#6b4a2b", "#d9a520", "#2b62c4", "#c0392b"


def drawing(height: int, *parts: str) -> str:
    """A drawing of so many pixels' height."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'font-family="sans-serif" font-size="14">\n<rect width="{WIDTH}" height="{height}" fill="#fff"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def box(
    x: float, y: float, width: float, height: float, fill: str = "#fff", *, edge: str = INK, round_px: int = 3
) -> str:
    """A rectangle."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{round_px}" fill="{fill}" '
        f'stroke="{edge}" stroke-width="1.5"/>'
    )


def word(x: float, y: float, text: str, *, size: int = 14, at: str = "start", fill: str = INK) -> str:
    """A name."""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{at}" fill="{fill}">{text}</text>'


def line(*points: tuple[float, float], colour: str = INK, wide: float = 2.0, dashed: bool = False) -> str:
    """A line through points."""
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    dashes = ' stroke-dasharray="5 4"' if dashed else ""
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{wide:g}"{dashes}/>'


def arrow(x: float, y: float, to_x: float, to_y: float, colour: str = RED) -> str:
    """An arrow along one of the axes."""
    ahead_x, ahead_y = (to_x > x) - (to_x < x), (to_y > y) - (to_y < y)
    back = ((to_x - 9 * ahead_x, to_y - 9 * ahead_y),)
    wings = [(bx + 5 * ahead_y * side, by + 5 * ahead_x * side) for bx, by in back for side in (-1, 1)]
    head = " ".join(f"{px:g},{py:g}" for px, py in ((to_x, to_y), *wings))
    return line((x, y), back[0], colour=colour, wide=2.5) + f'<polygon points="{head}" fill="{colour}"/>'


def number(n: int, x: float, y: float) -> str:
    """A number that the manual explains."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="11" fill="{RED}"/>' + word(x, y + 5, str(n), at="middle", fill="#fff")


def card() -> str:
    """Raspberry Pi Imager's three choices, and the card in the reader."""
    rows = (("Raspberry Pi 5 / 4", 34), ("Raspberry Pi OS Lite (64-bit)", 76), ("microSD, 32 GB", 118))
    return drawing(
        246,
        box(14, 8, 332, 160, "#f4f4f4", round_px=8),
        *(box(56, y - 14, 270, 32) + word(68, y + 7, text, size=15) for text, y in rows),
        *(number(n, 35, y + 2) for n, (_, y) in enumerate(rows, 1)),
        box(2, 168, 356, 14, "#bbb", round_px=6),
        box(226, 172, 58, 6, INK, round_px=1),
        f'<path d="M236 206 h28 l10 10 v26 h-38 z" fill="{INK}"/>',
        "".join(f'<rect x="{240 + 6 * n}" y="209" width="3" height="8" fill="{GOLD}"/>' for n in range(4)),
        arrow(255, 203, 255, 182),
        number(4, 300, 216),
    )


def imager() -> str:
    """The fields that Imager asks for before it writes."""
    rows = (
        ("Hostname", "tachiai"),
        ("Username", "host"),
        ("Password", "••••••••"),
        ("SSID", "Wi-Fi"),
        ("Password", "••••••••"),
        ("Country", "DE"),
    )
    tops = (16, 58, 92, 134, 168, 202)
    fields = (
        word(50, y + 20, name, fill=FAINT) + box(140, y, 200, 28) + word(150, y + 20, value, size=15)
        for (name, value), y in zip(rows, tops, strict=True)
    )
    return drawing(
        288,
        box(4, 4, 352, 280, "#f4f4f4", round_px=8),
        *fields,
        number(1, 26, 30),
        number(2, 26, 72),
        number(3, 26, 148),
        word(50, 264, "SSH", fill=FAINT),
        f'<rect x="140" y="246" width="46" height="24" rx="12" fill="{FELT}"/>',
        '<circle cx="174" cy="258" r="10" fill="#fff"/>',
        number(4, 26, 258),
    )


def cable() -> str:
    """How the camera's ribbon stands in the socket of a Pi 5 and of a Pi 4, and which way it lies at the camera."""
    return drawing(
        404,
        _socket(10, "Raspberry Pi 5", 22, contacts_right=True),
        _socket(140, "Raspberry Pi 4", 15, contacts_right=False),
        word(14, 296, "Camera Module 3", size=15),
        box(70, 340, 200, 14, "#2f7d4f"),
        box(112, 322, 40, 18, INK),
        f'<circle cx="132" cy="331" r="6" fill="{BLUE}"/>',
        box(216, 354, 50, 18, "#eee"),
        line((226, 363), (352, 363), colour="#bbb", wide=4),
        line((226, 359.5), (290, 359.5), colour=GOLD, wide=4),
        line((226, 366.5), (290, 366.5), colour=BLUE, wide=4),
        arrow(316, 352, 316, 330, GOLD),
        number(3, 316, 314),
    )


def _socket(top: int, name: str, pins: int, *, contacts_right: bool) -> str:
    """A board from the side, with the ribbon standing in its socket between HDMI and USB."""
    board, middle = top + 104, 190.0
    side = 1 if contacts_right else -1
    return "".join(
        (
            word(14, top + 16, name, size=15),
            word(346, top + 16, f"{pins} pin", size=15, at="end"),
            box(20, board, 320, 10, "#2f7d4f"),
            box(40, board - 26, 66, 26, "#ccc") + word(73, board - 8, "HDMI", at="middle"),
            box(268, board - 40, 66, 40, "#ccc") + word(301, board - 14, "USB", at="middle"),
            box(middle - 20, board - 22, 40, 22, "#eee"),
            box(middle - side * 20 - 5, board - 30, 10, 18, INK),
            line((middle, board - 18), (middle, top + 2), colour="#bbb", wide=4),
            line((middle + side * 3.5, board - 6), (middle + side * 3.5, board - 42), colour=GOLD, wide=4),
            line((middle - side * 3.5, board - 6), (middle - side * 3.5, board - 42), colour=BLUE, wide=4),
            arrow(middle + side * 12, board - 50, middle + side * 66, board - 50, GOLD),
            number(1, middle + side * 84, board - 50),
            number(2, middle - side * 44, board - 14),
        )
    )


def heights() -> dict[str, str]:
    """The heights of the two usual cameras, as the mounting table has them, in metres."""
    mounts = {camera.name: mount(camera, SIDE_MM, Markers.INSIDE) for camera in MODULES}
    return {
        name: f"{found.height_mm / 1000:.2f} m"
        for name, found in mounts.items()
        if found is not None and name in ("Camera Module 3", "Camera Module 3 Wide")
    }


def mounting() -> str:
    """The camera over the table from the side; the table from above with its markers, on the rail and inside."""
    return drawing(592, *_from_the_side(), *_from_above())


def _from_the_side() -> tuple[str, ...]:
    standard, wide = heights().values()
    return (
        line((10, 300), (350, 300), colour=FAINT, wide=3),
        box(112, 196, 152, 10, FELT),
        box(104, 190, 8, 20, WOOD) + box(264, 190, 8, 20, WOOD),
        line((128, 206), (128, 300), colour=WOOD, wide=8) + line((248, 206), (248, 300), colour=WOOD, wide=8),
        f'<polygon points="188,58 104,196 272,196" fill="{BLUE}" opacity="0.1"/>',
        line((104, 196), (188, 58), (272, 196), colour=BLUE, wide=1.5, dashed=True),
        box(166, 34, 44, 16, INK) + box(180, 50, 16, 8, INK),
        line((210, 42), (330, 42), colour="#888", wide=7) + line((330, 300), (330, 16), colour="#888", wide=9),
        f'<path d="M206 50 Q262 92 328 24" fill="none" stroke="{RED}" stroke-width="2.5"/>',
        line((66, 58), (66, 196)) + line((58, 58), (74, 58)) + line((58, 196), (74, 196)),
        word(6, 122, standard, size=17),
        word(6, 144, "Wide:", size=13, fill=FAINT) + word(6, 161, wide, size=13, fill=FAINT),
        f'<ellipse cx="40" cy="24" rx="26" ry="9" fill="#fd6" stroke="{INK}"/>',
        f'<ellipse cx="290" cy="16" rx="26" ry="9" fill="#fd6" stroke="{INK}"/>',
        number(1, 150, 24),
        number(2, 262, 92),
        number(3, 82, 32),
    )


def _from_above() -> tuple[str, ...]:
    top, left, side, wide = 350, 38, 172, 34
    right, low = left + side, top + side
    places = ((left - RAIL_PX, top - RAIL_PX), (right, top - RAIL_PX), (right, low), (left - RAIL_PX, low))
    return (
        box(left - wide, top - wide, side + 2 * wide, side + 2 * wide, WOOD, round_px=8),
        box(left, top, side, side, FELT, round_px=0),
        *(_marker(x, y, RAIL_PX) for x, y in places),
        *(
            word(left + side / 2 + across * 74, top + side / 2 + 5 + down * 74, str(n), at="middle", fill="#fff")
            for n, (across, down) in enumerate(((-1, -1), (1, -1), (1, 1), (-1, 1)))
        ),
        number(4, left + side / 2, top + 40),
        f'<path d="M{left + side / 2 - 22} {low + 62} a22 20 0 0 1 44 0 z" fill="{FAINT}"/>',
        f'<circle cx="{left + side / 2}" cy="{low + 36}" r="10" fill="{FAINT}"/>',
        number(5, left + side / 2 + 44, low + 50),
        *_corner(top - wide, RAIL_PX, outside=True),
        word(324, top + 48, "0–3", at="middle", fill="#fff"),
        number(6, 338, top + 16),
        *_corner(top + 80, 20, outside=False),
        word(332, top + 162, "4–7", at="middle", fill="#fff"),
        number(7, 338, top + 130),
    )


def _corner(top: int, marker_px: int, *, outside: bool) -> tuple[str, ...]:
    """The table's far left corner from near: where a marker's corner, or its paper's, lies."""
    x, y = 292, top + 34
    at = -marker_px if outside else PAPER_PX
    return (
        box(258, top, 98, 94, WOOD, round_px=0),
        box(x, y, 64, 60, FELT, edge=WOOD, round_px=0),
        _marker(x + at, y + at, marker_px),
        f'<circle cx="{x}" cy="{y}" r="4" fill="{RED}"/>',
    )


def _marker(x: float, y: float, side: float) -> str:
    """A printed marker: its black square on white paper."""
    cell = side / 6
    return (
        f'<rect x="{x - PAPER_PX:g}" y="{y - PAPER_PX:g}" width="{side + 2 * PAPER_PX:g}" '
        f'height="{side + 2 * PAPER_PX:g}" fill="#fff"/>'
        f'<rect x="{x:g}" y="{y:g}" width="{side:g}" height="{side:g}" fill="#000"/>'
        f'<rect x="{x + 2 * cell:g}" y="{y + cell:g}" width="{cell:g}" height="{2 * cell:g}" fill="#fff"/>'
        f'<rect x="{x + 3 * cell:g}" y="{y + 3 * cell:g}" width="{2 * cell:g}" height="{cell:g}" fill="#fff"/>'
    )


def wires() -> str:
    """One seat's light and button at the Pi's pins."""
    pins = PinMap()
    rows = zip(pins.lights[0], ("#e33", "#2a2", "#36f"), (40, 84, 128), strict=True)
    return drawing(
        268,
        box(8, 8, 92, 252, "#2f7d4f", round_px=6),
        *(_pin(y, f"GPIO {pin}") + _resistor(y, colour) for pin, colour, y in rows),
        _pin(172, "GND"),
        line((100, 172), (296, 172), (296, 114)),
        line((220, 40), (284, 40), (284, 66)) + line((220, 84), (268, 84)) + line((220, 128), (276, 128), (276, 104)),
        f'<circle cx="296" cy="84" r="30" fill="#fff" stroke="{INK}" stroke-width="2"/>',
        '<circle cx="287" cy="78" r="8" fill="#e33"/><circle cx="305" cy="78" r="8" fill="#2a2"/>',
        '<circle cx="296" cy="95" r="8" fill="#36f"/>',
        number(1, 340, 84),
        _pin(216, f"GPIO {pins.win[0]}"),
        line((100, 216), (256, 216)),
        f'<circle cx="260" cy="216" r="4" fill="{INK}"/><circle cx="304" cy="216" r="4" fill="{INK}"/>',
        line((262, 202), (302, 202), wide=4) + line((282, 202), (282, 190), wide=4),
        line((304, 216), (324, 216), (324, 246), (100, 246)),
        _pin(246, "GND"),
        number(2, 340, 206),
    )


def _pin(y: int, name: str) -> str:
    hole = f'<circle cx="92" cy="{y}" r="6" fill="{INK}" stroke="{GOLD}" stroke-width="2"/>'
    return word(16, y + 5, name, fill="#fff") + hole


def _resistor(y: int, colour: str) -> str:
    return line((100, y), (140, y), colour=colour) + box(140, y - 10, 80, 20) + word(180, y + 5, "330 Ω", at="middle")


DRAWINGS: Final[Mapping[str, Callable[[], str]]] = {
    "setup_card": card,
    "setup_imager": imager,
    "setup_cable": cable,
    "setup_mounting": mounting,
    "setup_wires": wires,
    "lights": lights_diagram.diagram_svg,
    "wiring": wiring_diagram.diagram_svg,
}
"""Those of all manuals, by the name of the file."""
