"""The tiles that a look found, and comparing how their places look."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.arrays import Floats, Floats32
from vision.confidence import SURE
from vision.felt import Reading
from vision.geometry.rectify import TopView
from vision.watching.belief.rivals import LEAST_LIKENESS
from vision.watching.belief.tracked_thing import Picture
from vision.watching.detection import Detection

UNFOUND: Final = 0.0
"""The locator's score of what it did not find: only a sure face counts, or a closed kan's back."""
_BLANK: Final = 10.0
"""A place whose greys deviate from their mean by less than this is blank: correlations of its grain are chance."""
_OTHER_LIGHT: Final = 1.25
"""A blank place has changed if it is this many times as light or as dark as it was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TileLooks:
    """The lying tiles that were found and may be read (`look_reader`), in the locator's order."""

    quads: Floats
    """Corners in pixels of the top view, [N, 4, 2]; all begin at the same short side."""
    scores: Floats32
    """The locator's scores, [N]."""
    detections: list[Detection]
    """Where they lie on the felt."""

    def with_joined(self, joined: Mapping[int, Detection], parts: Iterable[int], view: TopView) -> TileLooks:
        """Returns the looks with those in `joined` moved to their places there, and without the `parts` of them."""
        quads, detections = self.quads.copy(), list(self.detections)
        for index, place in joined.items():
            quads[index], detections[index] = view.from_felt(place.corners()).reshape(4, 2), place
        return TileLooks(quads=quads, scores=self.scores, detections=detections).without(parts)

    def with_others(
        self, places: Sequence[Detection], scores: Sequence[float], view: TopView, *, without: Iterable[int]
    ) -> TileLooks:
        """Returns the looks with tiles of these scores at further places, and `without` the finds at some indexes."""
        on_felt = np.array([place.corners() for place in places]).reshape(-1, 2)
        quads = np.concatenate([self.quads, view.from_felt(on_felt).reshape(-1, 4, 2)])
        all_scores = np.concatenate([self.scores, np.array(scores, np.float32)])
        return TileLooks(quads=quads, scores=all_scores, detections=[*self.detections, *places]).without(without)

    def without(self, left_out: Iterable[int]) -> TileLooks:
        """Returns the looks without the finds at some indexes."""
        kept_indexes = np.delete(np.arange(len(self.detections)), list(left_out))
        detections = [self.detections[index] for index in kept_indexes]
        return TileLooks(quads=self.quads[kept_indexes], scores=self.scores[kept_indexes], detections=detections)


def is_sure_face(reading: Reading) -> bool:
    """Returns whether one look is enough to be sure of the face."""
    return reading.is_face and reading.score >= SURE


def are_alike(one: Picture, other: Picture) -> bool:
    """Returns whether the first patch shows the same as the second, whatever light a print is in."""
    return likeness(one, other) > LEAST_LIKENESS


def likeness(one: Picture, other: Picture) -> float:
    """Returns how similar the first patch is to the second, whatever light a print is in: at most 1."""
    lighter = max(float(one.mean()), 1.0) / max(float(other.mean()), 1.0)
    if one.std() < _BLANK and not 1 / _OTHER_LIGHT < lighter < _OTHER_LIGHT:
        return 0.0
    first, second = one - one.mean(), other - other.mean()
    size = float(np.linalg.norm(first) * np.linalg.norm(second))
    return float(first @ second) / size if size else 1.0
