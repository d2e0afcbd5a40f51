"""`tachiai hall`: shows all tables of a broker on one page."""

from __future__ import annotations

import argparse
import os
import sys
import threading
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from flask import Flask

from table.appliance.files.data_folder import SECRETS
from table.appliance.table_server import display_host
from table.cli import EXIT_STOPPED
from table.cli.hall_commands.hall_arguments import PASSWORD
from table.cli.streams.input_files import input_bytes, input_name
from table.cli.termination import wait_for, when_terminated
from table.config import MqttConfig
from table.dashboard.server import serve
from table.dashboard.web.access.vault import Vault
from table.game.journal.storage.journal_lock import lock_journal
from table.mqtt.broker_client import client_identity
from table.mqtt.broker_files import password_in
from table.mqtt.desk.desk import Desk
from table.mqtt.desk.desk_journal import DeskJournal
from table.mqtt.hall_page import Hall, hall_app
from table.runtime.clock import SystemClock, stamp
from table.runtime.table_errors import ConfigError, UsageError
from vision.errors import reason

JOURNAL: Final = "desk.jsonl"
BROKER_PORTS: Final = {False: 1883, True: 8883}
"""The default ports of MQTT, without and with TLS."""


def broker_of(args: argparse.Namespace, environment: Mapping[str, str]) -> MqttConfig:
    """Returns the broker that the command line names; the password is never given there, where `ps` would show it.

    Raises:
        UsageError: a password file was given without a user, or a CA certificate without TLS.
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
        ca=str(args.ca or ""),
        topic=args.topic,
    )


def _password(file: Path | None, environment: Mapping[str, str]) -> str:
    if file is None:
        return environment.get(PASSWORD, "")
    name = input_name(file)
    try:
        content = input_bytes(file)
    except OSError as error:
        raise ConfigError(f"expected a file with the broker's password, got {name}: {reason(error)}") from error
    return password_in(content, name)


def run(args: argparse.Namespace) -> int:
    """Serves the page until interrupted or terminated; problems with the broker are reported on standard error.

    Raises:
        ConfigError: the address cannot be used, the password or the desk's journal cannot be read, or paho-mqtt is
            not installed.
        JournalError: another program keeps the desk.
    """
    terminated = threading.Event()
    when_terminated(terminated.set)
    with ExitStack() as stack:
        identity = client_identity("hall", f"port {args.port or os.getpid()}")
        hall = Hall(broker_of(args, os.environ), identity, complain=_complain)
        app = hall_app(hall) if args.desk is None else _app_with_desk(hall, args.desk, stack)
        stack.enter_context(hall)
        try:
            with serve(app, args.host, args.port) as port:
                print(f"tachiai: the hall is shown at http://{display_host(args.host)}:{port}", file=sys.stderr)
                wait_for(terminated)
        except OSError as error:
            raise ConfigError(
                f"expected an address to serve on, got {args.host}:{args.port}: {reason(error)}"
            ) from error
        except KeyboardInterrupt:
            print("tachiai: the page is closed; the tables keep running", file=sys.stderr)
            return EXIT_STOPPED
    return 0


def _app_with_desk(hall: Hall, folder: Path, stack: ExitStack) -> Flask:
    """Returns the hall's page with a tournament desk, whose state is kept in a folder."""
    with suppress(OSError):  # opening the journal reports the reason
        folder.mkdir(parents=True, exist_ok=True)
    stack.enter_context(lock_journal(folder / JOURNAL))
    clock = SystemClock()
    journal = stack.enter_context(DeskJournal(folder / JOURNAL, stamp=stamp(clock)))
    if journal.damage is not None:
        _complain(journal.damage.note)
    vault = _vault(folder / SECRETS)
    name = client_identity("desk", str(folder.absolute()))
    desk = Desk(
        journal,
        clock,
        tables=lambda: hall.tables,
        send=hall.send_to_tables,
        is_connected=lambda: hall.is_connected,
        name=name,
    )
    hall.call_on_news(desk.store_report)
    hall.call_on_connect(desk.send_again)
    hall.call_on_signal(desk.other_desk.receive)
    stack.enter_context(desk)
    return hall_app(hall, desk, vault)


def _vault(path: Path) -> Vault:
    try:
        return Vault(path)
    except ConfigError as error:
        raise ConfigError(f"{error}: repair the file, or delete it and choose a new PIN at the desk") from error


def _complain(text: str) -> None:
    print(f"tachiai: {text}", file=sys.stderr, flush=True)
