"""Watches a table wherever it lies in the picture: finds it, remembers where, and takes its owner's word for it.

A camera whose table is not found goes on giving pictures, so that the owner can point the corners out on the phone.
When the table is found anew, or its tiles are learnt, another watcher takes over; tile ids go on where no earlier ones
were, since whoever follows the table remembers those.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from time import monotonic
from typing import Any, Final, Protocol, TypeVar

import numpy as np

from table.game.input_feed import Watching
from vision.errors import CalibrationError
from vision.felt import Felt, FeltReport, LyingStick, LyingTile
from vision.frames import Frame, Image
from vision.geometry.calibration import Calibration, find_corners
from vision.geometry.calibration_file import Kept
from vision.watching.changes import changes_between

PICTURES: Final = 10
"""Pictures that the table is looked for in at once."""
ELSEWHERE_MM: Final = 40.0
"""A table that seems to lie so far from where it was kept is worth a word: the camera or the table was moved."""
FIND_EVERY: Final = 20
"""Frames from one vain attempt to the next."""
_APART: Final = 1_000_000
"""From the ids of one watcher to those of the next."""
_log = logging.getLogger(__name__)
Thing = TypeVar("Thing", LyingTile, LyingStick)


class Eye(Watching, Protocol):
    """What watches and can be shown: `table.camera.preview.Shown`."""

    def picture(self) -> bytes | None:
        """The latest view as a JPEG."""

    def tile_picture(self, number: int) -> bytes | None:
        """One lying tile as a JPEG."""


class Sighted:
    """Watches one table. `look` is the camera thread's; everything else may be asked by any thread."""

    def __init__(
        self,
        made: Callable[[Calibration], Eye],
        keep: Callable[[Kept], None],
        *,
        kept: Kept | None,
        side_mm: float,
        wall: Callable[[], str],
    ) -> None:
        """Takes what makes eyes, and what is known of the table's place.

        Args:
            made: makes eyes for a table that lies there.
            keep: keeps where the table was found; raises `CalibrationError` where it cannot.
            kept: where it was found before.
            side_mm: the play surface's side.
            wall: tells the time of day.
        """
        self._made, self._keep, self._side_mm, self._wall = made, keep, side_mm, wall
        self._lock = threading.Lock()
        self._kept = kept
        self._eye: Eye | None = None
        self._frame: Frame | None = None
        self._began = 0.0
        self._images: deque[Image] = deque(maxlen=PICTURES)
        self._patience = 0
        self._watches: Callable[[Frame], None] | None = None
        self._ids = -_APART
        self._felt = Felt()
        self._why = "expected the table in the picture, got too few pictures yet"

    @property
    def frame(self) -> Frame | None:
        """The last frame, as the camera gave it; None before the first."""
        return self._frame

    @property
    def began(self) -> float:
        """When the last look began, in monotonic seconds."""
        return self._began

    @property
    def kept(self) -> Kept | None:
        """Where the table lies, as far as is known."""
        return self._kept

    @property
    def felt(self) -> Felt:
        """What was last told to lie there."""
        return self._felt

    @property
    def first_id(self) -> int:
        """The id that the watcher's own 0 is told as."""
        return self._ids

    @property
    def judged(self) -> int:
        """As the watcher says."""
        return -1 if self._eye is None else self._eye.judged

    def look(self, frame: Frame) -> FeltReport | None:
        """Looks at the next frame; looks for the table first where its place is not known.

        Raises:
            CalibrationError: the table is not found yet; says why.
        """
        with self._lock:
            self._began, self._frame = monotonic(), frame
            if self._watches is not None:
                self._watches(frame)
            if self._kept is not None and self._kept.size != frame.image.shape[1::-1]:
                self._eye = None  # the camera came back with pictures of another size
            if self._eye is None:
                self._eye = self._opened(frame)
            report = self._eye.look(frame)
            return None if report is None else self._told(report)

    def picture(self) -> bytes | None:
        """The latest view as a JPEG, standing hands painted out; None while the table is not found."""
        return None if self._eye is None else self._eye.picture()

    def tile_picture(self, number: int) -> bytes | None:
        """One lying tile, by the felt's id, as a JPEG."""
        return None if self._eye is None else self._eye.tile_picture(number - self._ids)

    def place(self, corners: tuple[tuple[float, float], ...], by: str) -> Kept:
        """Takes the play surface to have these corners in the picture: far left, far right, near right, near left.

        Raises:
            CalibrationError: they are none of a table, no frame has come yet, or it is used but cannot be kept.
        """
        kept = self._placed(corners, by)
        self._take(kept)
        self._keep(kept)
        return kept

    def find(self) -> Kept:
        """Finds the table in the last frame, by markers or felt.

        Raises:
            CalibrationError: it is not found, no frame has come yet, or it is used but cannot be kept.
        """
        kept = self._found([] if self._frame is None else [self._frame.image])
        self._take(kept)
        self._keep(kept)
        return kept

    def again(self) -> None:
        """Takes another watcher: its tiles were learnt."""
        if self._kept is not None:
            self._take(self._kept)

    def watch_frames(self, watches: Callable[[Frame], None] | None) -> None:
        """Lets every frame be seen also by `watches`, in the camera's thread; None ends it."""
        self._watches = watches

    def _take(self, kept: Kept) -> None:
        """Makes other eyes aside, which takes seconds where tiles are learnt, and only then lets them watch."""
        eye = self._made(kept.calibration)
        with self._lock:
            self._kept = kept
            self._eye = self._begun(eye)

    def _opened(self, frame: Frame) -> Eye:
        size = frame.image.shape[1], frame.image.shape[0]
        if self._kept is not None and self._kept.size != size:
            _log.warning("expected pictures of %s as when calibrated, got %s: the table is looked for", *self._sizes)
            self._kept = None
        if self._kept is not None and (away_mm := _away_mm(self._kept, frame.image)) > ELSEWHERE_MM:
            _log.warning(
                "expected the table where it was found (%s, by %s), got one %.0f mm away: see on the camera's "
                "page whether tiles are drawn where they lie, else find the table again",
                self._kept.when[:10],
                self._kept.by,
                away_mm,
            )
        if self._kept is None:
            self._images.append(frame.image)
            self._patience -= 1
            if len(self._images) < PICTURES or self._patience > 0:
                raise CalibrationError(self._why)
            self._patience = FIND_EVERY
            try:
                self._kept = self._found(list(self._images))
            except CalibrationError as error:
                self._why = str(error)
                raise
            self._try_to_keep(self._kept)
        return self._begun(self._made(self._kept.calibration))

    @property
    def _sizes(self) -> tuple[Any, Any]:
        image = None if self._frame is None else self._frame.image
        return None if self._kept is None else self._kept.size, None if image is None else image.shape[1::-1]

    def _try_to_keep(self, kept: Kept) -> None:
        """Keeps where the table was found; a disk that refuses is no reason not to watch."""
        try:
            self._keep(kept)
        except CalibrationError as error:
            _log.error("%s", error)

    def _begun(self, eye: Eye) -> Eye:
        """New eyes; what the old ones saw counts as taken away, so that nothing is followed twice."""
        self._ids += _APART
        self._images.clear()
        return eye

    def _found(self, images: list[Image]) -> Kept:
        if not images:
            raise CalibrationError("expected pictures of the table, got none")
        return self._placed(tuple((float(x), float(y)) for x, y in find_corners(images)), "picture")

    def _placed(self, corners: tuple[tuple[float, float], ...], by: str) -> Kept:
        if self._frame is None:
            raise CalibrationError("expected pictures of the table, got none")
        height, width = self._frame.image.shape[:2]
        kept = Kept(corners_px=corners, size=(width, height), side_mm=self._side_mm, when=self._wall(), by=by)
        kept.calibration.to_pixels([[0.0, 0.0]], height_mm=0.0)
        return kept

    def _told(self, report: FeltReport) -> FeltReport:
        """The report with ids that no earlier watcher gave."""
        before, after = self._felt, _shifted(report.felt, self._ids)
        self._felt = after
        return replace(report, felt=after, changes=changes_between(before, after))


def _away_mm(kept: Kept, image: Image) -> float:
    """How far from where it was kept the table seems to lie, at its corners in the mean; 0 where it is not found."""
    try:
        found = kept.calibration.to_felt(find_corners([image]), height_mm=0.0)
    except CalibrationError:
        return 0.0
    there = kept.calibration.to_felt(kept.corners_px, height_mm=0.0)
    return float(np.linalg.norm(found - there, axis=1).mean())


def _shifted(felt: Felt, by: int) -> Felt:
    return replace(felt, tiles=_with_ids(felt.tiles, by), sticks=_with_ids(felt.sticks, by))


def _with_ids(things: tuple[Thing, ...], by: int) -> tuple[Thing, ...]:
    return tuple(replace(thing, id=thing.id + by) for thing in things)
