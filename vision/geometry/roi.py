"""The window of a top view in which to look, since a network's time is proportional to the number of pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, Floats32, Mask

_MARGIN_PX: Final = 96
"""The surroundings of a thing that the network needs to see."""
_EDGE_PX: Final = 16
"""Width of the border along a cutting edge in which half tiles may look like other tiles."""
_STEP: Final = 32
_MUCH: Final = 0.6
"""The share of the view above which a window is replaced by the whole view."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Roi:
    """A rectangle in a square view, in pixels."""

    rows: slice
    columns: slice
    side_px: int
    """The side of the whole view."""

    @property
    def start(self) -> Floats32:
        """Its upper left pixel [x, y]."""
        return np.array([self.columns.start, self.rows.start], np.float32)

    def holds(self, pixels: npt.NDArray[np.floating[Any]]) -> Mask:
        """Returns which pixels [..., 2] lie in the window, but not along an edge that cuts through the view."""
        x, y = pixels[..., 0], pixels[..., 1]
        return np.asarray(self._is_within(x, self.columns) & self._is_within(y, self.rows), dtype=np.bool_)

    def _is_within(self, along: npt.NDArray[np.floating[Any]], part: slice) -> Mask:
        low = part.start + (_EDGE_PX if part.start > 0 else 0)
        high = part.stop - (_EDGE_PX if part.stop < self.side_px else 0)
        return np.asarray((along >= low) & (along < high), dtype=np.bool_)


def whole_view(side_px: int) -> Roi:
    """Returns the whole view as a window."""
    return Roi(rows=slice(0, side_px), columns=slice(0, side_px), side_px=side_px)


def window_about(pixels: Floats, *, side_px: int) -> Roi:
    """Returns the window around pixels [N, 2] with a margin; the whole view where that is most of it, or N is 0."""
    if not len(pixels):
        return whole_view(side_px)
    low = np.floor((pixels.min(axis=0) - _MARGIN_PX) / _STEP) * _STEP
    high = np.ceil((pixels.max(axis=0) + _MARGIN_PX) / _STEP) * _STEP
    (left, top), (right, bottom) = (np.clip(edge, 0, side_px).astype(int).tolist() for edge in (low, high))
    if (right - left) * (bottom - top) > _MUCH * side_px**2:
        return whole_view(side_px)
    return Roi(rows=slice(top, bottom), columns=slice(left, right), side_px=side_px)
