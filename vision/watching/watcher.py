"""Watches a table: frames in, reports of what changed on the felt out.

A frame in which nothing new comes to rest costs one small top view. When something does, the table is seen from above
as a whole, tiles and sticks are located, and only what is new, changed or doubtful is read, from the frame itself,
which is sharper than the top view. Standing hands are left out before anything is read (`vision.privacy.hand_privacy`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol, runtime_checkable

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, Image, Mask
from vision.confidence import FAINT, SURE
from vision.felt import BACK, NOT_A_TILE, Felt, FeltReport, Reading, Zone
from vision.frames import Frame
from vision.geometry.calibration import Calibration
from vision.geometry.plane_geometry import TileSize
from vision.geometry.rectify import TopView
from vision.geometry.roi import Roi, window_about
from vision.privacy.hand_privacy import lean_of, may_be_read
from vision.reading.blanks import HAKU
from vision.reading.locator import Located
from vision.reading.reader import FaceReader, crops
from vision.reading.strips import ReadsSticks
from vision.watching.bare_table import BareTable
from vision.watching.beliefs import (
    LEAST_REST_NS,
    SURELY_STILL_NS,
    Beliefs,
    Detection,
    Picture,
    TrackedThing,
    detection_of,
)
from vision.watching.blank_looks import taken_as, told_by_table
from vision.watching.changes import changes_between
from vision.watching.evidence import StickEvidence, TileEvidence
from vision.watching.examples import Examples
from vision.watching.felt_builder import FeltBuilder
from vision.watching.motion import MotionGate
from vision.watching.refinding import away_mm, place_again
from vision.watching.shift import ShiftDetector
from vision.watching.stick_looks import REACH_MM, StickLook, StickLooks, riichi_places
from vision.watching.table_in_sight import TableInSight
from vision.watching.vote import Vote
from vision.zones.table_zones import Zones

_STEP_NS: Final = 80_000_000
"""Between two looks on a calm table, whatever the frame rate …"""
_MOVING_STEP_NS: Final = 180_000_000
"""… and while something moves over it, when most looks find nothing new."""
_MOVING_CELLS: Final = 40
_WHOLE: Final = 0.88
"""A tile is measured at least this share of its length."""
_ALIKE: Final = 0.85
"""Correlation from which on a place looks as it did."""
_BARE_SHARE: Final = 0.7
_PUSHED_SHARE: Final = 0.005
"""When so much of the table changed and is at rest again, it may have been pushed."""
_AGAIN_NS: Final = 1_000_000_000
"""Between two tries to find a table again that no longer lies in its place …"""
_SOON_NS: Final = 400_000_000
"""… and until the first."""
_CALM_SHARE: Final = 0.9
"""So much of the table at rest is worth to hold later pictures against."""
_ANCHOR_NS: Final = 2_000_000_000
"""Between two calm pictures that later ones are held against."""
_START_SHARE: Final = 0.6
"""The first report waits until this share of the table is at rest."""
_START_PATIENCE_NS: Final = 1_000_000_000
"""How long the first report waits for tiles that need more looks; some of a wall's backs stay doubtful."""

_log = logging.getLogger(__name__)


class Locator(Protocol):
    """Finds tiles and sticks in a picture: `vision.reading.locator.Locator`."""

    def locate(self, image: Image, *, tile_px: float | None, roi: Roi | None = None) -> Located:
        """Finds them in a BGR picture, or in a window of it, in which a lying tile is `tile_px` wide."""
        ...


@runtime_checkable
class Learnt(Protocol):
    """A reader that has learnt sets of tiles: `vision.tilesets.set_selector.SetSelector`."""

    @property
    def reader_version(self) -> object:
        """By what it reads now; once that changes, the same picture may be read otherwise."""
        ...

    def reread(self, cut: Image) -> list[Reading]:
        """Reads crops [N, 64, 48, 3] that it has read before."""
        ...

    def reset(self) -> None:
        """Takes in that the table was cleared: other tiles may come."""
        ...


