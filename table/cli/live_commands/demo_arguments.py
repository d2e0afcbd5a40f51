"""The arguments of `tachiai demo`."""

from __future__ import annotations

import argparse
from math import inf
from typing import Final

from table.cli.arguments.host_argument import host_name
from table.cli.arguments.number_arguments import MAX_PORT, QUOTED_LETTERS, whole_number_from
from table.cli.deferred import DeferredCommand

DEFAULT_HOST: Final = "127.0.0.1"
DEFAULT_PORT: Final = 8000
LEAST_SPEED: Final = 0.001
"""The demo's few minutes last days at this speed."""


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "demo",
        help="play a scripted evening in front of a drawn camera",
        description="Plays a scripted part of an evening. A drawn camera films it, the shipped models read the tiles "
        "from the pictures, and referee, rules and page follow as at a real table; the script itself only presses "
        "what people would press. The command fails if the final score sheet is not the script's. The page keeps "
        "showing the result until Ctrl-C.",
    )
    parser.add_argument("--headless", action="store_true", help="do not serve the page")
    parser.add_argument(
        "--speed", type=_speed, default=1.0, metavar="N|max", help="how many times faster than real time, or max"
    )
    parser.add_argument(
        "--host", type=host_name, help=f"the page's address (default: {DEFAULT_HOST}); 0.0.0.0 opens it to phones"
    )
    parser.add_argument(
        "--port", type=whole_number_from(0, MAX_PORT), help=f"the page's port (default: {DEFAULT_PORT})"
    )
    parser.add_argument("--seed", type=whole_number_from(0), default=0, help="varies how neatly the tiles are laid")
    parser.add_argument("--json", action="store_true", help="print the scores as one JSON object")
    parser.set_defaults(run=DeferredCommand("table.cli.live_commands.demo"))


def _speed(text: str) -> float | None:
    if text == "max":
        return None
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not LEAST_SPEED <= speed < inf:
        raise argparse.ArgumentTypeError(
            f"expected a number from {LEAST_SPEED:g} or max, got {text[:QUOTED_LETTERS]!r}"
        )
    return speed
