"""Provides the watcher of each frame: finds the table, remembers its place, and accepts corners from the owner.

Without a known table the camera still delivers pictures, so that the owner can mark the corners on the phone. A table
found in the picture is only proposed, since any uniform area may look like one, until a person confirms it. When the
table is found again, or its tiles are learnt, another watcher takes over with the next frame.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Final, NoReturn, Protocol

import numpy as np

from table.camera.table_place.table_calibration import far_off_mm
from table.game.input_feed import FrameWatcher
from vision.arrays import Image
from vision.errors import CalibrationError
from vision.felt import Felt
from vision.frames import Frame
from vision.geometry.calibration import Calibration, find_table
from vision.geometry.calibration_file import StoredCalibration
from vision.geometry.markers import PLACES
from vision.geometry.place_checks import UNSEEN, check_within

PICTURES: Final = 10
"""Number of pictures searched together for the table."""
FRAMES_BETWEEN_SEARCHES: Final = 20
"""Frames between failed attempts."""
AS_PROPOSED_PX: Final = 1.5
"""Tolerance for confirmed corners, which come back from the phone rounded."""
_log = logging.getLogger(__name__)


class TableWatcher(FrameWatcher, Protocol):
    """A watcher that can continue from another one: `vision.watching.watcher.Watcher`."""

    @property
    def reported(self) -> Felt:
        """The state of the last report, by this watcher or the previous one."""

    @property
    def next_id(self) -> int:
        """The next unused id."""

    def take_over(self, reported: Felt, next_id: int) -> None:
        """Treats everything `reported` as taken away, and assigns ids from `next_id` on."""


class TableFinder:
    """Finds one table. `watcher_for` belongs to the camera's thread; everything else is thread-safe."""

    def __init__(
        self,
        make_watcher: Callable[[Calibration], TableWatcher],
        store: Callable[[StoredCalibration], None],
        *,
        place: StoredCalibration | None,
        side_mm: float,
        utc: Callable[[], str],
        asked_size: Callable[[], tuple[int, int] | None] = lambda: None,
    ) -> None:
        """Takes the factory of watchers, and the known place of the table.

        Args:
            make_watcher: makes the watcher for a calibration.
            store: stores a calibration; raises `CalibrationError` if that fails.
            place: the stored calibration; it is only proposed if nobody confirmed it yet.
            side_mm: the side of the play surface.
            utc: returns the time of day.
            asked_size: returns the width and height requested from the camera; None if any is accepted.
        """
        self._make_watcher, self._store, self._side_mm, self._utc = make_watcher, store, side_mm, utc
        self._asked_size = asked_size
        self._lock = threading.Lock()
        self._place_lock = threading.Lock()
        """Held while one place takes over from another, since making a watcher may take seconds."""
        is_agreed = place is None or place.agreed
        self._place = place if is_agreed else None
        self._proposed_place = None if is_agreed else place
        self._away_mm: float | None = None
        self._cut_off_place: StoredCalibration | None = None
        """The stored place, if a part of it was not in the last picture."""
        self._unmarked_corners: tuple[int, ...] = ()
        self._place_of_other_size: StoredCalibration | None = None
        """The confirmed place, while the camera delivers pictures of another size than it was confirmed for."""
        self._watcher: TableWatcher | None = None
        self._next_watcher: TableWatcher | None = None
        """The watcher for the next frame."""
        self._last_watcher: TableWatcher | None = None
        """The last watcher, kept while the table is searched for again."""
        self._frame: Frame | None = None
        self._frame_began = 0.0
        self._images: deque[Image] = deque(maxlen=PICTURES)
        self._frames_to_wait = 0
        self._not_found = CalibrationError("expected the table in the picture, got too few pictures yet")

    @property
    def frame(self) -> Frame | None:
        """The last unmodified frame; None before the first."""
        return self._frame

    @property
    def frame_began(self) -> float:
        """When processing of the last frame started, in monotonic seconds."""
        return self._frame_began

    @property
    def place(self) -> StoredCalibration | None:
        """The table's place, as far as known."""
        return self._place

    @property
    def away_mm(self) -> float | None:
        """How far the table was from its stored place when watching began; None if it was there or was not found.

        None once a person confirms a place.
        """
        return self._away_mm

    @property
    def proposed_place(self) -> StoredCalibration | None:
        """The proposed place of the table, until a person confirms or corrects it."""
        return self._proposed_place

    @property
    def unmarked_corners(self) -> tuple[int, ...]:
        """The corners, clockwise from the far left, where the last search found no marker although it found others."""
        return self._unmarked_corners

    @property
    def is_found(self) -> bool:
        """Whether the table is found and being watched."""
        return self._watcher is not None

    def watcher_for(self, frame: Frame) -> TableWatcher:
        """Returns the watcher for the next frame; first looks for the table if its place is unknown.

        Raises:
            CalibrationError: the table is not found yet; the message says why.
        """
        with self._lock:
            self._frame_began, self._frame = monotonic(), frame
            if self._next_watcher is not None:
                self._watcher, self._next_watcher = self._continue_with(self._next_watcher), None
            size, before = frame.image.shape[1::-1], self._place_of_other_size
            if before is not None and before.size == size:
                self._place, self._place_of_other_size, self._proposed_place, self._watcher = before, None, None, None
            if self._place is not None and self._place.size != size:
                self._watcher = None  # the camera is back with pictures of another size
            if self._watcher is None:
                try:
                    self._watcher = self._continue_with(self._new_watcher(frame))
                except CalibrationError as error:
                    self._check_size(size, error)
                    raise
            return self._watcher

    def _check_size(self, size: tuple[int, int], error: CalibrationError) -> None:
        """Checks whether the table is not found because pictures have another size than expected.

        Raises:
            CalibrationError: they do; the message has both sizes.
        """
        before = self._place_of_other_size
        expected = self._asked_size() if before is None else before.size
        if expected in (None, size) or error.says in UNSEEN:
            return
        values = {"got": _size_text(size), "asked": _size_text(expected)}
        raise CalibrationError(
            f"expected pictures of {values['asked']} pixels, got {values['got']}: restart the computer, or find the "
            f"table again in the set-up; {error}",
            says="size",
            values=values,
        ) from error

    def set_place(self, corners: tuple[tuple[float, float], ...], by: str) -> StoredCalibration:
        """Sets the corners of the play surface in the picture: far left, far right, near right, near left.

        Raises:
            CalibrationError: they cannot be a table's corners, they are at the picture's edge, there is no frame yet,
                or the place is used but cannot be stored.
        """
        proposed = self._proposed_place
        if proposed is not None and _are_same(proposed.corners_px, corners):
            by = proposed.by
        place = self._place_at(corners, by)
        check_within(np.array(place.corners_px), place.size)
        return self._use_and_store(place)

    def find(self) -> StoredCalibration:
        """Finds the table in the last frame, by markers or felt, and proposes it, without using or storing it.

        A place that a person confirmed meanwhile stays, and nothing is proposed.

        Raises:
            CalibrationError: it is not found, or there is no frame yet.
        """
        before, frame = self._place, self._frame
        found, unmarked_corners = self._find_in([] if frame is None else [frame.image])
        with self._lock:
            if self._place is before:
                self._proposed_place, self._unmarked_corners = found, unmarked_corners
        return found

    def replace_watcher(self) -> None:
        """Replaces the watcher after its tiles were learnt."""
        with self._place_lock:
            if self._place is not None:
                self._switch_to(self._place)

    def _use_and_store(self, place: StoredCalibration) -> StoredCalibration:
        with self._place_lock:
            self._switch_to(place)
            self._store(place)
        return place

    def _switch_to(self, place: StoredCalibration) -> None:
        """Makes another watcher, which takes seconds if tiles are learnt, and only then uses it."""
        watcher = self._make_watcher(place.calibration)
        with self._lock:
            self._place, self._next_watcher, self._proposed_place, self._place_of_other_size = (
                place,
                watcher,
                None,
                None,
            )
            self._away_mm = None

    def _new_watcher(self, frame: Frame) -> TableWatcher:
        """Returns a watcher of the table where it is known to be; else searches for it in this and earlier frames.

        Raises:
            CalibrationError: it is not found yet, or a part of it is outside the picture.
        """
        size = frame.image.shape[1::-1]
        if self._place is not None and self._place.size != size:
            _log.warning(
                "expected pictures of %s as when calibrated, got %s: searching for the table", self._place.size, size
            )
            self._place, self._place_of_other_size = None, self._place
        if (place := self._place) is not None:
            if place is not self._cut_off_place:
                self._measure_distance(place, frame.image)
            self._cut_off_place = place
            check_within(np.array(place.corners_px), size, border=0.0)
            self._cut_off_place = None
        if self._place is None:
            if self._images and self._images[-1].shape != frame.image.shape:
                self._images.clear()
            self._images.append(frame.image)
            self._frames_to_wait -= 1
            if len(self._images) < PICTURES or self._frames_to_wait > 0:
                raise self._not_found
            self._frames_to_wait = FRAMES_BETWEEN_SEARCHES
            self._propose_place()
        return self._make_watcher(self._place.calibration)

    def _measure_distance(self, place: StoredCalibration, image: Image) -> None:
        """Measures how far the table is from its stored place, and logs it if that is far."""
        self._away_mm = far_off_mm(place, image)
        if self._away_mm is not None:
            _log.warning(
                "expected the table where it was found (%s, by %s), got one %.0f mm away: check on the camera's "
                "page that tiles are drawn where they lie, else find the table again",
                place.when[:10],
                place.by,
                self._away_mm,
            )

    def _propose_place(self) -> NoReturn:
        """Looks for the table, and proposes its place.

        Raises:
            CalibrationError: always: either a person has to confirm the place, or it was not found.
        """
        try:
            self._proposed_place, self._unmarked_corners = self._find_in(list(self._images))
            raise CalibrationError(
                "expected a confirmation of where the table was found, got none yet: check the place in the set-up, "
                "and keep it",
                says="agree",
            )
        except CalibrationError as error:
            self._not_found = error
            raise

    def _continue_with(self, watcher: TableWatcher) -> TableWatcher:
        """Returns another watcher, which continues from the last one."""
        if self._last_watcher is not None:
            watcher.take_over(self._last_watcher.reported, self._last_watcher.next_id)
        self._last_watcher = watcher
        self._images.clear()
        return watcher

    def _find_in(self, images: list[Image]) -> tuple[StoredCalibration, tuple[int, ...]]:
        """Returns where the table is in the pictures, and its corners without a marker."""
        if not images:
            raise CalibrationError("expected pictures of the table, got none")
        found = find_table(images)
        unmarked_corners = tuple(PLACES.index(place) for place in found.missing)
        return self._place_at(tuple((float(x), float(y)) for x, y in found.corners), "picture"), unmarked_corners

    def _place_at(self, corners: tuple[tuple[float, float], ...], by: str) -> StoredCalibration:
        if self._frame is None:
            raise CalibrationError("expected pictures of the table, got none")
        height, width = self._frame.image.shape[:2]
        place = StoredCalibration(
            corners_px=corners, size=(width, height), side_mm=self._side_mm, when=self._utc(), by=by
        )
        place.calibration.to_pixels([[0.0, 0.0]], height_mm=0.0)
        return place


def _size_text(size: tuple[int, int] | None) -> str:
    return "" if size is None else f"{size[0]} × {size[1]}"


def _are_same(first: Sequence[tuple[float, float]], second: Sequence[tuple[float, float]]) -> bool:
    return bool(np.abs(np.array(first) - np.array(second)).max() <= AS_PROPOSED_PX)
