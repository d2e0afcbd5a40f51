"""Learns the appearance of the bare table, to distinguish tiles that were taken away from hidden ones.

Each spot stores its colour when nothing lay there; if that was never seen, the felt's colour is used. Shadows and lamps
change the brightness of a spot but hardly its colour, so brightness may differ widely.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, Image, Mask
from vision.geometry.rectify import TopView

_SHRINK: Final = 4
"""Width and height of a spot in pixels of the view."""
_SAME_COLOUR: Final = 13.0
"""Distance in Lab's a and b up to which two colours are the same."""
_DARKEST: Final = 0.45
_BRIGHTEST: Final = 1.45
_SLACK: Final = 10.0
"""Grey levels added to both, so that nearly black places can be compared."""
_FOLLOWED: Final = 0.2
"""Weight of each new look in a spot's memory."""
_NEUTRAL: Final = 128.0
"""A grey's a and b, as OpenCV writes them."""
_SAME_HUE: Final = 0.1
"""Distance between two colours' a and b over L, up to which they are one colour in other light."""
_OTHER_LIGHT_NS: Final = 15_000_000_000
"""How long most of the table must have another colour to be the felt in other light, and not a head before the lens."""

Colours = npt.NDArray[np.float32]


class BareTable:
    """The bare table's colours."""

    def __init__(self, view: TopView) -> None:
        """Takes the view whose pictures it will get."""
        self._view = view
        self._spots = view.side_px // _SHRINK
        self._bare: Colours = np.zeros((self._spots, self._spots, 3), dtype=np.float32)
        self._is_known: Mask = np.zeros((self._spots, self._spots), dtype=np.bool_)
        self._felt: Colours | None = None
        self._other_since_ns: int | None = None
        self._now = self._bare

    def see(self, picture: Image, now_ns: int) -> None:
        """Takes the present top view, and its time."""
        small = cv2.resize(picture, (self._spots, self._spots), interpolation=cv2.INTER_AREA)
        self._now = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2LAB), dtype=np.float32)
        commonest = self._commonest_colour()
        if self._felt is None or _hue_is_same(commonest, self._felt):
            self._felt, self._other_since_ns = commonest, None
            return
        self._other_since_ns = now_ns if self._other_since_ns is None else self._other_since_ns
        if now_ns - self._other_since_ns >= _OTHER_LIGHT_NS:
            self._felt = commonest

    def learn(self, is_free: Mask) -> None:
        """Remembers the colours of these spots, shape [spots, spots], on which nothing lies and nothing moves."""
        first = is_free & ~self._is_known
        alike = is_free & self._is_known & _alike(self._now, self._bare)
        felt = is_free & self._is_known & ~alike & self._is_felt(self._now)
        self._bare[first | felt] = self._now[first | felt]
        self._bare[alike] += _FOLLOWED * (self._now[alike] - self._bare[alike])
        self._is_known |= is_free

    def is_bare(self, points_mm: Floats) -> Mask:
        """Returns at which points [N, 2] the bare table is seen."""
        rows, columns = self.spots_of(points_mm).T
        now = self._now[rows, columns]
        remembered = self._is_known[rows, columns] & _alike(now, self._bare[rows, columns])
        return np.asarray(remembered | self._is_felt(now), dtype=np.bool_)

    def _is_felt(self, colours: Colours) -> Mask:
        return np.zeros(colours.shape[:-1], dtype=np.bool_) if self._felt is None else _alike(colours, self._felt)

    def spots_of(self, points_mm: Floats) -> npt.NDArray[np.intp]:
        """Returns row and column, [N, 2], of the spot at each point [N, 2], or of the nearest spot."""
        pixels = self._view.from_felt(points_mm)[:, ::-1]
        return np.clip(np.floor((pixels + 0.5) / _SHRINK), 0, self._spots - 1).astype(np.intp)

    def all_but(self, outlines_mm: list[Floats]) -> Mask:
        """Returns the spots outside all of these convex outlines, each [K, 2]."""
        taken = np.zeros((self._spots, self._spots), dtype=np.uint8)
        for outline in outlines_mm:
            pixels = (self._view.from_felt(outline) + 0.5) / _SHRINK - 0.5
            cv2.fillConvexPoly(taken, np.rint(pixels).astype(np.int32), 1)
        return np.asarray(taken == 0, dtype=np.bool_)

    def spread(self, cells: Mask, side_mm: float) -> Mask:
        """Returns a mask of cells over a square with sides of `side_mm` as a mask of spots."""
        rows = np.arange(self._spots) * _SHRINK + (_SHRINK - 1) / 2
        along = (self._view.to_felt(np.stack([rows, rows], axis=1))[:, 0] + side_mm / 2) / side_mm * len(cells)
        index = np.clip(np.floor(along), 0, len(cells) - 1).astype(np.intp)
        return np.asarray(cells[np.ix_(index, index)], dtype=np.bool_)

    def _commonest_colour(self) -> Colours:
        """The most frequent colour of the play surface now, in Lab: mostly the felt's."""
        margin = round(self._spots * 0.12)
        inner = self._now[margin:-margin:2, margin:-margin:2].reshape(-1, 3)
        bins = (
            (inner[:, 1].astype(np.int64) // 8) * 32
            + inner[:, 2].astype(np.int64) // 8
            + 1024 * (inner[:, 0].astype(np.int64) // 32)
        )
        commonest = np.bincount(bins).argmax()
        return np.asarray(np.median(inner[bins == commonest], axis=0), dtype=np.float32)


def _hue_is_same(one: Colours, other: Colours) -> bool:
    """Returns whether one colour [3] is another one in stronger or weaker light, which scales all of L, a and b."""
    first, second = ((colour[1:] - _NEUTRAL) / (colour[0] + _SLACK) for colour in (one, other))
    return float(np.linalg.norm(first - second)) < _SAME_HUE


def _alike(one: Colours, other: Colours) -> Mask:
    colour = np.hypot(one[..., 1] - other[..., 1], one[..., 2] - other[..., 2]) < _SAME_COLOUR
    dark = one[..., 0] > _DARKEST * other[..., 0] - _SLACK
    bright = one[..., 0] < _BRIGHTEST * other[..., 0] + _SLACK
    return np.asarray(colour & dark & bright, dtype=np.bool_)
