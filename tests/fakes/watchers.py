"""A watcher that believes what a test says, and the tiles that it believes in."""

from __future__ import annotations

from vision.felt import Felt, FeltReport, LyingTile, Reading, TileLaid, Zone
from vision.frames import Frame
from vision.geometry.calibration import Calibration, calibrate

SMALL = calibrate([(0, 0), (4, 0), (4, 4), (0, 4)], size=(4, 4), side_mm=720.0)
"""A table that fills a picture of four pixels a side."""


def lying_tile(
    number: int = 1,
    face: str = "5p",
    *,
    x_mm: float = 0.0,
    y_mm: float = 0.0,
    angle_deg: float = 0.0,
    zone: Zone = Zone.RIVER,
    order: int = 0,
    score: float = 0.99,
) -> LyingTile:
    """A tile on side 0 that does not lie sideways."""
    return LyingTile(
        id=number,
        reading=Reading(tile=face, score=score),
        x_mm=x_mm,
        y_mm=y_mm,
        angle_deg=angle_deg,
        side=0,
        zone=zone,
        is_sideways=False,
        order=order,
    )


class FakeWatcher:
    """Counts the frames that it is shown, and reports with each that every tile of its felt was laid."""

    last_judged_frame = -1
    is_in_place = True
    is_blurred = False

    def __init__(self, felt: Felt | None = None, calibration: Calibration = SMALL) -> None:
        self.felt = felt or Felt()
        self.calibration = calibration
        self.frames: list[int] = []

    def watch(self, frame: Frame) -> FeltReport | None:
        self.frames.append(frame.k)
        changes = tuple(TileLaid(tile=tile) for tile in self.felt.tiles)
        return FeltReport(frame=frame.k, t_ns=frame.t_ns, changes=changes, felt=self.felt)
