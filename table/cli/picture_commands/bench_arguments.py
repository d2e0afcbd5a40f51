"""The arguments of `tachiai bench`."""

from __future__ import annotations

import argparse
from pathlib import Path

from table.cli.deferred import deferred
from table.cli.number_arguments import whole


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "bench",
        help="measure how fast this machine reads a table",
        description="Measures on this machine, decoding excluded: a frame of 1600 x 1600 pixels in which nothing "
        "happens, one in which a tile comes to rest, locating on a table seen from above, reading 136 tiles, and both "
        "in one. Beside it stands one YOLO11n 640 x 640 inference: quoted from the project's notes of another machine, "
        "and then no measure for this one; or another model, named by its file, that is measured here in the same "
        "runtime, threads and run with --peer: only then shares of its time are told. What a Raspberry Pi would take "
        "is projected from one published time of YOLO11n on a Pi 5 with four threads, and for a Pi 4 from one of "
        "YOLOv8n, so only with --threads 4 --peer yolo11n.onnx: nothing was measured on one.",
    )
    parser.add_argument(
        "--threads", type=whole(1, 256), default=1, metavar="N", help="threads for every model (default 1)"
    )
    parser.add_argument(
        "--rounds", type=whole(1), default=15, metavar="N", help="the fastest of so many is told (default 15)"
    )
    parser.add_argument(
        "--peer",
        type=Path,
        metavar="ONNX",
        help="another model to measure beside, such as yolo11n.onnx",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=deferred("table.cli.picture_commands.bench"))
