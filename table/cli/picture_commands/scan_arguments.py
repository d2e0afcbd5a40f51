"""The arguments of `tachiai scan`."""

from __future__ import annotations

import argparse

from table.cli.arguments.path_arguments import any_file, output_file
from table.cli.arguments.picture_options import add_view
from table.cli.deferred import DeferredCommand


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "scan",
        help="learn a set of tiles from photos of its faces in order",
        description="Learns a set of tiles. Lay out its 37 faces (34 without red fives) in order, all the same way up, "
        "in any number of rows: characters, circles and bamboo from 1 to 9, east south west north, white green red, "
        "then the red fives. Take one photo to learn from and a second, from another place or in other light, to test "
        "the result; a set is ready only after that test. More photos make reading more reliable.",
    )
    parser.add_argument(
        "photos",
        nargs="*",
        type=any_file,
        metavar="PHOTO",
        help="a photo or a frame of the table's camera; - for standard input",
    )
    parser.add_argument(
        "--out",
        type=output_file,
        metavar="FILE",
        help="where to write the set, such as home.tileset; - for standard output",
    )
    parser.add_argument("--name", help="the set's name (default: the file's name)")
    parser.add_argument(
        "--show", type=any_file, metavar="FILE", help="describe the set in this file; - for standard input"
    )
    parser.add_argument(
        "--forget",
        metavar="SOURCE",
        help="with --show: forget what was learnt from this photo or correction (tap-1)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_view(parser)
    parser.set_defaults(run=DeferredCommand("table.cli.picture_commands.scan"))
