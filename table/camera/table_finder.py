"""Gives each frame the watcher of its table: finds where it lies, remembers that, and takes its owner's word for it.

A camera whose table is not found goes on giving pictures, so that the owner can point the corners out on the phone.
What is found in the picture is only proposed: any even patch may look like a table, so a person looks at it first.
When the table is found anew, or its tiles are learnt, another watcher takes over with the next frame.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Final, NoReturn, Protocol

import numpy as np

from table.game.input_feed import Watcher
from vision.arrays import Image
from vision.errors import CalibrationError
from vision.felt import Felt
from vision.frames import Frame
from vision.geometry.calibration import Calibration, find_corners
from vision.geometry.calibration_file import StoredCalibration
from vision.geometry.place_checks import check_within

PICTURES: Final = 10
"""Pictures that the table is looked for in at once."""
ELSEWHERE_MM: Final = 40.0
"""A table that seems to lie so far from where it was kept is worth a word: the camera or the table was moved."""
FIND_EVERY: Final = 20
"""Frames from one vain attempt to the next."""
AS_PROPOSED_PX: Final = 1.5
"""Corners that a person agreed to come back from the phone rounded."""
_log = logging.getLogger(__name__)


class TableWatcher(Watcher, Protocol):
    """A watcher that goes on where another one ended: `vision.watching.watcher.Watcher`."""

    @property
    def reported(self) -> Felt:
        """What the last report said, of this watcher or of the one before it."""

    @property
    def next_id(self) -> int:
        """An id from which on none was given yet."""

    def take_over(self, reported: Felt, next_id: int) -> None:
        """Counts what was `reported` as taken away, and gives ids from `next_id` on."""


class TableFinder:
    """One table. `watcher_for` is the camera thread's; everything else may be asked by any thread."""

    def __init__(
        self,
        make_watcher: Callable[[Calibration], TableWatcher],
        keep: Callable[[StoredCalibration], None],
        *,
        stored: StoredCalibration | None,
        side_mm: float,
        utc: Callable[[], str],
    ) -> None:
        """Takes what makes watchers, and what is known of the table's place.

        Args:
            make_watcher: makes a watcher of a table that lies there.
            keep: keeps where the table was found; raises `CalibrationError` where it cannot.
            stored: where it was found before; where nobody agreed to that yet, it is proposed.
            side_mm: the play surface's side.
            utc: tells the time of day.
        """
        self._made, self._keep, self._side_mm, self._utc = make_watcher, keep, side_mm, utc
        self._lock = threading.Lock()
        is_agreed = stored is None or stored.agreed
        self._stored = stored if is_agreed else None
        self._proposed = None if is_agreed else stored
        self._of_another_size: StoredCalibration | None = None
        """Where people agreed to, while the camera gives pictures of another size than then."""
        self._eye: TableWatcher | None = None
        self._next: TableWatcher | None = None
        """The watcher that takes over with the next frame."""
        self._last: TableWatcher | None = None
        """The watcher that looked last, also while the table is looked for anew."""
        self._frame: Frame | None = None
        self._began = 0.0
        self._images: deque[Image] = deque(maxlen=PICTURES)
        self._patience = 0
        self._why = CalibrationError("expected the table in the picture, got too few pictures yet")

    @property
    def frame(self) -> Frame | None:
        """The last frame, as the camera gave it; None before the first."""
        return self._frame

    @property
    def began(self) -> float:
        """When the last look began, in monotonic seconds."""
        return self._began

    @property
    def stored(self) -> StoredCalibration | None:
        """Where the table lies, as far as is known."""
        return self._stored

    @property
    def proposed(self) -> StoredCalibration | None:
        """Where the table seems to lie, until a person agrees or says otherwise."""
        return self._proposed

    @property
    def is_found(self) -> bool:
        """Whether the table is found, and watched."""
        return self._eye is not None

    def watcher_for(self, frame: Frame) -> TableWatcher:
        """The watcher of the table in the next frame; looks for the table first where its place is not known.

        Raises:
            CalibrationError: the table is not found yet; says why.
        """
        with self._lock:
            self._began, self._frame = monotonic(), frame
            if self._next is not None:
                self._eye, self._next = self._following(self._next), None
            size, before = frame.image.shape[1::-1], self._of_another_size
            if before is not None and before.size == size:
                self._stored, self._of_another_size, self._proposed, self._eye = before, None, None, None
            if self._stored is not None and self._stored.size != size:
                self._eye = None  # the camera came back with pictures of another size
            if self._eye is None:
                self._eye = self._following(self._opened(frame))
            return self._eye

    def place(self, corners: tuple[tuple[float, float], ...], by: str) -> StoredCalibration:
        """Takes the play surface to have these corners in the picture: far left, far right, near right, near left.

        Raises:
            CalibrationError: they are none of a table, they are at the picture's border, no frame has come yet, or it
                is used but cannot be kept.
        """
        proposed = self._proposed
        if proposed is not None and _are_same(proposed.corners_px, corners):
            by = proposed.by
        placed = self._placed(corners, by)
        check_within(np.array(placed.corners_px), placed.size)
        return self._use(placed)

    def find(self) -> StoredCalibration:
        """Finds the table in the last frame, by markers or felt, and proposes it; nothing is used or kept.

        Raises:
            CalibrationError: it is not found, or no frame has come yet.
        """
        self._proposed = self._found([] if self._frame is None else [self._frame.image])
        return self._proposed

    def replace_watcher(self) -> None:
        """Takes another watcher: its tiles were learnt."""
        if self._stored is not None:
            self._take(self._stored)

    def _use(self, stored: StoredCalibration) -> StoredCalibration:
        self._take(stored)
        self._keep(stored)
        return stored

    def _take(self, stored: StoredCalibration) -> None:
        """Makes another watcher, which takes seconds where tiles are learnt, and only then lets it watch."""
        eye = self._made(stored.calibration)
        with self._lock:
            self._stored, self._next, self._proposed, self._of_another_size = stored, eye, None, None

    def _opened(self, frame: Frame) -> TableWatcher:
        size = frame.image.shape[1::-1]
        if self._stored is not None and self._stored.size != size:
            _log.warning(
                "expected pictures of %s as when calibrated, got %s: the table is looked for", self._stored.size, size
            )
            self._stored, self._of_another_size = None, self._stored
            self._images.clear()
        if self._stored is not None and (away_mm := _away_mm(self._stored, frame.image)) > ELSEWHERE_MM:
            _log.warning(
                "expected the table where it was found (%s, by %s), got one %.0f mm away: see on the camera's "
                "page whether tiles are drawn where they lie, else find the table again",
                self._stored.when[:10],
                self._stored.by,
                away_mm,
            )
        if self._stored is None:
            self._images.append(frame.image)
            self._patience -= 1
            if len(self._images) < PICTURES or self._patience > 0:
                raise self._why
            self._patience = FIND_EVERY
            self._look_for_it()
        return self._made(self._stored.calibration)

    def _look_for_it(self) -> NoReturn:
        """Looks for the table, and proposes where it seems to lie.

        Raises:
            CalibrationError: always: a person is asked to agree, or it is not found.
        """
        try:
            self._proposed = self._found(list(self._images))
            raise CalibrationError(
                "expected somebody to agree to where the table was found, got nobody yet: look in the set-up whether "
                "it is right, and keep it",
                tells="agree",
            )
        except CalibrationError as error:
            self._why = error
            raise

    def _following(self, watcher: TableWatcher) -> TableWatcher:
        """Another watcher, which takes over from the last one."""
        if self._last is not None:
            watcher.take_over(self._last.reported, self._last.next_id)
        self._last = watcher
        self._images.clear()
        return watcher

    def _found(self, images: list[Image]) -> StoredCalibration:
        if not images:
            raise CalibrationError("expected pictures of the table, got none")
        return self._placed(tuple((float(x), float(y)) for x, y in find_corners(images)), "picture")

    def _placed(self, corners: tuple[tuple[float, float], ...], by: str) -> StoredCalibration:
        if self._frame is None:
            raise CalibrationError("expected pictures of the table, got none")
        height, width = self._frame.image.shape[:2]
        stored = StoredCalibration(
            corners_px=corners, size=(width, height), side_mm=self._side_mm, when=self._utc(), by=by
        )
        stored.calibration.to_pixels([[0.0, 0.0]], height_mm=0.0)
        return stored


def _are_same(first: Sequence[tuple[float, float]], second: Sequence[tuple[float, float]]) -> bool:
    return bool(np.abs(np.array(first) - np.array(second)).max() <= AS_PROPOSED_PX)


def _away_mm(stored: StoredCalibration, image: Image) -> float:
    """How far from where it was kept the table seems to lie, at its corners in the mean; 0 where it is not found."""
    try:
        found = stored.calibration.to_felt(find_corners([image]), height_mm=0.0)
    except CalibrationError:
        return 0.0
    there = stored.calibration.to_felt(stored.corners_px, height_mm=0.0)
    return float(np.linalg.norm(found - there, axis=1).mean())
