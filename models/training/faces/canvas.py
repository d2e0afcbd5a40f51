"""The sheet on which a face is printed, and its drawing operations.

Coordinates are fractions of the printed area: (0, 0) is its top left, (1, 1) its bottom right. The sheet is drawn at
twice its final size.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from models.training.faces.tile_style import Colour, Style
from vision.arrays import Image

WIDTH: Final = 192
HEIGHT: Final = 256
_BITS: Final = 4
_JITTER: Final = 0.012
"""The spread of a small offset, as a fraction of the printed size."""


class Sheet:
    """One face being drawn: BGR uint8 [256, 192, 3], initially in the tile's colour."""

    def __init__(self, style: Style, rng: np.random.Generator) -> None:
        """Starts a blank face of this style; `rng` makes this copy differ from others of the face."""
        self.style = style
        self.rng = rng
        self.image: Image = np.empty((HEIGHT, WIDTH, 3), np.uint8)
        self.image[:] = style.base
        self._rim = style.margin * WIDTH

    def ink(self, name: str) -> Colour:
        """Returns the colour of an ink of this set by its name; `base` is the tile itself."""
        inks: dict[str, Colour] = {
            "base": self.style.base, "black": self.style.black, "blue": self.style.blue, "green": self.style.green,
            "red": self.style.red,
        }  # fmt: skip
        return inks[name]

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Returns the pixel coordinates of a place on the printed area."""
        return self._rim + x * (WIDTH - 2 * self._rim), self._rim + y * (HEIGHT - 2 * self._rim)

    def across(self, part: float) -> float:
        """Returns a fraction of the printed width in pixels."""
        return part * (WIDTH - 2 * self._rim)

    def jitter(self) -> float:
        """Returns a small random offset, larger in sets engraved by hand."""
        return float(self.rng.normal(0, _JITTER * self.style.wobble))

    def disc(self, centre: tuple[float, float], radius: float, colour: Colour, thickness: float = -1) -> None:
        """Draws a disc, or a ring of some thickness; all in pixels."""
        if radius < 0.5:
            return
        scale = 1 << _BITS
        spot = (round(centre[0] * scale), round(centre[1] * scale))
        line = -1 if thickness < 0 else max(1, round(thickness))
        cv2.circle(self.image, spot, round(radius * scale), colour, line, cv2.LINE_AA, _BITS)

    def ellipse(
        self,
        centre: tuple[float, float],
        axes: tuple[float, float],
        angle: float,
        colour: Colour,
        thickness: float = -1,
    ) -> None:
        """Draws an ellipse with two half axes in pixels, turned by `angle` degrees."""
        line = -1 if thickness < 0 else max(1, round(thickness))
        size = (max(1, round(axes[0])), max(1, round(axes[1])))
        cv2.ellipse(self.image, (round(centre[0]), round(centre[1])), size, angle, 0, 360, colour, line, cv2.LINE_AA)

    def line(self, start: tuple[float, float], end: tuple[float, float], colour: Colour, thickness: float) -> None:
        """Draws a straight line in pixels."""
        ends = [(round(x), round(y)) for x, y in (start, end)]
        cv2.line(self.image, ends[0], ends[1], colour, max(1, round(thickness)), cv2.LINE_AA)

    def polygon(self, points: npt.ArrayLike, colour: Colour, thickness: float = -1) -> None:
        """Fills or outlines a polygon given in pixels."""
        corners = np.round(np.asarray(points, dtype=np.float64)).astype(np.int32).reshape(-1, 1, 2)
        if thickness < 0:
            cv2.fillPoly(self.image, [corners], colour, cv2.LINE_AA)
        else:
            cv2.polylines(self.image, [corners], True, colour, max(1, round(thickness)), cv2.LINE_AA)

    def curve(self, points: npt.ArrayLike, colour: Colour, thickness: float) -> None:
        """Draws an open curve through points in pixels."""
        corners = np.round(np.asarray(points, dtype=np.float64)).astype(np.int32).reshape(-1, 1, 2)
        cv2.polylines(self.image, [corners], False, colour, max(1, round(thickness)), cv2.LINE_AA)

    def red_dot(self, places: Sequence[tuple[float, float]]) -> None:
        """Marks a red five with a dot at one of `places`, of the same size and place on all faces of a set."""
        rng = np.random.default_rng(self.style.seed + 7)
        place = places[int(rng.integers(len(places)))]
        self.disc(self.at(*place), self.across(float(rng.uniform(0.05, 0.11))), self.ink("red"))

    def stamp(
        self, mask: Image, box: tuple[float, float, float, float], colour: Colour, *, turned: bool = False
    ) -> None:
        """Prints a mask into a box (x, y, width, height in pixels), squeezed to fit."""
        width, height = max(2, round(box[2])), max(2, round(box[3]))
        ink = cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA)
        if turned:
            ink = cv2.rotate(ink, cv2.ROTATE_180)
        left, top = round(box[0]), round(box[1])
        x0, y0, x1, y1 = max(0, left), max(0, top), min(WIDTH, left + width), min(HEIGHT, top + height)
        if x1 <= x0 or y1 <= y0:
            return
        cover = ink[y0 - top : y1 - top, x0 - left : x1 - left, None].astype(np.float32) / 255
        under = self.image[y0:y1, x0:x1].astype(np.float32)
        self.image[y0:y1, x0:x1] = (under + (np.array(colour, np.float32) - under) * cover).astype(np.uint8)
