"""Paints any face of an imagined set: characters, circles, bamboo, honours, blanks, backs, flowers."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from models.training.faces import bamboo, circles
from models.training.faces.canvas import HEIGHT, WIDTH, Sheet
from models.training.faces.font_glyphs import brushed, glyph, varied
from models.training.faces.tile_style import Style
from vision.arrays import Image
from vision.felt import HAKU

NUMERALS: Final = "一二三四五六七八九"
WINDS: Final = "東南西北"
FLOWERS: Final = "春夏秋冬梅蘭菊竹"
_KNOTS: Final = (
    (0.06, 0.05), (0.94, 0.05), (0.06, 0.95), (0.94, 0.95), (0.5, 0.03), (0.5, 0.97), (0.03, 0.5), (0.97, 0.5),
)  # fmt: skip
"""The places of the knots of an ornate frame."""
_INDEX: Final = {"1z": "E", "2z": "S", "3z": "W", "4z": "N", "5z": "P", "6z": "F", "7z": "C"}


def paint(face: str, style: Style, rng: np.random.Generator) -> Image:
    """Returns the print of `face` (mpsz, `back`, or `flower`), BGR uint8 [256, 192, 3]."""
    if face == "back":
        return _back(style, rng)
    sheet = Sheet(style, rng)
    rank, suit = (0, face) if face == "flower" else (int(face[0]), face[1])
    red = rank == 0
    if suit == "flower":
        _flower(sheet)
    elif suit == "m":
        _characters(sheet, 5 if red else rank, red=red)
    elif suit == "p":
        circles.draw(sheet, 5 if red else rank, red=red)
    elif suit == "s" and rank == 1:
        bamboo.draw_bird(sheet)
    elif suit == "s":
        bamboo.draw(sheet, 5 if red else rank, red=red)
    else:
        _honour(sheet, rank)
    if style.index != "none":
        _indices(sheet, face)
    return sheet.image


def _character_mask(sheet: Sheet, character: str, font_name: str) -> Image:
    """Returns the mask of a character in this set's handwriting, bent in the same way on all its copies."""
    rng = np.random.default_rng([sheet.style.seed, ord(character)])
    stroke = brushed(character, rng) if sheet.style.strokes and font_name == "numerals" else None
    if stroke is not None:
        return varied(stroke, rng, strength=0.5)
    font = {"numerals": sheet.style.numerals, "wan": sheet.style.wan, "honours": sheet.style.honours}[font_name]
    return varied(glyph(font, character), rng, strength=0.8 + 0.8 * sheet.style.wobble)


def _characters(sheet: Sheet, rank: int, *, red: bool) -> None:
    style = sheet.style
    rng = np.random.default_rng(style.seed + 3)
    split = float(rng.uniform(0.4, 0.54))
    number = style.five if rank == 5 else NUMERALS[rank - 1]
    whole_red = red and style.red_mark != "dot"
    number_ink = "red" if whole_red else style.numeral_ink
    wan_ink = "black" if red and style.red_mark == "glyph" and rng.random() < 0.3 else style.wan_ink
    width = float(rng.uniform(0.7, 1.0))
    _fit(sheet, _character_mask(sheet, number, "numerals"), (0.5, split / 2 - 0.01), (width, split - 0.04), number_ink)
    wan_box = (float(rng.uniform(0.7, 0.98)), 1 - split - 0.02)
    _fit(sheet, _character_mask(sheet, style.wan_character, "wan"), (0.5, (1 + split) / 2 + 0.01), wan_box, wan_ink)
    if red and style.red_mark == "dot":
        sheet.red_dot(((0.06, 0.06), (0.94, 0.06), (0.06, 0.5), (0.94, 0.5), (0.94, 0.94)))


