"""The arguments of `tachiai run`."""

from __future__ import annotations

import argparse

from table.cli.arguments.appliance_options import add_camera, add_config_options
from table.cli.arguments.host_argument import host_name
from table.cli.arguments.number_arguments import MAX_PORT, whole_number_from
from table.cli.arguments.path_arguments import file_on_disk
from table.cli.deferred import DeferredCommand
from table.cli.streams.input_files import STANDARD_INPUT
from table.game.snapshot import Mode
from table.rulebook.ruleset_registry import SETS


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
    add_config_options(parser)
    add_camera(parser)
    parser.add_argument("--simulate", action="store_true", help="use a drawn camera, and the keyboard as the panel")
    parser.add_argument(
        "--ruleset", type=_kept_rules, metavar="SET", help=f"the rules of the first game (default: home): {SETS}"
    )
    parser.add_argument(
        "--mode", choices=[mode.value for mode in Mode], help="who may see and hear what (default: home)"
    )
    parser.add_argument(
        "--host",
        type=host_name,
        help="the page's address (default: that of the configuration, 0.0.0.0 if it has none; 127.0.0.1 without a "
        "configuration); 0.0.0.0 opens it to phones",
    )
    parser.add_argument("--port", type=whole_number_from(0, MAX_PORT), help="the page's port (default: 8000)")
    parser.add_argument(
        "--tls-cert", type=_named_file, metavar="FILE", help="serve the page over TLS, with this certificate"
    )
    parser.add_argument("--tls-key", type=_named_file, metavar="FILE", help="the certificate's key")
    parser.add_argument(
        "--mjai",
        type=_port_or_output,
        metavar="PORT",
        help="also send the game as mjai lines to whoever connects to this port; - for standard output",
    )
    parser.set_defaults(run=DeferredCommand("table.cli.live_commands.run"))


def _port_or_output(text: str) -> int | str:
    return text if text == STANDARD_INPUT else whole_number_from(0, MAX_PORT)(text)


def _named_file(text: str) -> str:
    return str(file_on_disk(text))


def _kept_rules(text: str) -> str:
    if text == STANDARD_INPUT:
        raise argparse.ArgumentTypeError(
            "expected a rule set that the table can read again, got -, which is standard input: import it first"
        )
    return text
