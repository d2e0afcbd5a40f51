"""Checks all beliefs of a table against each other whenever one changes.

A confident reading is never overruled; it can only overrule weak ones. Tiles hidden under a hand, or just being taken,
do not vote, since they may be elsewhere already. The result for a belief holds until its own readings change it, even
if the tiles that overruled it are called, covered or swept away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import hypot
from typing import Final

from vision.confidence import CERTAIN
from vision.felt import COPIES, Outcome, Reading, Zone
from vision.geometry.plane_geometry import TileSize
from vision.reading.set_consistency import SetConstraints, resolve_readings
from vision.watching.belief.evidence import TileEvidence
from vision.watching.belief.tracked_thing import TrackedThing
from vision.zones.table_zones import ZonePlace

CLOSEST_WIDTHS: Final = 0.7
"""Two tiles cannot be nearer to each other than this many widths: one of them is gone."""
_MELDS: Final = (3, 4)
"""The numbers of tiles of a whole meld."""


@dataclass(frozen=True, slots=True)
class _Ruling:
    """The result of the vote on a belief."""

    verdict: str
    """The face that was believed before the vote."""
    reading: Reading
    """The reading that the vote made of it."""


class Vote:
    """Checks the beliefs about one table against each other, frame after frame."""

    def __init__(self, tile: TileSize, reds: Mapping[str, int] | None) -> None:
        """Takes a tile's size, and the number of red fives of each suit in the set; None if unknown."""
        self._tile = tile
        self._reds = reds
        self._rulings: dict[int, _Ruling] = {}

    def believed(self, things: Iterable[TrackedThing[TileEvidence]]) -> dict[int, Reading]:
        """Returns each tile's belief by id: the combined reading of its looks, or what the vote made of it."""
        readings = {thing.id: thing.evidence.reading() for thing in things if thing.id is not None}
        self._rulings = {
            i: ruling for i, ruling in self._rulings.items() if i in readings and _holds(ruling, readings[i])
        }
        return readings | {i: ruling.reading for i, ruling in self._rulings.items()}

    def weighed(
        self, things: Sequence[TrackedThing[TileEvidence]], places: Mapping[int, ZonePlace]
    ) -> dict[int, Reading]:
        """Returns each tile's belief by id after a new vote; `places` shows which tiles form melds."""
        readings = self.believed(things)
        voters = self._voters(things)
        ballots = [_ballot(reading) for reading in voters.values()]
        constraints = _constraints_of(voters, places, self._reds)
        if not self._is_open(ballots, constraints):
            return readings
        weighed, remarks = resolve_readings(ballots, constraints)
        ids = list(voters)
        for remark in remarks:
            i, voter = ids[remark.index], voters[ids[remark.index]]
            ruling = weighed[remark.index]
            if voter.score >= CERTAIN:  # such a reading was weighed without its alternatives
                ruling = replace(voter, outcome=ruling.outcome)
            readings[i] = replace(ruling, turned=voter.turned)
            if ruling.outcome is not Outcome.SURPLUS:
                self._rulings[i] = _Ruling(voter.tile, readings[i])
        return readings

    def _voters(self, things: Sequence[TrackedThing[TileEvidence]]) -> dict[int, Reading]:
        """Returns the readings by id of the visible faces; of several in one place, only the surest."""
        visible = [(thing, thing.evidence.reading()) for thing in things if thing.is_as_believed]
        visible.sort(key=lambda pair: -pair[1].score)
        voting: list[TrackedThing[TileEvidence]] = []
        voters: dict[int, Reading] = {}
        for thing, reading in visible:
            if thing.id is None or not reading.is_face:
                continue
            if any(self._lie_together(thing, other) for other in voting):
                continue
            voting.append(thing)
            voters[thing.id] = reading
        return dict(sorted(voters.items()))

    def _lie_together(self, one: TrackedThing[TileEvidence], other: TrackedThing[TileEvidence]) -> bool:
        if one.is_on_top or other.is_on_top:
            return False
        away = hypot(one.place.x_mm - other.place.x_mm, one.place.y_mm - other.place.y_mm)
        return away < CLOSEST_WIDTHS * self._tile.width_mm

    def _is_open(self, ballots: Sequence[Reading], constraints: SetConstraints) -> bool:
        """Returns whether there is anything to decide: a doubtful reading, or more copies than the set has."""
        if any(ballot.score < CERTAIN for ballot in ballots):
            return True
        counts = Counter(ballot.tile for ballot in ballots) + Counter(constraints.elsewhere)
        return any(count > self._copies(face) for face, count in counts.items())

    def _copies(self, face: str) -> int:
        if self._reds is None or not _is_five(face):
            return COPIES
        reds = self._reds.get(face[1], 0)
        return reds if face[0] == "0" else COPIES - reds


def _ballot(reading: Reading) -> Reading:
    """Returns a reading as it votes: a sure one is final."""
    return Reading(tile=reading.tile, score=1.0) if reading.score >= CERTAIN else reading


def _holds(ruling: _Ruling, read: Reading) -> bool:
    """Returns whether a ruling still holds: the looks show the same face as before the vote, and are not certain."""
    return read.tile == ruling.verdict and read.score < CERTAIN


def _is_five(face: str) -> bool:
    return face[0] in "05" and face[1] in "mps"


def _constraints_of(
    voters: Mapping[int, Reading], places: Mapping[int, ZonePlace], reds: Mapping[str, int] | None
) -> SetConstraints:
    """Returns what is known of the set, and of the melds on the table."""
    groups: dict[tuple[int, int], list[int]] = {}
    for i, place in places.items():
        if place.zone is Zone.MELD:
            groups.setdefault((place.side, place.group), []).append(i)
    index = {i: number for number, i in enumerate(voters)}
    melds = tuple(
        tuple(index[i] for i in group)
        for group in groups.values()
        if len(group) in _MELDS and all(i in index for i in group)
    )
    return SetConstraints(reds=reds, elsewhere=_face_down(groups.values(), voters), melds=melds)


def _face_down(groups: Iterable[Sequence[int]], voters: Mapping[int, Reading]) -> tuple[str, ...]:
    """Returns the tiles that closed kans hide, by those that they show; not fives, which may be red."""
    hidden: list[str] = []
    for group in groups:
        readings = [voters[i] for i in group if i in voters]
        is_kan = len(group) == 4 and len(readings) == 2 and readings[0].tile == readings[1].tile
        if is_kan and min(reading.score for reading in readings) >= CERTAIN and not _is_five(readings[0].tile):
            hidden += [readings[0].tile] * 2
    return tuple(hidden)