class Watcher:
    """Looks at a table's frames and says what changes on the felt."""

    def __init__(
        self,
        *,
        locator: Locator,
        reader: FaceReader,
        calibration: Calibration,
        tile: TileSize | None = None,
        reds: Mapping[str, int] | None = None,
        strips: ReadsSticks | None = None,
    ) -> None:
        """Takes the models, and what is known of the table.

        Args:
            locator: finds tiles and sticks.
            reader: reads faces.
            calibration: where the table lies.
            tile: how big its tiles are; the usual size if not given.
            reds: how many red fives of each suit the set has, if that is known.
            strips: reads sticks; if not given, they are what the locator takes them for.
        """
        self._locator = locator
        self._reader = reader
        self._strips = strips
        self._learnt = reader if isinstance(reader, Learnt) else None
        self._known_by = None if self._learnt is None else self._learnt.reader_version
        self._tile = tile or TileSize()
        self._see_by(calibration)
        self._zones = Zones(side_mm=calibration.side_mm, size=self._tile)
        self._portrait = FeltBuilder(self._zones, Vote(self._tile, reds), self._middles)
        self._tiles: Beliefs[TileEvidence] = Beliefs(new_evidence=TileEvidence, reach_mm=0.45 * self._tile.width_mm)
        self._sticks: Beliefs[StickEvidence] = Beliefs(
            new_evidence=StickEvidence, reach_mm=REACH_MM[strips is not None]
        )
        self.examples = Examples()
        """The pictures that beliefs rested on."""
        self._felt: Felt | None = None
        self._earlier = Felt()
        """What the watcher before this one reported last."""
        self._first_ns: int | None = None
        self._looked_ns = -_STEP_NS
        self._unjudged = np.full((self._gate.cells, self._gate.cells), -1, dtype=np.int64)
        self._judged = -1
        self._moved_mm = 0.0
        self._sight = TableInSight(self._gate.table_px)
        self._is_in_place = True
        self._sought_ns = 0

    def _see_by(self, calibration: Calibration) -> None:
        """Takes the table to lie there; what is believed to lie on it stays."""
        self._calibration = calibration
        self._view = TopView(calibration, height_mm=self._tile.depth_mm)
        self._gate = MotionGate(calibration, height_mm=self._tile.depth_mm)
        self._stick_looks = StickLooks(calibration, self._view)
        self._middles = self._gate.middles_mm()
        self._ground = BareTable(self._view)
        self._anchor = ShiftDetector()
        self._anchored_ns = -_ANCHOR_NS
        self._rest = self._gate.rest_ns()

    @property
    def felt(self) -> Felt:
        """What is believed to lie there now; empty before the first report."""
        return self._felt or Felt()

    @property
    def reported(self) -> Felt:
        """What the last report said, of this watcher or of the one before it."""
        return self._felt or self._earlier

    @property
    def next_id(self) -> int:
        """An id from which on none was given yet."""
        return max(self._tiles.next_id, self._sticks.next_id)

    def take_over(self, reported: Felt, next_id: int) -> None:
        """Goes on after another watcher, before the first look: with ids that it never gave.

        What it reported last counts as taken away.
        """
        self._earlier = reported
        self._tiles.next_id = self._sticks.next_id = next_id

    @property
    def calibration(self) -> Calibration:
        """Where the table lies in the frames now: another one after each push."""
        return self._calibration

    @property
    def is_in_place(self) -> bool:
        """Whether the table lies in the last frame where `calibration` says.

        While it does not, nobody knows where hands stand: nothing is read, and no picture may be shown or kept.
        """
        return self._is_in_place

    @property
    def last_judged_frame(self) -> int:
        """The last frame of which all that lay at rest has been judged; -1 before the first report."""
        return self._judged

    def watch(self, frame: Frame) -> FeltReport | None:
        """Looks at the next frame; returns a report if something was committed, and once for the first judged frame.

        A frame of another size than the calibration's is left out and logged.
        """
        if (frame.image.shape[1], frame.image.shape[0]) != self._calibration.size:
            shape = frame.image.shape
            _log.warning(
                "expected a frame of %s, got %s, as frame %d: left out", self._calibration.size, shape, frame.k
            )
            self._is_in_place = False
            return None
        if self._first_ns is None:
            self._first_ns = frame.t_ns
        self._gate.see(frame.image, frame.t_ns)
        if not self._finds_in_place(frame):
            return None
        changed = self._gate.changed()
        report = None
        if self._is_due(changed, frame.t_ns):
            if self._is_pushed(changed):
                self._gate.see(frame.image, frame.t_ns)
                return None
            report = self._judge(frame, changed)
            changed = self._gate.changed()
        self._note_judged(changed, frame.k)
        return report

    def _finds_in_place(self, frame: Frame) -> bool:
        """Whether the table lies in its place in this frame; looks for it now and then while it does not."""
        was_in_place = self._is_in_place
        self._is_in_place = self._sight.follow(self._gate.picture, frame.t_ns)
        if self._is_in_place:
            return True
        if was_in_place:
            _log.info(
                "frame %d shows the table elsewhere, or something before it: no picture until it is found", frame.k
            )
            self._sought_ns = frame.t_ns + _SOON_NS - _AGAIN_NS
        elif frame.t_ns - self._sought_ns >= _AGAIN_NS:
            self._sought_ns = frame.t_ns
            self._is_in_place = self._is_found_again(frame)
        return self._is_in_place

    def _is_found_again(self, frame: Frame) -> bool:
        """Whether the table is found in this frame, where it was or elsewhere; sees it by that place from now on."""
        depth = self._tile.depth_mm
        place = place_again(frame.image, self._calibration, height_mm=depth, sight=self._sight)
        if place is None:
            return False
        if place is self._calibration:
            self._sight.remember(self._gate.picture, frame.t_ns)
            return True
        moved_mm = away_mm(place, self._calibration)
        self._moved_mm += moved_mm
        _log.info("the camera or the table was moved by %.0f mm: found again", moved_mm)
        self._see_by(place)
        self._gate.see(frame.image, frame.t_ns)
        return True

    def _is_pushed(self, changed: Mask) -> bool:
        """Whether the whole table lies elsewhere in the picture than when it was last calm; realigns to it then."""
        if (changed & (self._rest >= LEAST_REST_NS)).mean() < _PUSHED_SHARE:
            return False
        plane = self._anchor.moved(self._gate.picture)
        if plane is None:
            return False
        pushed, moved_mm = self._gate.pushed(plane)
        self._moved_mm += moved_mm
        _log.info("the camera or the table was pushed by %.0f mm: realigned", moved_mm)
        self._see_by(pushed)
        return True

    def _is_due(self, changed: Mask, now_ns: int) -> bool:
        """Whether something new is at rest, or more looks are wanted at what is."""
        pending = self._pending()
        if now_ns - self._looked_ns < _STEP_NS or not (pending or changed.any()):
            return False
        self._rest = self._gate.rest_ns()
        waits = [self._rest_of(sighting) for sighting in pending]
        if any(rest >= LEAST_REST_NS for rest in waits):
            return True
        is_moving = int((changed & (self._rest < LEAST_REST_NS)).sum()) > _MOVING_CELLS
        if is_moving and now_ns - self._looked_ns < _MOVING_STEP_NS:
            return False
        return bool((changed & (self._rest >= LEAST_REST_NS)).any())

    def _pending(self) -> list[Detection]:
        return self._detections(self._tiles.is_pending, self._sticks.is_pending)

    def _detections(
        self,
        is_wanted_tile: Callable[[TrackedThing[TileEvidence]], bool],
        is_wanted_stick: Callable[[TrackedThing[StickEvidence]], bool],
    ) -> list[Detection]:
        tiles = [thing.sighting for thing in self._tiles.things if is_wanted_tile(thing)]
        return tiles + [thing.sighting for thing in self._sticks.things if is_wanted_stick(thing)]

    def _judge(self, frame: Frame, changed: Mask) -> FeltReport | None:
        self._looked_ns = frame.t_ns
        picture = self._view.picture(frame.image)
        self._ground.see(picture)
        window = self._window(changed)
        tile_px = self._tile.width_mm * self._view.px_per_mm
        found = self._locator.locate(picture, tile_px=tile_px, roi=window)
        tiles = self._read_tiles(frame, picture, found, changed)
        sticks = self._read_sticks(frame, found, changed)
        self._look_for_the_rest(tiles, sticks, window)
        grey = np.asarray(cv2.blur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (3, 3)), dtype=np.uint8)
        is_other = self._tiles.update(
            lambda thing: self._rest_of(thing.sighting),
            frame.t_ns,
            rank=self._portrait.rank,
            looks_alike=lambda thing: (
                thing.picture is not None and _correlation(thing.picture, self._patch(grey, thing.place)) > _ALIKE
            ),
            is_bare=lambda thing: self._is_bare(
                thing.sighting, [other.sighting for other in self._tiles.believed if other is not thing]
            ),
        )
        is_other |= self._read_again()
        is_other |= self._sticks.update(lambda thing: self._rest_of(thing.sighting), frame.t_ns)
        for thing in self._tiles.believed:
            if thing.picture is None:
                thing.picture = self._patch(grey, thing.place)
        self._remember([sighting for sighting in (*tiles, *sticks) if self._rest_of(sighting) < LEAST_REST_NS])
        return self._report(frame, is_other)

    def _window(self, changed: Mask) -> Roi:
        """The part of the view in which something is new at rest or wants another look; all of it if that is much."""
        fresh = changed & (self._rest >= LEAST_REST_NS)
        points = [self._middles[fresh], *(sighting.grid(scale=1.0, steps=2) for sighting in self._pending())]
        return window_about(self._view.from_felt(np.concatenate(points)), side_px=self._view.side_px)

    def _read_tiles(self, frame: Frame, picture: Image, found: Located, changed: Mask) -> list[Detection]:
        """Follows the tiles that were found at rest, and reads those that need it."""
        quads = found.tiles.astype(np.float64)
        on_felt = self._view.to_felt(quads).reshape(-1, 4, 2)
        over = _start_over(on_felt)
        quads[over], on_felt[over] = np.roll(quads[over], 2, axis=1), np.roll(on_felt[over], 2, axis=1)
        allowed = may_be_read(on_felt, eye_mm=self._calibration.eye_mm, zones=self._zones)
        allowed &= _are_whole(on_felt, self._tile)
        quads, on_felt, scores = quads[allowed], on_felt[allowed], found.tile_scores[allowed]
        sightings = [detection_of(quad) for quad in on_felt]
        at_rest = [i for i, sighting in enumerate(sightings) if self._rest_of(sighting) >= LEAST_REST_NS]
        things = self._tiles.match([sightings[i] for i in at_rest])
        is_new = [self._has_changed(thing.sighting, changed) for thing in things]
        wanted = [n for n, thing in enumerate(things) if self._tiles.wants_look(thing, is_changed=is_new[n])]
        frame_quads = self._view.to_frame(quads[[at_rest[n] for n in wanted]]).reshape(-1, 4, 2)
        readings = self._reader.read(frame.image, frame_quads)
        places = [things[n].sighting for n in wanted]
        by_colour = told_by_table(picture, self._view, readings, places, self._tiles.believed)
        for n, quad, reading, coloured in zip(wanted, frame_quads, readings, by_colour, strict=True):
            rest_ns = self._rest_of(things[n].sighting)
            is_tile = scores[at_rest[n]] >= FAINT or (reading.score >= SURE and reading.tile != BACK)
            zone = self._zones.rough(things[n].sighting.x_mm, things[n].sighting.y_mm)[1]
            taken = taken_as(reading, coloured, zone) if is_tile else Reading(tile=NOT_A_TILE, score=1.0)
            self._tiles.learn(things[n], taken, is_changed=is_new[n], now_ns=self._looked_ns, rest_ns=rest_ns)
            if taken.tile not in (BACK, NOT_A_TILE):
                things[n].newest.crops.append(crops(frame.image, quad)[0])
        return sightings

    def _read_again(self) -> bool:
        """Reads what is believed from its kept pictures, once the reader knows other tiles; returns whether it did."""
        if self._learnt is None or self._learnt.reader_version == self._known_by:
            return False
        self._known_by = self._learnt.reader_version
        things = [thing for thing in self._tiles.things if thing.evidence.shows_face and thing.evidence.crops]
        cut = [crop for thing in things for crop in thing.evidence.crops]
        readings = iter(self._learnt.reread(np.stack(cut)) if cut else [])
        for thing in things:
            again = thing.evidence.read_again([next(readings) for _ in thing.evidence.crops])
            if (thing.evidence.verdict, again.verdict) != (HAKU, BACK):  # a picture alone does not tell blank tiles
                thing.evidence = again
        return bool(things)

    def _read_sticks(self, frame: Frame, found: Located, changed: Mask) -> list[Detection]:
        """Follows the sticks that were found at rest; returns where sticks are seen, or were and need no look."""
        looks, known = self._stick_looks.located(found), list[Detection]()
        if self._strips is not None:
            looks, known = self._read_strips(frame.image, found, changed, self._strips)
        at_rest = [look for look in looks if self._rest_of(look.sighting) >= LEAST_REST_NS]
        for look, thing in zip(at_rest, self._sticks.match([look.sighting for look in at_rest]), strict=True):
            is_changed = self._has_changed(thing.sighting, changed)
            if self._sticks.wants_look(thing, is_changed=is_changed):
                rest_ns = self._rest_of(thing.sighting)
                seen = (look.value, look.score)
                self._sticks.learn(thing, seen, is_changed=is_changed, now_ns=self._looked_ns, rest_ns=rest_ns)
        return [look.sighting for look in looks] + known

    def _read_strips(
        self, image: Image, found: Located, changed: Mask, strips: ReadsSticks
    ) -> tuple[list[StickLook], list[Detection]]:
        """What strips tell where something changed or a look is wanted; and what lies elsewhere as it did.

        What still moves is told as the locator found it.
        """
        wanted = [
            thing
            for thing in self._sticks.things
            if self._sticks.wants_look(thing, is_changed=self._has_changed(thing.sighting, changed))
        ]
        known = [thing.sighting for thing in self._sticks.things if thing not in wanted]
        looks = self._stick_looks.located(found)
        moving = [look for look in looks if self._rest_of(look.sighting) < LEAST_REST_NS]
        places = [(look.sighting, look.score) for look in looks]
        places += [(place, 0.0) for place in (*self._stick_looks.faint(found), *riichi_places())]
        fresh = [(place, trust) for place, trust in places if self._has_changed(place, changed)]
        known_here = [(thing.sighting, thing.evidence.confidence) for thing in wanted]
        asked = [(place, trust) for place, trust in (*known_here, *fresh) if self._rest_of(place) >= LEAST_REST_NS]
        return [*moving, *self._stick_looks.read(image, asked, strips)], known

    def _look_for_the_rest(self, tiles: Sequence[Detection], sticks: Sequence[Detection], roi: Roi) -> None:
        """Says of what was followed in the window but not found whether its place is bare."""
        for thing in self._tiles.unseen(tiles):
            if self._was_looked_for(thing.sighting, roi):
                self._tiles.miss(thing, is_bare=self._is_bare(thing.sighting, tiles))
        for stick in self._sticks.unseen(sticks):
            if self._was_looked_for(stick.sighting, roi):
                self._sticks.miss(stick, is_bare=self._is_bare(stick.sighting, [*tiles, *sticks]))

    def _was_looked_for(self, sighting: Detection, roi: Roi) -> bool:
        corners = self._view.from_felt(sighting.grid(scale=1.0, steps=2))
        return self._rest_of(sighting) >= LEAST_REST_NS and bool(roi.holds(corners).all())

    def _is_bare(self, sighting: Detection, others: Sequence[Detection]) -> bool:
        points = sighting.grid()
        is_bare = self._ground.is_bare(points)
        for other in others:
            if abs(other.x_mm - sighting.x_mm) + abs(other.y_mm - sighting.y_mm) < 150:
                is_bare |= other.holds(points)
        return float(is_bare.mean()) >= _BARE_SHARE

    def _patch(self, grey: npt.NDArray[np.uint8], place: Detection) -> Picture:
        """How a place looks in the top view: grey levels at a fixed raster over it."""
        pixels = np.rint(self._view.from_felt(place.grid(scale=0.9, steps=14))).astype(np.intp)
        columns, rows = np.clip(pixels, 0, self._view.side_px - 1).T
        return np.asarray(grey[rows, columns], dtype=np.float32)

    def _has_changed(self, sighting: Detection, changed: Mask) -> bool:
        rows, columns = self._gate.cells_of(sighting.grid()).T
        return bool(changed[rows, columns].any())

    def _rest_of(self, sighting: Detection) -> int:
        rows, columns = self._gate.cells_of(sighting.grid()).T
        return int(self._rest[rows, columns].min())

    def _remember(self, moving: Sequence[Detection]) -> None:
        """Takes the table as it is for judged, but for what is `moving` or needs more looks; learns its bare places."""
        still = self._rest >= SURELY_STILL_NS
        for sighting in (*moving, *self._detections(self._tiles.is_open, self._sticks.is_open)):
            rows, columns = self._gate.cells_of(sighting.grid(scale=1.0)).T
            still[rows, columns] = False
        self._gate.judge(still)
        if still.mean() > _CALM_SHARE and self._looked_ns - self._anchored_ns > _ANCHOR_NS:
            self._anchor.remember(self._gate.picture)
            self._anchored_ns = self._looked_ns
        outlines = [thing.sighting.grid(scale=1.15)[[0, 4, 24, 20]] for thing in self._tiles.things]
        outlines += [thing.sighting.grid(scale=1.15)[[0, 4, 24, 20]] for thing in self._sticks.things]
        free = self._ground.all_but(outlines) & self._ground.spread(still, self._gate.side_mm)
        self._ground.learn(free)

    def _report(self, frame: Frame, is_other: bool) -> FeltReport | None:
        if self._felt is None and not self._has_started(frame.t_ns):
            return None
        if self._felt is not None and not is_other and not self._moved_mm:
            return None
        self.examples.keep(self._tiles.believed)
        after = self._portrait.felt(self._tiles.believed, self._sticks.believed, moving=self._rest < LEAST_REST_NS)
        changes = changes_between(self.reported, after)
        if self._felt is not None and not changes and not self._moved_mm:
            return None
        if self._learnt is not None and _is_cleared(self.felt, after):
            self._learnt.reset()
        self._felt = after
        moved_mm, self._moved_mm = self._moved_mm, 0.0
        return FeltReport(frame=frame.k, t_ns=frame.t_ns, changes=changes, felt=after, moved_mm=moved_mm)

    def _has_started(self, now_ns: int) -> bool:
        """Whether the table has been seen whole for the first time."""
        if self._first_ns is None or now_ns - self._first_ns < SURELY_STILL_NS:
            return False
        is_calm = float((self._rest >= SURELY_STILL_NS).mean()) >= _START_SHARE
        return is_calm and (not self._pending() or now_ns - self._first_ns >= _START_PATIENCE_NS)

    def _note_judged(self, changed: Mask, k: int) -> None:
        """Follows since which frame the earliest change waits to be judged."""
        self._unjudged[~changed] = -1
        self._unjudged[changed & (self._unjudged < 0)] = k
        if self._felt is not None:
            waits = self._unjudged[changed]
            self._judged = max(self._judged, int(waits.min()) - 1 if len(waits) else k)


