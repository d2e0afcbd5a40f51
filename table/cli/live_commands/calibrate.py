"""`tachiai calibrate`: finds the table in the camera's picture and keeps where it is."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from itertools import islice
from math import isfinite
from pathlib import Path

from table.camera.live_camera import CALIBRATION, calibrate_camera, locked_of, open_camera
from table.cli.appliance_options import add_camera, add_place, right_at
from table.cli.output_files import check_outputs, write_output
from table.config import Config
from table.runtime.clock import SystemClock
from table.runtime.table_errors import UsageError
from vision.errors import CalibrationError
from vision.frames import Camera
from vision.geometry.calibration_file import StoredCalibration, save
from vision.geometry.markers import Paper, sheet_pdf, sheet_svg
from vision.geometry.mounting import MODULES, Markers, mount, mounting_table


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "calibrate",
        help="find the table in the camera's picture",
        description="Finds the play surface in the camera's picture, by the printed markers at its corners or by the "
        "colour of the felt. The result is shown in the set-up on the phone and is used once somebody agrees to it "
        "there; corners given by --corners are used at once. Stop the table first, since a camera serves one program "
        "at a time. --sheet and --mounting need no camera.",
    )
    add_place(parser)
    add_camera(parser)
    parser.add_argument(
        "--corners",
        type=corners,
        metavar="X,Y,…",
        help="eight numbers: far left, far right, near right, near left of the play surface, in the picture's pixels",
    )
    parser.add_argument(
        "--sheet", type=Path, metavar="FILE", help="write the markers to print, as .svg or .pdf, and do nothing else"
    )
    parser.add_argument(
        "--paper", choices=[paper.name.lower() for paper in Paper], help="the paper of the sheet (default: a4)"
    )
    parser.add_argument(
        "--mounting",
        action="store_true",
        help="print how high each camera must hang above the configured play surface, and do nothing else",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Calibrates, writes the sheet, or says how high cameras hang.

    Raises:
        UsageError: a sheet of another kind is wanted, or what excludes each other.
        ConfigError: the configuration has a mistake, or no camera is configured.
        CameraError: the camera gives no pictures.
        CalibrationError: the table is not found, or the corners are none.
    """
    wanted = [f"--{name}" for name in ("sheet", "corners", "mounting") if getattr(args, name)]
    if len(wanted) > 1:
        raise UsageError(f"expected one of {' and '.join(wanted)}, got {len(wanted)} of them")
    if args.paper is not None and args.sheet is None:
        raise UsageError(f"expected --sheet with --paper {args.paper}, got none")
    if args.sheet is not None:
        return _sheet(args.sheet, Paper.A4 if args.paper is None else Paper[args.paper.upper()])
    if args.mounting:
        return _mounting(right_at(args).config.table.side_mm, as_json=args.json)
    config = right_at(args).config
    with open_camera(config.camera) as camera:
        stored = (
            calibrate_camera(camera, config, SystemClock()) if args.corners is None else _by_hand(camera, config, args)
        )
    if args.json:
        print(json.dumps({"corners_px": stored.corners_px, "size": stored.size, "by": stored.by}))
    else:
        then = "kept for run" if stored.agreed else "look on the phone, in the set-up, whether it is so, and keep it"
        print(f"the table lies at {', '.join(f'({x:.0f}, {y:.0f})' for x, y in stored.corners_px)}: {then}")
    return 0


def corners(text: str) -> tuple[tuple[float, float], ...]:
    """Reads ``x1,y1,…,x4,y4``."""
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) != 8 or not all(map(isfinite, numbers)):
        raise argparse.ArgumentTypeError(f"expected eight numbers x1,y1,…,x4,y4, got {text!r}")
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def _by_hand(camera: Camera, config: Config, args: argparse.Namespace) -> StoredCalibration:
    frames = list(islice(camera.frames(), 1))
    if not frames:
        raise CalibrationError("expected pictures of the table, got none")
    height, width = frames[0].image.shape[:2]
    stored = StoredCalibration(
        corners_px=args.corners,
        size=(width, height),
        side_mm=config.table.side_mm,
        when=SystemClock().utc(),
        by="hand",
        camera=locked_of(camera),
    )
    stored.calibration.to_pixels([[0.0, 0.0]], height_mm=0.0)
    save(stored, config.folder / CALIBRATION)
    return stored


def _sheet(path: Path, paper: Paper) -> int:
    match path.suffix:
        case ".svg":
            content = sheet_svg(paper).encode()
        case ".pdf":
            content = sheet_pdf(paper)
        case _:
            raise UsageError(f"expected a file .svg or .pdf for the sheet, got {path}")
    check_outputs([path], [])
    write_output(path, content)
    return 0


def _mounting(side_mm: float, *, as_json: bool) -> int:
    if not as_json:
        print(mounting_table(side_mm), end="")
        return 0
    found = {
        camera.name: {
            markers.value: None if (hung := mount(camera, side_mm, markers)) is None else asdict(hung)
            for markers in Markers
        }
        for camera in MODULES
    }
    print(json.dumps({"side_mm": side_mm, "cameras": found}, ensure_ascii=False))
    return 0
