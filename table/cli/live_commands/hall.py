"""`tachiai hall`: one page for all tables of a broker."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from dataclasses import replace

from table.appliance.table_server import display_host
from table.cli import STOPPED
from table.cli.number_arguments import PORTS, whole
from table.config import MqttConfig, is_host, is_topic
from table.dashboard.server import serve
from table.mqtt.hall_page import Hall, hall_app
from table.runtime.table_errors import ConfigError

DEFAULT_PORT = 8001


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "hall",
        help="show all tables of a broker on one page",
        description="Shows every table that sends to an MQTT broker on one page: its round, counters and scores, and "
        "whether it needs help.",
    )
    parser.add_argument("broker", metavar="HOST", type=_host, help="the broker's name or address")
    parser.add_argument("--broker-port", type=whole(1, PORTS), default=1883, help="the broker's port (default: 1883)")
    parser.add_argument(
        "--topic", type=_topic, default="tachiai", help="the topic that the tables send under (default: tachiai)"
    )
    parser.add_argument("--host", default="127.0.0.1", help="the page's address; 0.0.0.0 opens it to phones")
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


def run(args: argparse.Namespace) -> int:
    """Serves until it is interrupted or told to end.

    Raises:
        ConfigError: the address cannot be used, or paho-mqtt is not installed.
    """
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    config = replace(MqttConfig(), host=args.broker, port=args.broker_port, topic=args.topic)
    with Hall(config) as hall:
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
