"""The arguments of `tachiai hall`."""

from __future__ import annotations

import argparse
from typing import Final

from table.cli.arguments.host_argument import host_name
from table.cli.arguments.number_arguments import MAX_PORT, whole_number_from
from table.cli.arguments.path_arguments import any_file, file_on_disk, folder
from table.cli.deferred import DeferredCommand

DEFAULT_PORT: Final = 8001
PASSWORD: Final = "TACHIAI_MQTT_PASSWORD"  # noqa: S105 - a variable's name
"""The environment variable that may hold the broker's password."""


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "hall",
        allow_abbrev=False,  # `--password` must not pass for `--password-file`
        help="show all tables of a broker on one page",
        description="Shows every table that publishes to an MQTT broker on one page: its round, counters and scores, "
        "and whether it needs help. With --desk, the page also runs a tournament; its state is kept in FOLDER, so that "
        "a desk that was stopped continues where it was.",
    )
    parser.add_argument("broker", metavar="HOST", type=host_name, help="the broker's name or address")
    parser.add_argument(
        "--broker-port", type=whole_number_from(1, MAX_PORT), help="the broker's port (default: 1883, with TLS 8883)"
    )
    parser.add_argument("--user", default="", help="the user name at the broker")
    parser.add_argument(
        "--password-file",
        metavar="FILE",
        type=any_file,
        help=f"a file whose only line is the user's password; - for standard input (default: the variable {PASSWORD})",
    )
    parser.add_argument("--tls", action="store_true", help="connect with TLS and verify the broker's certificate")
    parser.add_argument(
        "--ca",
        type=file_on_disk,
        metavar="FILE",
        help="the CA certificate that signed it (default: the system's)",
    )
    parser.add_argument("--topic", type=topic, default="tachiai", help="the tables' topic prefix (default: tachiai)")
    parser.add_argument(
        "--desk",
        metavar="FOLDER",
        type=folder,
        help="run a tournament: its players, rounds, clock and standings are kept there; its owner chooses a PIN",
    )
    parser.add_argument(
        "--host",
        type=host_name,
        default="127.0.0.1",
        help="the page's address (default: 127.0.0.1); 0.0.0.0 opens it to phones",
    )
    parser.add_argument(
        "--port",
        type=whole_number_from(0, MAX_PORT),
        default=DEFAULT_PORT,
        help=f"the page's port (default: {DEFAULT_PORT})",
    )
    parser.set_defaults(run=DeferredCommand("table.cli.hall_commands.hall"))


def topic(text: str) -> str:
    """Reads the tables' topic prefix; for argparse."""
    from table.config import is_topic  # noqa: PLC0415 - help needs none

    if not is_topic(text):
        expected = "a topic like tachiai or house/tables, without + # $"
        raise argparse.ArgumentTypeError(f"expected {expected}, got {text!r:.80}")
    return text
