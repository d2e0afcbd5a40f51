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

_SPOT_MM: Final = 3.1
"""Width and height of a spot, about."""
_SAME_COLOUR: Final = 13.0
"""Distance in Lab's a and b up to which two colours are the same."""
_DARKEST: Final = 0.45
_BRIGHTEST: Final = 1.45
"""Brightness between which a colour is the same in other light, as shares of the remembered one."""
_SLACK: Final = 10.0
"""Grey levels by which both limits are widened, so that nearly black places can be compared."""
_FOLLOWED: Final = 0.2
"""Weight of each new look in a spot's memory."""
_NEUTRAL: Final = 128.0
"""A grey's a and b, as OpenCV writes them."""
_SAME_HUE: Final = 0.1
"""Distance between two colours' a and b over L, up to which they are one colour in other light."""
_OTHER_LIGHT_NS: Final = 15_000_000_000
"""How long the table's commonest colour must differ to be the felt in other light, not a head before the lens."""
_NOTHING: Final = np.zeros((0, 2))

Colours = npt.NDArray[np.float32]
"""In Lab, shape [3, …]: so each channel is contiguous in memory, and computing is several times faster."""


class BareTable:
    """The bare table's colours."""

    def __init__(self, view: TopView) -> None:
        """Takes the view whose pictures it will get."""
        self._view = view
        self._spot_px = max(1, round(_SPOT_MM * view.px_per_mm))
        self._spots = view.side_px // self._spot_px
        self._bare: Colours = np.zeros((3, self._spots, self._spots), dtype=np.float32)
        self._is_known: Mask = np.zeros((self._spots, self._spots), dtype=np.bool_)
        self._felt: Colours | None = None
        self._other_since_ns: int | None = None
        self._now = self._bare

    def see(self, picture: Image, now_ns: int) -> None:
        """Takes the present top view and its time; the felt's colour follows it."""
        small = cv2.resize(picture, (self._spots, self._spots), interpolation=cv2.INTER_AREA)
        channels = np.array(cv2.split(cv2.cvtColor(small, cv2.COLOR_BGR2LAB)), dtype=np.uint8)
        self._now = channels.astype(np.float32)
        commonest = _felt_colour(channels)
        if self._felt is None or _hue_is_same(commonest, self._felt):
            self._felt, self._other_since_ns = commonest, None
            return
        self._other_since_ns = now_ns if self._other_since_ns is None else self._other_since_ns
        if now_ns - self._other_since_ns >= _OTHER_LIGHT_NS:
            self._felt = commonest

    def learn(self, is_free: Mask) -> None:
        """Remembers the colours of these spots, shape [spots, spots], on which nothing lies and nothing moves."""
        is_known_free = is_free & self._is_known
        is_same = is_known_free & _is_same_colour(self._now, self._bare)
        is_other = is_known_free & ~is_same
        is_other[is_other] = self._is_felt(self._now[:, is_other])
        self._bare += np.where(is_same, np.float32(_FOLLOWED), np.float32(0)) * (self._now - self._bare)
        np.copyto(self._bare, self._now, where=is_other | (is_free & ~self._is_known))
        self._is_known |= is_free

    def is_bare(self, points_mm: Floats) -> Mask:
        """Returns at which points [N, 2] the bare table is seen."""
        rows, columns = self.spots_of(points_mm).T
        now = self._now[:, rows, columns]
        is_as_remembered = self._is_known[rows, columns] & _is_same_colour(now, self._bare[:, rows, columns])
        return np.asarray(is_as_remembered | self._is_felt(now), dtype=np.bool_)

    def shows_felt(self, points_mm: Floats) -> Mask:
        """Returns at which points [N, 2] the felt is seen, whatever was there before."""
        rows, columns = self.spots_of(points_mm).T
        return self._is_felt(self._now[:, rows, columns])

    def _is_felt(self, colours: Colours) -> Mask:
        if self._felt is None:
            return np.zeros(colours.shape[1:], dtype=np.bool_)
        return _is_same_colour(colours, self._felt.reshape(3, *[1] * (colours.ndim - 1)))

    def lightness_under(self, points_mm: Floats) -> Floats:
        """Returns the mean lightness in CIE Lab of the bare table at points [N, K, 2], before anything was laid there.

        It is NaN, of [N], where the bare table was not seen at all of these points.
        """
        rows, columns = self.spots_of(points_mm.reshape(-1, 2)).T
        lightness = self._bare[0, rows, columns] * (100 / 255)
        known = np.where(self._is_known[rows, columns], lightness, np.nan)
        return np.asarray(known.reshape(points_mm.shape[:2]).mean(axis=1), np.float64)

    @property
    def felt(self) -> Colours | None:
        """The felt's colour in Lab of bytes, [3]; None before the first look."""
        return self._felt

    def spots_of(self, points_mm: Floats) -> npt.NDArray[np.intp]:
        """Returns row and column, [N, 2], of the spot at each point [N, 2], or of the nearest spot."""
        pixels = self._view.from_felt(points_mm)[:, ::-1]
        return np.clip(np.floor((pixels + 0.5) / self._spot_px), 0, self._spots - 1).astype(np.intp)

    def spots_outside(self, outlines_mm: list[Floats]) -> Mask:
        """Returns the spots outside all of these convex outlines, each [K, 2]."""
        covered = np.zeros((self._spots, self._spots), dtype=np.uint8)
        pixels = (self._view.from_felt(np.concatenate([*outlines_mm, _NOTHING])) + 0.5) / self._spot_px - 0.5
        ends = np.cumsum([len(outline) for outline in outlines_mm], dtype=np.intp)
        for outline in np.split(np.rint(pixels).astype(np.int32), ends)[:-1]:
            cv2.fillConvexPoly(covered, outline, 1)
        return np.asarray(covered == 0, dtype=np.bool_)

    def cells_to_spots(self, cells: Mask, side_mm: float) -> Mask:
        """Returns a mask of cells over a square with sides of `side_mm` as a mask of spots."""
        rows = np.arange(self._spots) * self._spot_px + (self._spot_px - 1) / 2
        along = (self._view.to_felt(np.stack([rows, rows], axis=1))[:, 0] + side_mm / 2) / side_mm * len(cells)
        index = np.clip(np.floor(along), 0, len(cells) - 1).astype(np.intp)
        return np.asarray(cells.take(index, axis=0).take(index, axis=1), dtype=np.bool_)


