"""The circle suit: coins in many styles, in the usual layouts of sets."""

from __future__ import annotations

from typing import Final

import numpy as np

from models.training.faces.canvas import Sheet
from models.training.faces.tile_style import Colour

Spot = tuple[float, float, str]
"""The place on the printed area, and the role of the ink: `a`, `b` or `c` (main, second, accent)."""

_LAYOUTS: Final[dict[int, tuple[tuple[Spot, ...], ...]]] = {
    2: (((0.5, 0.24, "a"), (0.5, 0.76, "b")), ((0.5, 0.2, "a"), (0.5, 0.8, "a"))),
    3: (
        ((0.18, 0.15, "a"), (0.5, 0.5, "c"), (0.82, 0.85, "b")),
        ((0.22, 0.2, "a"), (0.5, 0.5, "c"), (0.78, 0.8, "a")),
        ((0.82, 0.15, "a"), (0.5, 0.5, "c"), (0.18, 0.85, "b")),
    ),
    4: (
        ((0.22, 0.18, "a"), (0.78, 0.18, "b"), (0.22, 0.82, "b"), (0.78, 0.82, "a")),
        ((0.24, 0.24, "a"), (0.76, 0.24, "b"), (0.24, 0.76, "b"), (0.76, 0.76, "a")),
    ),
    5: (
        ((0.2, 0.16, "a"), (0.8, 0.16, "b"), (0.5, 0.5, "c"), (0.2, 0.84, "b"), (0.8, 0.84, "a")),
        ((0.24, 0.2, "a"), (0.76, 0.2, "b"), (0.5, 0.5, "c"), (0.24, 0.8, "b"), (0.76, 0.8, "a")),
    ),
    6: (
        tuple((x, y, role) for y, role in ((0.15, "a"), (0.57, "c"), (0.86, "c")) for x in (0.25, 0.75)),
        tuple((x, y, role) for y, role in ((0.17, "a"), (0.5, "c"), (0.83, "c")) for x in (0.26, 0.74)),
    ),
    7: (
        (
            (0.18, 0.11, "a"), (0.5, 0.22, "a"), (0.82, 0.33, "a"), (0.28, 0.62, "c"), (0.72, 0.62, "c"),
            (0.28, 0.87, "c"), (0.72, 0.87, "c"),
        ),
        (
            (0.16, 0.13, "a"), (0.5, 0.24, "a"), (0.84, 0.35, "a"), (0.24, 0.63, "c"), (0.76, 0.63, "c"),
            (0.24, 0.88, "c"), (0.76, 0.88, "c"),
        ),
    ),
    8: (
        tuple((x, y, "a") for y in (0.12, 0.37, 0.63, 0.88) for x in (0.27, 0.73)),
        tuple((x, y, "a") for y in (0.13, 0.38, 0.62, 0.87) for x in (0.3, 0.7)),
    ),
    9: (
        tuple((x, y, role) for y, role in ((0.14, "a"), (0.5, "c"), (0.86, "b")) for x in (0.17, 0.5, 0.83)),
        tuple((x, y, role) for y, role in ((0.16, "b"), (0.5, "c"), (0.84, "a")) for x in (0.17, 0.5, 0.83)),
    ),
}  # fmt: skip
_RADIUS: Final = {1: 0.44, 2: 0.26, 3: 0.2, 4: 0.2, 5: 0.19, 6: 0.18, 7: 0.155, 8: 0.165, 9: 0.155}


def draw(sheet: Sheet, count: int, *, red: bool) -> None:
    """Draws `count` circles; `red` makes the five of the red set."""
    style = sheet.style
    if count == 1:
        return _big(sheet)
    variant = _LAYOUTS[count][style.seed % len(_LAYOUTS[count])]
    size = np.random.default_rng(style.seed).uniform(0.88, 1.3)
    inks = dict(zip("abc", style.pin_inks, strict=True))
    if count == 4 and style.seed % 3 == 0:
        inks["b"] = inks["a"]
    whole_red = red and style.red_mark != "dot"
    for x, y, role in variant:
        spot = sheet.at(x + sheet.jitter(), y + sheet.jitter())
        ink = "red" if whole_red else inks[role]
        inner = "red" if whole_red else _inner(sheet, role)
        _coin(sheet, spot, sheet.across(_RADIUS[count] * size), style.coin, (sheet.ink(ink), sheet.ink(inner)))
    if red and style.red_mark == "dot":
        sheet.red_dot(((0.08, 0.5), (0.92, 0.5), (0.5, 0.06), (0.5, 0.94), (0.04, 0.02)))
    return None


