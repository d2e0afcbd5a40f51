"""How blurred a picture of the table is, from how much a known blur weakens its edges.

An edge with a blur of standard deviation b, measured with a further blur s, has a steepness proportional to
1 / sqrt(b² + s²): two such measurements give b, whatever the edge's contrast. In a dim picture noise is steeper than
any edge that is out of focus. Therefore an edge counts only where the picture changes in one direction along some
length, and both measurements are averaged along it with their signs, so that noise cancels. If hardly any edge stands
out, the picture is halved: noise halves, and the blur is fewer pixels wide.

Each of the table's sixteen parts is measured by its own strongest edges, and the second most blurred part counts: a
smear on the lens may cover only some parts, and a single part may show nothing but a shadow.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, Floats32, Mask
from vision.geometry.calibration import Calibration
from vision.geometry.visibility.table_cut import TableCut, scales, scales_at

_FINE_PX: Final = 0.7
_COARSE_PX: Final = 2.0
"""The two blurs that edges are measured with."""
_AROUND_PX: Final = 3.0
"""How far around an edge its direction is averaged, as a standard deviation."""
_ALONG_PX: Final = 5
"""How far to both sides along an edge it is averaged: half a tile's short side in a small picture."""
_SURE: Final = 8.0
"""How many times as steep as noise an edge must be."""
_MOST_EDGES: Final = 6000
_FEWEST: Final = 60
"""The least number of edges by which a picture is judged."""
_FEWEST_OF_PART: Final = 40
"""The least number of edges by which a part of a picture is judged."""
_FEWEST_PARTS: Final = 3
_ACROSS: Final = 4
"""Parts along each side of the table."""
_HALVINGS: Final = 3
"""How often the picture may be halved."""
_OWN_PX: Final = 0.79
"""The blur that is measured at a perfectly sharp step, because pixels have a width."""
_UNREADABLE_MM: Final = 2.5
"""The blur from which at least half of the faces are not read."""
_PLACES: Final = 3000
"""At how many places noise is measured."""
_GOLDEN: Final = np.pi * (3 - np.sqrt(5.0))
"""Successive multiples of this angle are spread evenly over all directions."""

Places = npt.NDArray[np.intp]
_Gradient = tuple[Floats32, Floats32]
"""How much the brightness changes from pixel to pixel, to the right and down."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Edges:
    """N points on edges."""

    places: Floats
    """[N, 2] pixels of the cut."""
    steepness: Floats
    """[N], after the coarse blur."""
    ratio: Floats
    """[N], how many times as steep they are after the fine blur."""

    def chosen(self, index: Mask) -> _Edges:
        return _Edges(places=self.places[index], steepness=self.steepness[index], ratio=self.ratio[index])

    def blur_px(self, fewest: int, pixel_factor: float) -> float:
        """Returns the median blur at the steeper half of the points, or at `fewest` points if these are more.

        These pixels are `pixel_factor` times as wide as the cut's, in which the blur is returned; what their width
        adds to it is subtracted.
        """
        strongest = np.argsort(self.steepness)[::-1][: max(fewest, len(self.steepness) // 2)]
        ratio = max(float(np.median(self.ratio[strongest])), 1.003)
        variance = (_COARSE_PX**2 - (ratio * _FINE_PX) ** 2) / (ratio**2 - 1)
        return float(np.sqrt(max(pixel_factor**2 * variance - (pixel_factor**2 - 1) * _OWN_PX**2, 0.0)))


def blur_mm(cut: TableCut, calibration: Calibration) -> float:
    """Returns the standard deviation of the blur in millimetres on the felt; 0 if too few edges stand out of noise."""
    found = part_blurs_mm(cut, calibration)
    if len(found) < _FEWEST_PARTS:
        return found[-1] if found else 0.0
    return found[1]


def is_out_of_focus(cut: TableCut, calibration: Calibration) -> bool:
    """Returns whether most of the table is so blurred that hardly any face can be read."""
    found = part_blurs_mm(cut, calibration)
    return bool(found) and float(np.median(found)) > _UNREADABLE_MM


def part_blurs_mm(cut: TableCut, calibration: Calibration) -> list[float]:
    """Returns the blur in millimetres, as in `blur_mm`, of each part of the table with enough edges, largest first."""
    grey, on_table = cut.grey, cut.on_table
    for halvings in range(_HALVINGS + 1):
        edges = _edges(grey, on_table)
        if len(edges.ratio) >= _FEWEST:
            return sorted(_part_blurs(edges, cut, calibration, 2.0**halvings), reverse=True)
        size = max(grey.shape[1] // 2, 1), max(grey.shape[0] // 2, 1)
        grey = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.float32)
        on_table = cv2.resize(on_table.astype(np.uint8), size, interpolation=cv2.INTER_AREA) > 0
    return []


def _part_blurs(edges: _Edges, cut: TableCut, calibration: Calibration, pixel_factor: float) -> list[float]:
    """Returns the blurs of the parts with enough edges, or that of the whole table if no part has enough.

    A pixel of `edges` is `pixel_factor` times as wide as one of the cut.
    """
    side = calibration.side_mm
    felt = calibration.to_felt(cut.in_frame((edges.places + 0.5) * pixel_factor - 0.5), height_mm=0.0)
    column, row = np.clip(np.floor((felt / side + 0.5) * _ACROSS), 0, _ACROSS - 1).astype(int).T
    middles = (np.arange(_ACROSS) + 0.5) * side / _ACROSS - side / 2
    px_per_mm = scales_at(calibration, np.array([[x, y] for y in middles for x in middles])) * cut.shrink
    found = []
    for part in range(_ACROSS**2):
        part_edges = edges.chosen(row * _ACROSS + column == part)
        if len(part_edges.ratio) >= _FEWEST_OF_PART:
            found.append(part_edges.blur_px(_FEWEST_OF_PART, pixel_factor) / float(px_per_mm[part]))
    return found or [edges.blur_px(_FEWEST, pixel_factor) / (scales(calibration)[1] * cut.shrink)]


def _edges(grey: Floats32, on_table: Mask) -> _Edges:
    """Returns the edges that stand out of the noise, where each is steepest."""
    places, across, steepness = _steep_places(_gradient(grey, _COARSE_PX), on_table)
    finely = _along(_gradient(grey, _FINE_PX), places, across)
    return _Edges(places=places, steepness=np.abs(steepness), ratio=finely / steepness)


def _steep_places(coarse: _Gradient, on_table: Mask) -> tuple[Floats, Floats, Floats]:
    """Returns where the table's edges are steepest, the directions across them, and how steep they are there."""
    rows, columns = _steepest(coarse, on_table)
    places = np.stack([columns, rows], axis=1).astype(np.float64)
    across = _directions(coarse, rows, columns)
    steepness = _along(coarse, places, across)
    stands_out = np.abs(steepness) > max(_SURE * _noise(coarse, on_table), 1e-3)
    return places[stands_out], across[stands_out], steepness[stands_out]


