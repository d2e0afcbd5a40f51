"""How long the places of things have been at rest, and whether they have changed."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from vision.arrays import Mask
from vision.watching.beliefs import Detection
from vision.watching.motion import MotionGate


class PlacesAtRest:
    """The motion gate's cells under things: remembered, since most things lie where they lay in the last look."""

    def __init__(self, gate: MotionGate) -> None:
        """Takes the gate, and measures."""
        self._gate = gate
        self._cells_under = lru_cache(maxsize=1024)(self._cells_of)
        self.measure()

    def measure(self) -> None:
        """Measures in the gate's last frame how long each cell has been at rest."""
        self.rest_ns = self._gate.rest_ns()
        """How long each cell and its neighbours have been at rest, shape [cells, cells]."""
        self._known: dict[Detection, int] = {}

    def rest_of(self, place: Detection) -> int:
        """Returns for how many nanoseconds all of a place has been at rest."""
        rest = self._known.get(place)
        if rest is None:
            rest = self._known[place] = int(self.rest_ns[self._cells_under(place)].min())
        return rest

    def is_on(self, cells: Mask, place: Detection) -> bool:
        """Returns whether any of these cells lies under a place."""
        return bool(cells[self._cells_under(place)].any())

    def _cells_of(self, place: Detection) -> tuple[npt.NDArray[np.intp], ...]:
        return tuple(self._gate.cells_of(place.grid()).T)
