"""Looks at sticks: where the locator finds some or may, and what strips say of such a place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Final

from vision.arrays import Floats, Floats32, Image
from vision.geometry.calibration import Calibration
from vision.geometry.rectify import TopView
from vision.reading.locator import Located
from vision.reading.stick_places import faint_sticks
from vision.reading.strips import ReadsSticks, Spot, riichi_spots, spot_of
from vision.watching.beliefs import Detection, detection_of

STICK_HEIGHT_MM: Final = 4.0
"""How high a stick's upper face is over the felt."""
REACH_MM: Final = {False: 12.0, True: 6.0}
"""Within this distance a sighting is of the same stick: without and with strips, which tell sticks that touch."""
_RIICHI_HALF_MM: Final = (5.0, 45.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class StickLook:
    """What one look says of a stick."""

    sighting: Detection
    value: int
    """0 where it cannot be told."""
    score: float


class StickLooks:
    """Looks at sticks of one table from where its camera stands."""

    def __init__(self, calibration: Calibration, view: TopView) -> None:
        """Takes where the table lies, and the view that the locator sees."""
        self._calibration = calibration
        self._view = view

    def located(self, found: Located) -> list[StickLook]:
        """The sticks as the locator tells them."""
        answers = zip(self._sightings(found.sticks), found.stick_values, found.stick_scores, strict=True)
        return [StickLook(sighting=sighting, value=value, score=float(score)) for sighting, value, score in answers]

    def faint(self, found: Located) -> list[Detection]:
        """Where the locator does not find a stick, but one may lie on the play surface."""
        return self._sightings(faint_sticks(found, self._view))

    def read(self, image: Image, places: Iterable[tuple[Detection, float]], reader: ReadsSticks) -> list[StickLook]:
        """What the frame's own pixels show in strips about these places; with each, how surely a stick lies there."""
        flat = partial(self._calibration.to_pixels, height_mm=0.0)
        sticks = reader.sticks(image, flat, [self._spot(place)._replace(trust=trust) for place, trust in places])
        return [
            StickLook(sighting=self._sighting(flat(stick.quad)), value=stick.value, score=stick.score)
            for stick in sticks
        ]

    def _sightings(self, quads: Floats32) -> list[Detection]:
        return [self._sighting(pixels) for pixels in self._view.to_frame(quads).reshape(-1, 4, 2)]

    def _sighting(self, pixels: Floats) -> Detection:
        return detection_of(self._calibration.to_felt(pixels, height_mm=STICK_HEIGHT_MM))

    def _spot(self, place: Detection) -> Spot:
        corners = place.grid(scale=1.0, steps=2)[[0, 1, 3, 2]]
        pixels = self._calibration.to_pixels(corners, height_mm=STICK_HEIGHT_MM)
        return spot_of(self._calibration.to_felt(pixels, height_mm=0.0))


def riichi_places() -> list[Detection]:
    """Where each side's riichi stick would lie."""
    return [
        Detection(x_mm=spot.x, y_mm=spot.y, angle_deg=spot.degrees - 90, half_mm=_RIICHI_HALF_MM)
        for spot in riichi_spots()
    ]
