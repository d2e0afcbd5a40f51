"""Judges how well the camera sees the table, before a hand: what is laid during a hand would distort the result."""

from __future__ import annotations

import threading
from collections.abc import Callable

from table.camera.table_place.table_finder import TableFinder
from vision.errors import CalibrationError
from vision.frames import Frame
from vision.geometry.calibration_file import StoredCalibration
from vision.geometry.plane_geometry import Lens
from vision.geometry.visibility.visibility import Visibility, visibility


class SightCheck:
    """Keeps the last judgement, since several pages request it. Thread-safe.

    One picture is judged at a time, since that takes tens of megabytes; all who wait share the next judgement.
    """

    def __init__(
        self,
        table_finder: TableFinder,
        *,
        lens: Callable[[tuple[int, int]], Lens | None],
        is_between_hands: Callable[[], bool],
        is_in_place: Callable[[], bool],
    ) -> None:
        """Takes the sources of frames and of the table's place.

        Args:
            table_finder: provides the last frame and the table's place in it.
            lens: returns the camera's lens for pictures of a size, if known.
            is_between_hands: returns whether no hand is being played.
            is_in_place: returns whether the last frame shows the table in its known place.
        """
        self._table_finder, self._lens = table_finder, lens
        self._is_between_hands, self._is_in_place = is_between_hands, is_in_place
        self._lock = threading.Lock()
        """Held while a picture is judged."""
        self._begun = 0
        """How many times that has begun."""
        self._answer: Visibility | None = None
        self._last: tuple[int, StoredCalibration, Visibility] | None = None
        """The judged frame's number, and its judgement."""

    def visibility(self) -> Visibility | None:
        """Returns how well the table is seen in its known or proposed place; during a hand, the result from before it.

        A frame too dark to show the table in its place is judged whenever it comes. None until a picture shows the
        table, or if its stored corners cannot be a table's.
        """
        begun = self._begun
        with self._lock:
            if self._begun == begun:
                self._begun, self._answer = begun + 1, None
                self._answer = self._visibility_now()
            return self._answer

    def _visibility_now(self) -> Visibility | None:
        finder, last = self._table_finder, self._last
        frame, place = finder.frame, finder.proposed_place or finder.place
        if frame is None or place is None or frame.image.shape[1::-1] != place.size:
            return None
        if last is not None and last[1] is place:
            is_due = frame.k != last[0] and self._is_between_hands()
            is_in_place = place is finder.proposed_place or self._is_in_place()
            if not (is_due and is_in_place):
                now = None if is_in_place else self._visibility_in(frame, place)
                return last[2] if now is None or not now.is_dark else now
        if (result := self._visibility_in(frame, place)) is not None:
            self._last = frame.k, place, result
        return result

    def _visibility_in(self, frame: Frame, place: StoredCalibration) -> Visibility | None:
        try:
            return visibility(frame.image, place.calibration.with_lens(self._lens(place.size)))
        except CalibrationError:  # corners of no table; the camera's status names the fault
            return None
