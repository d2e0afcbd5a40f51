"""Looks for sticks: where the locator finds them or may have missed them, and what strips show there.

What is seen there counts as evidence of the sticks that are believed to lie on the table.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Final

from vision.arrays import Floats, Floats32, Image, Mask
from vision.confidence import STICK_IN_STRIP, STICK_ON_TILES
from vision.frames import Frame
from vision.geometry.calibration import Calibration
from vision.geometry.rectify import TopView
from vision.geometry.roi import window_about
from vision.reading.locator import Located
from vision.reading.sticks.bundles import bundles
from vision.reading.sticks.spots import Spot, riichi_spots, spot_of
from vision.reading.sticks.stick_places import faint_sticks
from vision.reading.sticks.strips import ReadsSticks
from vision.watching.belief.beliefs import LEAST_REST_NS, Beliefs
from vision.watching.belief.evidence import StickEvidence
from vision.watching.detection import Detection, detection_of
from vision.watching.motion.places_at_rest import PlacesAtRest

STICK_HEIGHT_MM: Final = 4.0
"""Height of a stick's upper face above the felt."""
REACH_MM: Final = 12.0
"""Distance within which two detections are of the same stick."""
STRIP_REACH_MM: Final = 6.0
"""The same if strips are read, which show exactly where it lies."""
_RIICHI_BANDS_MM: Final = (37.0, 48.5, 60.0)
"""Distances of the bands from the table's centre; farther out, each discard of a first row would touch one."""
_RIICHI_HALF_MM: Final = (6.0, 45.0)
"""Half the short and half the long side of a band."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StickLook:
    """One look at a stick."""

    detection: Detection
    value: int
    """0 if unknown."""
    score: float


class StickLooks:
    """Looks for the sticks of one table with one calibration."""

    def __init__(self, calibration: Calibration, view: TopView) -> None:
        """Takes the calibration, and the view that the locator sees."""
        self._calibration = calibration
        self._view = view

    def located_sticks(self, found: Located) -> list[StickLook]:
        """Returns the sticks that the locator found."""
        answers = zip(self._detections(found.sticks), found.stick_values, found.stick_scores, strict=True)
        return [StickLook(detection=detection, value=value, score=float(score)) for detection, value, score in answers]

    def possible_places(self, found: Located) -> list[tuple[Detection, float]]:
        """Returns where a stick may lie on the play surface, and the score from which one counts there.

        These are the locator's finds, its weak candidates, and where each side's riichi stick would lie.
        """
        clear, on_tiles = (self._detections(quads) for quads in faint_sticks(found, self._view))
        likely = [*self._detections(found.sticks), *clear, *riichi_places()]
        return [(place, STICK_IN_STRIP) for place in likely] + [(place, STICK_ON_TILES) for place in on_tiles]

    def bundle_places(self, picture: Image, found: Located, about_mm: Floats) -> list[tuple[Detection, float]]:
        """Returns the places of bundles, which the locator does not know, in the form of `possible_places`.

        Args:
            picture: the view, black outside the window of this look.
            found: what the locator found in it.
            about_mm: points [N, 2] on its plane, in that window, around which to search; without any, none is found.
        """
        if not len(about_mm):
            return []
        roi = window_about(self._view.from_felt(about_mm), side_px=self._view.side_px)
        return [(place, STICK_ON_TILES) for place in self._detections(bundles(picture, found, roi, self._view))]

    def read(self, image: Image, places: Iterable[tuple[Detection, float]], reader: ReadsSticks) -> list[StickLook]:
        """Returns the sticks that strips of the raw frame show about these places.

        A place comes with the score from which a stick there counts.
        """
        flat = partial(self._calibration.to_pixels, height_mm=0.0)
        sticks = reader.sticks(
            image, flat, [self._spot(place)._replace(least_score=least_score) for place, least_score in places]
        )
        return [
            StickLook(detection=self._detection(flat(stick.quad)), value=stick.value, score=stick.score)
            for stick in sticks
        ]

    def _detections(self, quads: Floats32) -> list[Detection]:
        return [self._detection(pixels) for pixels in self._view.to_frame(quads).reshape(-1, 4, 2)]

    def _detection(self, pixels: Floats) -> Detection:
        return detection_of(self._calibration.to_felt(pixels, height_mm=STICK_HEIGHT_MM))

    def _spot(self, place: Detection) -> Spot:
        corners = place.grid(scale=1.0, steps=2)[[0, 1, 3, 2]]
        pixels = self._calibration.to_pixels(corners, height_mm=STICK_HEIGHT_MM)
        return spot_of(self._calibration.to_felt(pixels, height_mm=0.0))


class StickTracker:
    """Adds what looks show of sticks to what is believed of them."""

    def __init__(
        self,
        sticks: Beliefs[StickEvidence, tuple[int, float]],
        looks: StickLooks,
        places: PlacesAtRest,
        strips: ReadsSticks | None,
    ) -> None:
        """Takes the believed sticks, and a reader of strips; None to use the locator's values."""
        self._sticks = sticks
        self._looks = looks
        self._places = places
        self._strips = strips

    def track(self, frame: Frame, picture: Image, found: Located, changed: Mask) -> list[Detection]:
        """Tracks the sticks at rest in a frame; returns where sticks are seen, and where known ones need no look.

        Args:
            frame: the frame.
            picture: the view, black outside the window of this look.
            found: what the locator found in it.
            changed: the motion gate's cells that have changed.
        """
        if self._strips is None:
            looks, known_places = self._looks.located_sticks(found), list[Detection]()
        else:
            looks, known_places = self._read_strips(frame.image, picture, found, changed, self._strips)
        at_rest = [look for look in looks if self._is_at_rest(look.detection)]
        for look, thing in zip(at_rest, self._sticks.match([look.detection for look in at_rest]), strict=True):
            is_changed = self._places.is_on(changed, thing.detection)
            if self._sticks.wants_look(thing, is_changed=is_changed):
                rest_ns = self._places.rest_of(thing.detection)
                reading = (look.value, look.score)
                self._sticks.learn(thing, reading, is_changed=is_changed, now_ns=frame.t_ns, rest_ns=rest_ns)
        return [look.detection for look in looks] + known_places

    def _new_places(self, picture: Image, found: Located, changed: Mask) -> list[tuple[Detection, float]]:
        """Returns where something changed and a stick may lie; of a bundle, unlike a row of tiles, most has changed."""
        places = self._places
        bundles = self._looks.bundle_places(picture, found, places.at_rest(changed, LEAST_REST_NS))
        new_places = [place for place in self._looks.possible_places(found) if places.is_on(changed, place[0])]
        return new_places + [place for place in bundles if places.is_mostly_on(changed, place[0])]

    def _read_strips(
        self, image: Image, picture: Image, found: Located, changed: Mask, strips: ReadsSticks
    ) -> tuple[list[StickLook], list[Detection]]:
        """Returns what strips show at new places and where a look is wanted, and where other known sticks are.

        A stick in motion is returned as the locator found it.
        """
        things, is_on = self._sticks.things, self._places.is_on
        wanted_things = [
            thing for thing in things if self._sticks.wants_look(thing, is_changed=is_on(changed, thing.detection))
        ]
        other_places = [thing.detection for thing in things if thing not in wanted_things]
        moving = [look for look in self._looks.located_sticks(found) if not self._is_at_rest(look.detection)]
        wanted_places = [(thing.detection, STICK_IN_STRIP) for thing in wanted_things]
        new_places = self._new_places(picture, found, changed)
        read_places = [place for place in (*wanted_places, *new_places) if self._is_at_rest(place[0])]
        return [*moving, *self._looks.read(image, read_places, strips)], other_places

    def _is_at_rest(self, place: Detection) -> bool:
        return self._places.rest_of(place) >= LEAST_REST_NS


@lru_cache
def riichi_places() -> tuple[Detection, ...]:
    """Returns where each side's riichi stick may lie: bands beside each other from the unit's slot to the river."""
    bands = [riichi_spots(out) for out in _RIICHI_BANDS_MM]
    return tuple(
        Detection(x_mm=spot.x, y_mm=spot.y, angle_deg=spot.degrees - 90, half_mm=_RIICHI_HALF_MM)
        for side in zip(*bands, strict=True)
        for spot in side
    )
