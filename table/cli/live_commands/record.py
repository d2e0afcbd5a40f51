"""`tachiai record OUT`: films the table into a recording, for `replay` and for bug reports."""

from __future__ import annotations

import argparse
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from table.camera.capture.configured_camera import ConfiguredCamera
from table.camera.capture.reopened_camera import FINITE_SOURCES, ReopenedCamera
from table.camera.clips.clip_recorder import UNSURE_NS
from table.camera.shipped_watcher import make_watcher
from table.camera.simulation.simulated_camera import DrawnTable
from table.camera.table_place.table_calibration import stored_calibration
from table.cli.arguments.appliance_options import load_valid_config
from table.cli.streams.output_files import check_folder
from table.cli.streams.progress import progress_of, say, waiting
from table.config import Config
from table.rulebook import rules_named
from table.rulebook.recorded_rules import RULES_FILE, rules_reference
from table.rules.terms.amounts import amount
from vision.cameras.recording_camera import RecordingCamera
from vision.errors import CalibrationError, CameraError, ModelError, TileSetError
from vision.frames import Frame
from vision.geometry.calibration import Calibration
from vision.geometry.calibration_file import StoredCalibration
from vision.privacy.redaction import HandRedaction
from vision.recording.recording import Recording, RecordingWriter, as_jpeg, check_new
from vision.recording.recording_settings import Settings, TableSettings
from vision.watching.motion.motion_gate import MotionGate
from vision.watching.place.table_in_sight import TableInSight
from vision.watching.watcher import Watcher


def run(args: argparse.Namespace) -> int:
    """Records the table.

    Raises:
        ConfigError: the configuration has a mistake, or names an unknown rule set.
        CameraError: the camera delivers no pictures, or was lost and did not come back in time.
        CalibrationError: nobody has confirmed the table's place, so the place of the hands is unknown.
        RecordingError: a recording already exists there.
        OSError: the disk is full.

    Whatever ends it, what was filmed before stays a recording.
    """
    check_new(args.out)
    check_folder(args.out)
    config = load_valid_config(args).config
    rules = rules_reference(rules_named(config.table.ruleset).ruleset)
    place = _agreed_place(config)
    with waiting("loading the models"):
        queue = _FrameQueue() if args.with_hands else _RedactedFrameQueue(_calibration(place, config), config)
    camera = _camera(config, args.seconds)
    settings = _settings(config, place, rules.ruleset)
    with RecordingWriter(args.out, settings, keeps_pictures=True) as writer:
        if rules.toml is not None:
            writer.attach(RULES_FILE, rules.toml)
        try:
            _film(camera, queue, writer)
            if not writer.count:
                raise CameraError(f"expected pictures from the {config.camera.source} camera, got none")
        finally:
            if writer.count:
                print(f"{amount(writer.count, 'frame')} in {args.out}")
    return 0


def _camera(config: Config, seconds: float) -> ReopenedCamera:
    camera = ConfiguredCamera(config.camera, is_between_hands=lambda: False)
    return ReopenedCamera(
        lambda: camera.open(stored_calibration(config)),
        duration_s=seconds,
        can_end=config.camera.source in FINITE_SOURCES,
        say=lambda text: say(f"tachiai record: {text}", file=sys.stderr),
    )


def _film(camera: ReopenedCamera, queue: _FrameQueue, writer: RecordingWriter) -> None:
    """Writes the frames until the time is over, someone stops it, or an error ends it.

    After an error, frames that are not safe yet are dropped: whatever interrupted the camera may have pushed it.
    """
    try:
        with closing(camera.frames()) as frames:
            for frame in progress_of(frames, "frame"):
                queue.add(frame)
                _write(queue.safe_frames(frame.t_ns), writer)
    except KeyboardInterrupt:
        _write(queue.safe_frames(None), writer)
        raise
    _write(queue.safe_frames(None), writer)


def _agreed_place(config: Config) -> StoredCalibration | None:
    """Returns the table's place if a person confirmed it or the recording states it; None otherwise."""
    match config.camera.source:
        case "drawn":
            return DrawnTable().calibration
        case "recording":
            return _place_in(Recording.open(config.camera.file), config)
        case _:
            place = stored_calibration(config)
            return place if place is not None and place.agreed else None


