"""The arguments of `tachiai calibrate`."""

from __future__ import annotations

import argparse
from typing import Final

from table.cli.arguments.appliance_options import add_camera, add_config_options
from table.cli.arguments.path_arguments import output_file
from table.cli.arguments.picture_options import corners
from table.cli.deferred import DeferredCommand

PAPERS: Final = ("a4", "letter")
"""The values of `vision.geometry.markers.Paper`."""


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "calibrate",
        help="find the table in the camera's picture",
        description="Finds the play surface in the camera's picture, by the printed markers at its corners or by the "
        "colour of the felt. The result is shown in the set-up on the phone and is used once somebody confirms it "
        "there; corners given by --corners are used at once. Stop the table first, since a camera serves one program "
        "at a time. --sheet and --mounting need no camera.",
    )
    add_config_options(parser)
    add_camera(parser)
    parser.add_argument(
        "--corners",
        type=corners,
        metavar="X,Y,…",
        help="eight numbers: far left, far right, near right, near left of the play surface, in the picture's pixels",
    )
    parser.add_argument(
        "--sheet",
        type=output_file,
        metavar="FILE",
        help="write the markers to print, as .svg or .pdf, and do nothing else; - for standard output, as .pdf",
    )
    parser.add_argument("--paper", choices=PAPERS, help="the paper of the sheet (default: a4)")
    parser.add_argument(
        "--mounting",
        action="store_true",
        help="print how high each camera must hang above the configured play surface, and do nothing else",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=DeferredCommand("table.cli.live_commands.calibrate"))