def _is_cleared(before: Felt, after: Felt) -> bool:
    """Whether what was played lies there no more."""
    played = (Zone.RIVER, Zone.MELD, Zone.HAND)
    return any(tile.zone in played for tile in before.tiles) and not any(tile.zone in played for tile in after.tiles)


def _start_over(quads_mm: Floats) -> Mask:
    """Says which quads [N, 4, 2] begin at the other short side, so that every look begins at the same."""
    leans = np.array([lean_of(quad) for quad in quads_mm])
    return np.asarray((leans <= -45) | (leans > 135), dtype=np.bool_)


def _are_whole(quads_mm: Floats, tile: TileSize) -> Mask:
    """Says which quads [N, 4, 2] are long enough for a tile: half a face of four circles looks like one of two."""
    long = np.linalg.norm(quads_mm[:, 3] + quads_mm[:, 2] - quads_mm[:, 0] - quads_mm[:, 1], axis=1) / 2
    return np.asarray(long > _WHOLE * tile.height_mm, dtype=np.bool_)


def _correlation(one: Picture, other: Picture) -> float:
    """How alike two pictures of a place are, whatever the light: 1 for the same."""
    first, second = one - one.mean(), other - other.mean()
    size = float(np.linalg.norm(first) * np.linalg.norm(second))
    return float(first @ second) / size if size else 1.0
