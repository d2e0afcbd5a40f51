"""The arguments of `tachiai broker`."""

from __future__ import annotations

import argparse
import re

from table.cli.arguments.host_argument import host_name
from table.cli.arguments.number_arguments import MAX_PORT, whole_number_from
from table.cli.arguments.path_arguments import file_on_disk, folder
from table.cli.deferred import DeferredCommand
from table.cli.hall_commands.hall_arguments import topic

TLS_PORT = 8883
PLAIN_PORT = 1883


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "broker",
        help="write a hall's Mosquitto settings, rights and passwords",
        description="Writes the configuration of a hall's Mosquitto broker: its settings, a password for each table "
        "and one for the desk, and access rights that let each table publish only under its own name. When run "
        "again with more tables or other settings, it keeps the existing passwords. Each table's login is written to "
        "FOLDER/logins/NAME.toml, to be copied into its tachiai.toml; the desk's is written to "
        "FOLDER/logins/hall.password, for `tachiai hall --password-file`.",
    )
    parser.add_argument("folder", metavar="FOLDER", type=folder, help="the folder to write to")
    parser.add_argument("tables", metavar="NAME", nargs="+", type=_table, help="the name of each table in the hall")
    parser.add_argument(
        "--host",
        type=host_name,
        default="localhost",
        help="the broker's address, as seen from the tables (default: localhost)",
    )
    parser.add_argument(
        "--port",
        type=whole_number_from(1, MAX_PORT),
        help=f"the broker's port (default: {PLAIN_PORT}, with TLS {TLS_PORT})",
    )
    parser.add_argument("--cert", metavar="FILE", type=file_on_disk, help="the broker's certificate; turns on TLS")
    parser.add_argument("--key", metavar="FILE", type=file_on_disk, help="the certificate's key")
    parser.add_argument("--ca", metavar="FILE", default="", help="path of the CA certificate on the tables")
    parser.add_argument("--topic", type=topic, default="tachiai", help="the tables' topic prefix (default: tachiai)")
    parser.set_defaults(run=DeferredCommand("table.cli.hall_commands.broker"))


def _table(text: str) -> str:
    from table.config import TABLE_NAME  # noqa: PLC0415 - help needs none
    from table.mqtt.desk_signal import DESK  # noqa: PLC0415

    if not re.fullmatch(TABLE_NAME, text) or text == DESK:
        raise argparse.ArgumentTypeError(
            f"expected a table's name of 1 to 40 letters, digits, - and _, other than {DESK}, got {text!r:.80}"
        )
    return text
