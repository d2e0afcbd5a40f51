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
        type=corners,
        metavar="x1,y1,…,x4,y4",
        help="the corners of the felt in pixels: far left, far right, near right, near left",
    )
    side = number(above=SIDES_MM[0], maximum=SIDES_MM[1])
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


def corners(text: str) -> tuple[tuple[float, float], ...]:
    """Reads the corners ``x1,y1,…,x4,y4`` of a table seen from above; the size of its picture is not known yet."""
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) != 8 or not all(map(isfinite, numbers)):
        raise argparse.ArgumentTypeError(f"expected eight numbers x1,y1,…,x4,y4, got {text!r:.80}")
    found = tuple(zip(numbers[::2], numbers[1::2], strict=True))
    if not all(_turns_right(*(found[(n + k) % 4] for k in range(3))) for n in range(4)):
        expected = "the corners far left, far right, near right, near left of a table, in this order"
        raise argparse.ArgumentTypeError(f"expected {expected}, got {text!r:.80}")
    return found


def view_of(args: argparse.Namespace) -> TableView | None:
    """Returns the view that the options describe; None without them.

    Raises:
        UsageError: only one of the two was given.
    """
    from vision.photo.tables.table_photo import TableView  # noqa: PLC0415 - help needs none

    if (args.corners is None) != (args.side_mm is None):
        raise UsageError("expected --corners and --side-mm together, got one of them")
    return None if args.corners is None else TableView(corners_px=args.corners, side_mm=args.side_mm)


def _turns_right(before: tuple[float, float], corner: tuple[float, float], after: tuple[float, float]) -> bool:
    """Returns whether the path through three points turns right; y points down, as in a picture."""
    return (corner[0] - before[0]) * (after[1] - corner[1]) > (corner[1] - before[1]) * (after[0] - corner[0])
