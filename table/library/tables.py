"""Watches a table under a camera, which can be any object that delivers frames."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import chain, islice
from pathlib import Path
from typing import Any, Protocol, SupportsFloat, runtime_checkable

from table.camera.capture import configured_camera
from table.camera.capture.camera_address import camera_at
from table.camera.shipped_watcher import make_watcher
from table.camera.table_place.table_calibration import FRAMES_FOR_CORNERS
from table.config import CameraConfig
from table.game.journal.fold import LoggedAnnouncement
from table.game.journal.journal import Journal
from table.game.referee import Referee
from table.game.table_loop import Table
from table.i18n import announcement_dealer
from table.library.games import Said, said_of
from table.library.photos import Corners, check_corners, check_side, set_files
from table.rulebook import rules_named
from table.rules.terms.amounts import amount
from table.rules.terms.seats import Seat
from table.runtime.clock import SystemClock
from vision.errors import CalibrationError, CameraError
from vision.frames import Camera, Frame
from vision.geometry.calibration import Calibration, calibrate, find_corners
from vision.geometry.plane_geometry import TileSize


@runtime_checkable
class FrameSource(Protocol):
    """A source of frames; a `Camera` is one that also works in a `with` statement."""

    def frames(self) -> Iterator[Frame]:
        """Yields frames in order until there are no more, or until the source is closed. Called once."""

    def close(self) -> None:
        """Ends the frames and releases the device; closing twice does nothing."""


def watch(
    camera: FrameSource,
    *,
    corners_px: Corners | None = None,
    side_mm: float = 720.0,
    tile_mm: tuple[float, float, float] = (20.0, 26.5, 16.0),
    ruleset: str | Path = "home",
    tilesets: Sequence[str | Path] = (),
) -> Iterator[Said]:
    """Yields the announcements of the rules while a camera watches a table; closes the camera when its frames end.

    >>> with open_camera("tests/recordings/riichi_tsumo") as camera:
    ...     print(next(watch(camera)).id)
    hand_started

    Args:
        camera: any object with the two methods of `FrameSource`.
        corners_px: the corners of the play surface; by default they are found in the first frames by markers or colour.
        side_mm: the side of the play surface.
        tile_mm: a tile's width, height and depth.
        ruleset: the rules: a preset's name, or the file of a rule set.
        tilesets: files of sets learnt with `tachiai scan`: one, or both sets of a table that alternates between two.

    Raises:
        VisionError: the object is no camera, there are no pictures, no table is found, no tile has such a size, or a
            file is not a tile set.
        TachiaiError: the rule set is unknown.
    """
    if not isinstance(camera, FrameSource):
        raise CameraError(f"expected a camera with frames() and close(), got {type(camera).__name__}: {camera!r:.100}")
    rules = rules_named(ruleset).ruleset
    check_side(side_mm)
    check_corners(corners_px)
    tile, sets = _tile_size(tile_mm), set_files(tilesets)
    with closing(camera), Journal(None) as journal:
        frames = _frames_of(camera)
        first = list(islice(frames, FRAMES_FOR_CORNERS if corners_px is None else 1))
        watcher = make_watcher(_calibration(first, corners_px, side_mm), tile, tilesets=sets)
        table = Table(journal=journal, referee=Referee(), ruleset=rules, clock=SystemClock())
        for frame in chain(first, frames):
            report = watcher.watch(frame)
            if report is not None:
                known_count = len(table.announcements)
                table.report(report)
                for logged in table.announcements[known_count:]:
                    yield said_of(
                        logged.announcement,
                        key=logged.key,
                        status=logged.status.value,
                        dealer=_dealer(table, logged),
                    )


def open_camera(address: str | Path | int) -> Camera:
    """Opens a camera by its address. Videos and recordings deliver their frames at full speed.

    Args:
        address: a USB camera's number or device (`/dev/video0`), a stream (`rtsp://…`, `http://…`), a video file, a
            recording's folder; or `picamera` or `drawn`, in a `with` statement.

    Raises:
        VisionError: there is no such camera, or it delivers no pictures.
        TachiaiError: the address looks like a stream's, but is not a valid one.
    """
    found = camera_at(str(address), CameraConfig())
    return configured_camera.open_camera(found, in_real_time=False, is_guarded=False)


def _frames_of(camera: FrameSource) -> Iterator[Frame]:
    """Yields the frames of a camera.

    Raises:
        CameraError: it gives something other than frames, such as bare pictures.
    """
    frames: Any = camera.frames()
    if not isinstance(frames, Iterable):
        raise CameraError(f"expected frames from the camera, got {type(frames).__name__}")
    for frame in frames:
        if not hasattr(frame, "image"):
            raise CameraError(f"expected a Frame from the camera, got {type(frame).__name__}")
        yield frame


def _tile_size(tile_mm: Sequence[float]) -> TileSize:
    if not isinstance(tile_mm, Iterable) or not all(isinstance(side, SupportsFloat) for side in tile_mm):
        raise CalibrationError(f"expected a tile's width, height and depth in mm, got {tile_mm!r:.100}")
    if len(tile_mm) != 3:
        raise CalibrationError(f"expected a tile's width, height and depth in mm, got {amount(len(tile_mm), 'number')}")
    width_mm, height_mm, depth_mm = tile_mm
    return TileSize(width_mm=width_mm, height_mm=height_mm, depth_mm=depth_mm)


def _calibration(frames: Sequence[Frame], corners_px: Corners | None, side_mm: float) -> Calibration:
    if not frames:
        raise CameraError("expected a camera that delivers pictures, got none")
    height, width = frames[0].image.shape[:2]
    corners = find_corners(frame.image for frame in frames) if corners_px is None else corners_px
    return calibrate(corners, size=(width, height), side_mm=side_mm)


def _dealer(table: Table, logged: LoggedAnnouncement) -> Seat:
    """Returns the dealer of an announcement's hand."""
    hand = table.state.hand
    default = Seat.NEAR if hand is None else hand.dealer
    return announcement_dealer(logged.announcement, logged.hand, table.state, default)
