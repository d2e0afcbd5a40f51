"""The table without tiles: felt, rail, floor, the centre unit of an automatic table, lint, and other objects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from models.training.arrangement.laid_sticks import slot_middle_mm
from models.training.traced.things import Material, Rgb, Thing
from vision.cameras.synthetic.appearance import Appearance, Colour

_FLOOR_MM: Final = -680.0
_LINTS: Final = (20, 160)
_GLOWS: Final = ((1.0, 0.12, 0.06), (0.15, 1.0, 0.25), (0.2, 0.5, 1.0), (1.0, 0.6, 0.1))
_CUPS: Final = ((0.93, 0.92, 0.9), (0.2, 0.3, 0.45), (0.6, 0.25, 0.18), (0.1, 0.1, 0.11), (0.75, 0.7, 0.55))


@dataclass(frozen=True, slots=True, kw_only=True)
class Furniture:
    """Objects and their materials."""

    things: tuple[Thing, ...]
    materials: dict[str, Material]


def srgb(colour: Colour) -> Rgb:
    """Returns a BGR colour of 0-255 as RGB of 0-1."""
    blue, green, red = colour
    return red / 255, green / 255, blue / 255


def furnished(appearance: Appearance, rng: np.random.Generator) -> Furniture:
    """Returns the table of an appearance, with the objects around it."""
    wooden = bool(rng.random() < 0.5)
    materials = {
        "felt": Material(
            kind="cloth",
            colour=srgb(appearance.felt),
            roughness=float(rng.uniform(0.75, 1.0)),
            grain=float(rng.uniform(0.08, 0.35)),
            relief_mm=float(rng.uniform(0.1, 0.5)),
        ),
        "rail": Material(
            kind="wood" if wooden else "plain",
            colour=srgb(appearance.rail),
            roughness=float(rng.uniform(0.15, 0.6)),
            grain=0.35,
            coat=float(rng.uniform(0, 0.6)),
        ),
        "floor": Material(colour=srgb(appearance.floor), roughness=0.6),
        "lint": Material(kind="plain", colour=(0.8, 0.8, 0.77), roughness=1.0),
    }
    things = [*_table(appearance), _lint(appearance, rng)]
    if appearance.unit_mm:
        materials |= _unit_materials(rng)
        things += _unit(appearance, rng)
    objects, made_of = _objects_around(appearance, rng)
    return Furniture(things=(*things, *objects), materials=materials | made_of)


def _table(appearance: Appearance) -> Iterator[Thing]:
    felt, rail, high = appearance.felt_mm, appearance.rail_mm, appearance.rail_height_mm
    yield Thing(shape="box", material="felt", at=(0, 0, -5), size=(felt + 10, felt + 10, 10))
    middle = felt / 2 + rail / 2
    length = felt + 2 * rail
    thick = high + 40
    for turn, (x, y) in zip(
        (0.0, 0.0, 90.0, 90.0), ((0, middle), (0, -middle), (middle, 0), (-middle, 0)), strict=True
    ):
        size = (length if turn == 0 else felt, rail, thick)
        at = (float(x), float(y), high - thick / 2)
        yield Thing(shape="box", material="rail", at=at, turn_deg=(0, 0, turn), size=size, edge_mm=min(4.0, high / 2))
    yield Thing(shape="box", material="floor", at=(0, 0, _FLOOR_MM - 5), size=(8000, 8000, 10))


def _lint(appearance: Appearance, rng: np.random.Generator) -> Thing:
    """Returns short curled hairs on the felt."""
    strokes = []
    for _ in range(int(rng.integers(*_LINTS))):
        x, y = rng.uniform(-0.5, 0.5, 2) * appearance.felt_mm
        direction, bend, radius = rng.uniform(0, 2 * np.pi), rng.normal(0, 0.8), float(rng.uniform(0.04, 0.16))
        stroke = [(float(x), float(y), 0.2, radius)]
        for _ in range(4):
            step = float(rng.uniform(0.4, 2.4))
            x, y, direction = x + step * np.cos(direction), y + step * np.sin(direction), direction + bend
            stroke.append((float(x), float(y), 0.2 + float(rng.uniform(0, 0.5)), radius))
        strokes.append(tuple(stroke))
    return Thing(shape="tubes", material="lint", strokes=tuple(strokes))


def _unit_materials(rng: np.random.Generator) -> dict[str, Material]:
    shade = float(rng.choice([0.03, 0.05, 0.1, 0.75], p=[0.4, 0.3, 0.2, 0.1]))
    glow = _GLOWS[rng.integers(len(_GLOWS))]
    return {
        "unit": Material(colour=(shade, shade, shade), roughness=float(rng.uniform(0.12, 0.5)), coat=0.3),
        "slot": Material(colour=(shade * 0.4, shade * 0.4, shade * 0.4), roughness=0.7),
        "dark glass": Material(colour=(0.012, 0.012, 0.015), roughness=0.05, coat=1.0),
        "lamps": Material(kind="glow", colour=glow, grain=float(rng.uniform(0.4, 3.0))),
        "metal": Material(colour=(0.7, 0.7, 0.68), roughness=0.25, metallic=1.0),
        "dice": Material(colour=(0.9, 0.89, 0.86), roughness=0.2),
    }


def _unit(appearance: Appearance, rng: np.random.Generator) -> Iterator[Thing]:
    """Yields a square of plastic with a stick slot, a lamp and a display for each side, and dice in the middle."""
    edge, top = appearance.unit_mm, appearance.unit_height_mm
    yield Thing(shape="box", material="unit", at=(0, 0, top / 2 - 5), size=(edge, edge, top + 10), edge_mm=1.5)
    has_slots, has_displays = rng.random() < 0.7, rng.random() < 0.75
    rows = appearance.unit_mm / 2 - appearance.stick_breadth_mm - 16
    for side in range(4):
        if has_slots:
            yield from _slot(appearance, side)
        if has_displays and rows > 14:
            size = (min(34.0, edge / 4), 11.0, 0.8)
            yield _block("dark glass", side, (0.0, rows - 4, top), size=size)
            text = str(int(rng.integers(0, 600)) * 100)
            yield _text(text, side, rows - 4, top + 0.9, 7.0)
        if rng.random() < 0.6:
            yield _block("lamps", side, (edge * 0.33, rows - 2, top), size=(8.0, 3.0, 1.0))
    yield from _dice(appearance, rng)


def _slot(appearance: Appearance, side: int) -> Iterator[Thing]:
    """Yields a slot for a riichi stick: a dark ground between raised rims."""
    length, breadth = appearance.stick_length_mm + 4, appearance.stick_breadth_mm + 1.6
    middle, top = slot_middle_mm(appearance), appearance.unit_height_mm
    yield _block("slot", side, (0.0, middle, top - 0.48), size=(length, breadth, 1.0))
    for offset in (-breadth / 2 - 0.7, breadth / 2 + 0.7):
        yield _block("unit", side, (0.0, middle + offset, top), size=(length + 3, 1.4, 3.0), edge_mm=0.5)


def _dice(appearance: Appearance, rng: np.random.Generator) -> Iterator[Thing]:
    radius, top = appearance.unit_mm * float(rng.uniform(0.12, 0.17)), appearance.unit_height_mm
    yield Thing(shape="cylinder", material="dark glass", at=(0, 0, top), size=(2 * radius, 2 * radius, 2.0))
    yield Thing(shape="ring", material="metal", at=(0, 0, top + 0.6), size=(2 * radius, 2 * radius, 2.4))
    for x in (-0.4, 0.4):
        turn = (0.0, 0.0, float(rng.uniform(0, 90)))
        at = (x * radius, float(rng.uniform(-0.2, 0.2)) * radius, top + 6.0)
        yield Thing(shape="box", material="dice", at=at, turn_deg=turn, size=(10, 10, 10), edge_mm=1.5)


def _block(
    material: str,
    side: int,
    place: tuple[float, float, float],
    *,
    size: tuple[float, float, float],
    edge_mm: float = 0.2,
) -> Thing:
    """Returns a box at a place relative to its side: to the right, from the centre, and above the felt."""
    along, distance, low = place
    x, y = _on_felt(side, along, distance)
    at = (x, y, low + size[2] / 2)
    return Thing(shape="box", material=material, at=at, turn_deg=(0, 0, 90.0 * side), size=size, edge_mm=edge_mm)


def _text(text: str, side: int, distance: float, high: float, letters_mm: float) -> Thing:
    x, y = _on_felt(side, 0.0, distance)
    return Thing(
        shape="text",
        material="lamps",
        at=(x, y, high),
        turn_deg=(0, 0, 90.0 * side),
        size=(letters_mm, 0, 0),
        text=text,
    )


def _on_felt(side: int, along: float, distance: float) -> tuple[float, float]:
    turn = np.radians(90.0 * side)
    c, s = float(np.cos(turn)), float(np.sin(turn))
    return along * c + distance * s, along * s - distance * c


def _objects_around(appearance: Appearance, rng: np.random.Generator) -> tuple[list[Thing], dict[str, Material]]:
    """Returns cups and phones on the rail if it is broad, else on small tables at the corners."""
    things: list[Thing] = []
    materials = {"screen": Material(colour=(0.01, 0.01, 0.012), roughness=0.04, coat=1.0)}
    corner = appearance.felt_mm / 2 + appearance.rail_mm
    for number in range(int(rng.integers(0, 4))):
        x, y = (float(rng.choice([-1, 1])) * (corner + float(rng.uniform(40, 110))) for _ in range(2))
        materials[f"cup {number}"] = Material(colour=_CUPS[rng.integers(len(_CUPS))], roughness=0.2, coat=0.5)
        stand = Thing(shape="box", material="rail", at=(x, y, -130), size=(190, 190, 20), edge_mm=3)
        width, height = float(rng.uniform(62, 85)), float(rng.uniform(70, 110))
        cup = Thing(
            shape="cylinder", material=f"cup {number}", at=(x, y, -120 + height / 2), size=(width, width, height)
        )
        things += [stand, cup]
    if appearance.rail_mm > 70 and rng.random() < 0.6:
        side, along = int(rng.integers(4)), float(rng.uniform(-0.35, 0.35)) * appearance.felt_mm
        distance = appearance.felt_mm / 2 + appearance.rail_mm / 2
        low = appearance.rail_height_mm
        size = (145.0, min(70.0, appearance.rail_mm - 4), 8.0)
        things.append(_block("screen", side, (along, distance, low), size=size, edge_mm=3))
    return things, materials
