"""Things that look like tiles: window panes, keys, beads, screens, cards, dominoes, letters on wooden squares.

Each thing consists of boxes in millimetres, like the tiles beside it, so that all share a view, a light and a lens.
"""

from __future__ import annotations

import string
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from models.training.faces.font_glyphs import Fonts, glyph
from models.training.faces.tile_skins import skin
from models.training.studio.scenes.scene_solids import FACE_UP, STANDING, Box, turn_z
from vision.arrays import Floats, Image

Thing = Callable[[np.random.Generator, Fonts], "list[Box]"]
_PX_PER_MM: Final = 3.0
_CHARACTERS: Final = "一二三四五六七八九十東南西北中發白年月日大小酒茶花春夏秋冬金木水火土山川福寿"
_SIGNS: Final = string.ascii_uppercase + string.digits + "+-*/=?!&%#@"


def _page(width_mm: float, height_mm: float, colour: Floats) -> Image:
    page = np.empty((max(round(height_mm * _PX_PER_MM), 4), max(round(width_mm * _PX_PER_MM), 4), 3), np.uint8)
    page[:] = np.clip(colour, 0, 255).astype(np.uint8)
    return page


def _light(rng: np.random.Generator) -> Floats:
    return np.asarray(rng.uniform(190, 250) + rng.normal(0, 8, 3), np.float64)


def _dark(rng: np.random.Generator) -> Floats:
    return np.asarray(rng.uniform(10, 80) + rng.normal(0, 10, 3), np.float64)


def _vivid(rng: np.random.Generator) -> tuple[int, int, int]:
    hsv = np.array([[[rng.integers(180), rng.integers(90, 256), rng.integers(90, 256)]]], np.uint8)
    blue, green, red = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0].tolist()
    return int(blue), int(green), int(red)


def _ink(rng: np.random.Generator) -> tuple[int, int, int]:
    return _vivid(rng) if rng.random() < 0.5 else (int(rng.integers(60)),) * 3


