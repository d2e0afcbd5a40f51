"""`tachiai run`: keeps a table for as long as it runs: camera, panel, page, journal and backups."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from table.appliance.appliance import Appliance, restore_chosen_backup, run_appliance
from table.appliance.mjai_stream import MjaiStream, OneReader, PortListeners
from table.appliance.table_server import display_host
from table.cli import STOPPED
from table.cli.appliance_options import add_camera, add_place, loaded_at
from table.cli.input_files import STANDARD_INPUT
from table.cli.live_commands.phone_invitation import tell_where
from table.cli.number_arguments import PORTS, whole
from table.config import Config, Loaded, PageConfig
from table.game.snapshot import Mode
from table.rulebook.ruleset_registry import SETS

KEYS_TOLD = "keys: q w e r win (shift: tsumo), a s d f foul, space confirms, delete cancels, k keeps the moment"


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "run",
        help="keep a table: camera, panel, page and journal",
        description="Keeps a table: watches it with the configured camera, drives the panel, serves the page, and "
        "writes the journal and its backups. Without a configuration, the table is kept by phone alone. After a "
        "restart, the game continues where the journal ends. If the configuration has mistakes, they are printed and "
        "the table is kept by hand until they are corrected.",
    )
    add_place(parser)
    add_camera(parser)
    parser.add_argument("--simulate", action="store_true", help="use a drawn camera, and the keyboard as the panel")
    parser.add_argument("--ruleset", metavar="SET", help=f"the rules of the first game (default: home): {SETS}")
    parser.add_argument(
        "--mode", choices=[mode.value for mode in Mode], help="who may see and hear what (default: home)"
    )
    parser.add_argument("--host", help="the page's address (default: 127.0.0.1); 0.0.0.0 opens it to phones")
    parser.add_argument("--port", type=whole(0, PORTS), help="the page's port (default: 8000)")
    parser.add_argument("--tls-cert", metavar="FILE", help="serve the page over TLS, with this certificate")
    parser.add_argument("--tls-key", metavar="FILE", help="the certificate's key")
    parser.add_argument(
        "--mjai",
        type=_port_or_output,
        metavar="PORT",
        help="also send the game as mjai lines to whoever connects to this port; - for standard output",
    )
    parser.set_defaults(run=run)


def _port_or_output(text: str) -> int | str:
    return text if text == STANDARD_INPUT else whole(0, PORTS)(text)


def run(args: argparse.Namespace) -> int:
    """Serves until it is interrupted or told to end; a second interruption ends it at once.

    Raises:
        ConfigError: the address, the certificate or the secrets cannot be used.
        JournalError: another program uses the journal.
    """
    terminated, code = threading.Event(), 0
    loaded = loaded_for(args)
    for problem in loaded.problems:
        print(f"tachiai run: {problem}", file=sys.stderr)
    if loaded.problems:
        print("tachiai run: the table is kept by hand until that is mended", file=sys.stderr)
    while True:
        with run_appliance(loaded) as appliance, _told_as_mjai(appliance, args.mjai):
            _end_when_asked(appliance, terminated)
            page = replace(loaded.config.page, port=appliance.port)
            try:
                _tell(page, is_simulated=args.simulate)
                appliance.ended.wait()
            except KeyboardInterrupt:
                print("tachiai: the journal keeps everything; run again to go on", file=sys.stderr)
                terminated.set()
                code = STOPPED
        if not restore_chosen_backup(appliance) or terminated.is_set():
            return code
        loaded = loaded_for(args)
        loaded = replace(loaded, config=replace(loaded.config, page=page))


@contextmanager
def _told_as_mjai(appliance: Appliance, where: int | str | None) -> Iterator[None]:
    """Tells the game as mjai lines for as long as the context is open, where that is wanted.

    Raises:
        ConfigError: the port cannot be used.
    """
    if where is None or appliance.loop is None:
        yield
        return
    listeners: OneReader | PortListeners = OneReader(sys.stdout)
    if isinstance(where, int):
        host = appliance.config.page.host
        listeners = PortListeners(host, where)
        print(f"tachiai: the game is told as mjai lines at {display_host(host)}:{listeners.port}", file=sys.stderr)
    with MjaiStream(appliance.table.board, appliance.loop.entries, listeners):
        yield


def _end_when_asked(appliance: Appliance, terminated: threading.Event) -> None:
    def end(*_: object) -> None:
        terminated.set()
        appliance.ended.set()

    signal.signal(signal.SIGTERM, end)


def _tell(page: PageConfig, *, is_simulated: bool) -> None:
    scheme = "https" if page.tls_cert else "http"
    tell_where("the table is kept at", host=page.host, port=page.port, scheme=scheme)
    if is_simulated:
        print(KEYS_TOLD, file=sys.stderr)


def loaded_for(args: argparse.Namespace) -> Loaded:
    """The configuration that the command line asks for: the file's, with what is said beside it."""
    loaded = loaded_at(args)
    config = loaded.config
    if args.config is None:
        config = replace(config, page=replace(config.page, host="127.0.0.1"))
    options = {"ruleset": args.ruleset, "mode": args.mode}
    page = {"host": args.host, "port": args.port, "tls_cert": args.tls_cert, "tls_key": args.tls_key}
    config = replace(config, table=replace(config.table, **_given(options)), page=replace(config.page, **_given(page)))
    config = _simulated(config) if args.simulate else config
    return replace(loaded, config=config)


def _given(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _simulated(config: Config) -> Config:
    camera, panel = replace(config.camera, source="drawn"), replace(config.panel, kind="keyboard")
    return replace(config, camera=camera, panel=panel)