def _place_in(recording: Recording, config: Config) -> StoredCalibration | None:
    place, corners = stored_calibration(config), recording.settings.table.corners_px
    if place is not None and place.agreed:
        return place
    first = next(RecordingCamera(recording).frames(), None)
    if corners is None or first is None:
        return None
    height, width = first.image.shape[:2]
    side_mm = recording.settings.table.side_mm
    return StoredCalibration(corners_px=corners, size=(width, height), side_mm=side_mm, when="", by="hand")


def _calibration(place: StoredCalibration | None, config: Config) -> Calibration:
    """Returns the calibration of that place.

    Raises:
        CalibrationError: nobody has confirmed a place, so hands could be visible in the pictures.
    """
    if place is None:
        raise CalibrationError(
            "expected a place of the table that somebody agreed to, so that standing hands are blacked out, got none: "
            "agree to it in the set-up on the phone, or give its corners with tachiai calibrate --corners"
        )
    return place.calibration.with_lens(config.camera.lens(place.size))


class _FrameQueue:
    """Frames that wait to be written, unchanged."""

    def __init__(self) -> None:
        self._pending: deque[tuple[int, bytes]] = deque()

    def add(self, frame: Frame) -> None:
        """Takes a frame, whose time counts from the first frame."""
        self._pending.append((frame.t_ns, as_jpeg(frame.image)))

    def safe_frames(self, now_ns: int | None) -> Iterator[tuple[int, bytes]]:
        """Yields the frames that may be written by now; with None, all remaining ones."""
        while self._pending and (now_ns is None or self._is_safe(now_ns - self._pending[0][0])):
            yield self._pending.popleft()

    def _is_safe(self, _waited_ns: int) -> bool:
        return True


class _RedactedFrameQueue(_FrameQueue):
    """Frames without standing hands; tiles by the rails stay visible if a watcher reads them as lying there.

    When the camera is pushed, hands can show beside the blacked-out areas until the push is noticed. Frames are
    therefore held back for that long, and those that a push may have spoilt are dropped, as are all frames while the
    table is not in its place.
    """

    def __init__(self, calibration: Calibration, config: Config) -> None:
        super().__init__()
        self._redaction = HandRedaction(calibration, config.tiles.size)
        self._gate = MotionGate(calibration, height_mm=config.tiles.size.depth_mm)
        self._sight = TableInSight(self._gate.table_px)
        self._watcher: Watcher | None = None
        tilesets = [Path(config.tiles.tileset)] if config.tiles.tileset else []
        try:
            self._watcher = make_watcher(calibration, config.tiles.size, tilesets=tilesets)
        except (ModelError, TileSetError) as error:
            print(f"tachiai record: everything by the rails is painted over: {error}", file=sys.stderr)
        self._tile = config.tiles.size

    def add(self, frame: Frame) -> None:
        height, width = frame.image.shape[:2]
        if (width, height) != self._redaction.calibration.size:
            raise CalibrationError(
                f"expected pictures of {self._redaction.calibration.size} as when the table was found, "
                f"got {(width, height)}: run tachiai calibrate"
            )
        if not self._is_in_place(frame):
            self._pending.clear()
            return
        if self._watcher is None:
            super().add(replace(frame, image=self._redaction.applied_to(frame.image, ())))
            return
        if self._watcher.calibration is not self._redaction.calibration:
            self._pending.clear()
            self._redaction = HandRedaction(self._watcher.calibration, self._tile)
        super().add(replace(frame, image=self._redaction.applied_to(frame.image, self._watcher.felt.tiles)))

    def _is_in_place(self, frame: Frame) -> bool:
        """Returns whether the table is still in its place; called once per frame."""
        if self._watcher is not None:
            self._watcher.watch(frame)
            return self._watcher.is_in_place
        self._gate.see(frame.image, frame.t_ns)
        return self._sight.follow(self._gate.picture, frame.t_ns)

    def _is_safe(self, waited_ns: int) -> bool:
        return waited_ns > UNSURE_NS


def _write(frames: Iterable[tuple[int, bytes]], writer: RecordingWriter) -> None:
    for t_ns, jpeg in frames:
        writer.add_jpeg(jpeg, t_ns=t_ns)


def _settings(config: Config, place: StoredCalibration | None, ruleset: str) -> Settings:
    return Settings(
        fps=config.camera.fps,
        table=TableSettings(
            side_mm=config.table.side_mm if place is None else place.side_mm,
            corners_px=None if place is None else place.corners_px,
        ),
        lens=None if place is None else config.camera.lens(place.size),
        tiles=config.tiles.size,
        red=config.tiles.red,
        game={"ruleset": ruleset},
    )
