"""`tachiai calibrate`: finds the table in the camera's picture and stores its position."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from itertools import islice
from pathlib import Path

import numpy as np

from table.camera.capture.configured_camera import locked_of, open_camera
from table.camera.table_place.table_calibration import calibrate_camera, calibration_file, far_off_mm
from table.cli.arguments.appliance_options import load_valid_config
from table.cli.streams.input_files import is_standard
from table.cli.streams.output_files import check_folder, check_outputs, write_output
from table.cli.streams.progress import waiting
from table.config import Config
from table.runtime.clock import SystemClock
from table.runtime.table_errors import UsageError
from vision.errors import CalibrationError
from vision.frames import Camera
from vision.geometry.calibration_file import StoredCalibration, save
from vision.geometry.markers import Paper, sheet_pdf, sheet_svg
from vision.geometry.mounting.beside import beside_table
from vision.geometry.mounting.overhead import MODULES, Markers, mount, mounting_table
from vision.geometry.place_checks import check_within


def run(args: argparse.Namespace) -> int:
    """Calibrates, writes the sheet, or prints the mounting heights of cameras.

    Raises:
        UsageError: the sheet's file type is unknown, or options exclude each other.
        ConfigError: the configuration has a mistake, or no camera is configured.
        CameraError: the camera delivers no pictures.
        CalibrationError: the table was not found, or the corners form no quadrilateral in the picture.
    """
    flags = [f"--{name}" for name in ("sheet", "corners", "mounting") if getattr(args, name)]
    if len(flags) > 1:
        raise UsageError(f"expected one of {' and '.join(flags)}, got {len(flags)} of them")
    if args.paper is not None and args.sheet is None:
        raise UsageError(f"expected --sheet with --paper {args.paper}, got none")
    if args.sheet is not None and args.json:
        raise UsageError("expected --sheet or --json, got both")
    if args.sheet is not None:
        return _write_sheet(args.sheet, Paper.A4 if args.paper is None else Paper[args.paper.upper()])
    if args.mounting:
        return _print_mounting(load_valid_config(args).config.table.side_mm, as_json=args.json)
    config = load_valid_config(args).config
    check_folder(config.folder)
    with waiting("looking for the table"), open_camera(config.camera) as camera:
        place = (
            calibrate_camera(camera, config, SystemClock())
            if args.corners is None
            else _place_by_corners(camera, config, args)
        )
    if args.json:
        print(json.dumps({"corners_px": place.corners_px, "size": place.size, "by": place.by}))
    else:
        next_step = "stored for `tachiai run`" if place.agreed else "check and confirm it in the set-up on the phone"
        print(f"the table is at {', '.join(f'({x:.0f}, {y:.0f})' for x, y in place.corners_px)}: {next_step}")
    return 0


def _place_by_corners(camera: Camera, config: Config, args: argparse.Namespace) -> StoredCalibration:
    frames = list(islice(camera.frames(), 1))
    if not frames:
        raise CalibrationError("expected pictures of the table, got none")
    height, width = frames[0].image.shape[:2]
    check_within(np.array(args.corners), (width, height), border=0.0)
    place = StoredCalibration(
        corners_px=args.corners,
        size=(width, height),
        side_mm=config.table.side_mm,
        when=SystemClock().utc(),
        by="hand",
        camera=locked_of(camera),
    )
    place.calibration.to_pixels([[0.0, 0.0]], height_mm=0.0)
    away_mm = far_off_mm(place, frames[0].image)
    if away_mm is not None:
        print(
            f"tachiai calibrate: the table seems to be {away_mm:.0f} mm away from these corners: check that they were "
            "measured in a picture of this size, or leave --corners out to find it",
            file=sys.stderr,
        )
    save(place, calibration_file(config))
    return place


def _write_sheet(path: Path, paper: Paper) -> int:
    match ".pdf" if is_standard(path) else path.suffix.lower():
        case ".svg":
            content = sheet_svg(paper).encode()
        case ".pdf":
            content = sheet_pdf(paper)
        case _:
            raise UsageError(f"expected a file .svg or .pdf for the sheet, got {path}")
    check_outputs([path], [])
    write_output(path, content)
    return 0


def _print_mounting(side_mm: float, *, as_json: bool) -> int:
    if not as_json:
        print(mounting_table(side_mm), beside_table(side_mm), sep="\n", end="")
        return 0
    found = {
        camera.name: {
            markers.value: None if (mounting := mount(camera, side_mm, markers)) is None else asdict(mounting)
            for markers in Markers
        }
        for camera in MODULES
    }
    print(json.dumps({"side_mm": side_mm, "cameras": found}, ensure_ascii=False))
    return 0
