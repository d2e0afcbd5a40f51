"""`tachiai hall`: one page for all tables of a broker."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from dataclasses import replace

from table.appliance.table_server import display_host
from table.cli import STOPPED
from table.config import MqttConfig
from table.dashboard.server import serve
from table.mqtt.hall_page import Hall, hall_app
from table.runtime.table_errors import ConfigError


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
