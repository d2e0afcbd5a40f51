"""`tachiai restore BACKUP`: replaces the journal by a backup; the replaced journal is kept."""

from __future__ import annotations

import argparse

from table.appliance.appliance import JOURNAL
from table.cli.appliance_options import right_at
from table.cli.input_files import INPUT_NAME, as_file
from table.cli.output_files import check_folder
from table.cli.progress import waiting
from table.game.journal.journal_backup import restore
from table.game.journal.journal_files import verify_journal
from table.runtime.clock import SystemClock, stamp
from table.runtime.table_errors import JournalError


def run(args: argparse.Namespace) -> int:
    """Restores the backup.

    Raises:
        ConfigError: the configuration has a mistake.
        JournalError: the file is not a backup, or the table is running.
    """
    folder = right_at(args).config.folder
    check_folder(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with waiting("checking and copying the journal"), as_file(args.backup) as backup:
        try:
            kept = restore(backup, folder / JOURNAL, stamp=stamp(SystemClock()))
        except JournalError as error:
            if backup == args.backup:
                raise
            raise JournalError(str(error).replace(str(backup), INPUT_NAME)) from error
        entries = verify_journal(folder / JOURNAL)
    print(f"restored {entries} entries" + ("" if kept is None else f"; replaced: {kept}"))
    return 0
