"""Backs up a running table, reports what is wrong with its journal, and restores a backup after the end."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from table.appliance.files.background_check import BackgroundCheck
from table.appliance.files.club_files import club_files, restore_files
from table.game.journal.journal import Journal
from table.game.journal.recovery.backup_texts import texts_in
from table.game.journal.recovery.journal_backup import back_up, backups, restore
from table.runtime.clock import Clock, stamp
from table.runtime.table_errors import JournalError

_log: Final = logging.getLogger(__name__)


class JournalUpkeep:
    """The care for one journal. Thread-safe: the daily backup and the owner's may coincide."""

    def __init__(
        self,
        journal: Journal,
        path: Path,
        *,
        notes: tuple[str, ...],
        backups: Path,
        keep: int,
        clock: Clock,
        end: Callable[[], None],
    ) -> None:
        """Takes the journal and where its backups are kept.

        Args:
            journal: the open journal; one in memory is not backed up daily.
            path: where the journal is on the disk.
            notes: the repairs made when it was opened.
            backups: the folder of backups.
            keep: how many backups to keep.
            clock: the source of the backups' dates.
            end: ends the program soon, so that a backup can replace the journal.
        """
        self._journal = journal
        self._path = path
        self._notes = notes
        self._folder = backups
        self._keep = keep
        self._clock = clock
        self._end = end
        self._backup_lock = threading.Lock()
        self._trouble = ""
        self.full_check = None if journal.path is None else BackgroundCheck(journal.path)
        """The check of all games in the background; None for a journal in memory."""
        self.chosen: Path | None = None
        """The backup to restore once the table has ended."""

    @property
    def notes(self) -> tuple[str, ...]:
        """The repairs made at the start, and what is wrong with the journal now."""
        found = "" if self.full_check is None else self.full_check.trouble
        return *self._notes, *filter(None, (found, self._trouble))

    @property
    def newest(self) -> str | None:
        """The name of the backup with the most entries; None if there is none."""
        return next(iter(self.backup_names()), None)

    def back_up(self) -> None:
        """Makes the daily backup; a failure is logged, and reported until a backup succeeds.

        None is made of a journal in memory, whose notes say why it is there.
        """
        if self._journal.path is None:
            return
        try:
            self.create_backup()
        except JournalError as error:
            self._trouble = str(error)
            _log.error("%s", error)

    def create_backup(self) -> None:
        """Backs up the journal on the disk; while something is wrong with it, no older backup is deleted.

        Raises:
            NewerJournalError: a newer version wrote the journal.
            JournalError: the backup cannot be written, or the journal is damaged.
        """
        is_sound = self.full_check is None or not self.full_check.trouble
        files, day = club_files(self._path.parent), self._clock.utc()
        for trouble in files.troubles:
            _log.warning("%s", trouble)
        keep = self._keep if is_sound else None
        with self._backup_lock:
            back_up(self._path, self._folder, day=day, keep=keep, texts=files.texts)
        self._trouble = ""

    def backup_names(self) -> list[str]:
        """Returns the backups' names, the one with the most entries first."""
        return [path.name for path in backups(self._folder, self._path.stem)]

    def made_at(self, name: str) -> str:
        """Returns when a backup was made, ISO 8601; empty if there is no such backup."""
        try:
            return datetime.fromtimestamp((self._folder / name).stat().st_mtime, UTC).isoformat()
        except (OSError, OverflowError, ValueError):
            return ""

    def restore(self, name: str) -> bool:
        """Requests that a backup replace the journal after the end (`restore_chosen`); False if there is none."""
        if name not in self.backup_names():
            return False
        self.chosen = self._folder / name
        self._end()
        return True

    def restore_chosen(self) -> bool:
        """Replaces the closed journal by the requested backup; returns False if none was requested.

        Files of the club that are missing come back with it; those that exist stay.

        A failure is logged, and the journal stays unchanged.
        """
        if self.chosen is None:
            return False
        try:
            replaced = restore(self.chosen, self._path, stamp=stamp(self._clock))
            _log.warning("restored from %s; the replaced journal is kept as %s", self.chosen.name, replaced)
            for message in restore_files(texts_in(self.chosen), self._path.parent):
                _log.warning("%s", message)
        except JournalError as error:
            _log.error("%s", error)
        return True
