"""The arguments of `tachiai bench`."""

from __future__ import annotations

import argparse

from table.cli.arguments.number_arguments import whole_number_from
from table.cli.arguments.path_arguments import any_file
from table.cli.deferred import DeferredCommand


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "bench",
        help="measure how fast this machine reads a table",
        description="Measures on this machine, excluding decoding: an idle frame of 1600 x 1600 pixels, a frame in "
        "which a tile comes to rest, locating the tiles of a table seen from above, reading 136 tiles, and both "
        "together. For comparison it prints one YOLO11n 640 x 640 inference, quoted from the project's notes of "
        "another machine. With --peer, another model is measured in the same run with the same runtime and threads, "
        "and the times are also printed as shares of its time. With --threads 4 and an exported YOLO11n as "
        "--peer, recognised by its shapes and size, it also projects the times of a Raspberry Pi 5 from one published "
        "time of YOLO11n, and of a Pi 4 from one of YOLOv8n; nothing was measured on a Pi.",
    )
    parser.add_argument(
        "--threads", type=whole_number_from(1, 256), default=1, metavar="N", help="threads for every model (default: 1)"
    )
    parser.add_argument(
        "--rounds",
        type=whole_number_from(1),
        default=15,
        metavar="N",
        help="the number of rounds; the fastest counts (default: 15)",
    )
    parser.add_argument(
        "--peer",
        type=any_file,
        metavar="ONNX",
        help="another model to measure for comparison, such as yolo11n.onnx; - for standard input",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=DeferredCommand("table.cli.picture_commands.bench"))
