"""How long the places of things have been at rest, whether they have changed, and which changes wait to be judged."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, Mask
from vision.watching.detection import Detection
from vision.watching.motion.motion_gate import MotionGate


class PlacesAtRest:
    """How long places have been at rest; their cells are remembered, since most things stay where they are."""

    def __init__(self, gate: MotionGate) -> None:
        """Takes the gate, and measures."""
        self._gate = gate
        self._middles = gate.middles_mm()
        self._cells_under = lru_cache(maxsize=1024)(self._cells_of)
        self.measure()

    def measure(self) -> None:
        """Measures in the gate's last frame how long each cell has been at rest."""
        self.rest_ns = self._gate.rest_ns()
        """How long each cell and its neighbours have been at rest, shape [cells, cells]."""
        self._rest_of_places: dict[Detection, int] = {}

    def rest_of(self, place: Detection) -> int:
        """Returns for how many nanoseconds all of a place has been at rest."""
        rest_ns = self._rest_of_places.get(place)
        if rest_ns is None:
            rest_ns = self._rest_of_places[place] = int(self.rest_ns[self._cells_under(place)].min())
        return rest_ns

    def is_on(self, cells: Mask, place: Detection) -> bool:
        """Returns whether any of these cells lies under a place."""
        return bool(cells[self._cells_under(place)].any())

    def is_mostly_on(self, cells: Mask, place: Detection) -> bool:
        """Returns whether at least half of a place lies on these cells."""
        return bool(cells[self._cells_under(place)].mean() >= 0.5)

    def at_rest(self, cells: Mask, least_ns: int) -> Floats:
        """Returns the middles [N, 2] in millimetres of those `cells` that have been at rest for at least `least_ns`."""
        return self._middles[cells & (self.rest_ns >= least_ns)]

    def _cells_of(self, place: Detection) -> tuple[npt.NDArray[np.intp], ...]:
        return tuple(self._gate.cells_of(place.grid()).T)


class WaitingChanges:
    """Since which frame the change of each of the gate's cells has been waiting to be judged."""

    def __init__(self, cells: int) -> None:
        """Takes the number of cells along a side."""
        self._since: npt.NDArray[np.int64] = np.full((cells, cells), -1, np.int64)

    def note(self, changed: Mask, k: int) -> int:
        """Takes the cells whose changes wait at frame `k`; returns the last frame of which no change waits."""
        if not changed.any():
            self._since.fill(-1)
            return k
        self._since[~changed] = -1
        self._since[changed & (self._since < 0)] = k
        return int(self._since[changed].min()) - 1
