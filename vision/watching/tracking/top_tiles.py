"""Detects the fourth tile of an added kan that lies on top of the turned tile of its pon.

One thickness nearer to the camera, it appears displaced outward from the point below the camera, by about 5 mm in a
meld's corner under a camera at 1.1 m. A turned tile that was merely pushed there would lie over its neighbour, and show
the felt where the stack shows the lower tile's side. So a detection counts as a tile on top if it is displaced as the
geometry predicts while the rest of the pon stayed, and if twice a tile's side is visible below it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from math import hypot
from typing import Final

import numpy as np

from vision.arrays import Floats, Image
from vision.confidence import SURE
from vision.felt import BACK, NOT_A_TILE, Felt, LyingTile, Reading, Zone
from vision.geometry.plane_geometry import TileSize
from vision.geometry.rectify import TopView
from vision.watching.belief.beliefs import Beliefs
from vision.watching.belief.evidence import TileEvidence
from vision.watching.belief.rivals import MOST_FRAMES
from vision.watching.belief.tracked_thing import AGREEING_FRAMES, TrackedThing
from vision.watching.detection import Detection
from vision.watching.looks.grown_sides import Displacement, growth_of_sides, side_depths, top_tile_offset
from vision.watching.looks.tile_looks import are_alike
from vision.watching.looks.top_look import TopLook

_SURE_ALONG: Final = (0.38, 1.6)
"""Displacement along the predicted one, as a share of it, that shows a tile on top."""
_SURE_ACROSS_MM: Final = 3.2
"""Displacement across the predicted one that shows a tile on top, at most."""
_MAYBE_ALONG: Final = (0.3, 1.9)
_MAYBE_ACROSS_MM: Final = 4.5
"""The same for a tile that may lie on top."""
_ASKEW_DEG: Final = 12.0
"""A tile on top leans from the turned one by less than this."""
_LEAST_SHIFT_MM: Final = 3.0
"""A smaller displacement cannot be distinguished from a tile laid back carelessly."""
_FOOT_STAYED: Final = 0.65
"""The growth of the visible side, as a share of the displacement: 1 if the foot stayed, 0 if the tile was pushed."""
_FOOT_MAYBE: Final = 0.4
"""With a smaller growth, the tile was pushed."""
_SCALE: Final = (0.4, 1.5)
"""A visible side between these shares of the predicted one is believed: the camera's height may be an estimate."""
_PON: Final = 3
"""The number of tiles of a pon."""


class Layer(IntEnum):
    """Whether a detection lies on top of another tile."""

    NO = 0
    PERHAPS = 1
    YES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Pon:
    """A pon on the table: a fourth tile may be laid on the turned one."""

    turned_tile: TrackedThing[TileEvidence]
    others: tuple[TrackedThing[TileEvidence], ...]
    kind: str
    """The face of its tiles; a red five counts as a plain one."""

    @property
    def id(self) -> int:
        """The id of its turned tile."""
        return -1 if self.turned_tile.id is None else self.turned_tile.id

    @property
    def other_places(self) -> list[Detection]:
        """The places of its other tiles."""
        return [other.place for other in self.others]


@dataclass(slots=True, kw_only=True, eq=False)
class TopTile:
    """A tile that may lie on the turned tile of a pon."""

    pon: Pon
    evidence: TileEvidence = field(default_factory=TileEvidence)
    looks: int = 0
    """Number of looks that measured its height before it was believed."""
    sure_looks: int = 0
    """How many of these looks were sure of its height."""
    absent_looks: int = 0
    """Number of consecutive looks that saw the turned tile uncovered."""
    id: int | None = None

    @property
    def place(self) -> Detection:
        """Where it lies: in the place of the turned tile."""
        return self.pon.turned_tile.place

    @property
    def is_sure(self) -> bool:
        """Whether most looks were sure that it lies on top."""
        return 2 * self.sure_looks > self.looks

    @property
    def is_open(self) -> bool:
        """Whether more looks must decide if it lies there, or still lies there."""
        return not self.pon.turned_tile.is_out_of_sight and (self.absent_looks > 0 or self.wants_look)

    @property
    def wants_look(self) -> bool:
        """Whether its face should be read once more."""
        return self.id is None and self.evidence.frames < MOST_FRAMES

    @property
    def is_ready(self) -> bool:
        """Whether enough looks have seen another tile of the pon's kind."""
        evidence = self.evidence
        if evidence.frames < AGREEING_FRAMES or evidence.verdict.replace("0", "5") != self.pon.kind:
            return False
        return evidence.confidence >= SURE or not self.wants_look

    def learn(self, reading: Reading, crop: Image) -> None:
        """Adds a look at its face."""
        self.evidence.add(reading)
        self.evidence.crops.append(crop)


