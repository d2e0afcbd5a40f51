"""Turns readings of single frames into beliefs: what lies there, has moved, is gone, or is merely hidden.

An object is believed after agreeing readings at rest, of which it needs more where nothing had moved before. An object
that is not found again is gone only if its place is seen bare or something else lies there now; otherwise an arm or a
sleeve hides it, and the belief stays. A place whose picture changed is read again: a different face, read with equal
confidence, means that the tile was replaced.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, Generic, TypeVar

import numpy as np

from vision.confidence import LIKELY
from vision.felt import NOT_A_TILE
from vision.watching.belief.rivals import MOST_FRAMES, RivalVerdict, judge_rival
from vision.watching.belief.tracked_thing import AGREEING_FRAMES, Absence, E, Stray, TrackedThing, distance_mm, is_ready
from vision.watching.detection import Detection

LEAST_REST_NS: Final = 90_000_000
"""How long a place must be at rest before it is looked at: one step at ten frames per second."""
_NUDGED_MM: Final = 45.0
"""A tile this near to where the same face has disappeared was pushed, not laid. Things this near are neighbours."""
_PATIENCE_NS: Final = 700_000_000
"""How long a thing that is ready to be believed waits for a neighbour that is not."""
_HAND_RESTS_NS: Final = 2_000_000_000
"""How long a thing that reads otherwise waits for a hand beside it to leave: that may hide a part of it."""

R = TypeVar("R")
"""What a look reads of an object."""


@dataclass(slots=True, kw_only=True)
class Beliefs(Generic[E, R]):
    """All tracked objects of one kind, whose evidence is made of readings R."""

    new_evidence: Callable[[], E]
    """Returns evidence of no look yet."""
    reach_mm: float
    """Distance within which two detections are of the same thing."""
    things: list[TrackedThing[E]] = field(default_factory=list)
    """All that are tracked, believed or not."""
    next_id: int = 0
    """The id of the next thing to be believed."""

    @property
    def believed(self) -> list[TrackedThing[E]]:
        """The things believed to lie there."""
        return [thing for thing in self.things if thing.id is not None]

    def match(self, detections: Sequence[Detection]) -> list[TrackedThing[E]]:
        """Returns the thing that each detection shows, and starts tracking new ones."""
        pairs = self.pairs(detections)
        found: list[TrackedThing[E]] = []
        for index, detection in enumerate(detections):
            thing = pairs.get(index)
            if thing is None:
                thing = TrackedThing(detection=detection, place=detection, evidence=self.new_evidence())
                self.things.append(thing)
            thing.detection = detection
            if thing.rival is None or thing.rival.verdict != NOT_A_TILE:
                thing.absence = Absence()
            found.append(thing)
        return found

    def pairs(self, detections: Sequence[Detection]) -> dict[int, TrackedThing[E]]:
        """Pairs detections with tracked things, one to one: believed things first, then the nearest pairs first.

        Returns the things by the index of their detection. One that is not believed must not take the detection of one
        that is, which would then stay for ever.
        """
        if not detections or not self.things:
            return {}
        detected_mm = np.array([(detection.x_mm, detection.y_mm) for detection in detections])
        tracked_mm = np.array([(thing.detection.x_mm, thing.detection.y_mm) for thing in self.things])
        distances = np.linalg.norm(detected_mm[:, None] - tracked_mm[None], axis=2)
        rows, columns = np.nonzero(distances < self.reach_mm)
        is_new = np.array([thing.id is None for thing in self.things])
        pairs: dict[int, TrackedThing[E]] = {}
        used_columns: set[int] = set()
        for nearest in np.lexsort((distances[rows, columns], is_new[columns])):
            row, column = int(rows[nearest]), int(columns[nearest])
            if row not in pairs and column not in used_columns:
                pairs[row] = self.things[column]
                used_columns.add(column)
        return pairs

    def unseen(self, detections: Sequence[Detection]) -> list[TrackedThing[E]]:
        """Returns the tracked things that none of these detections, at rest or not, shows; each shows one thing."""
        seen_ids = {id(thing) for thing in self.pairs(detections).values()}
        return [thing for thing in self.things if id(thing) not in seen_ids]

    def learn(self, thing: TrackedThing[E], reading: R, *, is_changed: bool, now_ns: int, rest_ns: int) -> None:
        """Adds the reading of a look; `is_changed` if the place has changed since it was last judged."""
        has_moved = rest_ns < now_ns - thing.learnt_ns
        thing.learnt_ns = now_ns
        was_unseen, thing.is_unread = thing.is_unread, False
        if thing.id is None:
            if has_moved or (is_changed and thing.is_refused):  # earlier looks may have seen only a part
                thing.evidence = self.new_evidence()
            if not thing.evidence.frames:
                thing.arrival.has_come = is_changed
            thing.evidence.add(reading)
            return
        if (is_changed and thing.rival is None) or (has_moved and thing.rival is not None):
            thing.rival, thing.was_unseen = self.new_evidence(), was_unseen
        if thing.rival is not None:
            thing.rival.add(reading)
            if thing.rival.verdict != NOT_A_TILE:
                thing.absence = Absence()
            return
        earlier = thing.evidence.verdict
        extended = deepcopy(thing.evidence)
        extended.add(reading)
        if extended.verdict != NOT_A_TILE or earlier == NOT_A_TILE:
            thing.evidence = extended

    def miss(self, thing: TrackedThing[E], *, is_bare: bool, is_changed: bool = False) -> None:
        """Notes that a look did not find a thing at its resting place; drops a new one that was missed twice in a row.

        `is_bare` if the place was seen bare or taken, `is_changed` if it has changed since it was last judged.
        """
        thing.absence = thing.absence.after_miss(is_bare=is_bare)
        thing.is_unread |= is_changed or thing.rival is not None
        thing.rival = None
        if thing.id is None and thing.absence.misses >= 2:
            self.things.remove(thing)

    def is_open(self, thing: TrackedThing[E]) -> bool:
        """Returns whether it is still undecided if a thing lies there, is gone, was pushed, or was replaced."""
        if thing.id is None:
            return not thing.is_refused
        has_strayed = thing.stray.looks > 0 and not thing.is_out_of_sight
        return thing.absence.bare_frames > 0 or has_strayed or thing.rival is not None

    def is_pending(self, thing: TrackedThing[E]) -> bool:
        """Returns whether more looks at a thing are wanted: it is open, or a doubt about it may be resolved."""
        return self.is_open(thing) or (thing.id is not None and thing.is_doubtful and not thing.is_out_of_sight)

    def wants_look(self, thing: TrackedThing[E], *, is_changed: bool) -> bool:
        """Returns whether a look that found a thing should also read it."""
        if thing.id is None:
            return is_changed or not thing.is_refused
        return is_changed or thing.rival is not None or thing.is_doubtful

    def update(
        self,
        rest_ns: Callable[[TrackedThing[E]], int],
        now_ns: int,
        *,
        rank: Callable[[TrackedThing[E]], tuple[float, ...]] = lambda _: (),
        likeness: Callable[[TrackedThing[E]], float] = lambda _: 0.0,
        is_bare: Callable[[TrackedThing[E]], bool] = lambda _: False,
    ) -> bool:
        """Believes what is ready for it; returns whether any belief changed.

        `rank` sorts things believed at the same time, which decides their ids; `likeness` returns how similar a thing's
        place looks to when the thing was believed; `is_bare` whether the bare table is seen there.
        """
        before = self._summary()
        for thing in self.believed:
            if thing.is_as_believed:
                thing.arrival.waits_since_ns = None
        self._judge_rivals(rest_ns, likeness, is_bare)
        for thing in self.things:
            thing.fix_place(rest_ns(thing))
        gone = [thing for thing in self.believed if is_ready(thing.absence.bare_frames, rest_ns(thing))]
        laid = [thing for thing in self.things if thing.id is None and self._is_laid(thing, rest_ns(thing))]
        ready = {id(thing) for thing in (*gone, *laid)}
        unready = [thing for thing in self.things if id(thing) not in ready and self._may_settle(thing)]
        gone = [thing for thing in gone if not _must_wait(thing, unready, now_ns)]
        laid = [thing for thing in laid if not _must_wait(thing, unready, now_ns)]
        for thing in sorted(self._without_nudged(laid, gone), key=rank):
            thing.id = self._new_id()
        for thing in gone:
            if thing in self.things:
                self.things.remove(thing)
        return before != self._summary()

    def _may_settle(self, thing: TrackedThing[E]) -> bool:
        """Returns whether a thing may soon be gone if it is believed, or be believed if it is not."""
        if thing.id is not None:
            return thing.absence.bare_frames > 0
        return self.is_open(thing) and _may_be_thing(thing)

    def _summary(self) -> dict[int | None, tuple[str, Detection]]:
        return {thing.id: (thing.evidence.verdict, thing.place) for thing in self.believed}

    def _is_laid(self, thing: TrackedThing[E], rest_ns: int) -> bool:
        """Returns whether enough looks have shown a thing that is not believed yet."""
        evidence = thing.evidence
        if thing.is_refused or evidence.verdict == NOT_A_TILE:
            return False
        if not thing.arrival.has_come and evidence.frames < AGREEING_FRAMES:
            return False
        if not thing.absence.misses and is_ready(evidence.frames, rest_ns):
            if rest_ns < _PATIENCE_NS and self._is_by_a_hand(thing):
                return False
            thing.arrival.was_ready = True
            return not thing.is_doubtful or evidence.frames >= MOST_FRAMES - 2
        # A hand comes over it, perhaps to take it: better reported with a doubt than never.
        is_going = thing.absence.misses > 0 or rest_ns < LEAST_REST_NS
        return thing.arrival.was_ready and is_going and evidence.confidence >= LIKELY

    def _is_by_a_hand(self, thing: TrackedThing[E]) -> bool:
        """Returns whether a neighbour is hidden: what covers it may also hide a part of this thing."""
        return any(other.is_hidden and distance_mm(thing, other) < _NUDGED_MM for other in self.believed)

    def _judge_rivals(
        self,
        rest_ns: Callable[[TrackedThing[E]], int],
        likeness: Callable[[TrackedThing[E]], float],
        is_bare: Callable[[TrackedThing[E]], bool],
    ) -> None:
        """Decides about the things whose picture changed, once enough looks have seen them.

        A thing about to be gone remains so unless a tile is read there, since not every look sees its place bare. What
        reads otherwise by a hand waits for the hand to leave, but not for long.
        """
        for thing in self.believed:
            rival, rests_ns = thing.rival, rest_ns(thing)
            if rival is None or thing.absence.bare_frames or not is_ready(rival.frames, rests_ns):
                continue
            is_same = rival.verdict in {thing.evidence.verdict, NOT_A_TILE}
            if is_same or rests_ns >= _HAND_RESTS_NS or not self._is_by_a_hand(thing):
                verdict = judge_rival(
                    thing.evidence,
                    rival,
                    likeness=likeness(thing),
                    was_unseen=thing.was_unseen,
                    is_bare=partial(is_bare, thing),
                )
                self._accept(thing, rival, verdict)

    def _accept(self, thing: TrackedThing[E], rival: E, verdict: RivalVerdict) -> None:
        """Changes a belief by the verdict on its rival, and drops the rival unless more looks are needed."""
        match verdict:
            case RivalVerdict.UNDECIDED:
                return
            case RivalVerdict.BARE:
                thing.absence = replace(thing.absence, bare_frames=rival.frames)
                return
            case RivalVerdict.REPLACED:
                thing.evidence, thing.id, thing.picture = rival, self._new_id(), None
                thing.place, thing.stray = thing.detection, Stray()
            case RivalVerdict.SEEN_BETTER:
                thing.evidence = rival
            case RivalVerdict.SAME:
                thing.evidence = max(thing.evidence, rival, key=lambda evidence: evidence.confidence)
            case RivalVerdict.CONTESTED:
                thing.evidence.merge(rival)
        thing.rival = None

    def _without_nudged(self, laid: Iterable[TrackedThing[E]], gone: list[TrackedThing[E]]) -> list[TrackedThing[E]]:
        """Returns the laid things that were not only pushed; a pushed one keeps its id, and is removed from `gone`."""
        unpushed: list[TrackedThing[E]] = []
        for new in laid:
            old = min(
                (thing for thing in gone if thing.evidence.verdict == new.evidence.verdict),
                key=lambda thing: distance_mm(thing, new),
                default=None,
            )
            if old is not None and distance_mm(old, new) < _NUDGED_MM:
                new.id = old.id
                gone.remove(old)
                self.things.remove(old)
            else:
                unpushed.append(new)
        return unpushed

    def _new_id(self) -> int:
        self.next_id += 1
        return self.next_id - 1


def _may_be_thing(thing: TrackedThing[E]) -> bool:
    """Returns whether a find may prove to be a thing: something moved there, or it does not read as no tile."""
    return thing.arrival.has_come or thing.evidence.verdict != NOT_A_TILE


def _must_wait(thing: TrackedThing[E], waiting: Iterable[TrackedThing[E]], now_ns: int) -> bool:
    """Returns whether a thing waits for a neighbour to settle: hands are laid at once, pushed things go and come."""
    if not any(distance_mm(thing, other) < _NUDGED_MM for other in waiting):
        return False
    if thing.arrival.waits_since_ns is None:
        thing.arrival.waits_since_ns = now_ns
    return now_ns - thing.arrival.waits_since_ns < _PATIENCE_NS
