"""`tachiai record OUT`: films the table into a recording, for `replay` and for who wants to help."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from table.commands.place import add_place, right_at
from table.config import Config
from table.watching import camera_of, kept_calibration
from vision.errors import CameraError
from vision.frames import Camera, Frame
from vision.recording import RecordingWriter
from vision.recording_settings import Settings, TableSettings

MINUTE_S = 60.0


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "record",
        help="film the table into a recording",
        description="Films the table with the configured camera into a recording that `replay` runs. Standing hands "
        "are in its pictures: it stays on this machine unless you give it away. The table must not run meanwhile.",
    )
    parser.add_argument("out", type=Path, metavar="OUT", help="a new folder")
    add_place(parser)
    parser.add_argument("--seconds", type=float, default=MINUTE_S, help=f"how long ({MINUTE_S:g})")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Records.

    Raises:
        ConfigError: the configuration has a mistake.
        CameraError: the camera gives no pictures.
        RecordingError: a recording lies there already.
    """
    config = right_at(args).config
    with camera_of(config.camera) as camera, RecordingWriter(args.out, _settings(config)) as writer:
        count = 0
        for frame, since_ns in _until(camera, round(args.seconds * 1e9)):
            writer.add(frame.image, t_ns=since_ns)
            count += 1
    if not count:
        raise CameraError(f"expected pictures from the {config.camera.source} camera, got none")
    print(f"{count} frames in {args.out}")
    return 0


def _until(camera: Camera, lasting_ns: int) -> Iterator[tuple[Frame, int]]:
    """Gives frames with their time since the first one, until that is over."""
    begun: int | None = None
    for frame in camera.frames():
        begun = frame.t_ns if begun is None else begun
        if frame.t_ns - begun > lasting_ns:
            return
        yield frame, frame.t_ns - begun


def _settings(config: Config) -> Settings:
    kept = kept_calibration(config)
    corners = None if kept is None else kept.corners_px
    return Settings(
        fps=config.camera.fps,
        table=TableSettings(side_mm=config.table.side_mm, corners_px=corners),
        tiles=config.tiles.size,
        red=config.tiles.red,
        game={"ruleset": config.table.ruleset},
    )
