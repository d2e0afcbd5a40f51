"""The arguments of `tachiai restore`."""

from __future__ import annotations

import argparse

from table.cli.arguments.appliance_options import add_config_options
from table.cli.arguments.path_arguments import any_file
from table.cli.deferred import DeferredCommand


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "restore",
        help="replace the journal by a backup",
        description="Checks a backup and puts it in the journal's place; the present journal is kept beside it. Who "
        "is whom in the season, guests and rule sets come back where there are none; those that are there stay, and "
        "what differs is named. Stop the table first: sudo systemctl stop tachiai.",
    )
    parser.add_argument(
        "backup", type=any_file, metavar="BACKUP", help="a file written by `tachiai backup`; - for standard input"
    )
    add_config_options(parser)
    parser.set_defaults(run=DeferredCommand("table.cli.upkeep_commands.restore"))
