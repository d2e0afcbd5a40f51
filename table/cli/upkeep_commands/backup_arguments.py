"""The arguments of `tachiai backup`."""

from __future__ import annotations

import argparse

from table.cli.arguments.appliance_options import add_config_options
from table.cli.arguments.path_arguments import folder
from table.cli.deferred import DeferredCommand


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "backup",
        help="copy the journal",
        description="Checks the journal, follows every game in it, copies it, and prints where the copy is. The "
        "copy also holds who is whom in the season, guests, and the house's own rule sets; no PIN, no choices of the "
        "set-up and no calibration. The table may keep playing. If something is wrong with the journal the exit code "
        "is 1, and no older copy is deleted.",
    )
    add_config_options(parser)
    parser.add_argument(
        "--to", type=folder, metavar="FOLDER", help="the folder of the copies (default: `backups` beside the journal)"
    )
    parser.set_defaults(run=DeferredCommand("table.cli.upkeep_commands.backup"))
