"""Watches a table: takes frames, and returns reports of what changed on the felt.

A frame in which nothing new comes to rest costs one small top view. When something does, tiles and sticks are located
in a larger top view about it, and only what is new, changed or doubtful is read: from the frame itself, which is
sharper than the top view. Standing hands are left out before anything is read (`vision.privacy.hand_privacy`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from math import hypot
from typing import Final

import numpy as np

from vision.arrays import Mask
from vision.felt import Felt, FeltReport, Reading
from vision.frames import Frame
from vision.geometry.calibration import Calibration
from vision.geometry.plane_geometry import TileSize
from vision.geometry.roi import Roi, window_about
from vision.reading.reader import FaceReader
from vision.reading.sticks.strips import ReadsSticks
from vision.watching.bare_table import BareTable
from vision.watching.belief.beliefs import LEAST_REST_NS, Beliefs
from vision.watching.belief.evidence import StickEvidence, TileEvidence
from vision.watching.belief.examples import Examples, read_again
from vision.watching.belief.tracked_thing import SURELY_STILL_NS, E, TrackedThing
from vision.watching.belief.vote import CLOSEST_WIDTHS, Vote
from vision.watching.changes import changes_between, is_cleared
from vision.watching.detection import Detection
from vision.watching.dim_table import DimTable
from vision.watching.felt_builder import FeltBuilder
from vision.watching.looks.tile_looks import likeness
from vision.watching.looks.top_look import TopLook
from vision.watching.looks.visible_sides import is_felt_before, is_seen_bare
from vision.watching.model_ports import LearningReader, LocatesTiles
from vision.watching.motion.hidden_table import HiddenTable
from vision.watching.motion.places_at_rest import PlacesAtRest, WaitingChanges
from vision.watching.place.table_place import TablePlace
from vision.watching.tracking.stick_looks import REACH_MM, STRIP_REACH_MM, StickLooks, StickTracker
from vision.watching.tracking.tile_tracker import TileTracker
from vision.watching.tracking.top_tiles import TopTiles, pons_of
from vision.zones.table_zones import Zones

_STEP_NS: Final = 80_000_000
"""The least time between two looks at a calm table, whatever the frame rate."""
_MOVING_STEP_NS: Final = 180_000_000
"""The least time between two looks while something moves over the table: most such looks find nothing new."""
_MOVING_CELLS: Final = 40
"""Something moves over the table if more changed cells than this are not at rest."""
_AROUND: Final = 1.15
"""The bare table is not learnt within a thing's outline enlarged by this factor."""
_START_SHARE: Final = 0.6
"""The first report waits until this share of the table is at rest."""
_START_PATIENCE_NS: Final = 1_000_000_000
"""How long the first report waits for tiles that need more looks; some of a wall's backs stay doubtful."""

_log = logging.getLogger(__name__)


