"""A film: what lies on the table at each time, and the hands that bring it there."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from vision.cameras.synthetic.gestures import Gesture, gesture_for, linked_gestures
from vision.cameras.synthetic.scene import Scene
from vision.errors import VisionError
from vision.geometry.sides import SIDES


class FilmError(VisionError, ValueError):
    """A film that cannot be played: it has no scenes, or its times do not rise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Beat:
    """A scene and when it is complete."""

    time_s: float
    """When the scene is complete and at rest; the hand that made it leaves in the next moments."""
    scene: Scene
    """Without arms: they follow from what changed."""
    side: int | None = None
    """The side whose hand makes the change; None if no hand is needed, or if all four make it."""

    def __post_init__(self) -> None:
        """Refuses a hand from an unknown side, and arms placed in the scene."""
        if self.side is not None and self.side not in SIDES:
            raise FilmError(f"expected side 0-3 or None for a hand, got {self.side!r} at {self.time_s} s")
        if self.scene.arms:
            raise FilmError(f"expected no arms in the scene of a beat, got {len(self.scene.arms)} at {self.time_s} s")


class Film:
    """Plays beats: the first scene is there from the start; hands bring each later one."""

    def __init__(self, beats: Iterable[Beat], *, felt_mm: float, tail_s: float = 1.5, seed: int = 0) -> None:
        """Prepares the film.

        Args:
            beats: in order of time, the first at 0 s.
            felt_mm: size of the play surface, beyond which hands come in.
            tail_s: how long the last scene is shown.
            seed: decides how fast each movement is.

        Raises:
            FilmError: there are no beats, they do not begin at 0 s, or their times do not rise.
        """
        self._beats = tuple(beats)
        times = [beat.time_s for beat in self._beats]
        if not times or times[0] != 0.0 or any(b <= a for a, b in pairwise(times)):
            raise FilmError(f"expected beats from 0 s on with rising times, got {times[:8]!r}")
        self._times = times
        self._gestures = _all_linked(self._plan(felt_mm, seed))
        self.duration_s = times[-1] + tail_s
        """The film's length in seconds."""

    def scene_at(self, time_s: float) -> Scene:
        """Returns what the camera sees at one time, hands included."""
        index = max(0, bisect_right(self._times, time_s) - 1)
        scene = self._beats[index].scene
        nearby = self._gestures[max(0, index - 3) : index + 4]
        arms = tuple(arm for gesture in nearby for arm in gesture.arms_at(time_s))
        hidden = [gesture.taken_things for gesture in nearby if gesture.take_s <= time_s < gesture.lay_s]
        if not hidden:
            return Scene(tiles=scene.tiles, sticks=scene.sticks, arms=arms) if arms else scene
        hidden_things = frozenset().union(*hidden)
        return Scene(
            tiles=tuple(tile for tile in scene.tiles if tile not in hidden_things),
            sticks=tuple(stick for stick in scene.sticks if stick not in hidden_things),
            arms=arms,
        )

    def _plan(self, felt_mm: float, seed: int) -> Iterable[Gesture]:
        """Yields the gesture of every beat; that of the first is over already."""
        rng = np.random.default_rng([seed, 0xF1])
        first = self._beats[0]
        yield gesture_for(first.scene, first.scene, time_s=0.0, side=None, felt_mm=felt_mm)
        for before, after in pairwise(self._beats):
            yield gesture_for(
                before.scene,
                after.scene,
                time_s=after.time_s,
                side=after.side,
                felt_mm=felt_mm,
                haste=float(rng.uniform(0.8, 1.3)),
            )


def _all_linked(gestures: Iterable[Gesture]) -> tuple[Gesture, ...]:
    done: list[Gesture] = []
    for gesture in gestures:
        current = gesture
        if done:
            done[-1], current = linked_gestures(done[-1], gesture)
        done.append(current)
    return tuple(done)
