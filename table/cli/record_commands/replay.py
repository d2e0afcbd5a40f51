"""`tachiai replay RECORDING`: runs a recording through the whole pipeline, and says what happened on the table."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

from table.camera import live_camera
from table.cli.output_files import check_outputs, write_output
from table.cli.picture_options import add_tileset
from table.cli.progress import progress
from table.game.announcement_json import announcement_line
from table.records.recording_check import checked_hands
from table.records.recording_replay import Replayed, replay, ruleset_of
from table.records.score_sheet import score_sheet
from table.runtime.table_errors import RecordError
from vision.cameras.recording_camera import RecordedCamera
from vision.errors import RecordingError
from vision.frames import Frame
from vision.geometry.calibration import Calibration, calibrate, find_corners
from vision.recording.recording import FRAMES, PRESSES, SETTINGS, TIMES, TRUTH, Recording

FRAMES_FOR_CORNERS: Final = 10
"""So many frames are looked at for markers where a recording does not say where its table lies."""


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "replay",
        help="run a recording through the whole pipeline",
        description="Runs a recording through models, referee and rules as fast as possible. The same recording "
        "gives the same result on every run.",
    )
    parser.add_argument("recording", metavar="RECORDING", type=Path, help="a folder with recording.toml and frames")
    parser.add_argument("--json", action="store_true", help="print the events, one mjai line each")
    parser.add_argument("--events", metavar="FILE", type=Path, help="write the events to this file, one mjai line each")
    parser.add_argument(
        "--announcements", metavar="FILE", type=Path, help="write the announcements to this file, one JSON line each"
    )
    parser.add_argument("--raw", action="store_true", help="include events that were taken back, marked as retracted")
    parser.add_argument(
        "--check",
        action="store_true",
        help="hold what was read against the recording's truth.mjson; ends with 1 where a hand disagrees",
    )
    add_tileset(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Replays one recording.

    Raises:
        UsageError: what is read, or one file twice, is to be written.
        ConfigError: a place where no file can be written.
        RecordingError: no recording lies there, or nothing of it can be seen.
        RecordError: there is no truth to check against.
        OSError: a file that cannot be written; what lay there stays.
    """
    check_outputs([args.events, args.announcements], _inputs(args))
    recording = Recording.open(args.recording)
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
    else:
        print(score_sheet(found.state))
    return _check(recording, found, as_json=args.json) if args.check else 0


def _check(recording: Recording, found: Replayed, *, as_json: bool) -> int:
    """Says in words where the truth and what was read differ; on standard error beside JSON lines."""
    out = sys.stderr if as_json else sys.stdout
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
