"""The arguments of `tachiai read`."""

from __future__ import annotations

import argparse

from table.cli.arguments.path_arguments import file_name, output_name
from table.cli.arguments.picture_options import add_tileset, add_view
from table.cli.deferred import DeferredCommand
from vision.confidence import MARK_BELOW


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "read",
        help="find and name tiles and sticks in photos",
        description="Finds and names the tiles and point sticks in photographs. For a photo of a whole table, give "
        "its corners: then only tiles lying open on the felt are read, never a standing hand. Without them the table "
        "is looked for; where it is found, that is printed and what lies on it is read through its plane, the rest as "
        "given. A ? after a tile marks a doubt: 6m?, 5z? for what a lamp blows out, back? for what lies near no face "
        "and in no row, every copy of a face of which more lie there than one set has, 5p? where a picture without "
        "colour does not tell whether it is red, ?? for what may be no tile. "
        f"A doubt's score is below {MARK_BELOW}, a cap and no likelihood.",
    )
    parser.add_argument(
        "images", nargs="+", type=file_name, metavar="IMAGE", help="a JPEG, PNG … file; - for standard input"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object per image, one a line")
    parser.add_argument(
        "--overlay",
        type=output_name,
        metavar="OUT",
        help="draw what was read onto the picture and write it here; a folder for several images; "
        "- for standard output, as JPEG",
    )
    add_view(parser)
    add_tileset(parser)
    parser.set_defaults(run=DeferredCommand("table.cli.picture_commands.read"))
