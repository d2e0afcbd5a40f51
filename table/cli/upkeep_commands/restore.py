"""`tachiai restore BACKUP`: replaces the journal by a backup, and brings back missing files."""

from __future__ import annotations

import argparse
import sys

from table.appliance.files.club_files import LEFT_OUT, restore_files
from table.appliance.files.data_folder import JOURNAL
from table.cli.arguments.appliance_options import load_valid_config
from table.cli.streams.input_files import as_file, check_inputs
from table.cli.streams.output_files import check_folder
from table.cli.streams.progress import waiting
from table.game.journal.recovery.backup_texts import texts_in
from table.game.journal.recovery.journal_backup import restore
from table.game.journal.recovery.journal_files import verify_journal
from table.rules.terms.amounts import amount
from table.runtime.clock import SystemClock, stamp
from vision.atomic_files import new_folder


def run(args: argparse.Namespace) -> int:
    """Restores the backup.

    Raises:
        ConfigError: the configuration has a mistake.
        JournalError: the file is not a backup, or the table is running.
    """
    check_inputs([args.backup, args.config])
    folder = load_valid_config(args).config.folder
    check_folder(folder)
    with new_folder(folder), waiting("checking and copying the journal"), as_file(args.backup) as backup:
        replaced = restore(backup, folder / JOURNAL, stamp=stamp(SystemClock()))
        entries = verify_journal(folder / JOURNAL)
        files = restore_files(texts_in(backup), folder)
    print(f"restored {amount(entries, 'entry')}" + ("" if replaced is None else f"; replaced: {replaced}"))
    for note in (*files, LEFT_OUT):
        print(f"tachiai restore: {note}", file=sys.stderr)
    return 0
