"""What is known of one object that is tracked over frames: where it lies, what looks show, and since when."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import hypot
from typing import Any, Final, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from vision.confidence import BACK_SURE, SURE
from vision.felt import BACK, NOT_A_TILE
from vision.watching.belief.evidence import Evidence
from vision.watching.belief.rivals import MOST_FRAMES
from vision.watching.detection import Detection

SETTLED_NS: Final = 190_000_000
"""Time at rest before which no number of looks is enough."""
SURELY_STILL_NS: Final = 290_000_000
"""Time at rest after which one look is enough: a slow camera may give no second one before a called tile is gone."""
AGREEING_FRAMES: Final = 3
"""This many looks decide after the shorter rest, and must agree that a thing was turned or is none of its kind."""
_SLIGHT_MM: Final = 2.0
"""A thing that was not pushed is found nearer than this to its believed place, which follows it at once."""
_SLIGHT_DEG: Final = 15.0
"""A thing that was not pushed is turned by less than this."""
_TURNED_DEG: Final = 45.0
"""A thing found turned more than this must be found so by `AGREEING_FRAMES` looks."""

Picture = npt.NDArray[np.float32]
E = TypeVar("E", bound="Evidence[Any]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Absence:
    """What the looks at a thing's resting place show since one last found it."""

    misses: int = 0
    """Number of consecutive looks that did not find it."""
    bare_frames: int = 0
    """Number of consecutive looks that showed its place bare or taken."""
    is_hidden: bool = False
    """Whether the last look showed neither it nor its place."""

    def after_miss(self, *, is_bare: bool) -> Absence:
        """Returns this after one more look that did not find it; `is_bare` if its place was seen bare or taken."""
        bare_frames = self.bare_frames + 1 if is_bare else 0
        return Absence(misses=self.misses + 1, bare_frames=bare_frames, is_hidden=not is_bare)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stray:
    """The consecutive looks that found a thing in another position than believed."""

    looks: int = 0
    last: Detection | None = None
    """Where the last of them found it."""


@dataclass(slots=True, kw_only=True)
class Arrival:
    """How a thing comes to be believed, or to be gone."""

    has_come: bool = True
    """Whether its place had changed when it was first seen there; else the first looks may err."""
    was_ready: bool = False
    """Whether it lay at rest for long enough, but remained doubtful."""
    waits_since_ns: int | None = None
    """Since when it has been ready except for its neighbours; None again once it is found as believed."""


@dataclass(slots=True, kw_only=True, eq=False)
class TrackedThing(Generic[E]):
    """An object tracked over frames."""

    detection: Detection
    """Where the last look found it."""
    place: Detection
    """Where it is believed to lie."""
    evidence: E
    id: int | None = None
    """Its id; None until it is believed."""
    picture: Picture | None = None
    """How its place looked when it was believed."""
    rival: E | None = None
    """What looks show since its picture changed."""
    was_unseen: bool = False
    """Whether a look before those of `rival` did not find it."""
    absence: Absence = Absence()
    stray: Stray = Stray()
    arrival: Arrival = field(default_factory=Arrival)
    is_unread: bool = False
    """Whether its place changed, but no look has found and read it since."""
    learnt_ns: int = 0
    """When a look last read it."""
    is_on_top: bool = False
    """Whether it lies on another thing, in the same place."""
    is_supposed: bool = False
    """Whether it is uncertain that it lies there at all."""

    @property
    def newest(self) -> E:
        """The evidence that includes the last look."""
        return self.evidence if self.rival is None else self.rival

    @property
    def is_hidden(self) -> bool:
        """Whether the last look at its place showed neither it nor the bare table."""
        return self.absence.is_hidden

    @property
    def is_out_of_sight(self) -> bool:
        """Whether more looks are of no use until its place changes: many in a row missed it, so an arm rests on it."""
        return self.absence.misses >= MOST_FRAMES

    @property
    def is_as_believed(self) -> bool:
        """Whether the last look at its place found it, and its picture has not changed."""
        return self.absence == Absence() and self.rival is None

    @property
    def is_refused(self) -> bool:
        """Whether enough looks showed that it is not a thing of this kind."""
        return self.id is None and self.evidence.frames >= AGREEING_FRAMES and self.evidence.verdict == NOT_A_TILE

    @property
    def is_doubtful(self) -> bool:
        """Whether more looks could decide something that matters; a tile lying face down needs none."""
        is_sure = self.evidence.confidence >= (BACK_SURE if self.evidence.verdict == BACK else SURE)
        return not is_sure and self.evidence.frames < MOST_FRAMES

    def fix_place(self, rest_ns: int) -> None:
        """Updates the believed place to the last one: at once for a slight move, after agreeing looks for a push."""
        if (
            self.detection is self.place
            or self.absence.misses
            or (self.rival is not None and self.rival.verdict == NOT_A_TILE)
        ):
            return
        lean = self.place.lean_to(self.detection)
        is_far = hypot(self.detection.x_mm - self.place.x_mm, self.detection.y_mm - self.place.y_mm) > _SLIGHT_MM
        if not is_far and lean <= _SLIGHT_DEG:
            self.stray = Stray()
        elif self.detection is not self.stray.last:
            self.stray = Stray(looks=self.stray.looks + 1, last=self.detection)
        needed = AGREEING_FRAMES if lean > _TURNED_DEG else 1  # beside a hand, a few looks may see it turned
        looks = self.stray.looks
        if self.id is None or not looks or (looks >= needed and is_ready(looks, rest_ns)):
            self.picture = None if looks and self.rival is None else self.picture
            self.place = self.detection
            self.stray = Stray()


def distance_mm(first: TrackedThing[E], second: TrackedThing[E]) -> float:
    """Returns the distance between two things."""
    return hypot(first.detection.x_mm - second.detection.x_mm, first.detection.y_mm - second.detection.y_mm)


def is_ready(frames: int, rest_ns: int) -> bool:
    """Returns whether `frames` looks are enough to decide about what has been at rest for `rest_ns`."""
    if frames < 1 or rest_ns < SETTLED_NS:
        return False
    return frames >= AGREEING_FRAMES or rest_ns >= SURELY_STILL_NS
