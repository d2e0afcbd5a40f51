"""The arguments of `tachiai broker`."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from table.cli.deferred import deferred
from table.cli.live_commands.hall_arguments import host_name, topic
from table.cli.number_arguments import PORTS, whole

TLS_PORT = 8883
PLAIN_PORT = 1883


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "broker",
        help="write a hall's Mosquitto settings, rights and passwords",
        description="Writes what the Mosquitto broker of a hall reads: its settings, a password for each table and one "
        "for the desk, and the rights by which a table writes only under its own name. Run again with more tables, it "
        "keeps the passwords given out. Each table's sign-in lies in FOLDER/logins/NAME.toml, to be put into its "
        "tachiai.toml; the desk's in FOLDER/logins/hall.password, for `tachiai hall --password-file`.",
    )
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="where everything is written")
    parser.add_argument("tables", metavar="NAME", nargs="+", type=_table, help="all the hall's tables")
    parser.add_argument("--host", type=host_name, default="localhost", help="the broker as tables reach it (localhost)")
    parser.add_argument("--port", type=whole(1, PORTS), help=f"its port ({PLAIN_PORT}, by TLS {TLS_PORT})")
    parser.add_argument("--cert", metavar="FILE", type=Path, help="the broker's certificate: speak by TLS")
    parser.add_argument("--key", metavar="FILE", type=Path, help="its key")
    parser.add_argument("--ca", metavar="FILE", default="", help="the authority's certificate, as tables have it")
    parser.add_argument("--topic", type=topic, default="tachiai", help="what the tables send under (tachiai)")
    parser.set_defaults(run=deferred("table.cli.live_commands.broker"))


def _table(text: str) -> str:
    from table.config import TABLE_NAME  # noqa: PLC0415 - help needs none
    from table.mqtt.desk_signal import DESK  # noqa: PLC0415

    if not re.fullmatch(TABLE_NAME, text) or text == DESK:
        raise argparse.ArgumentTypeError(
            f"expected a table's name of 1 to 40 letters, digits, - and _, other than {DESK}, got {text!r}"
        )
    return text
