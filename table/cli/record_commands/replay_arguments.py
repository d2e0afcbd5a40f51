"""The arguments of `tachiai replay`."""

from __future__ import annotations

import argparse

from table.cli.arguments.path_arguments import any_file, output_file
from table.cli.arguments.picture_options import add_tileset
from table.cli.deferred import DeferredCommand


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "replay",
        help="run a recording through the whole pipeline",
        description="Runs a recording through models, referee and rules as fast as possible. The same recording "
        "gives the same result on every run.",
    )
    parser.add_argument(
        "recording",
        metavar="RECORDING",
        type=any_file,
        help="a folder with recording.toml and frames, also as one zip or tar file; - for standard input",
    )
    parser.add_argument("--json", action="store_true", help="print the events, one mjai line each")
    parser.add_argument(
        "--events",
        metavar="FILE",
        type=output_file,
        help="write the events to this file, one mjai line each; - for standard output",
    )
    parser.add_argument(
        "--announcements",
        metavar="FILE",
        type=output_file,
        help="write the announcements to this file, one JSON line each; - for standard output",
    )
    parser.add_argument("--raw", action="store_true", help="include events that were taken back, marked as retracted")
    parser.add_argument(
        "--check",
        action="store_true",
        help="compare the result with the recording's truth.mjson; the exit code is 1 if a hand disagrees",
    )
    add_tileset(parser)
    parser.set_defaults(run=DeferredCommand("table.cli.record_commands.replay"))
