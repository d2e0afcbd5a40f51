"""The arguments of `tachiai run`."""

from __future__ import annotations

import argparse

from table.cli.appliance_options import add_camera, add_place
from table.cli.deferred import deferred
from table.cli.input_files import STANDARD_INPUT
from table.cli.number_arguments import PORTS, whole
from table.game.snapshot import Mode
from table.rulebook.ruleset_registry import SETS


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "run",
        help="keep a table: camera, panel, page and journal",
        description="Keeps a table: watches it with the configured camera, drives the panel, serves the page and keeps "
        "the journal with its backups. Without a configuration the table is kept by phone alone. A restart goes on "
        "where the journal stands. Mistakes in the configuration are told, and the table is kept by hand meanwhile.",
    )
    add_place(parser)
    add_camera(parser)
    parser.add_argument("--simulate", action="store_true", help="a drawn camera, and the keyboard as the panel")
    parser.add_argument("--ruleset", metavar="SET", help=f"rules of the first game (else home): {SETS}")
    parser.add_argument("--mode", choices=[mode.value for mode in Mode], help="who may hear what (else home)")
    parser.add_argument("--host", help="address of the page (else 127.0.0.1); 0.0.0.0 shows it to phones")
    parser.add_argument("--port", type=whole(0, PORTS), help="port of the page (else 8000)")
    parser.add_argument("--tls-cert", metavar="FILE", help="serve the page by TLS with this certificate")
    parser.add_argument("--tls-key", metavar="FILE", help="the certificate's key")
    parser.add_argument(
        "--mjai",
        type=_port_or_output,
        metavar="PORT",
        help="also tell the game as mjai lines, as it goes, to whoever connects to this port; - for standard output",
    )
    parser.set_defaults(run=deferred("table.cli.live_commands.run"))


def _port_or_output(text: str) -> int | str:
    return text if text == STANDARD_INPUT else whole(0, PORTS)(text)