class TopTiles:
    """The tiles on top of others, on one table."""

    def __init__(self, tile: TileSize) -> None:
        """Takes the size of the tiles."""
        self._tile = tile
        self._tops: dict[int, TopTile] = {}
        self._sides: dict[int, Floats] = {}
        """How far the sides of each pon's turned tile are visible while nothing lies on it, by its id."""

    @property
    def open_places(self) -> list[Detection]:
        """The places where more looks are wanted."""
        return [top.place for top in self._tops.values() if top.is_open]

    def seen_on_top(self, detections: Sequence[Detection], pons: Iterable[Pon], look: TopLook) -> dict[int, TopTile]:
        """Returns, by index, which tiles found at rest may lie on the turned tile of one of these pons."""
        found: dict[int, TopTile] = {}
        for pon in pons:
            displacement = self._displacement_of(detections, pon, look.view)
            if displacement is None:
                continue
            shift = self._predicted_shift_mm(pon, look.view)
            is_near = (
                _MAYBE_ALONG[0] <= displacement.along / shift <= _MAYBE_ALONG[1]
                and displacement.across <= _MAYBE_ACROSS_MM
            )
            top = self._tops.get(pon.id)
            if top is None or top.id is None:
                layer = self._layer_in(look, detections, pon, displacement, shift) if is_near else Layer.NO
                if layer is Layer.NO:
                    self._tops.pop(pon.id, None)
                    continue
                top = self._tops.setdefault(pon.id, TopTile(pon=pon))
                top.looks += 1
                top.sure_looks += layer is Layer.YES
            top.absent_looks = 0 if is_near else top.absent_looks + 1
            if is_near:
                found[displacement.index] = top
        return found

    def _layer_in(
        self, look: TopLook, detections: Sequence[Detection], pon: Pon, displacement: Displacement, shift: float
    ) -> Layer:
        if _looks_as_before(pon.turned_tile, look):
            return Layer.NO
        growth = self._side_growth(detections[displacement.index], pon, displacement, look)
        return _layer(displacement, shift, growth)

    def _side_growth(self, detection: Detection, pon: Pon, displacement: Displacement, look: TopLook) -> float | None:
        before = self._sides.get(pon.id)
        if before is None:
            return None
        now = side_depths(detection, pon.other_places, self._tile, look)
        shift = np.array(top_tile_offset(pon.turned_tile.place, look.view, self._tile))
        return growth_of_sides(before, now, detection, displacement, shift)

    def _displacement_of(self, detections: Sequence[Detection], pon: Pon, view: TopView) -> Displacement | None:
        """Returns how far the turned tile, or one on it, moved relative to its pon; None if neither is found."""
        place = pon.turned_tile.place
        top_offset = top_tile_offset(place, view, self._tile)
        most_mm = 0.45 * self._tile.width_mm
        candidates = [
            (min(_distance_mm(detection, place, (0.0, 0.0)), _distance_mm(detection, place, top_offset)), i)
            for i, detection in enumerate(detections)
            if place.lean_to(detection) < _ASKEW_DEG
        ]
        away, index = min(candidates, default=(most_mm, -1))
        if away >= most_mm:
            return None
        push = self._push_of_pon(detections, pon)
        dx, dy = detections[index].x_mm - place.x_mm - push[0], detections[index].y_mm - place.y_mm - push[1]
        length = max(hypot(*top_offset), 1e-6)
        return Displacement(
            index=index,
            vector=(dx, dy),
            along=(dx * top_offset[0] + dy * top_offset[1]) / length,
            across=abs(dx * top_offset[1] - dy * top_offset[0]) / length,
        )

    def _push_of_pon(self, detections: Sequence[Detection], pon: Pon) -> tuple[float, float]:
        """Returns how far the pon as a whole was pushed: the least displacement of its other tiles."""
        pushes = []
        for other in pon.others:
            place = other.place
            same = [
                detection
                for detection in detections
                if _distance_mm(detection, place, (0.0, 0.0)) < 0.45 * self._tile.width_mm
            ]
            pushes += [(detection.x_mm - place.x_mm, detection.y_mm - place.y_mm) for detection in same]
        return min(pushes, key=lambda push: hypot(*push), default=(0.0, 0.0))

    def _predicted_shift_mm(self, pon: Pon, view: TopView) -> float:
        """Returns how far a tile on top would appear displaced, in millimetres.

        It is nearly as far as the turned tile's own side is visible, which needs no estimate of the camera's height.
        """
        predicted = hypot(*top_tile_offset(pon.turned_tile.place, view, self._tile))
        sides = self._sides.get(pon.id)
        measured = 0.0 if sides is None or np.isnan(sides).all() else float(np.nanmin(sides))
        return measured if _SCALE[0] < measured / predicted < _SCALE[1] else predicted

    def measure_sides(self, pons: Iterable[Pon], look: TopLook) -> None:
        """Measures how far the sides of turned tiles are visible while nothing lies on them."""
        for pon in pons:
            if pon.id not in self._tops:
                self._sides[pon.id] = side_depths(pon.turned_tile.place, pon.other_places, self._tile, look)

    def update(self, tiles: Beliefs[TileEvidence, Reading]) -> bool:
        """Believes what enough looks have shown; returns whether any belief changed."""
        before = {top.id for top in self._tops.values()}
        ids = {thing.id for thing in tiles.believed}
        self._tops = {i: top for i, top in self._tops.items() if i in ids and top.absent_looks < AGREEING_FRAMES}
        self._sides = {i: side for i, side in self._sides.items() if i in ids}
        for top in self._tops.values():
            if top.id is None and top.is_ready:
                top.id = tiles.next_id
                tiles.next_id += 1
        return before != {top.id for top in self._tops.values()}

    @property
    def believed(self) -> list[TrackedThing[TileEvidence]]:
        """The tiles believed to lie on top, each in the place of the one below it."""
        return [
            TrackedThing(
                detection=top.place,
                place=top.place,
                evidence=top.evidence,
                id=top.id,
                is_on_top=True,
                is_supposed=not top.is_sure,
            )
            for top in self._tops.values()
            if top.id is not None
        ]


