"""`tachiai replay RECORDING`: runs a recording through the whole pipeline, and prints what happened on the table."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

from table.camera.shipped_watcher import make_watcher
from table.camera.table_place.table_calibration import FRAMES_FOR_CORNERS
from table.cli.streams.input_files import as_files, check_inputs, is_standard, recording_folder
from table.cli.streams.output_files import check_outputs, write_output
from table.cli.streams.progress import progress_of
from table.game.announcement_json import announcement_line
from table.records.audit.audit_verdict import verdict
from table.records.replay.recording_check import checked_hands
from table.records.replay.recording_replay import ReplayResult, replay, ruleset_of
from table.records.score_sheet import score_sheet
from table.rules.terms.amounts import amount
from table.runtime.table_errors import RecordError, UsageError
from vision.cameras.recording_camera import RecordingCamera
from vision.errors import RecordingError
from vision.geometry.calibration import Calibration, calibrate, find_corners
from vision.recording.recording import Recording
from vision.recording.recording_files import FRAMES, PRESSES, SETTINGS, TIMES, TRUTH


def run(args: argparse.Namespace) -> int:
    """Replays one recording.

    Raises:
        UsageError: an output is an input, or two outputs are the same.
        ConfigError: an output cannot be written there.
        RecordingError: the folder is not a recording, or none of its pictures can be read.
        RecordError: the recording has no truth to check against.
        OSError: a file cannot be written; an existing one stays unchanged.
    """
    outputs = [args.events, args.announcements]
    check_outputs(outputs, _inputs(args))
    if args.json and any(map(is_standard, filter(None, outputs))):
        raise UsageError("expected --json or a - on standard output, got both")
    check_inputs([args.recording, *args.tileset])
    with recording_folder(args.recording) as folder, as_files(args.tileset) as tilesets:
        return _replay(Recording.open(folder), tilesets, args)


def _replay(recording: Recording, tilesets: list[Path], args: argparse.Namespace) -> int:
    truth = recording.read_truth() if args.check else None
    if args.check and truth is None:
        raise RecordError(f"expected {TRUTH} to check against, got none, in {args.recording}")
    found = replay_recording(recording, raw=args.raw, tilesets=tilesets)
    if found.state.hand is None:
        check = f"check corners_px, side_mm and [tiles] in {SETTINGS}, and that {TIMES} counts nanoseconds"
        print(
            f"tachiai replay: no hand was seen in {amount(len(recording.frames), 'picture')}: {check}", file=sys.stderr
        )
    if args.events is not None:
        _write(args.events, found.events)
    if args.announcements is not None:
        _write(args.announcements, [announcement_line(announcement) for announcement in found.announcements])
    if args.json:
        for line in found.events:
            print(json.dumps(line, ensure_ascii=False))
    is_output_taken = args.json or any(map(is_standard, filter(None, (args.events, args.announcements))))
    if not is_output_taken:
        print(score_sheet(found.state, found.ruleset))
    return 0 if truth is None else _check(recording, truth, found, out=sys.stderr if is_output_taken else sys.stdout)


def _check(recording: Recording, truth: Sequence[Mapping[str, Any]], found: ReplayResult, *, out: TextIO) -> int:
    """Prints where the truth and the replay differ."""
    rules = ruleset_of(recording.settings.game, recording.path)
    events = [line for line in found.events if not line.get("retracted")]
    hands = list(checked_hands(truth, events, ruleset=rules, source=str(recording.path)))
    for hand in hands:
        for disagreement in hand.disagreements:
            print(f"hand {hand.number}: {disagreement.as_text('the truth has', 'the replay has')}", file=out)
    disagreeing = sum(bool(hand.disagreements) for hand in hands)
    print(verdict(len(hands), disagreeing), file=out)
    return 1 if disagreeing else 0


def replay_recording(recording: Recording, *, raw: bool = False, tilesets: Sequence[Path] = ()) -> ReplayResult:
    """Replays an opened recording with the shipped models and the given tile sets.

    Raises:
        RecordingError: no picture can be read, or the table's corners are neither given nor found.
        ModelError: the models are missing or altered.
        TileSetError: a file is not a tile set.
    """
    settings = recording.settings
    watcher = make_watcher(calibration_of(recording), settings.tiles, reds=settings.red, tilesets=tilesets)
    with RecordingCamera(recording) as camera:
        frames = progress_of(camera.frames(), "frame", len(recording.frames))
        return replay(
            frames,
            watcher,
            game=settings.game,
            folder=recording.path,
            presses=recording.presses,
            places=recording.press_places,
            raw=raw,
        )


def calibration_of(recording: Recording) -> Calibration:
    """Returns the calibration of a recording: from its settings, else from the markers on the table.

    Raises:
        RecordingError: no picture can be read.
        CalibrationError: the corners form no quadrilateral, or no markers were found.
    """
    settings = recording.settings
    with RecordingCamera(recording) as camera:
        first = list(islice(camera.frames(), FRAMES_FOR_CORNERS if settings.table.corners_px is None else 1))
    if not first:
        raise RecordingError(f"expected a readable picture, got none, in {recording.path}")
    corners = settings.table.corners_px
    height, width = first[0].image.shape[:2]
    return calibrate(
        find_corners(frame.image for frame in first) if corners is None else corners,
        size=(width, height),
        side_mm=settings.table.side_mm,
        lens=settings.lens,
    )


def _inputs(args: argparse.Namespace) -> list[Path]:
    frames = args.recording / FRAMES
    pictures = sorted(frames.iterdir()) if frames.is_dir() else []
    return [*args.tileset, *(args.recording / name for name in (SETTINGS, TIMES, PRESSES, TRUTH)), *pictures]


def _write(path: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    write_output(path, "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
