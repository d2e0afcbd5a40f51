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
        "its corners: then only tiles lying open on the felt are read, never a standing hand. Without them, a table is "
        "looked for; if one is found, its corners are printed, what lies on it is read through its plane, and the rest "
        "as in any photo. A ? after a tile marks a doubtful reading: 6m?; 5z? if a lamp may have washed out the face; "
        "back? for a tile far from all faces and rows; every copy of a face that lies there more often than one set "
        "has it; 5p? if a picture without colour does not show whether the five is red; ?? for what may be no tile. "
        f"The score of a doubtful reading is capped below {MARK_BELOW} and is not a probability.",
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
