"""Options shared by commands that read pictures: the table's corners, and the set of tiles."""

from __future__ import annotations

import argparse
from math import isfinite
from typing import TYPE_CHECKING

from table.cli.arguments.number_arguments import number
from table.cli.arguments.path_arguments import any_file
from table.runtime.table_errors import UsageError
from vision.geometry.size_limits import SIDES_MM

if TYPE_CHECKING:
    from vision.photo.tables.table_photo import TableView


def add_view(parser: argparse.ArgumentParser) -> None:
    """Adds `--corners` and `--side-mm`."""
    parser.add_argument(
        "--corners",
        metavar="x1,y1,…,x4,y4",
        help="the corners of the felt in pixels: far left, far right, near right, near left",
    )
    side = number(above=SIDES_MM[0], most=SIDES_MM[1])
    parser.add_argument(
        "--side-mm", type=side, metavar="N", help="the side of the felt between these corners, in millimetres"
    )


def add_tileset(parser: argparse.ArgumentParser) -> None:
    """Adds `--tileset`."""
    parser.add_argument(
        "--tileset",
        type=any_file,
        metavar="FILE",
        action="append",
        default=[],
        help="a set learnt with `tachiai scan`; - for standard input; "
        "if given twice, the set on the table is recognised by its appearance",
    )


def view_of(args: argparse.Namespace) -> TableView | None:
    """Returns the view that the options describe; None without them.

    Raises:
        UsageError: only one of the two was given, or the corners are not eight numbers.
    """
    from vision.photo.tables.table_photo import TableView  # noqa: PLC0415 - help needs none

    corners: str | None = args.corners
    side_mm: float | None = args.side_mm
    if (corners is None) != (side_mm is None):
        raise UsageError("expected --corners and --side-mm together, got one of them")
    if corners is None or side_mm is None:
        return None
    try:
        numbers = [float(part) for part in corners.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) != 8 or not all(map(isfinite, numbers)):
        raise UsageError(f"expected --corners as eight numbers x1,y1,…,x4,y4, got {corners!r}")
    return TableView(corners_px=tuple(zip(numbers[0::2], numbers[1::2], strict=True)), side_mm=side_mm)
