"""`tachiai hall`: one page for all tables of a broker."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from table.appliance.table_server import display_host
from table.cli import STOPPED
from table.cli.number_arguments import PORTS, whole
from table.config import MqttConfig, is_host, is_topic
from table.dashboard.server import serve
from table.mqtt.hall_page import Hall, hall_app
from table.runtime.table_errors import ConfigError, UsageError

DEFAULT_PORT = 8001
PASSWORD: Final = "TACHIAI_MQTT_PASSWORD"  # noqa: S105 - a variable's name
"""The environment's variable that may hold the broker's password."""
BROKER_PORTS: Final = {False: 1883, True: 8883}
"""The broker's usual port, without and with TLS."""


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "hall",
        allow_abbrev=False,  # `--password` must not pass for `--password-file`
        help="show all tables of a broker on one page",
        description="Shows every table that sends to an MQTT broker on one page: its round, counters and scores, and "
        "whether it needs help.",
    )
    parser.add_argument("broker", metavar="HOST", type=_host, help="the broker's name or address")
    parser.add_argument("--broker-port", type=whole(1, PORTS), help="the broker's port (1883, by TLS 8883)")
    parser.add_argument("--user", default="", help="the user that the broker knows")
    parser.add_argument(
        "--password-file",
        metavar="FILE",
        type=Path,
        help=f"its password, the file's only line; else the environment's {PASSWORD}",
    )
    parser.add_argument("--tls", action="store_true", help="speak by TLS, and check the broker's certificate")
    parser.add_argument("--ca", metavar="FILE", help="the authority that signed it (those that the system trusts)")
    parser.add_argument("--topic", type=_topic, default="tachiai", help="what the tables send under (tachiai)")
    parser.add_argument("--host", default="127.0.0.1", help="address of the page; 0.0.0.0 shows it to phones")
    parser.add_argument("--port", type=whole(0, PORTS), default=DEFAULT_PORT, help=f"port of the page ({DEFAULT_PORT})")
    parser.set_defaults(run=run)


def _host(text: str) -> str:
    if not is_host(text):
        raise argparse.ArgumentTypeError(f"expected a name or an address like 192.168.1.5, got {text!r}")
    return text


def _topic(text: str) -> str:
    if not is_topic(text):
        raise argparse.ArgumentTypeError(f"expected a topic like tachiai or house/tables, without + # $, got {text!r}")
    return text


def broker_of(args: argparse.Namespace, environment: Mapping[str, str]) -> MqttConfig:
    """Returns the broker that the command line names; the password never stands on it, where `ps` shows it.

    Raises:
        UsageError: there is a password's file without a user, or an authority without TLS.
        ConfigError: the password's file cannot be read.
    """
    if args.password_file is not None and not args.user:
        raise UsageError("expected --user NAME beside --password-file, got none")
    if args.ca and not args.tls:
        raise UsageError("expected --tls beside --ca, got none")
    password = _password(args.password_file, environment)
    return replace(
        MqttConfig(),
        host=args.broker,
        port=args.broker_port or BROKER_PORTS[args.tls],
        user=args.user,
        password=password if args.user else "",
        tls=args.tls,
        ca=args.ca or "",
        topic=args.topic,
    )


def _password(file: Path | None, environment: Mapping[str, str]) -> str:
    if file is None:
        return environment.get(PASSWORD, "")
    try:
        lines = file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"expected a file with the broker's password, got {file}: {error}") from error
    if len(lines) != 1 or not lines[0]:
        raise ConfigError(f"expected one line with the password in {file}, got {len(lines)}")
    return lines[0]


def run(args: argparse.Namespace) -> int:
    """Serves until it is interrupted or told to end; what is wrong with the broker is said on standard error.

    Raises:
        ConfigError: the address cannot be used, the password cannot be read, or paho-mqtt is not installed.
    """
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    with Hall(broker_of(args, os.environ), complain=_complain) as hall:
        try:
            with serve(hall_app(hall), args.host, args.port) as port:
                print(f"tachiai: the hall is shown at http://{display_host(args.host)}:{port}", file=sys.stderr)
                ended.wait()
        except OSError as error:
            raise ConfigError(
                f"expected an address that can be served, got {args.host}:{args.port}: {error}"
            ) from error
        except KeyboardInterrupt:
            print("tachiai: the tables go on", file=sys.stderr)
            return STOPPED
    return 0


def _complain(text: str) -> None:
    print(f"tachiai: {text}", file=sys.stderr, flush=True)
