"""`tachiai restore BACKUP`: puts a copy of the journal in its place; the one that lay there is kept."""

from __future__ import annotations

import argparse
from pathlib import Path

from table.appliance.appliance import JOURNAL
from table.cli.appliance_options import add_place, right_at
from table.game.journal.journal_backup import restore
from table.game.journal.journal_files import verify_journal
from table.runtime.clock import SystemClock, stamp


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "restore",
        help="put a backup in the journal's place",
        description="Checks a backup and puts it in the journal's place; the present journal is kept beside it. Stop "
        "the table first: sudo systemctl stop tachiai.",
    )
    parser.add_argument("backup", type=Path, metavar="BACKUP", help="a file that `tachiai backup` made")
    add_place(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Restores.

    Raises:
        ConfigError: the configuration has a mistake.
        JournalError: the copy is none, or the table runs.
    """
    folder = right_at(args).config.folder
    folder.mkdir(parents=True, exist_ok=True)
    kept = restore(args.backup, folder / JOURNAL, stamp=stamp(SystemClock()))
    print(f"restored {verify_journal(folder / JOURNAL)} entries" + ("" if kept is None else f"; before it: {kept}"))
    return 0