def _inner(sheet: Sheet, role: str) -> str:
    inks = sheet.style.pin_inks
    choice = sheet.style.seed % 5
    if choice == 0 and role != "c":
        return "red"
    return inks["abc".index(role)] if choice < 4 else inks[1]


def _coin(sheet: Sheet, spot: tuple[float, float], radius: float, kind: str, inks: tuple[Colour, Colour]) -> None:
    ink, inner = inks
    base = sheet.style.base
    fill = sheet.style.coin_fill
    if kind == "flower":
        sheet.disc(spot, radius, ink)
        _petals(sheet, spot, radius * 0.5 * fill, radius * 0.24, base)
        sheet.disc(spot, radius * 0.16, base)
    elif kind == "rings":
        sheet.disc(spot, radius, ink)
        sheet.disc(spot, radius * 0.8 * fill, base)
        sheet.disc(spot, radius * 0.58, inner)
        sheet.disc(spot, radius * 0.4 * fill, base)
        sheet.disc(spot, radius * 0.22, inner)
    elif kind == "wheel":
        sheet.disc(spot, radius, ink)
        sheet.disc(spot, radius * 0.84 * fill, base)
        _spokes(sheet, spot, radius * 0.84, inner, radius * 0.13)
        sheet.disc(spot, radius * 0.3, inner)
    elif kind == "target":
        sheet.disc(spot, radius, ink)
        sheet.disc(spot, radius * 0.76, base)
        sheet.disc(spot, radius * 0.6 * fill, inner)
        sheet.disc(spot, radius * 0.16, base)
    else:
        sheet.disc(spot, radius, ink)
        sheet.disc(spot, radius * 0.78, base, radius * 0.1)
        sheet.disc(spot, radius * 0.3, base if sheet.style.seed % 2 else inner)


def _petals(sheet: Sheet, spot: tuple[float, float], distance: float, size: float, colour: Colour) -> None:
    for angle in np.linspace(0, 360, sheet.style.coin_petals, endpoint=False):
        turn = np.deg2rad(angle)
        place = (spot[0] + distance * float(np.cos(turn)), spot[1] + distance * float(np.sin(turn)))
        sheet.ellipse(place, (size, size * 0.6), float(angle), colour)


def _spokes(sheet: Sheet, spot: tuple[float, float], length: float, colour: Colour, thickness: float) -> None:
    for angle in np.linspace(0, 2 * np.pi, sheet.style.coin_petals, endpoint=False):
        end = (spot[0] + length * float(np.cos(angle)), spot[1] + length * float(np.sin(angle)))
        sheet.line(spot, end, colour, thickness)


def _big(sheet: Sheet) -> None:
    style = sheet.style
    rng = np.random.default_rng(style.seed)
    spot = sheet.at(0.5 + sheet.jitter(), 0.5 + sheet.jitter())
    radius = sheet.across(float(rng.uniform(0.34, 0.5)))
    main, second, accent = (sheet.ink(name) for name in style.pin_inks)
    if style.big_coin != "ornate":
        _coin(sheet, spot, radius, style.big_coin, (main, accent if rng.random() < 0.6 else main))
        return
    inks = [main, accent, second, style.base]
    sheet.disc(spot, radius, main)
    edge = radius
    for _ in range(int(rng.integers(2, 5))):
        sheet.disc(spot, edge * 0.92, style.base)
        count, size = int(rng.integers(8, 28)), edge * float(rng.uniform(0.05, 0.12))
        colour = inks[int(rng.integers(3))]
        for angle in np.linspace(0, 2 * np.pi, count, endpoint=False):
            place = (spot[0] + edge * 0.8 * float(np.cos(angle)), spot[1] + edge * 0.8 * float(np.sin(angle)))
            sheet.ellipse(place, (size * 1.4, size), float(np.rad2deg(angle)), colour)
        edge *= float(rng.uniform(0.55, 0.72))
        sheet.disc(spot, edge, inks[int(rng.integers(3))])
    sheet.disc(spot, edge * 0.8, style.base if rng.random() < 0.5 else accent)
    _petals(sheet, spot, edge * 0.45, edge * 0.3, accent if rng.random() < 0.5 else main)