def _rounded(page: Image, place: tuple[float, float, float, float], colour: Floats | tuple[int, int, int]) -> None:
    """Fills a rectangle with round corners; `place` is left, top, width, height in millimetres."""
    left, top, width, height = (round(value * _PX_PER_MM) for value in place)
    radius, ink = max(min(width, height) // 6, 1), tuple(float(value) for value in colour)
    cv2.rectangle(page, (left + radius, top), (left + width - radius, top + height), ink, -1)
    cv2.rectangle(page, (left, top + radius), (left + width, top + height - radius), ink, -1)
    for x in (left + radius, left + width - radius):
        for y in (top + radius, top + height - radius):
            cv2.circle(page, (x, y), radius, ink, -1, cv2.LINE_AA)


def _write_character(
    page: Image, character: str, fonts: Fonts, rng: np.random.Generator, *, place: tuple[float, float, float, float],
    ink: tuple[int, int, int],
) -> None:  # fmt: skip
    """Writes one character into left, top, width, height in millimetres."""
    kinds = fonts.latin if character.isascii() else fonts.serif + fonts.sans + fonts.kai + fonts.brush
    try:
        mask = glyph(kinds[int(rng.integers(len(kinds)))], character)
    except LookupError:
        return
    left, top, width, height = (round(value * _PX_PER_MM) for value in place)
    scale = min(width / mask.shape[1], height / mask.shape[0])
    size = max(round(mask.shape[1] * scale), 1), max(round(mask.shape[0] * scale), 1)
    small = cv2.resize(mask, size, interpolation=cv2.INTER_AREA)[..., None] / 255.0
    x, y = left + (width - size[0]) // 2, top + (height - size[1]) // 2
    spot = page[max(y, 0) : y + size[1], max(x, 0) : x + size[0]]
    small = small[: spot.shape[0], : spot.shape[1]]
    spot[:] = (spot * (1 - small) + np.array(ink) * small).astype(np.uint8)


def _flat(page: Image, *, at: tuple[float, float] = (0.0, 0.0), yaw: float = 0.0, thick: float = 0.6) -> Box:
    """Returns a lying box with this page on top; `at` is its middle in millimetres."""
    height, width = (side / _PX_PER_MM for side in page.shape[:2])
    alpha = np.full((*page.shape[:2], 1), 255, np.uint8)
    body = (page.reshape(-1, 3).mean(axis=0) * 0.8).astype(np.float32)
    return Box(
        kind="clutter", centre=np.array([*at, thick / 2]), axes=turn_z(yaw) @ FACE_UP, size=(width, height, thick),
        face=skin(np.dstack([page, alpha])), back=None, body=body, cover=body,
    )  # fmt: skip


def _standing(page: Image) -> Box:
    """Returns a box whose page faces the viewer, upright behind the table's middle."""
    lying = _flat(page, thick=20.0)
    return replace(lying, axes=STANDING, centre=np.array([0.0, -150.0, lying.size[1] / 2]))


def _round(box: Box) -> Box:
    """Returns a flat box cut to a disc."""
    page = box.face.levels[0].copy()
    height, width = page.shape[:2]
    page[..., 3] = 0
    alpha = np.zeros((height, width), np.uint8)
    cv2.ellipse(alpha, (width // 2, height // 2), (width // 2 - 1, height // 2 - 1), 0, 0, 360, 255, -1, cv2.LINE_AA)
    page[..., 3] = alpha
    return replace(box, face=skin(page), tags=frozenset({"flat"}))


def window(rng: np.random.Generator, _fonts: Fonts) -> list[Box]:
    """Returns a window with bars, the panes in the colours of sky, curtain and lamp."""
    columns, rows = int(rng.integers(2, 9)), int(rng.integers(2, 7))
    width, height = float(rng.uniform(18, 60)), float(rng.uniform(22, 80))
    page = _page(columns * width, rows * height, _dark(rng) if rng.random() < 0.5 else _light(rng))
    bar = float(rng.uniform(1.5, 6))
    sky = _light(rng)
    for row in range(rows):
        for column in range(columns):
            pane = (column * width + bar / 2, row * height + bar / 2, width - bar, height - bar)
            colour = sky + rng.normal(0, 12, 3) if rng.random() < 0.8 else np.array(_vivid(rng), float)
            left, top, across, down = (round(value * _PX_PER_MM) for value in pane)
            cv2.rectangle(page, (left, top), (left + across, top + down), tuple(colour.tolist()), -1)
            for _ in range(int(rng.integers(0, 5))):  # twigs, wires, houses and lamps behind the pane
                ends = [(int(left + across * rng.random()), int(top + down * rng.random())) for _ in range(2)]
                cv2.line(page, ends[0], ends[1], _ink(rng), int(rng.integers(1, 6)), cv2.LINE_AA)
    return [_standing(page)]


def keyboard(rng: np.random.Generator, fonts: Fonts) -> list[Box]:
    """Returns a keyboard, a number pad or a calculator, each key with one or two signs."""
    dark, side = rng.random() < 0.5, float(rng.uniform(12, 19))
    colour, ink = (_dark(rng), (230, 230, 230)) if dark else (_light(rng), _ink(rng))
    tall, boxes = float(rng.uniform(1.0, 1.35)), []
    for row in range(int(rng.integers(3, 6))):
        for column in range(int(rng.integers(3, 13))):
            page = _page(side, side * tall, colour)
            sign = str(rng.choice(list(_SIGNS)))
            _write_character(page, sign, fonts, rng, place=(side * 0.3, side * 0.2, side * 0.4, side * 0.5), ink=ink)
            at = ((column - 5) * side * 1.15 + row * 4, (row - 2) * side * tall * 1.15)
            boxes.append(_flat(page, at=at, thick=4.0))
    return boxes


def beads(rng: np.random.Generator, _fonts: Fonts) -> list[Box]:
    """Returns beads on a string, go stones, or coins in rows, with a hole, a shine or a rim."""
    boxes, side = [], float(rng.uniform(9, 24))
    colours = [np.array(_vivid(rng), float), _light(rng), _dark(rng)]
    is_grid, pitch = rng.random() < 0.6, side * float(rng.uniform(1.0, 1.25))
    for index in range(int(rng.integers(9, 40))):
        page = _page(side, side, colours[int(rng.integers(3))])
        middle = round(side * _PX_PER_MM / 2)
        for share in sorted(rng.uniform(0.1, 0.9, int(rng.integers(0, 3))), reverse=True):
            cv2.circle(page, (middle, middle), max(round(middle * share), 1), _ink(rng), 2 + (index % 2), cv2.LINE_AA)
        cv2.circle(page, (round(middle * 0.7), round(middle * 0.6)), max(middle // 5, 1), (250, 250, 250), -1)
        turn = index * 0.35
        at = ((index % 7 - 3) * pitch, (index // 7 - 2) * pitch)
        if not is_grid:
            at = (float(np.cos(turn)) * (60 + 2 * index), float(np.sin(turn)) * (40 + index))
        boxes.append(_round(_flat(page, at=at, thick=0.8)))
    return boxes


def screen(rng: np.random.Generator, fonts: Fonts) -> list[Box]:
    """Returns a phone or a tablet full of apps, each a rounded square with a sign."""
    columns, rows, side = int(rng.integers(3, 7)), int(rng.integers(3, 8)), float(rng.uniform(11, 28))
    page = _page(columns * side * 1.4 + 8, rows * side * 1.6 + 12, _dark(rng) if rng.random() < 0.6 else _light(rng))
    for row in range(rows):
        for column in range(columns):
            place = (6 + column * side * 1.4, 6 + row * side * 1.6, side, side)
            _rounded(page, place, _vivid(rng) if rng.random() < 0.6 else _light(rng))
            inner = (place[0] + side * 0.2, place[1] + side * 0.2, side * 0.6, side * 0.6)
            if rng.random() < 0.7:
                sign = str(rng.choice(list(_SIGNS + _CHARACTERS)))
                _write_character(page, sign, fonts, rng, place=inner, ink=_ink(rng))
            else:
                left, top, across, _ = (round(value * _PX_PER_MM) for value in inner)
                cv2.circle(page, (left + across // 2, top + across // 2), across // 2, _ink(rng), 3, cv2.LINE_AA)
    return [_flat(page, thick=8.0) if rng.random() < 0.6 else _standing(page)]


def cards(rng: np.random.Generator, fonts: Fonts) -> list[Box]:
    """Returns playing cards side by side, with rank and pips."""
    boxes = []
    for index in range(int(rng.integers(2, 8))):
        page = _page(57, 88, _light(rng))
        ink, count = ((30, 30, 200) if rng.random() < 0.5 else (25, 25, 25)), int(rng.integers(1, 11))
        rank = "A23456789T"[count - 1]
        _write_character(page, rank, fonts, rng, place=(3, 3, 8, 10), ink=ink)
        for pip in range(count):
            centre = (18 + 21 * (pip % 2), 14 + 60 * (pip // 2) / max((count + 1) // 2 - 1, 1))
            x, y = (round(value * _PX_PER_MM) for value in centre)
            corners = np.array([[x, y - 16], [x + 12, y], [x, y + 16], [x - 12, y]], np.int32)
            cv2.fillConvexPoly(page, corners, ink, cv2.LINE_AA)
        boxes.append(_flat(page, at=((index - 3) * 60.0, float(rng.normal(0, 6))), yaw=float(rng.normal(0, 0.1))))
    return boxes


def dominoes(rng: np.random.Generator, _fonts: Fonts) -> list[Box]:
    """Returns dominoes: two squares of pips each, white or black, as thick as tiles."""
    boxes, is_dark, side = [], rng.random() < 0.5, float(rng.uniform(18, 25))
    for index in range(int(rng.integers(3, 14))):
        page = _page(side, side * 2, _dark(rng) * 0.5 if is_dark else _light(rng))
        ink = (235, 235, 235) if is_dark else (25, 25, 25)
        cv2.line(page, (6, page.shape[0] // 2), (page.shape[1] - 6, page.shape[0] // 2), ink, 2)
        for half in range(2):
            for x, y in _pips(int(rng.integers(0, 7))):
                spot = (page.shape[1] / 2 * (1 + 0.55 * x), page.shape[1] * (half + 0.5 * (1 + 0.55 * y)))
                cv2.circle(page, (round(spot[0]), round(spot[1])), max(page.shape[1] // 12, 2), ink, -1, cv2.LINE_AA)
        at = ((index % 7 - 3) * side * 1.1, (index // 7) * side * 2.2)
        boxes.append(_flat(page, at=at, yaw=float(rng.normal(0, 0.05)), thick=8.0))
    return boxes


def _pips(count: int) -> list[tuple[float, float]]:
    corners = [(-1.0, -1.0), (1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, 0.0), (1.0, 0.0)]
    return ([(0.0, 0.0)] if count % 2 else []) + corners[: count - count % 2]


def letter_tiles(rng: np.random.Generator, fonts: Fonts) -> list[Box]:
    """Returns the tiles of a word or number game: a letter or a coloured number each."""
    boxes, is_number = [], rng.random() < 0.5
    width, height = (26.0, 37.0) if is_number else (19.0, 20.5)
    wood = np.array([120, 175, 215], float) * rng.uniform(0.8, 1.15)
    for index in range(int(rng.integers(4, 22))):
        page = _page(width, height, _light(rng) if is_number else wood)
        for digit, sign in enumerate(str(rng.integers(1, 14)) if is_number else str(rng.choice(list(_SIGNS[:26])))):
            place = (width * (0.22 + 0.3 * digit), height * 0.18, width * 0.5, height * 0.5)
            _write_character(page, sign, fonts, rng, place=place, ink=_ink(rng))
        at = ((index % 8 - 4) * width * 1.06, (index // 8) * height * 1.08)
        boxes.append(_flat(page, at=at, yaw=float(rng.normal(0, 0.03)), thick=6.0))
    return boxes


def calendar(rng: np.random.Generator, fonts: Fonts) -> list[Box]:
    """Returns a calendar, a menu or a poster: a grid with a Chinese character or a number in each field."""
    columns, rows, side = 7, int(rng.integers(4, 7)), float(rng.uniform(14, 32))
    page, lines = _page(columns * side, rows * side * 1.25, _light(rng)), rng.random() < 0.6
    for row in range(rows):
        for column in range(columns):
            field = (column * side, row * side * 1.25, side, side * 1.25)
            if lines:
                left, top, across, down = (round(value * _PX_PER_MM) for value in field)
                cv2.rectangle(page, (left, top), (left + across, top + down), (90, 90, 90), 2)
            signs = str(rng.choice(list(_CHARACTERS))) if rng.random() < 0.6 else str(rng.integers(1, 32))
            for index, sign in enumerate(signs):
                inner = (field[0] + side * (0.2 + 0.3 * index), field[1] + side * 0.3, side * 0.6, side * 0.7)
                _write_character(page, sign, fonts, rng, place=inner, ink=_ink(rng))
    return [_standing(page) if rng.random() < 0.5 else _flat(page)]


def chessboard(rng: np.random.Generator, fonts: Fonts) -> list[Box]:
    """Returns a chess or Chinese chess board with round men."""
    side, boxes = float(rng.uniform(18, 40)), []
    page = _page(side * 8, side * 8, _light(rng))
    dark = _dark(rng).tolist()
    for row in range(8):
        for column in range(8):
            if (row + column) % 2:
                first = (round(column * side * _PX_PER_MM), round(row * side * _PX_PER_MM))
                reach = round(side * _PX_PER_MM)
                cv2.rectangle(page, first, (first[0] + reach, first[1] + reach), dark, -1)
    boxes.append(_flat(page, thick=2.0))
    for _ in range(int(rng.integers(0, 16))):
        man = _page(side * 0.8, side * 0.8, np.array([150, 200, 230]) * rng.uniform(0.7, 1.1))
        sign = str(rng.choice(list("車馬炮兵卒將士象帥相")))
        place = (side * 0.15, side * 0.15, side * 0.5, side * 0.5)
        _write_character(man, sign, fonts, rng, place=place, ink=(30, 30, 190) if rng.random() < 0.5 else (30, 60, 30))
        at = ((int(rng.integers(8)) - 3.5) * side, (int(rng.integers(8)) - 3.5) * side)
        disc = _round(_flat(man, at=at, thick=1.0))
        boxes.append(replace(disc, centre=np.array([*at, 2.6])))
    return boxes


def sockets(rng: np.random.Generator, _fonts: Fonts) -> list[Box]:
    """Returns sockets and switches in a row, on a wall."""
    count, side = int(rng.integers(1, 6)), float(rng.uniform(30, 80))
    page = _page(count * side, side * float(rng.uniform(1.0, 1.6)), _light(rng))
    for index in range(count):
        left, reach = index * side, side * 0.84
        _rounded(page, (left + side * 0.08, side * 0.08, reach, page.shape[0] / _PX_PER_MM - side * 0.16), _light(rng))
        for x, y in _pips(int(rng.integers(2, 6))):
            spot = (round((left + side / 2 * (1 + 0.4 * x)) * _PX_PER_MM), round(side / 2 * (1 + 0.4 * y) * _PX_PER_MM))
            cv2.circle(page, spot, max(round(side * 0.06 * _PX_PER_MM), 2), (40, 40, 40), -1, cv2.LINE_AA)
    return [_standing(page)]


def labels(rng: np.random.Generator, fonts: Fonts) -> list[Box]:
    """Returns bottles, boxes and backs of books in a row, each with a character or a coloured field."""
    boxes = []
    for index in range(int(rng.integers(3, 10))):
        width, height = float(rng.uniform(18, 42)), float(rng.uniform(60, 160))
        page = _page(width, height, np.array(_vivid(rng), float) if rng.random() < 0.5 else _light(rng))
        _rounded(page, (width * 0.12, height * 0.3, width * 0.76, width * 1.0), _light(rng))
        for line in range(int(rng.integers(1, 4))):
            sign = str(rng.choice(list(_CHARACTERS)))
            place = (width * 0.25, height * 0.32 + line * width * 0.45, width * 0.5, width * 0.42)
            _write_character(page, sign, fonts, rng, place=place, ink=_ink(rng))
        box = _standing(page)
        boxes.append(replace(box, centre=box.centre + np.array([(index - 4) * 44.0, 0, 0])))
    return boxes


def abacus(rng: np.random.Generator, _fonts: Fonts) -> list[Box]:
    """Returns an abacus: rods with rows of oval beads in a frame."""
    rods, side = int(rng.integers(6, 14)), float(rng.uniform(12, 20))
    page = _page(rods * side * 1.15 + 10, 9 * side * 0.75 + 10, _light(rng) if rng.random() < 0.5 else _dark(rng))
    colour = _vivid(rng) if rng.random() < 0.4 else (40, 70, 120)
    for rod in range(rods):
        x = round((10 + rod * side * 1.15 + side / 3) * _PX_PER_MM)
        cv2.line(page, (x, 0), (x, page.shape[0]), (60, 60, 60), 3)
        for bead in range(9):
            if rng.random() < 0.75:
                y = round((8 + bead * side * 0.75) * _PX_PER_MM)
                axes = (round(side * 0.5 * _PX_PER_MM), round(side * 0.34 * _PX_PER_MM))
                cv2.ellipse(page, (x, y), axes, 0, 0, 360, colour, -1, cv2.LINE_AA)
                cv2.ellipse(page, (x, y), axes, 0, 0, 360, (30, 30, 30), 1, cv2.LINE_AA)
    return [_flat(page, thick=10.0)]


THINGS: Final[dict[str, Thing]] = {
    "window panes": window, "keys": keyboard, "beads": beads, "screens": screen, "playing cards": cards,
    "dominoes": dominoes, "letter tiles": letter_tiles, "calendars": calendar, "chess boards": chessboard,
    "sockets": sockets, "labels": labels, "abacuses": abacus,
}  # fmt: skip
