"""The arguments of `tachiai record`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from table.cli.appliance_options import add_camera, add_place
from table.cli.deferred import deferred
from table.cli.number_arguments import number

MINUTE_S: Final = 60.0
DAY_S: Final = 86_400.0


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "record",
        help="film the table into a recording",
        description="Films the table with the configured camera into a recording that `replay` runs. Where hands stand "
        "all is painted black but the tiles that are known to lie there. The table must not run meanwhile.",
    )
    parser.add_argument("out", type=Path, metavar="OUT", help="a new folder")
    add_place(parser)
    add_camera(parser)
    parser.add_argument(
        "--seconds", type=number(above=0, most=DAY_S), default=MINUTE_S, help=f"how long ({MINUTE_S:g})"
    )
    parser.add_argument(
        "--with-hands",
        action="store_true",
        help="leave standing hands in the pictures: for fixtures, where everybody at the table agrees",
    )
    parser.set_defaults(run=deferred("table.cli.live_commands.record"))
