"""Light over a table: bright, daylight, one lamp, dim, and dim and warm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from models.training.traced.things import Lamp, Rgb

LIGHTS: Final = ("bright", "daylight", "lamp", "dim", "dim warm")
_KELVIN: Final = {
    "bright": (3800, 6000),
    "daylight": (5500, 7500),
    "lamp": (2700, 4000),
    "dim": (3000, 4500),
    "dim warm": (2100, 2800),
}
_AROUND: Final = {"bright": (0.3, 0.5), "daylight": (0.15, 0.4), "lamp": (0.04, 0.15), "dim": (0.2, 0.5),
                  "dim warm": (0.08, 0.3)}  # fmt: skip
"""The fraction of ambient light, from walls and ceiling."""
_CORRECTED: Final = {"bright": (0.85, 1.0), "daylight": (0.8, 1.0), "lamp": (0.6, 1.0), "dim": (0.5, 0.9),
                     "dim warm": (0.15, 0.6)}  # fmt: skip
_NOISE: Final = {"bright": (0.2, 0.8), "daylight": (0.2, 0.8), "lamp": (0.3, 1.2), "dim": (1.2, 3.0),
                 "dim warm": (1.2, 3.5)}  # fmt: skip
_EXPOSED: Final = {"bright": (0.75, 1.2), "daylight": (0.7, 1.2), "lamp": (0.65, 1.1), "dim": (0.4, 0.85),
                   "dim warm": (0.35, 0.8)}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Light:
    """The lamps of a room, and the camera's response to their light."""

    name: str
    lamps: tuple[Lamp, ...]
    around: Rgb
    around_lux: float
    cast: Rgb
    """The colour of white paper before the camera's correction, with a mean of 1."""
    corrected: float
    """The fraction of the cast that the camera's white balance removes, 0-1."""
    exposed: float
    """The brightness of the picture relative to a good exposure."""
    noise: float
    """Standard deviation of the noise of mid grey, in hundredths of white."""


def light_of(name: str, rng: np.random.Generator) -> Light:
    """Returns random lamps of one kind of light.

    Raises:
        KeyError: there is no light with this name.
    """
    kelvin = float(rng.uniform(*_KELVIN[name]))
    colour = black_body(kelvin)
    share = float(rng.uniform(*_AROUND[name]))
    lamps = _lamps(name, 1 - share, colour, rng)
    return Light(
        name=name,
        lamps=lamps,
        around=black_body(kelvin + float(rng.uniform(-300, 1200))),
        around_lux=share,
        cast=colour,
        corrected=float(rng.uniform(*_CORRECTED[name])),
        exposed=float(rng.uniform(*_EXPOSED[name])),
        noise=float(rng.uniform(*_NOISE[name])),
    )


def black_body(kelvin: float) -> Rgb:
    """Returns the linear colour of a lamp of this temperature, with a mean of 1 (Helland's fit, 1,000-12,000 K)."""
    t = kelvin / 100
    red = 255.0 if t <= 66 else 329.7 * (t - 60) ** -0.1332
    green = 99.47 * np.log(t) - 161.12 if t <= 66 else 288.12 * (t - 60) ** -0.0755
    blue = 255.0 if t >= 66 else 138.52 * np.log(t - 10) - 305.04
    linear = (np.clip(np.array([red, green, blue]), 1, 255) / 255) ** 2.2
    linear /= linear.mean()
    return float(linear[0]), float(linear[1]), float(linear[2])


def _lamps(name: str, lux: float, colour: Rgb, rng: np.random.Generator) -> tuple[Lamp, ...]:
    if name == "bright":
        count = int(rng.integers(1, 4))
        return tuple(_ceiling(lux / count, colour, rng, size=(300, 1200), spread=900) for _ in range(count))
    if name == "daylight":
        window = _side_light(0.75 * lux, colour, rng, height=(500, 1300), size=(700, 1500))
        return window, _ceiling(0.25 * lux, black_body(4500), rng, size=(300, 600), spread=800)
    if name == "lamp":
        return (_ceiling(lux, colour, rng, size=(90, 320), spread=350, height=(750, 1300)),)
    if name == "dim":
        return (_ceiling(lux, colour, rng, size=(200, 500), spread=1600),)
    return (_side_light(lux, colour, rng, height=(700, 1500), size=(120, 350)),)


def _ceiling(
    lux: float,
    colour: Rgb,
    rng: np.random.Generator,
    *,
    size: tuple[float, float],
    spread: float,
    height: tuple[float, float] = (1500, 2000),
) -> Lamp:
    x, y = rng.uniform(-spread, spread, 2)
    return Lamp(
        at=(float(x), float(y), float(rng.uniform(*height))),
        aims_at=(0.0, 0.0, 0.0),
        size_mm=(float(rng.uniform(*size)), float(rng.uniform(*size))),
        colour=colour,
        lux=lux,
    )


def _side_light(
    lux: float, colour: Rgb, rng: np.random.Generator, *, height: tuple[float, float], size: tuple[float, float]
) -> Lamp:
    direction, distance = rng.uniform(0, 2 * np.pi), float(rng.uniform(1000, 2200))
    return Lamp(
        at=(distance * float(np.cos(direction)), distance * float(np.sin(direction)), float(rng.uniform(*height))),
        aims_at=(0.0, 0.0, 0.0),
        size_mm=(float(rng.uniform(*size)), float(rng.uniform(*size))),
        colour=colour,
        lux=lux,
    )
