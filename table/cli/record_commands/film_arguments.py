"""The arguments of `tachiai film`."""

from __future__ import annotations

import argparse
from typing import Final

from table.cli.arguments.number_arguments import number, whole_number_from
from table.cli.arguments.path_arguments import any_file, folder
from table.cli.deferred import DeferredCommand

FPS: Final = 5.0
"""The value of `table.camera.simulation.script_recording.FPS`."""


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "film",
        help="render a game record as recordings with ground truth",
        description="Renders the hands of a game record (any format that `audit` reads, with all four hands known) "
        "with the drawn camera. OUT/00, OUT/01, … are recordings with ground truth, for `replay`. `--look 1`, "
        "`--look 2`, … choose other tables, tiles, cameras and light.",
    )
    parser.add_argument("log", metavar="LOG", type=any_file, help="a game record; - for standard input")
    parser.add_argument("out", metavar="OUT", type=folder, help="the folder for the recordings")
    parser.add_argument(
        "--hand",
        type=whole_number_from(0),
        action="append",
        metavar="N",
        help="render only this hand, counted from 0 (repeatable)",
    )
    parser.add_argument(
        "--look",
        type=whole_number_from(0),
        default=0,
        metavar="N",
        help="0 for the plain table (default), else the number of a random one",
    )
    parser.add_argument(
        "--seed",
        type=whole_number_from(0),
        default=0,
        help="varies the placement of tiles and the hands that lay them (default: 0)",
    )
    parser.add_argument(
        "--fps", type=number(above=0.01, maximum=120), default=FPS, help=f"frames per second (default: {FPS:g})"
    )
    parser.add_argument(
        "--pace",
        type=number(above=0, maximum=60),
        default=1.6,
        metavar="S",
        help="seconds between discards (default: 1.6)",
    )
    parser.set_defaults(run=DeferredCommand("table.cli.record_commands.film"))
