"""Options that commands reading pictures share: where the table lies in them, and which set is on it."""

from __future__ import annotations

import argparse
from pathlib import Path

from table.errors import ConfigError
from vision.table_view import TableView


def add_view(parser: argparse.ArgumentParser) -> None:
    """Adds `--corners` and `--side-mm`."""
    parser.add_argument(
        "--corners",
        metavar="x1,y1,…,x4,y4",
        help="the felt's corners in pixels: far left, far right, near right, near left",
    )
    parser.add_argument("--side-mm", type=float, metavar="N", help="the felt's side between these corners")


def add_tileset(parser: argparse.ArgumentParser) -> None:
    """Adds `--tileset`."""
    parser.add_argument(
        "--tileset",
        type=Path,
        metavar="FILE",
        action="append",
        default=[],
        help="a set learnt with tachiai scan; given twice, which of the two lies there is told by their looks",
    )


def view_of(args: argparse.Namespace) -> TableView | None:
    """The view that the options describe; None without them.

    Raises:
        ConfigError: one of the two is absent, or the corners are not eight numbers.
        CalibrationError: no table has such a side.
    """
    corners: str | None = args.corners
    side_mm: float | None = args.side_mm
    if (corners is None) != (side_mm is None):
        raise ConfigError("expected --corners and --side-mm together, got one of them")
    if corners is None or side_mm is None:
        return None
    try:
        numbers = [float(part) for part in corners.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) != 8:
        raise ConfigError(f"expected --corners as eight numbers x1,y1,…,x4,y4, got {corners!r}")
    return TableView(corners_px=tuple(zip(numbers[0::2], numbers[1::2], strict=True)), side_mm=side_mm)
