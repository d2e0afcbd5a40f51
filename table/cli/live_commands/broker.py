"""`tachiai broker`: what a hall's Mosquitto reads, with a password and rights of its own for each table."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from table.cli.number_arguments import PORTS, whole
from table.config import TABLE_NAME, is_host, is_topic
from table.mqtt.broker_files import CONFIG, DESK, LOGINS, BrokerPlan, write_broker_files
from table.runtime.table_errors import ConfigError, UsageError

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
    parser.add_argument("--host", type=_host, default="localhost", help="the broker as tables reach it (localhost)")
    parser.add_argument("--port", type=whole(1, PORTS), help=f"its port ({PLAIN_PORT}, by TLS {TLS_PORT})")
    parser.add_argument("--cert", metavar="FILE", type=Path, help="the broker's certificate: speak by TLS")
    parser.add_argument("--key", metavar="FILE", type=Path, help="its key")
    parser.add_argument("--ca", metavar="FILE", default="", help="the authority's certificate, as tables have it")
    parser.add_argument("--topic", type=_topic, default="tachiai", help="what the tables send under (tachiai)")
    parser.set_defaults(run=run)


def _table(text: str) -> str:
    if not re.fullmatch(TABLE_NAME, text) or text == DESK:
        raise argparse.ArgumentTypeError(
            f"expected a table's name of 1 to 40 letters, digits, - and _, other than {DESK}, got {text!r}"
        )
    return text


def _host(text: str) -> str:
    if not is_host(text):
        raise argparse.ArgumentTypeError(f"expected a name or an address like 192.168.1.5, got {text!r}")
    return text


def _topic(text: str) -> str:
    if not is_topic(text):
        raise argparse.ArgumentTypeError(f"expected a topic like tachiai or house/tables, without + # $, got {text!r}")
    return text


def run(args: argparse.Namespace) -> int:
    """Writes the files and says what to do with them.

    Raises:
        UsageError: of certificate and key one is not named.
        ConfigError: a file is missing, or something cannot be written.
    """
    if (args.cert is None) != (args.key is None):
        raise UsageError("expected --cert and --key together, got one of them")
    for name, path in (("--cert", args.cert), ("--key", args.key)):
        if path is not None and not path.is_file():
            raise ConfigError(f"expected a file for {name}, got {path}")
    plan = BrokerPlan(
        tables=tuple(dict.fromkeys(args.tables)),
        topic=args.topic,
        host=args.host,
        port=args.port or (TLS_PORT if args.cert else PLAIN_PORT),
        ca=args.ca,
        certificate="" if args.cert is None else str(args.cert.resolve()),
        key="" if args.key is None else str(args.key.resolve()),
    )
    try:
        made = write_broker_files(args.folder, plan)
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"expected a folder that can be written, got {args.folder}: {error}") from error
    if not args.cert:
        print("tachiai: without --cert and --key passwords can be read along in the network", file=sys.stderr)
    print(f"mosquitto -c {args.folder / CONFIG}")
    for user in made:
        print(f"{args.folder / LOGINS}/{f'{DESK}.password' if user == DESK else f'{user}.toml'}")
    return 0
