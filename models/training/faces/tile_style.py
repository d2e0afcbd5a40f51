"""The style of one imagined set of tiles: its inks, writing, rings, sticks, bird, blank and index numerals.

Everything common to all faces of a set is chosen here once, so that the faces match.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from models.training.faces.font_glyphs import Fonts, has

Colour = tuple[float, float, float]
"""Blue, green, red, 0-255."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """The features in which sets differ."""

    base: Colour
    black: Colour
    blue: Colour
    green: Colour
    red: Colour
    numerals: Path
    wan: Path
    honours: Path
    latin: Path
    wan_character: str
    five: str
    hatsu: str
    strokes: bool
    """Whether 四 to 九 are written stroke by stroke, not with a font."""
    numeral_ink: str
    wan_ink: str
    wind_ink: str
    hatsu_ink: str
    haku: str
    """blank, frame, double, ornate, letter or character."""
    index: str
    """none, one (a corner) or two (opposite corners)."""
    index_ink: str
    coin: str
    coin_petals: int
    coin_fill: float
    big_coin: str
    pin_inks: tuple[str, str, str]
    """Main, second and accent ink of circles."""
    stick: str
    stick_inks: tuple[str, str, str]
    eight: str
    """The layout of 8s: `mw`, `wm` or `rows`."""
    red_mark: str
    """How a red five is marked: `whole`, `dot` or `glyph`."""
    margin: float
    """The blank margin around the print, as a fraction of the width."""
    wobble: float
    """The unevenness of the engraving."""
    seed: int


def _shade(rng: np.random.Generator, low: Colour, high: Colour) -> Colour:
    blue, green, red = rng.uniform(low, high)
    return (float(blue), float(green), float(red))


def _pick(rng: np.random.Generator, *choices: tuple[str, float]) -> str:
    weights = np.array([weight for _, weight in choices])
    return choices[rng.choice(len(choices), p=weights / weights.sum())][0]


def _ivory(rng: np.random.Generator) -> Colour:
    """Returns a body colour: white, cream or yellowed; a few are tinted."""
    yellow = float(rng.uniform(0, 0.1) if rng.random() < 0.7 else rng.uniform(0.1, 0.26))
    bright, tint = float(rng.uniform(225, 255)), float(rng.normal(0, 0.012))
    return bright * (1 - yellow), min(255.0, bright * (1 - yellow * 0.3 + tint)), bright


def sample(rng: np.random.Generator, fonts: Fonts) -> Style:
    """Returns a random style; every feature in which real sets differ is chosen separately."""
    base = _ivory(rng)
    wan_character = _pick(rng, ("萬", 0.8), ("万", 0.2))
    hatsu = _pick(rng, ("發", 0.7), ("発", 0.15), ("发", 0.15))
    five = _pick(rng, ("五", 0.5), ("伍", 0.5))
    numerals = fonts.pick(rng, "一二三四六七八九" + five)
    return Style(
        base=base,
        black=_shade(rng, (0, 0, 0), (60, 50, 50)),
        blue=_shade(rng, (70, 15, 0), (225, 95, 70)),
        green=_shade(rng, (10, 55, 0), (85, 150, 60)),
        red=_shade(rng, (0, 0, 110), (75, 60, 235)),
        numerals=numerals,
        wan=numerals if rng.random() < 0.5 and has(numerals, wan_character) else fonts.pick(rng, wan_character),
        honours=fonts.pick(rng, "東南西北中" + hatsu),
        latin=fonts.latin[rng.integers(len(fonts.latin))],
        wan_character=wan_character,
        five=five,
        hatsu=hatsu,
        strokes=rng.random() < 0.35,
        numeral_ink=_pick(rng, ("black", 0.55), ("blue", 0.4), ("green", 0.05)),
        wan_ink=_pick(rng, ("red", 0.93), ("black", 0.03), ("blue", 0.04)),
        wind_ink=_pick(rng, ("black", 0.6), ("blue", 0.33), ("green", 0.04), ("red", 0.03)),
        hatsu_ink=_pick(rng, ("green", 0.9), ("blue", 0.05), ("black", 0.05)),
        haku=_pick(
            rng,
            ("blank", 0.5),
            ("frame", 0.15),
            ("double", 0.15),
            ("ornate", 0.1),
            ("letter", 0.05),
            ("character", 0.05),
        ),
        index=_pick(rng, ("none", 0.6), ("one", 0.28), ("two", 0.12)),
        index_ink=_pick(rng, ("black", 0.5), ("blue", 0.2), ("red", 0.2), ("green", 0.1)),
        coin=_pick(rng, ("flower", 0.2), ("rings", 0.25), ("wheel", 0.2), ("target", 0.2), ("solid", 0.15)),
        coin_petals=int(rng.integers(4, 13)),
        coin_fill=float(rng.uniform(0.75, 1.0)),
        big_coin=_pick(rng, ("ornate", 0.6), ("wheel", 0.15), ("rings", 0.1), ("flower", 0.15)),
        pin_inks=_pin_inks(rng),
        stick=_pick(rng, ("bone", 0.25), ("segments", 0.2), ("outline", 0.2), ("plain", 0.15), ("waist", 0.2)),
        stick_inks=_stick_inks(rng),
        eight=_pick(rng, ("mw", 0.65), ("wm", 0.25), ("rows", 0.1)),
        red_mark=_pick(rng, ("whole", 0.72), ("dot", 0.16), ("glyph", 0.12)),
        margin=float(rng.uniform(0.03, 0.16)),
        wobble=float(rng.uniform(0.0, 1.0)),
        seed=int(rng.integers(2**31)),
    )


def _pin_inks(rng: np.random.Generator) -> tuple[str, str, str]:
    main = _pick(rng, ("blue", 0.45), ("green", 0.25), ("black", 0.3))
    second = main if rng.random() < 0.5 else _pick(rng, ("blue", 0.5), ("green", 0.5))
    return main, second, "red" if rng.random() < 0.92 else main


def _stick_inks(rng: np.random.Generator) -> tuple[str, str, str]:
    main = _pick(rng, ("green", 0.75), ("blue", 0.12), ("black", 0.13))
    second = main if rng.random() < 0.6 else _pick(rng, ("blue", 0.6), ("green", 0.4))
    return main, second, "red" if rng.random() < 0.88 else "blue"
