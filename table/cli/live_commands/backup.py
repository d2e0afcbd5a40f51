"""`tachiai backup`: copies the journal, also while the table plays."""

from __future__ import annotations

import argparse
from pathlib import Path

from table.appliance.appliance import BACKUPS, JOURNAL
from table.cli.appliance_options import add_place, right_at
from table.game.journal.journal_backup import back_up
from table.runtime.clock import SystemClock


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "backup",
        help="copy the journal",
        description="Copies the journal of all games, also while the table plays, and prints where the copy lies.",
    )
    add_place(parser)
    parser.add_argument(
        "--to", type=Path, metavar="FOLDER", help="where copies lie (else `backups` beside the journal)"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Copies.

    Raises:
        ConfigError: the configuration has a mistake.
        JournalError: there is no whole journal, or the copy cannot be written.
    """
    config = right_at(args).config
    folder = args.to or config.folder / BACKUPS
    print(back_up(config.folder / JOURNAL, folder, day=SystemClock().utc(), keep=config.table.backups))
    return 0
