"""`tachiai replay RECORDING`: runs a recording through the whole pipeline, and says what happened on the table."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final, TextIO

from table.camera import live_camera
from table.cli.input_files import is_standard, unpacked
from table.cli.output_files import check_outputs, write_output
from table.cli.progress import progress
from table.game.announcement_json import announcement_line
from table.records.recording_check import checked_hands
from table.records.recording_replay import Replayed, replay, ruleset_of
from table.records.score_sheet import score_sheet
from table.runtime.table_errors import RecordError, UsageError
from vision.cameras.recording_camera import RecordedCamera
from vision.errors import RecordingError
from vision.frames import Frame
from vision.geometry.calibration import Calibration, calibrate, find_corners
from vision.recording.recording import FRAMES, PRESSES, SETTINGS, TIMES, TRUTH, Recording

FRAMES_FOR_CORNERS: Final = 10
"""So many frames are looked at for markers where a recording does not say where its table lies."""


def run(args: argparse.Namespace) -> int:
    """Replays one recording.

    Raises:
        UsageError: what is read, or one file twice, is to be written.
        ConfigError: a place where no file can be written.
        RecordingError: no recording lies there, or nothing of it can be seen.
        RecordError: there is no truth to check against.
        OSError: a file that cannot be written; what lay there stays.
    """
    outputs = [args.events, args.announcements]
    check_outputs(outputs, _inputs(args))
    if args.json and any(map(is_standard, filter(None, outputs))):
        raise UsageError("expected --json or a - on standard output, got both")
    with unpacked(args.recording) as folder:
        return _replay(Recording.open(folder), args)


def _replay(recording: Recording, args: argparse.Namespace) -> int:
    if args.check and recording.truth is None:
        raise RecordError(f"expected {TRUTH} to check against, got none, in {args.recording}")
    found = replay_recording(recording, raw=args.raw, tilesets=args.tileset)
    if args.events is not None:
        _write(args.events, found.events)
    if args.announcements is not None:
        _write(args.announcements, [announcement_line(logged) for logged in found.announcements])
    if args.json:
        for line in found.events:
            print(json.dumps(line, ensure_ascii=False))
    is_taken = args.json or any(map(is_standard, filter(None, (args.events, args.announcements))))
    if not is_taken:
        print(score_sheet(found.state))
    return _check(recording, found, out=sys.stderr if is_taken else sys.stdout) if args.check else 0


def _check(recording: Recording, found: Replayed, *, out: TextIO) -> int:
    """Says in words where the truth and what was read differ."""
    rules = ruleset_of(recording.settings.game, recording.path)
    events = [line for line in found.events if not line.get("retracted")]
    hands = list(checked_hands(recording.truth or (), events, ruleset=rules, where=str(recording.path)))
    for hand in hands:
        for each in hand.disagreements:
            print(f"hand {hand.number}: {each.in_words('the truth says', 'the replay has')}", file=out)
    disagree = sum(bool(hand.disagreements) for hand in hands)
    print(f"{len(hands)} hands, {disagree} disagree", file=out)
    return 1 if disagree else 0


def replay_recording(recording: Recording, *, raw: bool = False, tilesets: Sequence[Path] = ()) -> Replayed:
    """Replays an opened recording with the shipped models, and with what sets' files taught them.

    Raises:
        RecordingError: no picture can be read, or the table's place is neither given nor found.
        ModelError: the models are absent or altered.
        TileSetError: a set's file is none.
    """
    settings = recording.settings
    watcher = live_camera.make_watcher(calibration_of(recording), settings.tiles, reds=settings.red, tilesets=tilesets)
    with RecordedCamera(recording) as camera:
        frames = _shown(camera.frames(), len(recording.frames))
        return replay(
            frames,
            watcher,
            game=settings.game,
            folder=recording.path,
            presses=recording.presses,
            red=settings.red,
            raw=raw,
        )


def calibration_of(recording: Recording) -> Calibration:
    """Where the table lies in a recording: as its settings say, else by the markers on the table.

    Raises:
        RecordingError: no picture can be read.
        CalibrationError: the corners are none, or no markers were found.
    """
    settings = recording.settings
    with RecordedCamera(recording) as camera:
        first = list(islice(camera.frames(), FRAMES_FOR_CORNERS if settings.table.corners_px is None else 1))
    if not first:
        raise RecordingError(f"expected a picture that can be read, got none, in {recording.path}")
    corners = settings.table.corners_px
    height, width = first[0].image.shape[:2]
    return calibrate(
        find_corners(frame.image for frame in first) if corners is None else corners,
        size=(width, height),
        side_mm=settings.table.side_mm,
        lens=settings.lens,
    )


def _shown(frames: Iterator[Frame], count: int) -> Iterator[Frame]:
    """The frames, with a progress line for who waits."""
    for _ in progress(range(count), "frame"):
        frame = next(frames, None)
        if frame is None:
            return
        yield frame


def _inputs(args: argparse.Namespace) -> list[Path]:
    frames = args.recording / FRAMES
    pictures = sorted(frames.iterdir()) if frames.is_dir() else []
    return [*args.tileset, *(args.recording / name for name in (SETTINGS, TIMES, PRESSES, TRUTH)), *pictures]


def _write(path: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    write_output(path, "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
