"""The arguments of `tachiai record`."""

from __future__ import annotations

import argparse
from typing import Final

from table.cli.arguments.appliance_options import add_camera, add_config_options
from table.cli.arguments.number_arguments import number
from table.cli.arguments.path_arguments import folder
from table.cli.deferred import DeferredCommand

MINUTE_S: Final = 60.0
DAY_S: Final = 86_400.0


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "record",
        help="film the table into a recording",
        description="Films the table with the configured camera into a recording, for `replay`. The areas where hands "
        "stand are blacked out, except tiles known to lie there. Stop the table first.",
    )
    parser.add_argument("out", type=folder, metavar="OUT", help="the recording: a new folder")
    add_config_options(parser)
    add_camera(parser)
    parser.add_argument(
        "--seconds",
        type=number(above=0, maximum=DAY_S),
        default=MINUTE_S,
        help=f"how long to film, in seconds (default: {MINUTE_S:g})",
    )
    parser.add_argument(
        "--with-hands",
        action="store_true",
        help="keep standing hands in the pictures: for test recordings, if everybody at the table agrees",
    )
    parser.set_defaults(run=DeferredCommand("table.cli.live_commands.record"))