def _felt_colour(channels: Image) -> Colours:
    """Returns the most frequent colour of the play surface in a view in Lab, [3, S, S]."""
    margin = round(channels.shape[1] * 0.12)
    inner = channels[:, margin:-margin:2, margin:-margin:2].reshape(3, -1)
    lightness, green, blue = inner.astype(np.uint16)
    bins = (lightness // 32 * 1024) + (green // 8 * 32) + blue // 8
    commonest = np.bincount(bins).argmax()
    return np.asarray(np.median(inner[:, bins == commonest], axis=1), dtype=np.float32)


def _hue_is_same(one: Colours, other: Colours) -> bool:
    """Returns whether one colour [3] is another one in stronger or weaker light, which scales all of L, a and b."""
    first, second = ((colour[1:] - _NEUTRAL) / (colour[0] + _SLACK) for colour in (one, other))
    return float(np.linalg.norm(first - second)) < _SAME_HUE


def _is_same_colour(one: Colours, other: Colours) -> Mask:
    green, blue = one[1] - other[1], one[2] - other[2]
    colour = green * green + blue * blue < _SAME_COLOUR**2
    dark = one[0] > _DARKEST * other[0] - _SLACK
    bright = one[0] < _BRIGHTEST * other[0] + _SLACK
    return np.asarray(colour & dark & bright, dtype=np.bool_)
