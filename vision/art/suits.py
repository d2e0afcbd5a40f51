"""The faces of circles and bamboo, including the bird."""

import numpy as np

from vision.art.shapes import (
    BLUE,
    GREEN,
    PAPER,
    RED,
    Disc,
    Polygon,
    Shape,
    bar,
    brush,
    closed_curve,
    ellipse,
    rotate,
)

_LEFT, _MIDDLE, _RIGHT = 70.0, 150.0, 230.0
_Spot = tuple[float, float, str]
"""x, y and colour."""

_CIRCLES: dict[int, tuple[float, tuple[_Spot, ...]]] = {
    2: (74, ((150, 106, BLUE), (150, 294, BLUE))),
    3: (58, ((78, 80, BLUE), (150, 200, RED), (222, 320, BLUE))),
    4: (60, tuple((x, y, BLUE) for y in (110, 290) for x in (82, 218))),
    5: (52, (*((x, y, BLUE) for y in (86, 314) for x in (76, 224)), (150, 200, RED))),
    6: (50, tuple((x, y, BLUE if y < 100 else RED) for y in (72, 212, 326) for x in (90, 210))),
    7: (
        44,
        (
            *((x, y, BLUE) for x, y in ((62, 58), (150, 98), (238, 138))),
            *((x, y, RED) for y in (238, 340) for x in (96, 204)),
        ),
    ),
    8: (45, tuple((x, y, BLUE) for y in (58, 153, 247, 342) for x in (94, 206))),
    9: (42, tuple((x, y, RED if y == 200 else BLUE) for y in (70, 200, 330) for x in (58, 150, 242))),
}
"""The circles' radius, and their middles and colours, by number of circles."""

_ROW_TOP, _ROW_BOTTOM = 112.0, 288.0
_COLUMNS = (_LEFT, _MIDDLE, _RIGHT)
_STICKS: dict[int, tuple[float, tuple[_Spot, ...]]] = {
    2: (160, ((_MIDDLE, 106, GREEN), (_MIDDLE, 294, GREEN))),
    3: (160, ((_MIDDLE, 106, GREEN), (86, 294, GREEN), (214, 294, GREEN))),
    4: (160, tuple((x, y, GREEN) for y in (106, 294) for x in (86, 214))),
    5: (156, (*((x, y, GREEN) for y in (106, 294) for x in (62, 238)), (_MIDDLE, 200, RED))),
    6: (156, tuple((x, y, GREEN) for y in (_ROW_TOP, _ROW_BOTTOM) for x in _COLUMNS)),
    7: (116, ((_MIDDLE, 70, RED), *((x, y, GREEN) for y in (204, 332) for x in _COLUMNS))),
    9: (
        116,
        tuple((x, y, RED if x == _MIDDLE else GREEN) for y in (72, 200, 328) for x in _COLUMNS),
    ),
}
"""The sticks' length, and their middles and colours, by number of sticks."""


def circles(count: int, *, red: bool) -> tuple[Shape, ...]:
    """Returns the face of one to nine circles; `red` paints all of them red."""
    if count == 1:
        return _great_circle()
    radius, spots = _CIRCLES[count]
    return tuple(shape for x, y, colour in spots for shape in _circle(x, y, radius, RED if red else colour))


def _circle(x: float, y: float, radius: float, colour: str) -> tuple[Shape, ...]:
    petals = _flower(x, y, count=6, distance=radius * 0.36, size=radius * 0.13, colour=PAPER)
    return (
        Disc(colour=colour, x=x, y=y, radius=radius),
        Disc(colour=PAPER, x=x, y=y, radius=radius * 0.82),
        Disc(colour=colour, x=x, y=y, radius=radius * 0.66),
        *petals,
        Disc(colour=PAPER, x=x, y=y, radius=radius * 0.13),
    )


def _flower(x: float, y: float, *, count: int, distance: float, size: float, colour: str) -> tuple[Polygon, ...]:
    petals = []
    for step in range(count):
        angle = 360 * step / count
        dx, dy = rotate(np.array([[0.0, -distance]]), angle)[0]
        petals.append(ellipse(x + dx, y + dy, size, size * 1.55, colour=colour, tilt_deg=angle))
    return tuple(petals)


def _great_circle() -> tuple[Shape, ...]:
    x, y = 150.0, 200.0
    return (
        Disc(colour=GREEN, x=x, y=y, radius=128),
        Disc(colour=PAPER, x=x, y=y, radius=116),
        *_flower(x, y, count=20, distance=99, size=11, colour=GREEN),
        Disc(colour=BLUE, x=x, y=y, radius=80),
        Disc(colour=PAPER, x=x, y=y, radius=72),
        *_flower(x, y, count=12, distance=52, size=11.5, colour=BLUE),
        Disc(colour=RED, x=x, y=y, radius=37),
        Disc(colour=PAPER, x=x, y=y, radius=30),
        *_flower(x, y, count=5, distance=17, size=8, colour=RED),
        Disc(colour=RED, x=x, y=y, radius=8),
    )