def _fit(
    sheet: Sheet,
    mask: Image,
    centre: tuple[float, float],
    size: tuple[float, float],
    ink: str,
    *,
    stretch: float = 1.35,
) -> None:
    """Prints a glyph as large as the box allows, stretched by at most the factor `stretch`."""
    left, top = sheet.at(0, 0)
    right, bottom = sheet.at(1, 1)
    room_x, room_y = size[0] * (right - left), size[1] * (bottom - top)
    aspect = np.clip(room_x / room_y, mask.shape[1] / mask.shape[0] / stretch, mask.shape[1] / mask.shape[0] * stretch)
    height = min(room_y, room_x / aspect)
    width = height * aspect
    x, y = sheet.at(centre[0] + sheet.jitter(), centre[1] + sheet.jitter())
    sheet.stamp(mask, (x - width / 2, y - height / 2, width, height), sheet.ink(ink))


def _honour(sheet: Sheet, rank: int) -> None:
    style = sheet.style
    rng = np.random.default_rng(style.seed + 4)
    size = (float(rng.uniform(0.72, 1.0)), float(rng.uniform(0.6, 0.98)))
    if rank <= 4:
        _fit(sheet, _character_mask(sheet, WINDS[rank - 1], "honours"), (0.5, 0.5), size, style.wind_ink, stretch=1.5)
    elif rank == 6:
        _fit(sheet, _character_mask(sheet, style.hatsu, "honours"), (0.5, 0.5), size, style.hatsu_ink, stretch=1.5)
    elif rank == 7:
        _fit(sheet, _character_mask(sheet, "中", "honours"), (0.5, 0.5), size, "red", stretch=1.6)
    else:
        _white(sheet)


def _white(sheet: Sheet) -> None:
    style = sheet.style
    rng = np.random.default_rng(style.seed + 5)
    ink = sheet.ink(str(rng.choice(["blue", "blue", "blue", "black", "green"])))
    if style.haku in {"frame", "double", "ornate"}:
        _frames(sheet, rng, ink)
    elif style.haku == "letter":
        mask = glyph(style.latin, str(rng.choice(["P", "B", "W"])))
        _fit(sheet, mask, (0.5, 0.5), (0.6, 0.6), "blue" if rng.random() < 0.7 else "black")
    elif style.haku == "character":
        ink_name = "blue" if rng.random() < 0.6 else "black"
        _fit(sheet, _character_mask(sheet, "白", "honours"), (0.5, 0.5), (0.85, 0.85), ink_name)


def _frames(sheet: Sheet, rng: np.random.Generator, ink: tuple[float, float, float]) -> None:
    style = sheet.style
    inset, line = float(rng.uniform(0.0, 0.14)), sheet.across(float(rng.uniform(0.03, 0.1)))
    count = 1 if style.haku == "frame" else int(rng.integers(2, 4))
    for index in range(count):
        gap = inset + index * float(rng.uniform(0.08, 0.14))
        (x0, y0), (x1, y1) = sheet.at(gap, gap * 0.75), sheet.at(1 - gap, 1 - gap * 0.75)
        cut = sheet.across(0.12) if rng.random() < 0.35 else 0.0
        corners = [
            (x0 + cut, y0), (x1 - cut, y0), (x1, y0 + cut), (x1, y1 - cut),
            (x1 - cut, y1), (x0 + cut, y1), (x0, y1 - cut), (x0, y0 + cut),
        ]  # fmt: skip
        sheet.polygon(corners, ink, line / (1 + index * 0.6))
    if style.haku == "ornate":
        for x, y in _KNOTS:
            sheet.disc(sheet.at(x, y), sheet.across(float(rng.uniform(0.04, 0.09))), ink)


def _indices(sheet: Sheet, face: str) -> None:
    style = sheet.style
    rng = np.random.default_rng(style.seed + 6)
    text = str(sheet.rng.integers(1, 5)) if face == "flower" else _INDEX.get(face, "5" if face[0] == "0" else face[0])
    if face == HAKU and style.haku == "blank" and rng.random() < 0.7:
        return
    mask = glyph(style.latin, text)
    height = HEIGHT * float(rng.uniform(0.11, 0.19))
    width = height * mask.shape[1] / mask.shape[0]
    margin = WIDTH * float(rng.uniform(0.03, 0.08))
    ink = sheet.ink(style.index_ink)
    at_left = rng.random() < 0.75
    left = margin if at_left else WIDTH - margin - width
    sheet.stamp(mask, (left, margin, width, height), ink)
    if style.index == "two":
        opposite = WIDTH - margin - width if at_left else margin
        sheet.stamp(mask, (opposite, HEIGHT - margin - height, width, height), ink, turned=rng.random() < 0.8)


