"""The arguments of `tachiai check`."""

from __future__ import annotations

import argparse

from table.cli.appliance_options import add_camera, add_place
from table.cli.deferred import deferred


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "check",
        help="report health and what needs attention",
        description="Reports health and what needs attention. Asks the table if it runs, also one of another "
        "version; otherwise tries camera and panel itself. Runs every model, reads the whole journal, checks that "
        "nothing in it was altered or lost, follows every game, and writes something to the disk and deletes it again. "
        "Ends with 1 where something needs attention, a PIN that nobody chose included.",
    )
    add_place(parser)
    add_camera(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=deferred("table.cli.live_commands.check"))