def _steepest(gradient: _Gradient, on_table: Mask) -> tuple[Places, Places]:
    """Returns the rows and columns of the table's steepest places."""
    steep = cv2.magnitude(*gradient)
    rows, columns = np.nonzero(on_table & (steep > 0) & (steep >= cv2.dilate(steep, np.ones((3, 3), np.uint8))))
    if len(rows) > _MOST_EDGES:
        steepest = np.argpartition(steep[rows, columns], -_MOST_EDGES)[-_MOST_EDGES:]
        rows, columns = rows[steepest], columns[steepest]
    return rows, columns


def _gradient(grey: Floats32, blur_px: float) -> _Gradient:
    soft = cv2.GaussianBlur(grey, (0, 0), blur_px)
    right, down = (cv2.Sobel(soft, cv2.CV_32F, *axes, ksize=3) for axes in ((1, 0), (0, 1)))
    return np.asarray(right, np.float32), np.asarray(down, np.float32)


def _directions(gradient: _Gradient, rows: Places, columns: Places) -> Floats:
    """Returns the direction in which the brightness changes around each place, as an angle in radians."""
    right, down = gradient
    factors = ((right, right), (down, down), (right, down))
    rights, downs, both = (cv2.GaussianBlur(one * other, (0, 0), _AROUND_PX)[rows, columns] for one, other in factors)
    return np.asarray(0.5 * np.arctan2(2 * both, rights - downs), np.float64)


def _along(gradient: _Gradient, places: Floats, across: Floats) -> Floats:
    """Returns how much the brightness changes in the direction `across`, averaged at right angles to it."""
    if not len(places):
        return np.zeros(0)
    steps = np.arange(-_ALONG_PX, _ALONG_PX + 1)
    right, down = np.cos(across)[:, None], np.sin(across)[:, None]
    x, y = ((places[:, :1] - down * steps).astype(np.float32), (places[:, 1:] + right * steps).astype(np.float32))
    changes = [cv2.remap(part, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE) for part in gradient]
    return np.asarray((changes[0] * right + changes[1] * down).mean(axis=1), np.float64)


def _noise(gradient: _Gradient, on_table: Mask) -> float:
    """Returns the standard deviation of the change that noise causes, as measured by `_along` all over the table."""
    all_there = np.flatnonzero(on_table)
    if not len(all_there):
        return 0.0
    picked = np.linspace(0, len(all_there) - 1, _PLACES).astype(int)
    rows, columns = np.divmod(all_there[picked], on_table.shape[1])
    places = np.stack([columns, rows], axis=1).astype(np.float64)
    changes = _along(gradient, places, np.arange(_PLACES) * _GOLDEN)
    return 1.4826 * float(np.median(np.abs(changes)))