def _back(style: Style, rng: np.random.Generator) -> Image:
    hue, saturation, value = rng.integers(0, 180), rng.uniform(90, 255), rng.uniform(60, 250)
    if rng.random() < 0.15:
        saturation = rng.uniform(0, 60)
        value = rng.uniform(20, 130)
    pixel = np.array([[[hue, saturation, value]]], np.uint8)
    sheet = Sheet(style, rng)
    sheet.image[:] = cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0]
    if rng.random() < 0.25:
        _pattern(sheet, rng)
    return sheet.image


def _pattern(sheet: Sheet, rng: np.random.Generator) -> None:
    lighter = np.clip(sheet.image[0, 0].astype(float) + rng.uniform(-70, 90), 0, 255)
    colour = (float(lighter[0]), float(lighter[1]), float(lighter[2]))
    kind = rng.integers(3)
    step = float(rng.uniform(14, 40))
    if kind == 0:
        for offset in np.arange(-HEIGHT, WIDTH + HEIGHT, step):
            sheet.line((offset, 0), (offset + HEIGHT, HEIGHT), colour, step * 0.2)
            sheet.line((offset + HEIGHT, 0), (offset, HEIGHT), colour, step * 0.2)
    elif kind == 1:
        for x in np.arange(step / 2, WIDTH, step):
            for y in np.arange(step / 2, HEIGHT, step):
                sheet.disc((x, y), step * 0.25, colour)
    else:
        (x0, y0), (x1, y1) = sheet.at(0.05, 0.05), sheet.at(0.95, 0.95)
        sheet.polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], colour, step * 0.2)
        sheet.disc(sheet.at(0.5, 0.5), sheet.across(0.25), colour, step * 0.2)


def _flower(sheet: Sheet) -> None:
    rng = sheet.rng
    inks = [sheet.ink(name) for name in ("green", "red", "blue", "black")]
    root = sheet.at(rng.uniform(0.3, 0.7), rng.uniform(0.8, 0.98))
    for _ in range(int(rng.integers(2, 7))):
        tip = sheet.at(rng.uniform(0.02, 0.98), rng.uniform(0.1, 0.7))
        middle = ((root[0] + tip[0]) / 2 + rng.normal(0, 20), (root[1] + tip[1]) / 2)
        sheet.curve([root, middle, tip], inks[int(rng.choice([0, 0, 3]))], rng.uniform(3, 9))
        for _ in range(int(rng.integers(1, 6))):
            t = rng.uniform(0.2, 1.0)
            place = (root[0] + (tip[0] - root[0]) * t, root[1] + (tip[1] - root[1]) * t)
            axes = (float(rng.uniform(8, 24)), float(rng.uniform(3, 9)))
            sheet.ellipse(place, axes, float(rng.uniform(0, 180)), inks[int(rng.choice([0, 0, 0, 2]))])
        bloom, size = inks[int(rng.integers(1, 4))], float(rng.uniform(6, 16))
        for angle in np.linspace(0, 2 * np.pi, int(rng.integers(4, 7)), endpoint=False):
            petal = (tip[0] + size * float(np.cos(angle)), tip[1] + size * float(np.sin(angle)))
            sheet.disc(petal, size * 0.6, bloom)
    if rng.random() < 0.8:
        character = FLOWERS[int(rng.integers(len(FLOWERS)))]
        mask = varied(glyph(sheet.style.honours, character), rng)
        side, size = rng.uniform(0.15, 0.85), float(rng.uniform(0.22, 0.45))
        _fit(sheet, mask, (side, rng.uniform(0.1, 0.3)), (size, size), str(rng.choice(["red", "black", "blue"])))
