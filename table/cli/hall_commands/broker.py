"""`tachiai broker`: writes the configuration of a hall's Mosquitto, with a password and rights for each table."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from table.cli.hall_commands.broker_arguments import PLAIN_PORT, TLS_PORT
from table.mqtt.broker_files import CONFIG, LOGINS, BrokerPlan, write_broker_files
from table.mqtt.desk_signal import DESK
from table.runtime.table_errors import ConfigError, UsageError
from vision.errors import reason


def run(args: argparse.Namespace) -> int:
    """Writes the files and prints how to use them.

    Raises:
        UsageError: only one of certificate and key was given.
        ConfigError: a file is missing or cannot be written.
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
        logins = write_broker_files(args.folder, plan)
    except OSError as error:
        raise ConfigError(f"expected a writable folder, got {args.folder}: {reason(error)}") from error
    if not args.cert:
        print("tachiai: without --cert and --key anyone on the network can read the passwords", file=sys.stderr)
    for user in logins.left:
        print(
            f"tachiai: {args.folder / LOGINS / user}.toml was edited and stays as it is, "
            "although its [mqtt] does not fit the broker's settings",
            file=sys.stderr,
        )
    print(shlex.join(["mosquitto", "-c", str(args.folder / CONFIG)]))
    print(shlex.join(_hall_command(args.folder / LOGINS / f"{DESK}.password", plan)))
    for user in logins.written:
        print(f"{args.folder / LOGINS}/{f'{DESK}.password' if user == DESK else f'{user}.toml'}")
    return 0


def _hall_command(password_file: Path, plan: BrokerPlan) -> list[str]:
    """Returns the words of the command with which the hall reaches this broker."""
    is_default = plan.port == (TLS_PORT if plan.certificate else PLAIN_PORT)
    port = [] if is_default else ["--broker-port", str(plan.port)]
    topic = [] if plan.topic == BrokerPlan(tables=()).topic else ["--topic", plan.topic]
    tls = ["--tls", *(["--ca", plan.ca] if plan.ca else [])] if plan.certificate else []
    return ["tachiai", "hall", plan.host, *port, *tls, *topic, "--user", DESK, "--password-file", str(password_file)]
