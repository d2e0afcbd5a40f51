"""The arguments of `tachiai check`."""

from __future__ import annotations

import argparse

from table.cli.arguments.appliance_options import add_camera, add_config_options
from table.cli.arguments.number_arguments import MAX_PORT, whole_number_from
from table.cli.deferred import DeferredCommand


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "check",
        help="report health and what needs attention",
        description="Reports the health of the appliance and what needs attention. If the table is running, it is "
        "asked; otherwise the camera and the panel are tried. Every model is run; the whole journal is read, checked "
        "for damage and followed game by game; and a test file is written to the disk and deleted. The exit code is "
        "1 if anything needs attention, including a PIN that nobody has chosen.",
    )
    add_config_options(parser)
    add_camera(parser)
    parser.add_argument(
        "--port",
        type=whole_number_from(1, MAX_PORT),
        metavar="N",
        help="the page's port, if the table was started with another one",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=DeferredCommand("table.cli.upkeep_commands.check"))