class Watcher:
    """Looks at a table's frames and reports what changes on the felt."""

    def __init__(
        self,
        *,
        locator: LocatesTiles,
        reader: FaceReader,
        calibration: Calibration,
        tile: TileSize | None = None,
        reds: Mapping[str, int] | None = None,
        strips: ReadsSticks | None = None,
    ) -> None:
        """Takes the models, and what is known about the table.

        Args:
            locator: finds tiles and sticks.
            reader: reads faces.
            calibration: where the table lies.
            tile: the size of its tiles; None for the usual size.
            reds: the number of red fives of each suit in the set; None if unknown.
            strips: reads sticks; None to use the locator's values.
        """
        self._locator = locator
        self._reader = reader
        self._strips = strips
        self._learning_reader = reader if isinstance(reader, LearningReader) else None
        self._reader_version = None if self._learning_reader is None else self._learning_reader.reader_version
        self._tile = tile or TileSize()
        self._table_place = TablePlace(calibration, height_mm=self._tile.depth_mm)
        self._tiles: Beliefs[TileEvidence, Reading] = Beliefs(
            new_evidence=TileEvidence, reach_mm=0.45 * self._tile.width_mm
        )
        self._sticks: Beliefs[StickEvidence, tuple[int, float]] = Beliefs(
            new_evidence=StickEvidence, reach_mm=REACH_MM if strips is None else STRIP_REACH_MM
        )
        self._zones = Zones(side_mm=calibration.side_mm, size=self._tile)
        self._top_tiles = TopTiles(self._tile)
        self._see_from_place()
        self._felt_builder = FeltBuilder(self._zones, Vote(self._tile, reds), self._cell_middles)
        self.examples = Examples()
        """Pictures of the tiles believed recently."""
        self._felt: Felt | None = None
        self._former_felt = Felt()
        """The felt in the last report of the watcher before this one."""
        self._first_ns: int | None = None
        self._last_look_ns = -_STEP_NS
        self._dim_table = DimTable()
        self._hidden_table = HiddenTable()
        self._is_held = False
        """Whether a belief changed that is not reported yet, because much of the table was just hidden."""
        self._waiting_changes = WaitingChanges(self._gate.cells)
        self._last_judged_frame = -1

    def _see_from_place(self) -> None:
        """Prepares to look at the table where it lies now; what is believed to lie on it stays."""
        self._view, self._gate = self._table_place.view, self._table_place.gate
        self._cell_middles = self._gate.middles_mm()
        self._bare_table = BareTable(self._table_place.coarse_view)
        self._places = PlacesAtRest(self._gate)
        self._tile_tracker = TileTracker(
            self._tiles, self._top_tiles, reader=self._reader, zones=self._zones, view=self._view, places=self._places
        )
        looks = StickLooks(self._table_place.calibration, self._view)
        self._stick_tracker = StickTracker(self._sticks, looks, self._places, self._strips)

    @property
    def felt(self) -> Felt:
        """What is believed to lie there now; empty before the first report."""
        return self._felt or Felt()

    @property
    def reported(self) -> Felt:
        """The felt of the last report, by this watcher or the one before it; later pushes are in it."""
        return self._felt or self._former_felt

    @property
    def next_id(self) -> int:
        """An id that, like all above it, is still unused."""
        return max(self._tiles.next_id, self._sticks.next_id)

    def take_over(self, reported: Felt, next_id: int) -> None:
        """Continues after another watcher, before the first look, with ids that it never used.

        Everything in its last report counts as taken away.
        """
        self._former_felt = reported
        self._tiles.next_id = self._sticks.next_id = next_id

    @property
    def calibration(self) -> Calibration:
        """Where the table lies in the frames now; replaced after each push."""
        return self._table_place.calibration

    @property
    def is_in_place(self) -> bool:
        """Whether the table lies where `calibration` says in the last frame.

        If not, the place of hands is unknown: nothing is read, and no picture may be shown or kept.
        """
        return self._table_place.is_in_place

    @property
    def is_blurred(self) -> bool:
        """Whether the last frame shows the table in its place, but out of focus: nothing is read in it."""
        return self._table_place.is_blurred

    @property
    def last_judged_frame(self) -> int:
        """The last frame in which everything at rest was judged and reported; -1 before the first report."""
        return self._last_judged_frame

    def watch(self, frame: Frame) -> FeltReport | None:
        """Looks at the next frame; returns a report if a belief changed or the table moved, and one as watching begins.

        A frame of another size than the calibration's is logged and skipped.
        """
        if (frame.image.shape[1], frame.image.shape[0]) != self.calibration.size:
            shape = frame.image.shape
            _log.warning("expected a frame of %s, got %s, as frame %d: skipped", self.calibration.size, shape, frame.k)
            self._table_place.miss()
            return None
        is_in_place = self._table_place.see(frame)
        if self._table_place.gate is not self._gate:
            self._see_from_place()
        is_readable = is_in_place and not self.is_blurred
        changed = self._hidden_table.see(self._gate, is_readable=is_readable, now_ns=frame.t_ns)
        if not is_readable:
            return None
        if self._first_ns is None:
            self._first_ns = frame.t_ns
        report = None
        if self._is_due(changed, frame.t_ns):
            if self._table_place.follow_push(frame, changed & (self._places.rest_ns >= LEAST_REST_NS)):
                self._see_from_place()
                return None
            report = self._judge(frame, changed)
            changed = self._gate.changed_cells()
        judged = self._waiting_changes.note(changed, frame.k)
        if self._felt is not None and not self._is_held:
            self._last_judged_frame = max(self._last_judged_frame, judged)
        return report

    def _is_due(self, changed: Mask, now_ns: int) -> bool:
        """Returns whether something new is at rest, or something at rest needs more looks."""
        pending_places = self._pending_places()
        if now_ns - self._last_look_ns < _STEP_NS or not (pending_places or changed.any()):
            return False
        self._places.measure()
        rests = [self._rest_of(detection) for detection in pending_places]
        if any(rest >= LEAST_REST_NS for rest in rests):
            return True
        is_moving = int((changed & (self._places.rest_ns < LEAST_REST_NS)).sum()) > _MOVING_CELLS
        if is_moving and now_ns - self._last_look_ns < _MOVING_STEP_NS:
            return False
        return bool((changed & (self._places.rest_ns >= LEAST_REST_NS)).any())

    def _pending_places(self) -> list[Detection]:
        return self._detections(self._tiles.is_pending, self._sticks.is_pending) + self._top_tiles.open_places

    def _open_places(self) -> list[Detection]:
        return self._detections(self._tiles.is_open, self._sticks.is_open)

    def _detections(
        self,
        is_wanted_tile: Callable[[TrackedThing[TileEvidence]], bool],
        is_wanted_stick: Callable[[TrackedThing[StickEvidence]], bool],
    ) -> list[Detection]:
        tiles = [thing.detection for thing in self._tiles.things if is_wanted_tile(thing)]
        return tiles + [thing.detection for thing in self._sticks.things if is_wanted_stick(thing)]

    def _judge(self, frame: Frame, changed: Mask) -> FeltReport | None:
        """Takes one look at what is new or pending, and returns a report if it changes what is believed."""
        self._last_look_ns = frame.t_ns
        frame = self._dim_table.brightened(frame, self._gate)
        self._bare_table.see(self._table_place.coarse_view.picture(frame.image), frame.t_ns)
        look = TopLook(self._view, frame.image, self._bare_table)
        window = self._window(changed)
        picture = look.window(window)
        found = self._locator.locate(picture, tile_px=self._tile.width_mm * self._view.px_per_mm, roi=window)
        pons = pons_of(self._felt, self._tiles.believed)
        tiles = self._tile_tracker.track(frame, look, found, changed, pons)
        sticks = self._stick_tracker.track(frame, picture, found, changed)
        self._note_misses(tiles, sticks, window, changed)
        has_changed = self._update_beliefs(look, frame.t_ns)
        moving = [detection for detection in (*tiles, *sticks) if self._rest_of(detection) < LEAST_REST_NS]
        self._remember([*moving, *self._top_tiles.open_places])
        report = self._report(frame, has_changed=has_changed)
        if report is not None:
            self._top_tiles.measure_sides(pons_of(report.felt, self._tiles.believed), look)
        return report

    def _update_beliefs(self, look: TopLook, now_ns: int) -> bool:
        """Believes what is ready, and keeps a picture of each new tile; returns whether any belief changed."""
        has_changed = self._tiles.update(
            lambda thing: self._rest_of(thing.detection),
            now_ns,
            rank=self._felt_builder.rank,
            likeness=lambda thing: 0.0 if thing.picture is None else likeness(thing.picture, look.patch(thing.place)),
            is_bare=lambda thing: self._is_without_tile(
                thing.place, [other.detection for other in self._tiles.believed if other is not thing]
            ),
        )
        has_changed |= self._read_again()
        has_changed |= self._top_tiles.update(self._tiles)
        has_changed |= self._sticks.update(lambda thing: self._rest_of(thing.detection), now_ns)
        for thing in self._tiles.believed:
            if thing.picture is None:
                thing.picture = look.patch(thing.place)
        return has_changed

    def _window(self, changed: Mask) -> Roi:
        """Returns the part of the view with new things at rest or places to look at again; all if that is much."""
        is_new = changed & (self._places.rest_ns >= LEAST_REST_NS)
        points = [
            self._cell_middles[is_new],
            *(detection.grid(scale=1.0, steps=2) for detection in self._pending_places()),
        ]
        return window_about(self._view.from_felt(np.concatenate(points)), side_px=self._view.side_px)

    def _read_again(self) -> bool:
        """Reads tracked tiles again from their kept pictures if the reader has changed; returns whether any were."""
        if self._learning_reader is None or self._learning_reader.reader_version == self._reader_version:
            return False
        self._reader_version = self._learning_reader.reader_version
        return read_again(self._tiles.things, self._learning_reader)

    def _note_misses(self, tiles: Sequence[Detection], sticks: Sequence[Detection], roi: Roi, changed: Mask) -> None:
        """Notes each tracked thing in the window that was not found, and whether its place is bare or taken."""
        for thing in self._at_rest_in_window(self._tiles.unseen(tiles), roi):
            is_changed = self._has_changed(thing.detection, changed)
            is_gone = self._is_without_tile(thing.detection, tiles) or self._is_occupied(thing.detection, tiles)
            self._tiles.miss(thing, is_bare=is_gone, is_changed=is_changed)
        for stick in self._at_rest_in_window(self._sticks.unseen(sticks), roi):
            self._sticks.miss(stick, is_bare=self._is_bare(stick.detection, [*tiles, *sticks]))

    def _at_rest_in_window(self, things: Sequence[TrackedThing[E]], roi: Roi) -> list[TrackedThing[E]]:
        """Returns the things that lie in the window and are at rest."""
        corners = [thing.detection.grid(scale=1.0, steps=2) for thing in things]
        are_inside = roi.holds(self._view.from_felt(corners).reshape(-1, 4, 2))
        inside = [thing for thing, is_inside in zip(things, are_inside, strict=True) if is_inside.all()]
        return [thing for thing in inside if self._rest_of(thing.detection) >= LEAST_REST_NS]

    def _is_bare(self, detection: Detection, others: Sequence[Detection]) -> bool:
        return is_seen_bare(detection, others, self._bare_table, self.calibration.camera_mm, self._tile)

    def _is_without_tile(self, detection: Detection, others: Sequence[Detection]) -> bool:
        """Returns whether the bare table is seen where a tile lay, or felt where its side would be."""
        camera_mm = self.calibration.camera_mm
        return self._is_bare(detection, others) or is_felt_before(
            detection, others, self._bare_table, camera_mm, self._tile
        )

    def _is_occupied(self, detection: Detection, tiles: Sequence[Detection]) -> bool:
        """Returns whether another tile rests where this one would have to lie."""
        return any(
            hypot(tile.x_mm - detection.x_mm, tile.y_mm - detection.y_mm) < CLOSEST_WIDTHS * self._tile.width_mm
            for tile in tiles
            if self._rest_of(tile) >= LEAST_REST_NS
        )

    def _has_changed(self, detection: Detection, changed: Mask) -> bool:
        return self._places.is_on(changed, detection)

    def _rest_of(self, detection: Detection) -> int:
        return self._places.rest_of(detection)

    def _remember(self, moving: Sequence[Detection]) -> None:
        """Marks the table as judged, except for what is `moving` or needs more looks; learns its bare places."""
        still = self._places.rest_ns >= SURELY_STILL_NS
        for detection in (*moving, *self._open_places()):
            rows, columns = self._gate.cells_of(detection.grid(scale=1.0)).T
            still[rows, columns] = False
        self._gate.judge(still)
        self._table_place.remember(still, self._last_look_ns)
        outlines = [thing.detection.corners(scale=_AROUND) for thing in self._tiles.things]
        outlines += [thing.detection.corners(scale=_AROUND) for thing in self._sticks.things]
        free = self._bare_table.spots_outside(outlines) & self._bare_table.cells_to_spots(still, self._gate.side_mm)
        self._bare_table.learn(free)

    def _report(self, frame: Frame, *, has_changed: bool) -> FeltReport | None:
        """Returns a report if there is one to make now; `has_changed` says whether this look changed a belief."""
        if self._felt is None and not self._has_started(frame.t_ns):
            return None
        self._is_held |= has_changed or bool(self.felt.covered)  # an arm that leaves changes no belief
        waits = self._hidden_table.was_just_hidden(frame.t_ns) and self._open_places()
        if self._felt is not None and (waits or not (self._is_held or self._table_place.moved_mm)):
            return None
        self._is_held = False
        self.examples.keep(self._tiles.believed)
        tiles = [*self._tiles.believed, *self._top_tiles.believed]
        moving, camera_mm = self._places.rest_ns < LEAST_REST_NS, self.calibration.camera_mm
        after = self._felt_builder.felt(tiles, self._sticks.believed, moving=moving, camera_mm=camera_mm)
        changes, is_first = changes_between(self.reported, after), self._felt is None
        if self._learning_reader is not None and is_cleared(self.felt, after):
            self._learning_reader.reset()
        self._felt = after  # a mere push is no change, but pictures are painted over by where tiles lie
        if not (is_first or changes or self._table_place.moved_mm):
            return None
        moved_mm, self._table_place.moved_mm = self._table_place.moved_mm, 0.0
        return FeltReport(frame=frame.k, t_ns=frame.t_ns, changes=changes, felt=after, moved_mm=moved_mm)

    def _has_started(self, now_ns: int) -> bool:
        """Returns whether most of the table has been at rest long enough for the first report.

        Places that need more looks are waited for, but not for ever.
        """
        if self._first_ns is None or now_ns - self._first_ns < SURELY_STILL_NS:
            return False
        is_calm = float((self._places.rest_ns >= SURELY_STILL_NS).mean()) >= _START_SHARE
        return is_calm and (not self._pending_places() or now_ns - self._first_ns >= _START_PATIENCE_NS)
