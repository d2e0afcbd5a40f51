"""`tachiai backup`: copies the journal and the club's files, even while a game is being played."""

from __future__ import annotations

import argparse
import sys

from table.appliance.files.club_files import CONTENTS, LEFT_OUT, club_files
from table.appliance.files.data_folder import JOURNAL
from table.cli.arguments.appliance_options import load_valid_config
from table.cli.streams.output_files import check_folder
from table.cli.streams.progress import progress_counter, waiting
from table.game.journal.recovery.journal_backup import BACKUPS, back_up
from table.game.journal.recovery.journal_check import journal_trouble
from table.runtime.clock import SystemClock
from table.runtime.table_errors import JournalError


def run(args: argparse.Namespace) -> int:
    """Copies the journal.

    Raises:
        ConfigError: the configuration has a mistake.
        JournalError: the journal is missing or damaged, the copy cannot be written, or the copy was written but a
            game in it cannot be followed.
    """
    config = load_valid_config(args).config
    folder, journal = args.to or config.folder / BACKUPS, config.folder / JOURNAL
    if journal.is_file():
        check_folder(folder)
    with progress_counter("games of the journal") as count:
        trouble = journal_trouble(journal, on_game=count)
    keep = None if trouble else config.table.backups
    with waiting("copying the journal"):
        files = club_files(config.folder)
        copy = back_up(journal, folder, day=SystemClock().utc(), keep=keep, texts=files.texts)
    print(copy)
    for note in (f"in the backup: {CONTENTS}", LEFT_OUT, *files.troubles):
        print(f"tachiai backup: {note}", file=sys.stderr)
    if trouble:
        raise JournalError(f"{trouble}; the journal was copied as it is, and no older backup was deleted")
    return 0
