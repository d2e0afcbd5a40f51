"""Notices when much of the table is hidden at once, by a hand or a head before the lens, and when it is seen again.

Meanwhile several tiles may be laid and taken, and one may replace another on its spot, where the small grey picture
hardly differs. So afterwards everything that was hidden counts as changed, and is reported together once it is decided:
the order of play follows from the tiles only if all of them are known. A camera that was lost saw nothing of the table.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.arrays import Mask
from vision.watching.motion.motion_gate import MotionGate

_HIDDEN_SHARE: Final = 0.2
"""An arm moves less of the table at once than this share."""
_LOST_NS: Final = 3_000_000_000
"""All was hidden between two frames farther apart than this; those of a table that was left are a second apart."""
_MUCH_LONGER: Final = 3
"""All was hidden between frames so many times farther apart than those before; some recordings have few pictures."""
_SETTLING_NS: Final = 1_200_000_000
"""What was hidden is reported at the latest after this time."""


class HiddenTable:
    """Follows when much of one table is hidden."""

    def __init__(self) -> None:
        self._since_ns: int | None = None
        self._last_ns = -_SETTLING_NS
        self._frame_ns: int | None = None
        """When the last frame was taken; None before the first."""
        self._gap_ns = 0
        """The time between the last two frames."""

    def see(self, gate: MotionGate, *, is_readable: bool, now_ns: int) -> Mask:
        """Takes the gate's last frame; returns the cells that have changed, with those that were hidden until now."""
        gap_ns = 0 if self._frame_ns is None else now_ns - self._frame_ns
        if gap_ns > max(_LOST_NS, _MUCH_LONGER * self._gap_ns):
            gate.forget(np.ones((gate.cells, gate.cells), np.bool_))
            self._last_ns = now_ns
        self._frame_ns, self._gap_ns = now_ns, gap_ns
        changed = gate.changed_cells()
        if not is_readable or (changed.mean() > _HIDDEN_SHARE and gate.moving_share() > _HIDDEN_SHARE):
            self._since_ns = now_ns if self._since_ns is None else self._since_ns
            self._last_ns = now_ns
        elif self._since_ns is not None:
            gate.forget(gate.rest_ns() <= now_ns - self._since_ns)
            self._since_ns = None
            changed = gate.changed_cells()
        return changed

    def was_just_hidden(self, now_ns: int) -> bool:
        """Returns whether much was hidden so recently that what lies there may not be decided yet."""
        return now_ns - self._last_ns < _SETTLING_NS
