"""The arguments of `tachiai film`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from table.cli.deferred import deferred
from table.cli.number_arguments import number, whole

FPS: Final = 5.0
"""Of `table.camera.simulation.script_recording`."""


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "film",
        help="make recordings with truth of a recorded game",
        description="Films hands of a game record (any format that `audit` reads, all four hands told) with the drawn "
        "camera: OUT/00, OUT/01, … are recordings with truth, for `replay`. `--look 1`, `--look 2`, … are other "
        "tables, tiles, cameras and light.",
    )
    parser.add_argument("log", metavar="LOG", type=Path, help="a game record; - for standard input")
    parser.add_argument("out", metavar="OUT", type=Path, help="folder for the recordings")
    parser.add_argument(
        "--hand", type=whole(0), action="append", metavar="N", help="only this hand, from 0 (repeatable)"
    )
    parser.add_argument(
        "--look", type=whole(0), default=0, metavar="N", help="0: the plain table; else one drawn at random"
    )
    parser.add_argument("--seed", type=whole(0), default=0, help="how tidily tiles are laid, and by which hands")
    parser.add_argument("--fps", type=number(above=0, most=120), default=FPS, help=f"frames a second ({FPS:g})")
    parser.add_argument(
        "--pace", type=number(above=0, most=60), default=1.6, metavar="S", help="seconds from discard to discard (1.6)"
    )
    parser.set_defaults(run=deferred("table.cli.record_commands.film"))