def pons_of(felt: Felt | None, believed: Iterable[TrackedThing[TileEvidence]]) -> list[Pon]:
    """Returns the pons of a felt whose turned tile may lie under a fourth one, with the beliefs about their tiles."""
    things = {thing.id: thing for thing in believed}
    groups: dict[tuple[int, int], list[LyingTile]] = {}
    for tile in () if felt is None else felt.tiles:
        if tile.zone is Zone.MELD and tile.id in things:
            groups.setdefault((tile.side, tile.group), []).append(tile)
    pons = []
    for group in groups.values():
        turned_tiles = [things[tile.id] for tile in group if tile.is_sideways]
        kinds = {tile.reading.tile.replace("0", "5") for tile in group}
        if len(group) == _PON and len(turned_tiles) == 1 and len(kinds) == 1 and not kinds & {BACK, NOT_A_TILE}:
            others = tuple(things[tile.id] for tile in group if not tile.is_sideways)
            pons.append(Pon(turned_tile=turned_tiles[0], others=others, kind=kinds.pop()))
    return pons


def _looks_as_before(turned_tile: TrackedThing[TileEvidence], look: TopLook) -> bool:
    """Returns whether the picture of a turned tile's place is the same as when it was believed."""
    return turned_tile.picture is not None and are_alike(turned_tile.picture, look.patch(turned_tile.place))


def _layer(displacement: Displacement, shift: float, growth: float | None) -> Layer:
    """Returns whether a displaced tile lies on top.

    Args:
        displacement: how far, and in which direction.
        shift: the predicted displacement, in millimetres.
        growth: how far its visible sides grew, as a share of the growth if its foot stayed; None if unknown.
    """
    is_as_predicted = (
        _SURE_ALONG[0] <= displacement.along / shift <= _SURE_ALONG[1] and displacement.across <= _SURE_ACROSS_MM
    )
    if (
        displacement.along < _LEAST_SHIFT_MM
        or (growth is None and not is_as_predicted)
        or (growth is not None and growth < _FOOT_MAYBE)
    ):
        return Layer.NO
    return Layer.YES if is_as_predicted and growth is not None and growth >= _FOOT_STAYED else Layer.PERHAPS


def _distance_mm(one: Detection, place: Detection, shift: tuple[float, float]) -> float:
    return hypot(one.x_mm - place.x_mm - shift[0], one.y_mm - place.y_mm - shift[1])
