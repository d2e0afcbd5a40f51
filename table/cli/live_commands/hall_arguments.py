"""The arguments of `tachiai hall`."""

from __future__ import annotations

import argparse
from typing import Final

from table.cli.deferred import deferred
from table.cli.number_arguments import PORTS, whole

DEFAULT_PORT: Final = 8001


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "hall",
        help="show all tables of a broker on one page",
        description="Listens to every table that sends to an MQTT broker and shows them on one page: round, counters, "
        "scores, and which of them needs somebody.",
    )
    parser.add_argument("broker", metavar="HOST", type=_host, help="the broker's name or address")
    parser.add_argument("--broker-port", type=whole(1, PORTS), default=1883, help="the broker's port (1883)")
    parser.add_argument("--topic", type=_topic, default="tachiai", help="what the tables send under (tachiai)")
    parser.add_argument("--host", default="127.0.0.1", help="address of the page; 0.0.0.0 shows it to phones")
    parser.add_argument("--port", type=whole(0, PORTS), default=DEFAULT_PORT, help=f"port of the page ({DEFAULT_PORT})")
    parser.set_defaults(run=deferred("table.cli.live_commands.hall"))


def _host(text: str) -> str:
    from table.config import is_host  # noqa: PLC0415 - help needs none

    if not is_host(text):
        raise argparse.ArgumentTypeError(f"expected a name or an address like 192.168.1.5, got {text!r}")
    return text


def _topic(text: str) -> str:
    from table.config import is_topic  # noqa: PLC0415 - help needs none

    if not is_topic(text):
        raise argparse.ArgumentTypeError(f"expected a topic like tachiai or house/tables, without + # $, got {text!r}")
    return text