def bamboo(count: int, *, red: bool) -> tuple[Shape, ...]:
    """Returns the face of one to nine bamboo sticks, one being the bird; `red` paints all red."""
    if count == 1:
        return bird()
    if count == 8:
        return _eight_sticks()
    length, places = _STICKS[count]
    return tuple(shape for x, y, colour in places for shape in _stick(x, y, length, RED if red else colour, tilt_deg=0))


def _eight_sticks() -> tuple[Shape, ...]:
    shapes: list[Shape] = []
    for y, direction in ((108, -1), (292, 1)):
        for x, tilt in ((44, 0), (112, -36), (188, 36), (256, 0)):
            shapes.extend(_stick(x, y, 156, GREEN, tilt_deg=tilt * direction))
    return tuple(shapes)


def _stick(x: float, y: float, length: float, colour: str, *, tilt_deg: float) -> tuple[Shape, ...]:
    half, belly, knot = length / 2, 20.0, 27.0
    side = np.array(
        [
            (-knot * 0.9, -half),
            (knot * 0.9, -half),
            (belly, -half + 18),
            (belly, -12),
            (knot, 0),
            (belly, 12),
            (belly, half - 18),
            (knot * 0.9, half),
            (-knot * 0.9, half),
            (-belly, half - 18),
            (-belly, 12),
            (-knot, 0),
            (-belly, -12),
            (-belly, -half + 18),
        ],
        dtype=np.float64,
    )
    slits = (((0.0, -half + 20), (0.0, -15.0)), ((0.0, 15.0), (0.0, half - 20)))
    parts: list[Shape] = [Polygon(colour=colour, points=rotate(side, tilt_deg) + np.array([x, y]))]
    for top, bottom in slits:
        ends = rotate(np.array([top, bottom]), tilt_deg) + np.array([x, y])
        track = np.column_stack([ends, (8.0, 8.0)])
        parts.append(brush(track, colour=PAPER))
    return tuple(parts)


def bird() -> tuple[Shape, ...]:
    """Returns the bird of the one of bamboo: a pheasant on a branch, its tail hanging down."""
    tail = (
        ((150, 205, 22), (176, 275, 26), (196, 330, 20), (206, 382, 4)),
        ((140, 215, 20), (150, 290, 24), (152, 345, 18), (148, 388, 4)),
        ((162, 195, 18), (206, 255, 24), (238, 305, 18), (256, 352, 4)),
    )
    colours = (GREEN, BLUE, GREEN)
    feathers = [brush(np.array(t, float), colour=c) for t, c in zip(tail, colours, strict=True)]
    quills = [brush(np.array(t, float) * (1, 1, 0.22), colour=PAPER) for t in tail]
    eyes = [Disc(colour=RED, x=t[2][0], y=t[2][1], radius=11) for t in tail]
    return (
        bar((36, 300), (128, 300), 13, colour=GREEN),
        bar((58, 290), (58, 310), 20, colour=GREEN),
        bar((104, 250), (98, 300), 8, colour=RED),
        bar((126, 250), (120, 300), 8, colour=RED),
        *feathers,
        *quills,
        *eyes,
        *_bird_body(),
        *_bird_head(),
    )


def _bird_body() -> tuple[Shape, ...]:
    body = closed_curve(
        ((82, 110), (70, 150), (74, 205), (98, 250), (134, 262), (172, 240), (186, 205),
         (168, 168), (138, 140), (128, 108)),
        colour=GREEN,
    )  # fmt: skip
    wing = closed_curve(((112, 160), (142, 158), (176, 182), (204, 214), (168, 218), (130, 206)), colour=BLUE)
    lines = (
        ((122, 172, 5), (150, 176, 6), (184, 202, 3)),
        ((124, 188, 5), (146, 192, 6), (172, 208, 3)),
    )
    scales = [Disc(colour=PAPER, x=x, y=y, radius=5) for x, y in
              ((92, 190), (104, 214), (120, 234), (88, 164), (142, 240), (106, 192))]  # fmt: skip
    return (
        body,
        wing,
        *(brush(np.array(line, float), colour=PAPER) for line in lines),
        *scales,
    )


def _bird_head() -> tuple[Shape, ...]:
    crest = (
        ((104, 52, 12), (114, 30, 10), (130, 16, 3)),
        ((114, 56, 12), (132, 38, 10), (152, 32, 3)),
        ((92, 52, 12), (94, 30, 10), (100, 12, 3)),
    )
    beak = Polygon(colour=RED, points=np.array([(72, 68), (30, 88), (74, 96)], float))
    return (
        *(brush(np.array(c, float), colour=RED) for c in crest),
        beak,
        ellipse(102, 82, 36, 36, colour=GREEN),
        Disc(colour=PAPER, x=94, y=76, radius=11),
        Disc(colour=RED, x=93, y=76, radius=6),
        closed_curve(((76, 116), (104, 124), (132, 112), (132, 124), (104, 138), (76, 130)), colour=RED),
    )
