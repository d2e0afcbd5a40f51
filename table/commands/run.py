"""`tachiai run`: keeps a table for as long as it runs, from a journal on disk; no camera watches yet."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from table import app
from table.book import rules_named
from table.clock import SystemClock
from table.ledger.journal import Journal
from table.loop import Table
from table.referee import Referee
from table.rules.presets import PRESETS
from table.snapshot import Mode

DEFAULT_PORT: Final = 8000
DEFAULT_JOURNAL: Final = Path("tachiai.journal")


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "run",
        help="keep a table: score, penalties and settlement by phone, with no camera",
        description="Serves the table's page and keeps its journal; phones settle hands, undo and edit. A restart goes "
        "on where the journal stands. The owner's PIN and the cookies' key lie in a file beside the journal.",
    )
    parser.add_argument("--journal", type=Path, default=DEFAULT_JOURNAL, help=f"file of all games ({DEFAULT_JOURNAL})")
    parser.add_argument("--ruleset", choices=tuple(PRESETS), default="home", help="rules of the first game (home)")
    parser.add_argument(
        "--mode", choices=[mode.value for mode in Mode], default="home", help="who may hear what (home)"
    )
    parser.add_argument("--host", default="127.0.0.1", help="address of the page; 0.0.0.0 shows it to phones")
    parser.add_argument("--port", type=int, default=DEFAULT_PORT, help=f"port of the page ({DEFAULT_PORT})")
    parser.add_argument("--tls-cert", type=Path, metavar="FILE", help="serve the page by TLS with this certificate")
    parser.add_argument("--tls-key", type=Path, metavar="FILE", help="the certificate's key")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serves until it is interrupted or told to end.

    Raises:
        ConfigError: the address, the certificate or the secrets cannot be used.
        JournalError: the journal cannot be opened.
    """
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    with ExitStack() as stack:
        journal = stack.enter_context(Journal(args.journal))
        rules = rules_named(args.ruleset).play
        table = Table(journal=journal, referee=Referee(), ruleset=rules, clock=SystemClock(), mode=Mode(args.mode))
        tls = app.tls_files(args.tls_cert, args.tls_key)
        secrets = args.journal.with_name(f"{args.journal.name}.secrets")
        live = stack.enter_context(app.live(table, host=args.host, port=args.port, secrets=secrets, tls=tls))
        scheme = "http" if tls is None else "https"
        print(f"tachiai: the table is kept at {scheme}://{app.shown_host(args.host)}:{live.port}", file=sys.stderr)
        try:
            ended.wait()
        except KeyboardInterrupt:
            print("tachiai: the journal keeps everything; run again to go on", file=sys.stderr)
    return 0
